#include "sim/redis/reply.h"

#include "sim/redis/number.h"

namespace locklapse::redis {

Reply Reply::simple(std::string_view text, allocator_type memory) {
  Reply reply(memory);
  reply.type_ = Type::kSimple;
  reply.text_.assign(text);
  return reply;
}

Reply Reply::error(std::string_view text, allocator_type memory) {
  Reply reply(memory);
  reply.type_ = Type::kError;
  reply.text_.assign(text);
  return reply;
}

Reply Reply::integer(std::int64_t value, allocator_type memory) {
  Reply reply(memory);
  reply.type_ = Type::kInteger;
  reply.integer_ = value;
  return reply;
}

Reply Reply::bulk(std::string_view bytes, allocator_type memory) {
  Reply reply(memory);
  reply.type_ = Type::kBulk;
  reply.text_.assign(bytes);
  return reply;
}

Reply Reply::null_bulk(allocator_type memory) { return Reply(memory); }

Reply Reply::array(allocator_type memory) {
  Reply reply(memory);
  reply.type_ = Type::kArray;
  return reply;
}

Reply Reply::null_array(allocator_type memory) {
  Reply reply(memory);
  reply.type_ = Type::kNullArray;
  return reply;
}

Reply Reply::aggregate(Type type, allocator_type memory) {
  Reply reply(memory);
  reply.type_ = type;
  return reply;
}

Reply Reply::floating(std::string_view number, allocator_type memory) {
  Reply reply = bulk(number, memory);
  reply.type_ = Type::kDouble;
  return reply;
}

Reply Reply::boolean(bool value, allocator_type memory) {
  Reply reply = integer(value ? 1 : 0, memory);
  reply.type_ = Type::kBoolean;
  return reply;
}

Reply Reply::big_number(std::string_view digits, allocator_type memory) {
  Reply reply = bulk(digits, memory);
  reply.type_ = Type::kBigNumber;
  return reply;
}

Reply Reply::verbatim(std::string_view format, std::string_view text, allocator_type memory) {
  Reply reply = bulk(text, memory);
  reply.type_ = Type::kVerbatim;
  for (std::size_t i = 3; i-- > 0;) {
    reply.integer_ = reply.integer_ << 8 | static_cast<unsigned char>(format[i]);
  }
  return reply;
}

namespace {

void append_line(char type, std::string_view text, std::pmr::string& out) {
  out.push_back(type);
  out.append(text);
  out.append("\r\n");
}

void append_quoted(std::string_view bytes, std::pmr::string& out) {
  constexpr char kHex[] = "0123456789abcdef";
  out.push_back('"');
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out.push_back('\\');
      out.push_back(c);
    } else if (c == '\n') {
      out.append("\\n");
    } else if (c == '\r') {
      out.append("\\r");
    } else if (c == '\t') {
      out.append("\\t");
    } else if (byte < 0x20 || byte >= 0x7f) {
      out.append("\\x");
      out.push_back(kHex[byte >> 4]);
      out.push_back(kHex[byte & 15]);
    } else {
      out.push_back(c);
    }
  }
  out.push_back('"');
}

enum class Resp : std::uint8_t { kTwo, kThree };

void append_bulk(char type, std::string_view before, std::string_view bytes, std::pmr::string& out) {
  append_line(type, unsigned_text(before.size() + bytes.size()).view(), out);
  out.append(before);
  out.append(bytes);
  out.append("\r\n");
}

void encode(const Reply& reply, Resp resp, std::pmr::string& out);

// `type` is RESP3's; RESP2 has arrays only.
void append_elements(char type, const Reply& reply, Resp resp, std::pmr::string& out) {
  std::size_t count = reply.elements().size();
  if (type == '%' && resp == Resp::kThree) count /= 2;
  append_line(resp == Resp::kThree ? type : '*', unsigned_text(count).view(), out);
  for (const Reply& element : reply.elements()) encode(element, resp, out);
}

void encode(const Reply& reply, Resp resp, std::pmr::string& out) {
  const bool three = resp == Resp::kThree;
  switch (reply.type()) {
    case Reply::Type::kSimple:
      append_line('+', reply.text(), out);
      break;
    case Reply::Type::kError:
      append_line('-', reply.text(), out);
      break;
    case Reply::Type::kInteger:
      append_line(':', integer_text(reply.integer()).view(), out);
      break;
    case Reply::Type::kBulk:
      append_bulk('$', {}, reply.text(), out);
      break;
    case Reply::Type::kNullBulk:
      out.append(three ? "_\r\n" : "$-1\r\n");
      break;
    case Reply::Type::kNullArray:
      out.append(three ? "_\r\n" : "*-1\r\n");
      break;
    case Reply::Type::kArray:
      append_elements('*', reply, resp, out);
      break;
    case Reply::Type::kMap:
      append_elements('%', reply, resp, out);
      break;
    case Reply::Type::kSet:
      append_elements('~', reply, resp, out);
      break;
    case Reply::Type::kPush:
      append_elements('>', reply, resp, out);
      break;
    case Reply::Type::kDouble:
      if (three) {
        append_line(',', reply.text(), out);
      } else {
        append_bulk('$', {}, reply.text(), out);
      }
      break;
    case Reply::Type::kBoolean:
      if (three) {
        out.append(reply.integer() != 0 ? "#t\r\n" : "#f\r\n");
      } else {
        append_line(':', integer_text(reply.integer()).view(), out);
      }
      break;
    case Reply::Type::kBigNumber:
      if (three) {
        append_line('(', reply.text(), out);
      } else {
        append_bulk('$', {}, reply.text(), out);
      }
      break;
    case Reply::Type::kVerbatim:
      if (three) {
        const auto format = reply.format();
        const char before[] = {format[0], format[1], format[2], ':'};
        append_bulk('=', {before, sizeof(before)}, reply.text(), out);
      } else {
        append_bulk('$', {}, reply.text(), out);
      }
      break;
  }
}

void describe_elements(const Reply& reply, std::pmr::string& out) {
  out.push_back('[');
  bool first = true;
  for (const Reply& element : reply.elements()) {
    if (!first) out.append(", ");
    first = false;
    describe(element, out);
  }
  out.push_back(']');
}

}  // namespace

void encode_resp2(const Reply& reply, std::pmr::string& out) { encode(reply, Resp::kTwo, out); }
void encode_resp3(const Reply& reply, std::pmr::string& out) { encode(reply, Resp::kThree, out); }

void describe(const Reply& reply, std::pmr::string& out) {
  switch (reply.type()) {
    case Reply::Type::kSimple:
      out.append(reply.text());
      break;
    case Reply::Type::kError:
      out.append("(error) ");
      out.append(reply.text());
      break;
    case Reply::Type::kInteger:
      out.append("(integer) ");
      out.append(integer_text(reply.integer()).view());
      break;
    case Reply::Type::kBulk:
    case Reply::Type::kVerbatim:
      append_quoted(reply.text(), out);
      break;
    case Reply::Type::kNullBulk:
    case Reply::Type::kNullArray:
      out.append("(nil)");
      break;
    case Reply::Type::kArray:
    case Reply::Type::kMap:
    case Reply::Type::kSet:
    case Reply::Type::kPush:
      describe_elements(reply, out);
      break;
    case Reply::Type::kDouble:
      out.append("(double) ");
      out.append(reply.text());
      break;
    case Reply::Type::kBoolean:
      out.append(reply.integer() != 0 ? "(true)" : "(false)");
      break;
    case Reply::Type::kBigNumber:
      out.append(reply.text());
      break;
  }
}

}  // namespace locklapse::redis
