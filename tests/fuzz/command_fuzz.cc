// Fuzzes the server: bytes become commands of three connections, among them scripts, and steps of
// the clock. The server must take anything without crashing, hanging or eating memory, and must
// answer every command exactly once.
//
// The input is text, so that a corpus can be read and written by hand. A line is a command; its
// first byte says which connection sends it (0-2), or that the clock moves ('+' or '-' and
// milliseconds), that a connection drops ('x' and its number), or that the server wakes ('w').
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
  Play()
      : server_(memory_, engine(), {.value_bytes_max = 1 << 16}, this),
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
      describe(delivery.reply, text);
    }
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
  Play play;
  std::vector<std::string_view> words;
  for (std::size_t i = 0; i < locklapse::redis::kCommandsMax && input.next_line(words); ++i) {
    play.line(words);
  }
  return 0;
}
