// Redis servers and sentinels as whoever drives them numbers them, and plain sets of them.
//
// They speak of one another by these numbers where real ones use addresses and ids, so that a
// message is a few words without pointers. A driver that prints addresses maps them.
#pragma once

#include <bit>
#include <cassert>
#include <cstdint>

namespace locklapse::redis {

enum class NodeId : std::uint16_t {};
inline constexpr NodeId kNoNode{0xffff};
enum class SentinelId : std::uint16_t {};
inline constexpr SentinelId kNoSentinel{0xffff};  // the "*" of the protocol

inline constexpr std::uint16_t kIdsMax = 64;  // every id but the last one above is smaller

// Walks in ascending order, so that what is done for each member happens in the same order
// everywhere.
template <typename Id>
class IdSet {
 public:
  class Iterator {
   public:
    explicit constexpr Iterator(std::uint64_t rest) : rest_(rest) {}
    Id operator*() const { return Id{static_cast<std::uint16_t>(std::countr_zero(rest_))}; }
    Iterator& operator++() {
      rest_ &= rest_ - 1;
      return *this;
    }
    bool operator==(const Iterator&) const = default;

   private:
    std::uint64_t rest_;
  };

  constexpr bool operator==(const IdSet&) const = default;
  void add(Id id) { bits_ |= bit(id); }
  void remove(Id id) { bits_ &= ~bit(id); }
  bool contains(Id id) const { return id < Id{kIdsMax} && (bits_ & bit(id)) != 0; }
  bool empty() const { return bits_ == 0; }
  int size() const { return std::popcount(bits_); }
  Iterator begin() const { return Iterator(bits_); }
  Iterator end() const { return Iterator(0); }

 private:
  static std::uint64_t bit(Id id) {
    assert(id < Id{kIdsMax});
    return std::uint64_t{1} << static_cast<std::uint16_t>(id);
  }

  std::uint64_t bits_ = 0;
};
using NodeSet = IdSet<NodeId>;
using SentinelSet = IdSet<SentinelId>;

}  // namespace locklapse::redis
