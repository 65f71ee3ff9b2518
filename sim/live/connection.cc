#include "sim/live/connection.h"

#include <fmt/format.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/write.hpp>
#include <span>

#include "sim/live/error.h"

namespace locklapse::live {

namespace asio = boost::asio;

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
  char chunk[16 * 1024];
  boost::system::error_code error;
  const std::size_t got = socket_.read_some(asio::buffer(chunk), error);
  reader_.feed({chunk, got});
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
  switch (reader_.next()) {
    case redis::ReadStatus::kMore: return std::nullopt;
    case redis::ReadStatus::kComplete: return reader_.bytes();
    case redis::ReadStatus::kBroken: break;
  }
  throw Error(fmt::format("redis-server sends what is no reply: {}", reader_.error()));
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
  redis::append_command(std::span(argv.begin(), argv.size()), bytes);
  send(bytes);
  return receive();
}

}  // namespace locklapse::live
