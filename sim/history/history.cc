#include "sim/history/history.h"

#include <cstring>

namespace locklapse {
namespace {

std::string_view keep(std::pmr::memory_resource& memory, std::string_view text) {
  if (text.empty()) return {};
  char* copy = static_cast<char*>(memory.allocate(text.size(), 1));
  std::memcpy(copy, text.data(), text.size());
  return {copy, text.size()};
}

// Mixes 64-bit words. Bytes are put together by hand, so the order of bytes in memory does not
// matter; every text goes in with its length, so that ("ab", "c") and ("a", "bc") differ.
class Hash {
 public:
  void word(std::uint64_t value) {
    state_ = (state_ ^ value) * 0x9e3779b97f4a7c15U;
    state_ ^= state_ >> 29;
  }
  void number(std::int64_t value) { word(static_cast<std::uint64_t>(value)); }
  void text(std::string_view bytes) {
    word(bytes.size());
    std::uint64_t gathered = 0;
    int count = 0;
    for (const char byte : bytes) {
      gathered |= static_cast<std::uint64_t>(static_cast<unsigned char>(byte)) << (8 * count);
      if (++count == 8) {
        word(gathered);
        gathered = 0;
        count = 0;
      }
    }
    if (count > 0) word(gathered);
  }
  void texts(std::span<const std::string_view> list) {
    word(list.size());
    for (const std::string_view each : list) text(each);
  }
  // One more round, so that the last word reaches every bit.
  std::uint64_t result() const {
    std::uint64_t x = state_;
    x = (x ^ (x >> 33)) * 0xff51afd7ed558ccdU;
    x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53U;
    return x ^ (x >> 33);
  }

 private:
  std::uint64_t state_ = 0xcbf29ce484222325U;
};

void add_cast(Hash& hash, const Cast& cast) {
  hash.word(cast.clients.size());
  for (const ClientInfo& client : cast.clients) {
    hash.text(client.name);
    hash.word(client.process);
    hash.word(client.host);
    hash.word(client.resource);
    hash.number(client.db);
    hash.text(client.key);
    hash.text(client.lock_name);
    hash.text(client.thread);
    hash.number(client.ttl_ms);
    hash.word(client.renews ? 1 : 0);
    hash.number(client.quorum);
  }
  hash.texts(cast.processes);
  hash.texts(cast.hosts);
  hash.texts(cast.nodes);
  hash.word(cast.masters.size());
  for (const PlaceId master : cast.masters) hash.word(master);
  hash.texts(cast.resources);
  hash.texts(cast.faults);
  hash.number(cast.stock);
  hash.number(cast.take);
  hash.word(cast.has_resource ? 1 : 0);
  hash.word(cast.free_while_key_exists ? 1 : 0);
}

void add_event(Hash& hash, const Event& event) {
  hash.number(event.at.ns);
  hash.word(static_cast<std::uint64_t>(event.kind) | static_cast<std::uint64_t>(event.phase) << 8 |
            static_cast<std::uint64_t>(event.client) << 16 |
            static_cast<std::uint64_t>(event.place) << 32);
  hash.word(static_cast<std::uint64_t>(event.attempt) | static_cast<std::uint64_t>(event.command)
                                                            << 32);
  hash.text(event.text);
  hash.text(event.detail);
  hash.number(event.number);
  hash.number(event.extra);
}

}  // namespace

KeptHistory::KeptHistory(const History& history) {
  const std::span<const std::string_view> lists[] = {history.cast.processes, history.cast.hosts,
                                                     history.cast.nodes, history.cast.resources,
                                                     history.cast.faults};
  for (std::size_t i = 0; i < 5; ++i) {
    names_[i].reserve(lists[i].size());
    for (const std::string_view name : lists[i]) names_[i].push_back(keep(memory_, name));
  }
  clients_.assign(history.cast.clients.begin(), history.cast.clients.end());
  for (ClientInfo& client : clients_) {
    client.name = keep(memory_, client.name);
    client.key = keep(memory_, client.key);
    client.lock_name = keep(memory_, client.lock_name);
    client.thread = keep(memory_, client.thread);
  }
  masters_.assign(history.cast.masters.begin(), history.cast.masters.end());
  events_.assign(history.events.begin(), history.events.end());
  for (Event& event : events_) {
    event.text = keep(memory_, event.text);
    event.detail = keep(memory_, event.detail);
  }

  view_ = history;
  view_.events = events_;
  view_.cast.clients = clients_;
  view_.cast.processes = names_[0];
  view_.cast.hosts = names_[1];
  view_.cast.nodes = names_[2];
  view_.cast.masters = masters_;
  view_.cast.resources = names_[3];
  view_.cast.faults = names_[4];
}

std::uint64_t trace_hash(const History& history) {
  Hash hash;
  add_cast(hash, history.cast);
  hash.word(history.events.size());
  for (const Event& event : history.events) add_event(hash, event);
  hash.number(history.end.ns);
  hash.word(history.complete ? 1 : 0);
  return hash.result();
}

}  // namespace locklapse
