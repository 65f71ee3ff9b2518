// What a Redis server answers: a small tree of values, encoded as RESP2 or RESP3.
//
// The types that only RESP3 has (kMap and below) are made where a connection has asked for it. Their
// RESP2 encoding is what a server falls back to: a map is a flat array, a double a bulk string.
//
// A reply owns its bytes in the memory resource it was made with (the arena of a run, or the heap),
// so it can travel over a simulated link after the server has moved on.
#pragma once

#include <array>
#include <cstdint>
#include <memory_resource>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace locklapse::redis {

class Reply {
 public:
  enum class Type : std::uint8_t {
    kSimple,
    kError,
    kInteger,
    kBulk,
    kNullBulk,
    kArray,
    kNullArray,
    kMap,  // elements: key, value, key, value ...
    kSet,
    kPush,  // answers no command
    kDouble,
    kBoolean,
    kBigNumber,
    kVerbatim
  };
  using allocator_type = std::pmr::polymorphic_allocator<std::byte>;

  explicit Reply(allocator_type memory = {}) : text_(memory), elements_(memory) {}
  Reply(const Reply& other, allocator_type memory)
      : type_(other.type_),
        integer_(other.integer_),
        text_(other.text_, memory),
        elements_(other.elements_, memory) {}
  Reply(Reply&& other, allocator_type memory)
      : type_(other.type_),
        integer_(other.integer_),
        text_(std::move(other.text_), memory),
        elements_(std::move(other.elements_), memory) {}
  Reply(const Reply&) = default;
  Reply(Reply&&) = default;
  Reply& operator=(const Reply&) = default;
  Reply& operator=(Reply&&) = default;

  static Reply simple(std::string_view text, allocator_type memory = {});
  // The text as sent, without the leading '-': "ERR syntax error".
  static Reply error(std::string_view text, allocator_type memory = {});
  static Reply integer(std::int64_t value, allocator_type memory = {});
  static Reply bulk(std::string_view bytes, allocator_type memory = {});
  static Reply null_bulk(allocator_type memory = {});
  static Reply array(allocator_type memory = {});
  static Reply null_array(allocator_type memory = {});
  // kArray, kMap, kSet or kPush, without elements.
  static Reply aggregate(Type type, allocator_type memory = {});
  // The number as Redis prints it: "1.5", "inf".
  static Reply floating(std::string_view number, allocator_type memory = {});
  static Reply boolean(bool value, allocator_type memory = {});
  static Reply big_number(std::string_view digits, allocator_type memory = {});
  // REQUIRES: format has three bytes: "txt", "mkd".
  static Reply verbatim(std::string_view format, std::string_view text, allocator_type memory = {});

  Type type() const { return type_; }
  bool is_error() const { return type_ == Type::kError; }
  bool is_null() const { return type_ == Type::kNullBulk || type_ == Type::kNullArray; }
  bool is_ok() const { return type_ == Type::kSimple && text_ == "OK"; }
  // Whether this is the integer `value`.
  bool is_integer(std::int64_t value) const { return type_ == Type::kInteger && integer_ == value; }
  bool is_aggregate() const {
    return type_ == Type::kArray || type_ == Type::kMap || type_ == Type::kSet ||
           type_ == Type::kPush;
  }
  // REQUIRES: type() is kInteger, or kBoolean (0 or 1).
  std::int64_t integer() const { return integer_; }
  // The bytes of a string, error, double or big number; empty otherwise.
  std::string_view text() const { return text_; }
  // REQUIRES: type() is kVerbatim.
  std::array<char, 3> format() const {
    return {static_cast<char>(integer_), static_cast<char>(integer_ >> 8),
            static_cast<char>(integer_ >> 16)};
  }
  const std::pmr::vector<Reply>& elements() const { return elements_; }
  // REQUIRES: is_aggregate().
  void append(Reply element) { elements_.push_back(std::move(element)); }
  // Appends a null and returns it, to be filled in place; valid until the next append. REQUIRES:
  // is_aggregate().
  Reply& append_null() { return elements_.emplace_back(); }

 private:
  Type type_ = Type::kNullBulk;
  std::int64_t integer_ = 0;
  std::pmr::string text_;
  std::pmr::vector<Reply> elements_;
};

// Appends the RESP2 encoding, byte for byte as a real server sends it.
void encode_resp2(const Reply& reply, std::pmr::string& out);
// The same for RESP3.
void encode_resp3(const Reply& reply, std::pmr::string& out);

// One line a person reads: OK, (nil), (integer) 1, "value", (error) ERR ..., [a, b].
void describe(const Reply& reply, std::pmr::string& out);

}  // namespace locklapse::redis
