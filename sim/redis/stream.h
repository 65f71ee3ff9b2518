// The bytes that a master sends to its replicas, counted from the first one: an offset is the number of
// bytes before it.
//
// Invariants
//   - begin() <= end(); the bytes between them are held.
//   - The last kHeldBytes are always held: what is under way to a replica has not gone yet. How far back a
//     partial resync may reach is a narrower question (ReplicationConfig::backlog_bytes).
#pragma once

#include <cstdint>
#include <memory_resource>
#include <string>
#include <string_view>

namespace locklapse::redis {

class Stream {
 public:
  static constexpr std::size_t kHeldBytes = std::size_t{1} << 20;

  explicit Stream(std::pmr::memory_resource& memory) : bytes_(&memory) {}

  std::int64_t begin() const { return begin_; }
  std::int64_t end() const { return begin_ + static_cast<std::int64_t>(bytes_.size()); }
  bool holds(std::int64_t offset) const { return begin_ <= offset && offset <= end(); }

  // REQUIRES: holds(from), holds(to), from <= to. Valid until the stream grows.
  std::string_view bytes(std::int64_t from, std::int64_t to) const {
    return std::string_view(bytes_).substr(static_cast<std::size_t>(from - begin_),
                                           static_cast<std::size_t>(to - from));
  }

  void append(std::string_view bytes) {
    // Cut rarely, so that a byte is moved once at most.
    if (bytes_.size() >= 2 * kHeldBytes) {
      const std::size_t cut = bytes_.size() - kHeldBytes;
      bytes_.erase(0, cut);
      begin_ += static_cast<std::int64_t>(cut);
    }
    bytes_.append(bytes);
  }

  // Forgets all bytes and goes on at `offset`.
  void restart(std::int64_t offset) {
    bytes_.clear();
    begin_ = offset;
  }

 private:
  std::int64_t begin_ = 0;
  std::pmr::string bytes_;
};

}  // namespace locklapse::redis
