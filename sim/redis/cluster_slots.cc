#include "sim/redis/cluster_slots.h"

#include <algorithm>
#include <cassert>

namespace locklapse::redis::cluster {

namespace {

// CRC-16/XMODEM.
constexpr std::array<std::uint16_t, 256> make_crc_table() {
  std::array<std::uint16_t, 256> table{};
  for (unsigned byte = 0; byte < 256; ++byte) {
    unsigned crc = byte << 8;
    for (int bit = 0; bit < 8; ++bit) {
      crc = ((crc & 0x8000U) != 0 ? (crc << 1) ^ 0x1021U : crc << 1) & 0xffffU;
    }
    table[byte] = static_cast<std::uint16_t>(crc);
  }
  return table;
}
constexpr std::array<std::uint16_t, 256> kCrcTable = make_crc_table();

std::uint16_t crc16(std::string_view bytes) {
  unsigned crc = 0;
  for (const char c : bytes) {
    const unsigned index = ((crc >> 8) ^ static_cast<unsigned char>(c)) & 0xffU;
    crc = ((crc << 8) ^ kCrcTable[index]) & 0xffffU;
  }
  return static_cast<std::uint16_t>(crc);
}

}  // namespace

std::uint16_t key_slot(std::string_view key) {
  if (const std::size_t open = key.find('{'); open != std::string_view::npos) {
    const std::size_t close = key.find('}', open + 1);
    if (close != std::string_view::npos && close != open + 1) {
      key = key.substr(open + 1, close - open - 1);
    }
  }
  return crc16(key) % kSlots;
}

SlotLayout SlotLayout::even(int masters) {
  assert(masters >= 1 && masters <= kIdsMax);
  SlotLayout layout;
  // Fractions of 16384 / masters, rounded to the nearest: 3 masters get 0, 5461, 10923.
  for (int i = 1; i < masters; ++i) {
    layout.cut_before(static_cast<std::uint16_t>((kSlots * i * 2 + masters) / (2 * masters)));
  }
  return layout;
}

void SlotLayout::isolate(std::uint16_t slot) {
  cut_before(slot);
  if (slot + 1 < kSlots) cut_before(static_cast<std::uint16_t>(slot + 1));
}

void SlotLayout::cut_before(std::uint16_t slot) {
  const auto end = first_.begin() + ranges_;
  const auto at = std::lower_bound(first_.begin(), end, slot);
  if (at != end && *at == slot) return;
  assert(ranges_ < kIdsMax);
  std::copy_backward(at, end, end + 1);
  *at = slot;
  ++ranges_;
}

RangeId SlotLayout::range_of(std::uint16_t slot) const {
  const auto end = first_.begin() + ranges_;
  const auto after = std::upper_bound(first_.begin(), end, slot);
  return RangeId{static_cast<std::uint16_t>(after - first_.begin() - 1)};
}

RangeSet SlotLayout::all() const {
  RangeSet set;
  for (int i = 0; i < ranges_; ++i) set.add(RangeId{static_cast<std::uint16_t>(i)});
  return set;
}

}  // namespace locklapse::redis::cluster
