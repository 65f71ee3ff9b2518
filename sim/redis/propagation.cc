#include "sim/redis/propagation.h"

#include "sim/redis/command_bytes.h"
#include "sim/redis/number.h"

namespace locklapse::redis {

namespace {

constexpr std::string_view kMulti = "*1\r\n$5\r\nMULTI\r\n";
constexpr std::string_view kExec = "*1\r\n$4\r\nEXEC\r\n";

}  // namespace

void encode_select(int db, std::pmr::string& out) {
  const ShortNumberText number = integer_text(db);
  const std::string_view select[] = {"SELECT", number.view()};
  encode_command(select, out);
}

void Propagation::add(int db, Argv words) {
  if (count_ == 0) {
    first_db_ = db;
  } else if (db != last_db_) {
    encode_select(db, effects_);
  }
  last_db_ = db;
  ++count_;
  encode_command(words, effects_);
}

std::string_view Propagation::bytes_for(SelectedDb& selected) {
  const bool select = selected.db != first_db_;
  selected.db = last_db_;
  if (!select && count_ == 1) return effects_;
  unit_.clear();
  if (select) encode_select(first_db_, unit_);
  if (count_ > 1) unit_.append(kMulti);
  unit_.append(effects_);
  if (count_ > 1) unit_.append(kExec);
  return unit_;
}

void Propagation::clear() {
  effects_.clear();
  count_ = 0;
}

}  // namespace locklapse::redis
