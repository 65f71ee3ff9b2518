#!/usr/bin/env python3
"""Measures and prints a table of ratios: run.py BUILD_FOLDER [SECTION...]

Machines differ and so do minutes on one machine, so what counts are ratios of medians of five runs, with
the two sides taking turns. Under each table stands the command whose output it was made from.
"""

import json
import pathlib
import statistics
import subprocess
import sys

ROUNDS = 5
SOURCE = pathlib.Path(__file__).resolve().parents[2]


def run_json(command):
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(done.stdout.strip().splitlines()[-1])


def shown(command):
    """A command as one would type it at the top of the source tree."""
    return " ".join(part.replace(f"{SOURCE}/", "") for part in map(str, command))


def in_turns(commands):
    """The outputs of several commands, each run ROUNDS times, taking turns."""
    outputs = [[] for _ in commands]
    for _ in range(ROUNDS):
        for command, collected in zip(commands, outputs):
            collected.append(run_json(command))
    return outputs


def median(outputs, field):
    return statistics.median(output[field] for output in outputs)


def table(title, header, rows):
    print(f"\n{title}\n")
    lines = [header] + [[str(cell) for cell in row] for row in rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(header))]
    for number, line in enumerate(lines):
        cells = [line[0].ljust(widths[0])] + [c.rjust(w) for c, w in zip(line[1:], widths[1:])]
        print("  " + "  ".join(cells).rstrip())
        if number == 0:
            print("  " + "  ".join("-" * w for w in widths))


def kernel(folder):
    ours, theirs = folder / "locklapse_kernel_bench", folder / "systemc_bench"
    rows = []
    for clients in (10, 1_000, 100_000):
        commands = [[str(ours), str(clients)]]
        if theirs.exists():
            commands.append([str(theirs), str(clients)])
        outputs = in_turns(commands)
        row = [f"{clients:,}", f"{median(outputs[0], 'events_per_second') / 1e6:.2f} M",
               max(output["allocations"] for output in outputs[0])]
        if theirs.exists():
            same = {output["checksum"] for side in outputs for output in side}
            ratio = median(outputs[0], "events_per_second") / median(outputs[1], "events_per_second")
            row += [f"{median(outputs[1], 'events_per_second') / 1e6:.2f} M", f"{ratio:.1f}x",
                    "yes" if len(same) == 1 else "NO"]
        else:
            row += ["not installed", "", ""]
        rows.append(row)
    table("Kernel: clients in ping-pong with a server through a link with latency, events per second",
          ["clients", "locklapse", "allocations", "SystemC", "ratio", "same checksum"], rows)
    print(f"\n  {shown([ours, 'CLIENTS'])}; {shown([theirs, 'CLIENTS'])}")


def queue(folder):
    command = [str(folder / "locklapse_queue_bench"), "--benchmark_format=json",
               f"--benchmark_repetitions={ROUNDS}", "--benchmark_enable_random_interleaving=true",
               "--benchmark_min_time=0.1"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    medians = {b["run_name"]: b["cpu_time"] for b in json.loads(done.stdout)["benchmarks"]
               if b.get("aggregate_name") == "median"}
    rows = []
    for pending in (10, 1_000, 100_000):
        ours, heap = (medians[f"hold<{name}>/{pending}"] for name in ("Ladder", "BinaryHeap"))
        rows.append([f"{pending:,}", f"{ours:.0f} ns", f"{heap:.0f} ns", f"{heap / ours:.1f}x"])
    table("Event queue: take the earliest event, put it back later",
          ["pending", "ladder", "binary heap", "ratio"], rows)
    print("\n  " + shown(command))


def server(folder):
    program = folder / "locklapse_server_bench"
    sides = ("model", "redis", "live")
    outputs = dict(zip(sides, in_turns([[str(program), side] for side in sides])))
    if any("not_run" in run for run in outputs["redis"]):
        print(f"\nServer: not measured: {outputs['redis'][0]['not_run']}")
        return
    rows = []
    for field, name in (("set", "SET NX PX"), ("get", "GET"), ("release", "compare-and-delete, EVALSHA")):
        model, real, live = (median(outputs[side], field) for side in sides)
        rows.append([name, f"{model / 1e3:,.0f} k", f"{real / 1e3:,.0f} k", f"{model / real:.1f}x",
                     f"{live / 1e3:,.1f} k"])
    table("Commands per second: the model, one call each; redis-server 7.0, 50 pipelined on a unix socket; "
          "and a world on a real server",
          ["command", "model", "redis-server", "ratio", "--backend redis"], rows)
    print("\n  " + shown([program, "|".join(sides)]))


def replays(folder):
    program = folder / "locklapse_replay_bench"
    if not program.exists():
        return
    outputs = in_turns([[str(program)]])[0]
    rows = [[name, f"{median(outputs, name):,.0f}"] for name in outputs[0]
            if isinstance(outputs[0][name], (int, float))]
    table("Replays of the A/B/C story, assembly and verdict included, one thread",
          ["figure", "median"], rows)
    print("\n  " + shown([program]))


def whole_process(folder):
    program, measure = folder.parents[1] / "locklapse", folder / "locklapse_measure"
    if not program.exists() or not (SOURCE / "scenarios" / "abc.yaml").exists():
        return
    catalogue = str(SOURCE / "scenarios")
    commands = {
        "/bin/true": ["/bin/true"],
        "one file": [program, "run", f"{catalogue}/abc.yaml"],
        "catalogue, all strategies": [program, "run", catalogue, "--strategy", "all"],
    }
    outputs = dict(zip(commands, in_turns([[measure, *c] for c in commands.values()])))
    rows = []
    for name, runs in outputs.items():
        # 0 to 2 are answers about the runs; more is a failure of the program.
        if any(run["status"] > 2 for run in runs):
            raise RuntimeError(f"{shown(commands[name])} failed")
        ms = median(runs, "ms")
        rows.append([name, f"{ms:.1f} ms", f"{ms / median(outputs['/bin/true'], 'ms'):.1f}x",
                     f"{max(run['peak_mib'] for run in runs):.1f} MiB"])
    table("Whole processes, start and exit included",
          ["command", "wall time", "beside /bin/true", "peak memory"], rows)
    print("\n  " + "; ".join(shown([measure, *c]) for c in list(commands.values())[1:]))


SECTIONS = {"kernel": kernel, "queue": queue, "server": server, "replays": replays, "process": whole_process}


def main():
    if len(sys.argv) < 2 or any(name not in SECTIONS for name in sys.argv[2:]):
        print(f"usage: run.py BUILD_FOLDER [{'|'.join(SECTIONS)}]...", file=sys.stderr)
        return 64
    folder = pathlib.Path(sys.argv[1]).resolve() / "tests" / "bench"
    print(f"Medians of {ROUNDS} interleaved runs.")
    for name in sys.argv[2:] or SECTIONS:
        SECTIONS[name](folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
