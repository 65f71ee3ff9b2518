// Watches a run go by and says when a pinned fault's step has come.
//
// Each pattern counts its own matches and hits once, at the nth. A run without pins pays one branch.
#pragma once

#include <memory_resource>
#include <string_view>
#include <vector>

#include "sim/world/fault.h"

namespace locklapse {

class Pins {
 public:
  explicit Pins(std::pmr::memory_resource& memory) : steps_(&memory), messages_(&memory) {}

  void add(const StepPattern& pattern, const Action& action, Duration plus) {
    steps_.push_back({pattern, action, plus, 0});
  }
  void add(const MessageFault& fault) { messages_.push_back({fault, 0}); }

  bool empty() const { return steps_.empty() && messages_.empty(); }

  struct Hit {
    const Action* action = nullptr;
    Duration plus{};
  };
  // Calls fn(Hit) for each pinned action whose step this is; returns whether there was one.
  template <typename Fn>
  bool at_step(ClientId client, Stage stage, Phase phase, std::string_view command, Point point,
               bool before, Fn&& fn) {
    bool any = false;
    for (PinnedStep& pin : steps_) {
      const StepPattern& p = pin.pattern;
      if (p.client != client || p.stage != stage || p.phase != phase || p.point != point ||
          p.before != before || (!p.command.empty() && p.command != command)) {
        continue;
      }
      if (++pin.matches != p.nth) continue;
      any = true;
      fn(Hit{&pin.action, pin.plus});
    }
    return any;
  }

  // The fault that befalls this message, or null.
  const MessageFault* on_message(ClientId client, Phase phase, std::string_view command, bool reply) {
    for (PinnedMessage& pin : messages_) {
      const MessageFault& f = pin.fault;
      if (f.client != client || f.phase != phase || f.reply != reply ||
          (!f.command.empty() && f.command != command)) {
        continue;
      }
      if (++pin.matches == f.nth) return &f;
    }
    return nullptr;
  }

 private:
  struct PinnedStep {
    StepPattern pattern;
    Action action;
    Duration plus;
    std::uint32_t matches;
  };
  struct PinnedMessage {
    MessageFault fault;
    std::uint32_t matches;
  };
  std::pmr::vector<PinnedStep> steps_;
  std::pmr::vector<PinnedMessage> messages_;
};

}  // namespace locklapse
