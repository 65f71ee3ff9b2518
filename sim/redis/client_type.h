// The kinds of clients that CLIENT LIST and CLIENT KILL tell apart.
#pragma once

#include <optional>
#include <string_view>

#include "sim/redis/call.h"

namespace locklapse::redis {

// Links between servers are the driver's, so that no connection is a master's or a replica's.
enum class ClientType : std::uint8_t { kNormal, kMaster, kReplica, kPubSub };

inline std::optional<ClientType> parse_client_type(std::string_view word) {
  if (is_word(word, "normal")) return ClientType::kNormal;
  if (is_word(word, "master")) return ClientType::kMaster;
  if (is_word(word, "replica") || is_word(word, "slave")) return ClientType::kReplica;
  if (is_word(word, "pubsub")) return ClientType::kPubSub;
  return std::nullopt;
}

inline ClientType client_type(const Connection& client) {
  return client.subscriptions() > 0 ? ClientType::kPubSub : ClientType::kNormal;
}

inline Reply unknown_client_type(const Call& call, std::string_view word) {
  std::pmr::string text("ERR Unknown client type '", call.memory());
  text.append(until_nul(word));
  text.push_back('\'');
  tidy_error(text);
  return call.error(text);
}

}  // namespace locklapse::redis
