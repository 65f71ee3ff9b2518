#include "sim/scenario/fault_kinds.h"

namespace locklapse::scenario {
namespace {

constexpr FaultKindInfo kKinds[] = {
    {"pause", FaultKind::kPause, FaultTarget::kProcess, "for", "for",
     "a process stands still: its work, timers and replies all wait (a GC, a suspended machine)"},
    {"stall", FaultKind::kStall, FaultTarget::kClient, "for", "for",
     "only the client's working thread stands still; a renewal in another thread goes on"},
    {"slow", FaultKind::kSlow, FaultTarget::kClient, "by", "by",
     "the client's work or call in progress, or its next one, takes longer"},
    {"crash", FaultKind::kCrash, FaultTarget::kProcess, "", "restart-after",
     "a process dies without releasing anything; it comes back after restart-after, if given"},
    {"restart", FaultKind::kRestart, FaultTarget::kProcess, "", "",
     "a process dies and comes back at once, with nothing remembered"},
    {"drop", FaultKind::kDrop, FaultTarget::kMessage, "", "",
     "a request never arrives, or a reply is lost on the way back"},
    {"delay", FaultKind::kDelay, FaultTarget::kMessage, "for", "for",
     "a request or a reply arrives late"},
    {"duplicate", FaultKind::kDuplicate, FaultTarget::kMessage, "", "later",
     "a request or a reply arrives twice"},
    {"partition", FaultKind::kPartition, FaultTarget::kClient, "for", "for",
     "nothing passes between the client and Redis"},
    {"clock", FaultKind::kClockStep, FaultTarget::kHost, "", "step drift",
     "a host's wall clock jumps by step, or runs faster or slower by drift from now on"},
    {"operator", FaultKind::kOperator, FaultTarget::kCommand, "", "db",
     "someone outside runs a command on Redis"},
    {"del", FaultKind::kOperator, FaultTarget::kKey, "", "db", "someone outside deletes a key"},
    {"flushall", FaultKind::kOperator, FaultTarget::kTrue, "", "", "someone outside empties Redis"},
};

}  // namespace

std::span<const FaultKindInfo> fault_kinds() { return kKinds; }

}  // namespace locklapse::scenario
