// From the effects of one outermost command to the bytes of streams.
//
// Contract: add() takes the effects in order; clear() ends the unit. One effect stands alone; several are
// wrapped in MULTI and EXEC, so that nobody sees a part of them; SELECT precedes what concerns another
// database than the bytes before.
#pragma once

#include <initializer_list>
#include <memory_resource>
#include <string>
#include <string_view>

#include "sim/redis/backend.h"

namespace locklapse::redis {

// Where in a stream one stands: the database that its last SELECT chose.
struct SelectedDb {
  static constexpr int kUnknown = -1;
  int db = kUnknown;
};

class Propagation {
 public:
  explicit Propagation(std::pmr::memory_resource& memory) : effects_(&memory), unit_(&memory) {}

  void add(int db, Argv words);
  void add(int db, std::initializer_list<std::string_view> words) {
    add(db, Argv(words.begin(), words.size()));
  }

  bool empty() const { return count_ == 0; }
  // The unit as it goes on in a stream that stands at `selected`, which is moved on. Valid until the next call.
  std::string_view bytes_for(SelectedDb& selected);
  void clear();

 private:
  int first_db_ = 0;
  int last_db_ = 0;
  int count_ = 0;
  std::pmr::string effects_;
  std::pmr::string unit_;
};

void encode_select(int db, std::pmr::string& out);

}  // namespace locklapse::redis
