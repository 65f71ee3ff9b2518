// What a Redis server answers: a small tree of RESP2 values.
//
// A reply owns its bytes in the memory resource it was made with (the arena of a run, or the heap),
// so it can travel over a simulated link after the server has moved on.
#pragma once

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
    kNullArray
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

  Type type() const { return type_; }
  bool is_error() const { return type_ == Type::kError; }
  bool is_null() const { return type_ == Type::kNullBulk || type_ == Type::kNullArray; }
  bool is_ok() const { return type_ == Type::kSimple && text_ == "OK"; }
  // Whether this is the integer `value`.
  bool is_integer(std::int64_t value) const { return type_ == Type::kInteger && integer_ == value; }
  // REQUIRES: type() is kInteger.
  std::int64_t integer() const { return integer_; }
  // The bytes of a simple string, error or bulk; empty otherwise.
  std::string_view text() const { return text_; }
  const std::pmr::vector<Reply>& elements() const { return elements_; }
  // REQUIRES: type() is kArray.
  void append(Reply element) { elements_.push_back(std::move(element)); }
  // Appends a null and returns it, to be filled in place; valid until the next append. REQUIRES:
  // type() is kArray.
  Reply& append_null() { return elements_.emplace_back(); }

 private:
  Type type_ = Type::kNullBulk;
  std::int64_t integer_ = 0;
  std::pmr::string text_;
  std::pmr::vector<Reply> elements_;
};

// Appends the RESP2 encoding, byte for byte as a real server sends it.
void encode_resp2(const Reply& reply, std::pmr::string& out);

// One line a person reads: OK, (nil), (integer) 1, "value", (error) ERR ..., [a, b].
void describe(const Reply& reply, std::pmr::string& out);

}  // namespace locklapse::redis
