// The oracles: each reads a history for one kind of finding.
#pragma once

#include <optional>
#include <vector>

#include "sim/history/reading.h"
#include "sim/history/verdict.h"

namespace locklapse {

// Pairs of holders of one resource at one instant, with their cause: the first kFindingsMax of them; the
// others are counted in `left_out`.
std::vector<Overlap> find_overlaps(const Reading& reading, std::uint64_t& left_out);
// Why `second` could enter while `first` was inside: fills cause, contributing and because.
void explain_overlap(const Reading& reading, const Hold& first, const Hold& second, Overlap& overlap);
std::vector<UnownedMutation> find_unowned(const Reading& reading);
std::vector<StuckLock> find_stuck(const Reading& reading);
std::vector<Damage> find_damage(const Reading& reading);
// One entry per holder whose lock was lost while it was inside.
std::vector<Told> find_told(const Reading& reading);
std::vector<ClientSummary> summarise_clients(const Reading& reading);
Counters count(const Reading& reading, const std::vector<ClientSummary>& clients);

}  // namespace locklapse
