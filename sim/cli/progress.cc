#include "sim/cli/progress.h"

#include <fmt/format.h>

#include <cstdio>
#include <string>

#include "reports/escape.h"
#include "sim/cli/terminal.h"

namespace locklapse::cli {
namespace {

constexpr auto kFirstAfter = std::chrono::milliseconds(300);
constexpr auto kThenEvery = std::chrono::milliseconds(100);
constexpr std::string_view kClearLine = "\r\x1b[K";
constexpr std::size_t kTextBytesMax = 60;  // one line on any terminal

void put(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); }

}  // namespace

Progress::Progress(std::size_t total, bool wanted)
    : total_(total), enabled_(wanted && stderr_is_terminal()), next_(Clock::now() + kFirstAfter) {}

Progress::~Progress() {
  if (shown_) put(kClearLine);
}

void Progress::step(std::string_view what) {
  ++done_;
  if (!enabled_ || Clock::now() < next_) return;
  next_ = Clock::now() + kThenEvery;
  shown_ = true;
  put(fmt::format("{}[{}/{}] {}", kClearLine, done_, total_,
                  reports::printable(what.substr(0, kTextBytesMax), false)));
}

}  // namespace locklapse::cli
