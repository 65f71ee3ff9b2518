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

}  // namespace

void encode_resp2(const Reply& reply, std::pmr::string& out) {
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
      append_line('$', unsigned_text(reply.text().size()).view(), out);
      out.append(reply.text());
      out.append("\r\n");
      break;
    case Reply::Type::kNullBulk:
      out.append("$-1\r\n");
      break;
    case Reply::Type::kArray:
      append_line('*', unsigned_text(reply.elements().size()).view(), out);
      for (const Reply& element : reply.elements()) encode_resp2(element, out);
      break;
    case Reply::Type::kNullArray:
      out.append("*-1\r\n");
      break;
  }
}

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
      append_quoted(reply.text(), out);
      break;
    case Reply::Type::kNullBulk:
    case Reply::Type::kNullArray:
      out.append("(nil)");
      break;
    case Reply::Type::kArray: {
      out.push_back('[');
      bool first = true;
      for (const Reply& element : reply.elements()) {
        if (!first) out.append(", ");
        first = false;
        describe(element, out);
      }
      out.push_back(']');
      break;
    }
  }
}

}  // namespace locklapse::redis
