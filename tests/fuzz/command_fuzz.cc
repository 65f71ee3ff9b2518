// Fuzzes the server: bytes become commands of three connections, among them scripts, and steps of
// the clock. The server must take anything without crashing, hanging or eating memory, and must
// answer every command exactly once.
//
// The input is text, so that a corpus can be read and written by hand. A line is a command; its
// first byte says which connection sends it (0-2), or that the clock moves ('+' or '-' and
// milliseconds), that a connection drops ('x' and its number), that the server wakes ('w'), that a
// script is busy ('b' and how), or that snapshots cannot be saved ('f' and whether). The first line may
// be 'd' and the number of a dialect.
// Words are separated by blanks; a word that begins with '"' goes on to the next '"' and may hold
// blanks and line ends.
#include <cstdint>
#include <cstdlib>
#include <memory_resource>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/time.h"
#include "sim/redis/lua_engine.h"
#include "sim/redis/server.h"

namespace locklapse::redis {
namespace {

constexpr std::size_t kCommandsMax = 200;
constexpr std::int64_t kStepMsMax = 1'000'000'000;

class Input {
 public:
  explicit Input(std::string_view bytes) : rest_(bytes) {}

  bool next_line(std::vector<std::string_view>& words) {
    words.clear();
    if (rest_.empty()) return false;
    while (!rest_.empty() && rest_.front() != '\n') {
      if (rest_.front() == ' ') {
        rest_.remove_prefix(1);
      } else if (rest_.front() == '"') {
        rest_.remove_prefix(1);
        words.push_back(take(rest_.find('"')));
        if (!rest_.empty()) rest_.remove_prefix(1);
      } else {
        words.push_back(take(rest_.find_first_of(" \n")));
      }
    }
    if (!rest_.empty()) rest_.remove_prefix(1);
    return true;
  }

 private:
  std::string_view take(std::size_t size) {
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(taken.size());
    return taken;
  }

  std::string_view rest_;
};

class Play final : public KeyspaceObserver {
 public:
  explicit Play(Dialect dialect)
      : server_(memory_, engine(),
                {.value_bytes_max = 1 << 16,
                 .persistence = {.kind = PersistenceKind::kRdb},
                 .dialect = dialect},
                this),
        connections_{server_.connect(), server_.connect(), server_.connect()} {}

  void line(const std::vector<std::string_view>& words) {
    if (words.empty() || words[0].empty()) return;
    Outbox sent(&memory_);
    switch (words[0][0]) {
      case '+':
        step(words[0].substr(1), 1);
        break;
      case '-':
        step(words[0].substr(1), -1);
        break;
      case 'w':
        server_.wake(now_, sent);
        break;
      case 'b':
        server_.set_busy_script(static_cast<BusyScript>(digit(words[0]) % 3));
        break;
      case 'f':
        server_.set_save_failing(digit(words[0]) % 2 == 1);
        break;
      case 'x':
        server_.disconnect(chosen(words[0].substr(1)));
        chosen(words[0].substr(1)) = server_.connect();
        break;
      default:
        server_.execute(chosen(words[0]), Argv(words).subspan(1), now_, sent);
        break;
    }
    for (const Delivery& delivery : sent) {
      std::pmr::string text(&memory_);
      encode_resp2(delivery.reply, text);
      encode_resp3(delivery.reply, text);
      describe(delivery.reply, text);
      // Whoever was killed comes again.
      if (delivery.closes) reconnect(delivery.to);
    }
    server_.take_busy_ms();
    if (const auto next = server_.next_wakeup(); next && *next <= now_) server_.wake(now_, sent);
    server_.tell_ended_ttls(now_);
    if (const auto next = server_.next_deadline_ms(); next && now_.ms() > *next) std::abort();
  }

  void on_key_change(const KeyChange& change) override {
    // Every view must be readable while the change is told.
    sum_ += change.key.size() + change.owner_before.size() + change.owner_after.size();
    for (const char c : change.owner_before) sum_ += static_cast<unsigned char>(c);
    for (const char c : change.owner_after) sum_ += static_cast<unsigned char>(c);
  }
  void on_ttl_ended(int /*db*/, std::string_view key, std::string_view owner,
                    std::int64_t deadline_ms) override {
    if (now_.ms() <= deadline_ms) std::abort();
    for (const char c : key) sum_ += static_cast<unsigned char>(c);
    for (const char c : owner) sum_ += static_cast<unsigned char>(c);
  }

 private:
  static LuaEngine& engine() {
    static LuaEngine shared({.instructions_max = 5'000, .memory_bytes_max = 2 << 20});
    return shared;
  }

  static unsigned digit(std::string_view word) {
    return word.size() < 2 ? 0U : static_cast<unsigned char>(word[1]);
  }

  void reconnect(ConnectionId gone) {
    for (ConnectionId& connection : connections_) {
      if (connection == gone) connection = server_.connect();
    }
  }

  ConnectionId& chosen(std::string_view word) {
    return connections_[word.empty() ? 0 : static_cast<unsigned char>(word[0]) % 3];
  }

  void step(std::string_view digits, int sign) {
    std::int64_t ms = 0;
    for (const char c : digits) {
      if (c < '0' || c > '9' || ms > kStepMsMax) break;
      ms = ms * 10 + (c - '0');
    }
    now_.us += sign * ms * 1000;
  }

  std::pmr::unsynchronized_pool_resource memory_;
  WallTime now_ = kEpoch;
  Server server_;
  ConnectionId connections_[3];
  std::size_t sum_ = 0;
};

}  // namespace
}  // namespace locklapse::redis

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using locklapse::redis::Input;
  using locklapse::redis::Play;
  Input input({reinterpret_cast<const char*>(data), size});
  std::vector<std::string_view> words;
  if (!input.next_line(words)) return 0;
  const bool names_dialect = words.size() == 1 && words[0].size() == 2 && words[0][0] == 'd';
  const unsigned dialect = names_dialect ? static_cast<unsigned char>(words[0][1]) : 0U;
  Play play(locklapse::redis::kDialects[dialect % std::size(locklapse::redis::kDialects)]);
  if (!names_dialect) play.line(words);
  for (std::size_t i = 0; i < locklapse::redis::kCommandsMax && input.next_line(words); ++i) {
    play.line(words);
  }
  return 0;
}
