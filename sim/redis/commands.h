// Every command's implementation, one function each, grouped by the file it stands in.
#pragma once

#include "sim/redis/call.h"

namespace locklapse::redis {

// commands_string.cc
Reply set_command(Call& call);
Reply setnx_command(Call& call);
Reply setex_command(Call& call);
Reply psetex_command(Call& call);
Reply get_command(Call& call);
Reply getset_command(Call& call);
Reply getdel_command(Call& call);
Reply getex_command(Call& call);
Reply mget_command(Call& call);
Reply mset_command(Call& call);
Reply append_command(Call& call);
Reply strlen_command(Call& call);

// commands_counter.cc
Reply incr_command(Call& call);
Reply decr_command(Call& call);
Reply incrby_command(Call& call);
Reply decrby_command(Call& call);
Reply incrbyfloat_command(Call& call);

// commands_key.cc
Reply del_command(Call& call);
Reply exists_command(Call& call);
Reply type_command(Call& call);
Reply keys_command(Call& call);
Reply scan_command(Call& call);
Reply dbsize_command(Call& call);
Reply flushdb_command(Call& call);
Reply flushall_command(Call& call);

// commands_expire.cc
Reply expire_command(Call& call);
Reply pexpire_command(Call& call);
Reply expireat_command(Call& call);
Reply pexpireat_command(Call& call);
Reply persist_command(Call& call);
Reply ttl_command(Call& call);
Reply pttl_command(Call& call);
Reply expiretime_command(Call& call);
Reply pexpiretime_command(Call& call);

// commands_hash.cc
Reply hset_command(Call& call);
Reply hmset_command(Call& call);
Reply hsetnx_command(Call& call);
Reply hget_command(Call& call);
Reply hmget_command(Call& call);
Reply hexists_command(Call& call);
Reply hincrby_command(Call& call);
Reply hdel_command(Call& call);
Reply hlen_command(Call& call);
Reply hgetall_command(Call& call);
Reply hkeys_command(Call& call);
Reply hvals_command(Call& call);

// commands_list.cc
Reply lpush_command(Call& call);
Reply rpush_command(Call& call);
Reply lpop_command(Call& call);
Reply rpop_command(Call& call);
Reply llen_command(Call& call);
Reply lrange_command(Call& call);
Reply lindex_command(Call& call);
Reply lrem_command(Call& call);
Reply blpop_command(Call& call);

// commands_zset.cc
Reply zadd_command(Call& call);
Reply zincrby_command(Call& call);
Reply zrem_command(Call& call);
Reply zscore_command(Call& call);
Reply zrank_command(Call& call);
Reply zcard_command(Call& call);
Reply zcount_command(Call& call);
Reply zremrangebyscore_command(Call& call);

// commands_zrange.cc
Reply zrange_command(Call& call);
Reply zrangebyscore_command(Call& call);

// commands_pubsub.cc
Reply publish_command(Call& call);
Reply subscribe_command(Call& call);
Reply unsubscribe_command(Call& call);
Reply psubscribe_command(Call& call);
Reply punsubscribe_command(Call& call);

// commands_transaction.cc
Reply multi_command(Call& call);
Reply exec_command(Call& call);
Reply discard_command(Call& call);
Reply watch_command(Call& call);
Reply unwatch_command(Call& call);

// commands_script.cc
Reply eval_command(Call& call);
Reply evalsha_command(Call& call);
Reply eval_ro_command(Call& call);
// What a script says of itself in its first line, as flags of a command: 0 where it says nothing.
std::uint32_t declared_flags(const ServerState& server, const CommandSpec& spec, Argv argv);
Reply evalsha_ro_command(Call& call);
Reply script_load_command(Call& call);
Reply script_exists_command(Call& call);
Reply script_flush_command(Call& call);
Reply script_kill_command(Call& call);

// commands_replication.cc
Reply wait_command(Call& call);
Reply role_command(Call& call);
Reply replicaof_command(Call& call);

// commands_config.cc
Reply config_get_command(Call& call);
Reply config_set_command(Call& call);
Reply config_resetstat_command(Call& call);
Reply config_rewrite_command(Call& call);

// commands_client.cc
Reply hello_command(Call& call);
Reply auth_command(Call& call);
Reply client_getname_command(Call& call);
Reply client_id_command(Call& call);
Reply client_info_command(Call& call);
Reply client_list_command(Call& call);
Reply client_no_evict_command(Call& call);
Reply client_reply_command(Call& call);
Reply client_setinfo_command(Call& call);
Reply client_setname_command(Call& call);

// commands_client_control.cc
Reply client_kill_command(Call& call);
Reply client_pause_command(Call& call);
Reply client_unblock_command(Call& call);
Reply client_unpause_command(Call& call);

// commands_admin.cc, monitor.cc, info.cc
Reply debug_command(Call& call);
Reply slowlog_get_command(Call& call);
Reply slowlog_len_command(Call& call);
Reply slowlog_reset_command(Call& call);
Reply monitor_command(Call& call);
Reply save_command(Call& call);
Reply bgsave_command(Call& call);
Reply info_command(Call& call);

// commands_rename.cc
Reply rename_command(Call& call);
Reply renamenx_command(Call& call);
Reply copy_command(Call& call);
Reply move_command(Call& call);
Reply swapdb_command(Call& call);
Reply randomkey_command(Call& call);

// commands_set.cc
Reply sadd_command(Call& call);
Reply srem_command(Call& call);
Reply sismember_command(Call& call);
Reply smembers_command(Call& call);
Reply scard_command(Call& call);

// commands_conditional.cc
Reply delex_command(Call& call);
Reply delifeq_command(Call& call);
Reply msetnx_command(Call& call);
Reply msetex_command(Call& call);

// commands_connection.cc
Reply ping_command(Call& call);
Reply echo_command(Call& call);
Reply select_command(Call& call);
Reply time_command(Call& call);
Reply quit_command(Call& call);
Reply reset_command(Call& call);

}  // namespace locklapse::redis
