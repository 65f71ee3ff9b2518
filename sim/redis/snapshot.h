// A whole keyspace taken over from elsewhere: a snapshot, a master, a file.
#pragma once

#include "sim/redis/keyspace.h"

namespace locklapse::redis {

class ServerState;

// Dead keys are copied too. REQUIRES: `to` is empty.
void copy_keys(const Keyspace& from, Keyspace& to);

// Makes the server's keys those of `source`, and tells the observer of every key that differs: lost, or
// loaded. Keys that are the same stay as they are.
void replace_keys(ServerState& server, const Keyspace& source);

}  // namespace locklapse::redis
