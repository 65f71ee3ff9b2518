// One client's connection to a real server, over a unix socket: commands out, replies in, byte for byte.
//
// Blocking in style: whoever receives waits, but never for ever. A server that keeps silent for kPatience is
// an Error.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "sim/redis/resp.h"

namespace locklapse::live {

inline constexpr std::chrono::seconds kPatience{10};

class Connection {
 public:
  // Throws Error where nobody listens.
  Connection(boost::asio::io_context& io, const std::filesystem::path& socket);

  // Sends bytes as they are; all of them have been handed over on return.
  void send(std::string_view bytes);
  // The next reply or pushed message, as the server sent it. Valid until the next call.
  std::string_view receive();
  // The same, or nothing where none has arrived yet, or within `wait`.
  std::optional<std::string_view> poll(std::chrono::milliseconds wait = {});
  // What receive(), poll() or call() gave last, as a value.
  redis::Reply reply(redis::Reply::allocator_type memory = {}) const { return reader_.reply(memory); }
  // Sends one command and waits for its reply.
  std::string_view call(std::initializer_list<std::string_view> argv);
  // Whether the server has closed the connection; everything sent before can still be received.
  bool closed() const { return closed_; }

 private:
  std::optional<std::string_view> take();
  // Feeds the reader with what is there; false where nothing was.
  bool read_some();
  bool wait_readable(std::chrono::milliseconds wait);

  boost::asio::io_context& io_;
  boost::asio::local::stream_protocol::socket socket_;
  redis::ReplyReader reader_;
  bool closed_ = false;
};

}  // namespace locklapse::live
