#!/usr/bin/env bash
# Installs the Debian packages that a task needs, if any are missing; says nothing when all are there.
#
#   .ci/deps.sh SET...     SET: build (build and run), test (a real server to compare with), check (deeper
#                          checks), bench
#
# Debian's redis-server comes as a service too, and on a machine with systemd installing it starts one, on
# 127.0.0.1:6379. Nothing here uses that one: tests start their own, on unix sockets. Whether it shall go on is
# for whoever owns the machine to say: systemctl disable --now redis-server
set -euo pipefail

# a|b: any of these will do; the first is installed when none is there. Debian's two versions of Boost exclude
# each other, and we shall not throw out the one that somebody has chosen.
build=(g++ cmake ninja-build pkg-config libfmt-dev libcli11-dev libyaml-cpp-dev nlohmann-json3-dev
       liblua5.1-0-dev "libboost-dev|libboost1.74-dev|libboost1.81-dev" libgtest-dev python3 python3-jsonschema)
test=(redis-server)
check=(clang libclang-rt-14-dev clang-tidy clang-format)
bench=(libbenchmark-dev libsystemc-dev)

wanted=()
for set in "$@"; do
  case "$set" in
    build) wanted+=("${build[@]}") ;;
    test) wanted+=("${test[@]}") ;;
    check) wanted+=("${check[@]}") ;;
    bench) wanted+=("${bench[@]}") ;;
    *) echo "deps: unknown set '$set' (build, test, check, bench)" >&2; exit 64 ;;
  esac
done

if ! command -v apt-get >/dev/null; then
  echo "deps: no apt-get here; make sure that the equivalents of these are installed: ${wanted[*]}" >&2
  exit 0
fi

installed() {
  [[ " $(dpkg-query --show --showformat='${db:Status-Status} ' "$1" 2>/dev/null)" == *" installed "* ]]
}

# any_installed A|B|...
any_installed() {
  local package packages
  IFS='|' read -ra packages <<<"$1"
  for package in "${packages[@]}"; do
    if installed "$package"; then return 0; fi
  done
  return 1
}

missing=()
for choice in "${wanted[@]}"; do
  any_installed "$choice" || missing+=("${choice%%|*}")
done
(( ${#missing[@]} > 0 )) || exit 0

as_root=()
if (( $(id -u) != 0 )); then
  command -v sudo >/dev/null || {
    echo "deps: these packages are missing, and there is no sudo to install them: ${missing[*]}" >&2
    exit 1
  }
  as_root=(sudo)
fi
echo "deps: installing ${missing[*]}" >&2
if [[ " ${missing[*]} " == *" redis-server "* && -d /run/systemd/system ]]; then
  echo "deps: note: this starts a redis service on 127.0.0.1:6379, which nothing here uses" >&2
fi
"${as_root[@]}" apt-get update -qq >&2
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
  apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2
