// Hash slots, and how a model keeps who has them.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "sim/redis/node_id.h"

namespace locklapse::redis::cluster {

inline constexpr std::uint16_t kSlots = 16'384;

// CRC16 of the key, or of what stands between its first '{' and the '}' after it unless that is
// empty.
std::uint16_t key_slot(std::string_view key);

// A run of slots that always change hands together.
enum class RangeId : std::uint16_t {};
using RangeSet = IdSet<RangeId>;

// How the slots are cut into ranges; the same for every node of a cluster, for the whole of a run.
// A slot that a run moves alone needs a range of its own. This keeps a node's view at some words
// where a real one has an array of 16384 pointers, with the same decisions.
class SlotLayout {
 public:
  // One range of all slots.
  SlotLayout() = default;
  // `masters` ranges of nearly the same length, as redis-cli --cluster create cuts them. REQUIRES:
  // 1 to kIdsMax.
  static SlotLayout even(int masters);
  // Gives a slot a range of its own. REQUIRES: room for two more.
  void isolate(std::uint16_t slot);

  int ranges() const { return ranges_; }
  RangeId range_of(std::uint16_t slot) const;
  std::uint16_t first_slot(RangeId range) const { return first_[static_cast<std::size_t>(range)]; }
  RangeSet all() const;

 private:
  void cut_before(std::uint16_t slot);

  std::array<std::uint16_t, kIdsMax> first_{};  // ascending
  int ranges_ = 1;
};

}  // namespace locklapse::redis::cluster
