// The last commands that took long (SLOWLOG). In a model only that takes time which is told to.
#pragma once

#include <cstdint>
#include <deque>
#include <memory_resource>
#include <string>
#include <vector>

#include "sim/redis/backend.h"

namespace locklapse::redis {

struct SlowCommand {
  std::int64_t id;
  std::int64_t at_s;
  std::int64_t took_us;
  std::pmr::vector<std::pmr::string> words;
  std::pmr::string address;
  std::pmr::string client_name;
};

class SlowLog {
 public:
  explicit SlowLog(std::pmr::memory_resource& memory) : memory_(memory), entries_(&memory) {}

  // Notes a command, shortened as the server shortens it, and forgets those beyond the last `most`.
  void add(Argv argv, std::int64_t at_s, std::int64_t took_us, std::string_view address,
           std::string_view client_name, std::int64_t most);
  void clear() { entries_.clear(); }
  // Newest first.
  const std::pmr::deque<SlowCommand>& entries() const { return entries_; }

 private:
  std::pmr::memory_resource& memory_;
  std::pmr::deque<SlowCommand> entries_;
  std::int64_t next_id_ = 0;
};

}  // namespace locklapse::redis
