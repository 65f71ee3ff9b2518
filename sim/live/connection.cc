#include "sim/live/connection.h"

#include <fmt/format.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/write.hpp>

#include "sim/live/error.h"
#include "sim/live/reply_size.h"

namespace locklapse::live {

namespace asio = boost::asio;

void append_command(std::span<const std::string_view> argv, std::string& out) {
  fmt::format_to(std::back_inserter(out), "*{}\r\n", argv.size());
  for (const std::string_view word : argv) {
    fmt::format_to(std::back_inserter(out), "${}\r\n", word.size());
    out.append(word).append("\r\n");
  }
}

Connection::Connection(asio::io_context& io, const std::filesystem::path& socket)
    : io_(io), socket_(io) {
  boost::system::error_code error;
  socket_.connect(asio::local::stream_protocol::endpoint(socket.string()), error);
  if (error) {
    throw Error(fmt::format("cannot connect to {}: {}", socket.string(), error.message()));
  }
  socket_.non_blocking(true);
}

void Connection::send(std::string_view bytes) {
  boost::system::error_code error;
  asio::write(socket_, asio::buffer(bytes), error);
  // A server that has gone says so to whoever receives.
  if (error) closed_ = true;
}

bool Connection::read_some() {
  if (closed_) return false;
  if (taken_ == received_.size()) {
    received_.clear();
    taken_ = 0;
  }
  constexpr std::size_t kChunk = 64 * 1024;
  const std::size_t size = received_.size();
  received_.resize(size + kChunk);
  boost::system::error_code error;
  const std::size_t got =
      socket_.read_some(asio::buffer(received_.data() + size, kChunk), error);
  received_.resize(size + got);
  if (error && error != asio::error::would_block) closed_ = true;
  return got > 0;
}

bool Connection::wait_readable(std::chrono::milliseconds wait) {
  bool readable = false;
  socket_.async_wait(asio::local::stream_protocol::socket::wait_read,
                     [&](const boost::system::error_code& error) { readable = !error; });
  // Not run_one: what Asio hears of other sockets counts too.
  io_.restart();
  io_.run_for(wait);
  if (!readable) {
    socket_.cancel();
    io_.restart();
    io_.run();
  }
  return readable;
}

std::optional<std::string_view> Connection::take() {
  const std::string_view rest = std::string_view(received_).substr(taken_);
  const std::size_t size = reply_size(rest);
  if (size == 0) return std::nullopt;
  taken_ += size;
  return rest.substr(0, size);
}

std::optional<std::string_view> Connection::poll(std::chrono::milliseconds wait) {
  for (;;) {
    if (auto reply = take()) return reply;
    if (read_some()) continue;
    if (closed_ || wait.count() == 0 || !wait_readable(wait)) return std::nullopt;
  }
}

std::string_view Connection::receive() {
  if (const auto reply = poll(kPatience)) return *reply;
  throw Error(closed_ ? std::string("redis-server has closed the connection")
                      : fmt::format("redis-server has not answered for {} s", kPatience.count()));
}

std::string_view Connection::call(std::initializer_list<std::string_view> argv) {
  std::string bytes;
  append_command(argv, bytes);
  send(bytes);
  return receive();
}

}  // namespace locklapse::live
