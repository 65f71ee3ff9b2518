// A run as a list of steps: what a picture of it shows, row by row, in plain words.
//
// Derived once from (history, verdict) and shared by every picture. Repetition is folded here: a
// waiter's run of refusals and a row of renewals are one step each, with count and period; the same
// change on several nodes at one instant is one step.
//
// Invariant: steps are in the order of the history: `event` never decreases.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "reports/run_report.h"
#include "sim/history/history.h"
#include "sim/history/verdict.h"

namespace locklapse::reports {

// The mark a step leaves in its client's lane; kNone shows what the lane is doing.
enum class Mark : std::uint8_t {
  kNone,
  kTry,
  kRefused,
  kUnanswered,
  kEnter,
  kTold,
  kLeave,
  kReleased,
  kReleaseRefused,
  kGaveUp,
  kCrash,
};

// How much a reader would miss the step.
enum class Weight : std::uint8_t {
  kDetail,   // the course of things
  kTurn,     // someone enters, leaves, owns, loses
  kFault,    // something injected
  kFinding,  // the verdict speaks of it
};

struct Step {
  std::size_t event = 0;  // lanes are drawn as they stand after this event
  Time at;
  ClientId client = kNoClient;   // in whose lane the mark goes, or
  PlaceId process = kNoPlace;    // in those of all clients of this process
  std::vector<ClientId> others;  // clients that do the same at about the same time
  Mark mark = Mark::kNone;
  Weight weight = Weight::kDetail;
  int overlap = -1;      // this step is the beginning of that overlap
  int key_lane = -1;     // Lanes::keys() index, when Redis's view of the owner changed
  bool unowned = false;  // hit a key of someone else
  std::string words;     // names as they are: to be escaped by the picture
  std::string command;   // the command line that goes with it, may be long
};

struct Timeline {
  std::vector<Step> steps;
  // Attempts and renewals that a step with a count stands for: a picture of messages leaves out the
  // events of these. One flag per event.
  std::vector<bool> folded;
};

// `names` is what sentences call each client (wording.h).
Timeline make_timeline(const History& history, const Verdict& verdict,
                       std::span<const std::string> names);

// Keeps at most `most` steps, the weightiest and those near them; returns how many were left out.
std::size_t thin_out(std::vector<Step>& steps, std::size_t most);

}  // namespace locklapse::reports
