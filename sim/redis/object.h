// What a key can hold. All five kinds live in the memory resource of their server.
//
// Invariants: hashes, lists and sets are never empty in a keyspace (the command that takes
// the last element removes the key); hashes keep the order in which their fields were first set, as
// small hashes of a real server do.
#pragma once

#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <memory_resource>
#include <set>
#include <string>
#include <string_view>
#include <variant>

namespace locklapse::redis {

using String = std::pmr::string;
using List = std::pmr::deque<std::pmr::string>;

class Hash {
 public:
  struct Field {
    std::pmr::string name;
    std::pmr::string value;
  };
  using Fields = std::pmr::list<Field>;

  explicit Hash(std::pmr::memory_resource* memory) : fields_(memory), index_(memory) {}

  // The value under `name`, or null.
  std::pmr::string* find(std::string_view name);
  // Returns whether the field is new.
  bool set(std::string_view name, std::string_view value);
  bool erase(std::string_view name);
  std::size_t size() const { return index_.size(); }
  const Fields& fields() const { return fields_; }

 private:
  Fields fields_;
  std::pmr::map<std::string_view, Fields::iterator> index_;  // views into fields_
};

class SortedSet {
 public:
  struct Member {
    double score;
    std::string_view name;  // a view into scores_
    bool operator<(const Member& o) const {
      return score != o.score ? score < o.score : name < o.name;
    }
  };
  using Members = std::pmr::set<Member>;

  explicit SortedSet(std::pmr::memory_resource* memory) : scores_(memory), members_(memory) {}

  // The score of `name`, or null.
  const double* find(std::string_view name) const;
  // Adds or moves a member.
  void set(std::string_view name, double score);
  bool erase(std::string_view name);
  std::size_t size() const { return members_.size(); }
  // In order of (score, name).
  const Members& members() const { return members_; }

 private:
  std::pmr::map<std::pmr::string, double, std::less<>> scores_;
  Members members_;
};

// Members in the order of their bytes; a real server's order is that of a hash.
class Set {
 public:
  using Members = std::pmr::set<std::pmr::string, std::less<>>;

  explicit Set(std::pmr::memory_resource* memory) : members_(memory) {}

  bool contains(std::string_view name) const { return members_.find(name) != members_.end(); }
  // Returns whether the member is new.
  bool insert(std::string_view name) {
    if (contains(name)) return false;
    members_.emplace(name);
    return true;
  }
  bool erase(std::string_view name);
  std::size_t size() const { return members_.size(); }
  const Members& members() const { return members_; }

 private:
  Members members_;
};

struct Object {
  enum class Type : std::uint8_t { kString, kHash, kList, kSortedSet, kSet };

  std::variant<String, Hash, List, SortedSet, Set> value;

  Type type() const { return static_cast<Type>(value.index()); }
  // As TYPE names it.
  std::string_view type_name() const;
  // Who the key says owns it: the value of a string, the first field of a hash, the first element
  // of a list; empty otherwise.
  std::string_view owner() const;
  // The integer under the first field of a hash, the length of a list; 0 otherwise.
  std::int64_t count() const;
};

// Makes `to` hold what `from` holds, in the memory of `to`. REQUIRES: `to` holds a string.
void copy_value(const Object& from, Object& to);
// Whether a reader could not tell them apart.
bool same_value(const Object& a, const Object& b);

}  // namespace locklapse::redis
