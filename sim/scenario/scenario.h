// A scenario, read and checked: who contends for what, what goes wrong, and what must come of it.
//
// Plain data. read_scenario() (read.h) makes one from YAML and guarantees the invariants; assemble.h builds
// a world from one, many times if need be, so every name is already an index here.
//
// Invariants
//   - every index is in range; names are unique within their list and not empty
//   - 1 <= clients <= kClientsMax; durations are >= 0 and <= kDurationMax unless said
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/core/time.h"
#include "sim/history/cause.h"
#include "sim/history/verdict.h"
#include "sim/locks/contender.h"

namespace locklapse::scenario {

inline constexpr std::size_t kFileBytesMax = 1 << 20;
inline constexpr std::size_t kClientsMax = 256;
inline constexpr std::size_t kFaultsMax = 256;
inline constexpr std::size_t kNameBytesMax = 256;
inline constexpr std::size_t kTextBytesMax = 8192;     // title and story
inline constexpr Duration kDurationMax = seconds(366LL * 24 * 3600);
inline constexpr std::int64_t kRoundsMax = 10'000;

// How a client's token comes about. The default depends on the strategy.
enum class TokenScope : std::uint8_t {
  kStrategy,     // what the strategy does by itself
  kPerAttempt,   // a new one for every try
  kPerClient,    // one for the life of a client object
  kPerThread,    // "process:thread", as reentrant locks have
  kPerProcess,   // one for all clients of a process
  kConstant,     // the text given
};

struct Token {
  TokenScope scope = TokenScope::kStrategy;
  std::string text;      // for kConstant
};

struct Latency {
  Duration min = milliseconds(1);
  Duration max = milliseconds(1);    // >= min; in between a choice is made
};

// These mean the same to whoever writes a scenario and to whoever runs it.
using Retry = RetryPlan;               // after a refusal
using ClientPolicy = RequestPolicy;    // about a reply that does not come
using DownstreamCall = CallPlan;       // inside the critical section, after `work`

enum class RenewalThread : std::uint8_t { kOwn, kWork };   // kWork: starves while the client works

struct Renewal {
  std::optional<bool> enabled;       // empty: as the strategy does
  std::optional<Duration> every;     // empty: TTL / 3
  RenewalThread thread = RenewalThread::kOwn;
  bool stop_at_release = true;       // false: the loop outlives the release (a zombie)
  bool stop_on_error = false;        // true: the first unanswered renewal ends the loop, silently
  std::optional<Duration> ttl;       // what a renewal sets; empty: the lock's TTL; 0 is allowed
};

enum class OnLoss : std::uint8_t { kStop, kGoOn };

struct Lock {
  std::string key = "lock";
  std::optional<Duration> ttl = seconds(30);    // empty: none
  std::string strategy = "set-lua";
  Token token;
  Renewal renew;
  OnLoss on_loss = OnLoss::kStop;
  std::optional<Duration> at_least_for;         // hold the key at least so long (set-xx)
  bool clean_up = false;                        // release also after a try that got no yes
};

struct Redis {
  std::string topology = "single";
  bool active_expire = true;
  Duration skew{};                   // of its host's wall clock; may be negative
  std::int64_t drift_ppm = 0;        // may be negative
};

struct Client {
  std::string name;
  Duration at{};
  Duration work{};
  std::optional<DownstreamCall> call;
  Retry retry;
  ClientPolicy policy;
  std::size_t process = 0;           // index into Scenario::processes
  std::string thread;                // empty: the client's own name
  std::int64_t rounds = 1;
  Duration think{};                  // between rounds
  std::string key;                   // always filled: its own or the lock's
  int db = 0;
  Token token;                       // kStrategy: the lock's
  std::optional<Duration> ttl;       // already resolved against the lock's
  std::size_t resource = 0;          // index into Scenario::resources
  std::string order;                 // order id; empty: one of its own per round
  std::optional<Duration> commit_after_release;   // the write becomes visible so long after the release
  int nest = 1;                      // how many times it takes the lock before it works
  std::optional<Duration> nest_ttl;  // the TTL given when it re-enters
  bool fail_open = false;            // goes on without the lock when it gives up
  ReleaseBy release = ReleaseBy::kSelf;
};

struct Process {
  std::string name;
  std::size_t host = 0;              // index into Scenario::hosts
};

struct Host {
  std::string name;
  Duration skew{};
  std::int64_t drift_ppm = 0;
};

struct Resource {
  std::int64_t stock = 1;
  std::int64_t take = 1;
  std::string guard = "none";        // one guard or several joined by '+'
};

// Where a fault is pinned: CLIENT.PHASE[.COMMAND][#N].POINT
struct Step {
  std::size_t client = 0;
  std::string phase;     // acquire renew release wait read write | work call section
  std::string command;   // lower case; empty: any
  std::uint32_t nth = 1;
  std::string point;     // sent executed replied | started ended
};

// Which message a message fault hits: CLIENT.PHASE[.COMMAND][#N].request|reply
struct Message {
  Step step;             // `point` is empty
  bool reply = false;
};

enum class FaultKind : std::uint8_t {
  kPause,        // process, length
  kStall,        // client's working thread, length
  kSlow,         // client, length: its work or call in progress, or its next one, takes longer
  kCrash,        // process; `restart_after` if it comes back
  kRestart,      // process
  kDrop,         // message
  kDelay,        // message, length
  kDuplicate,    // message; length: how much later the copy arrives
  kPartition,    // client from redis, length
  kClockStep,    // host, amount
  kClockDrift,   // host, ppm
  kOperator,     // a command line run by an operator on redis
};

struct Fault {
  FaultKind kind = FaultKind::kPause;
  std::optional<Duration> at;        // by time, or
  std::optional<Step> pin;           // by step
  bool before = false;               // before the step takes effect, or after it
  Duration plus{};                   // so long after the step
  std::size_t target = 0;            // process, client or host (see kind); hosts: clients' hosts, then redis
  Message message;
  Duration length{};
  Duration step{};                   // kClockStep; may be negative
  std::int64_t ppm = 0;
  std::optional<Duration> restart_after;
  std::vector<std::string> argv;     // kOperator
  int db = 0;                        // kOperator
  std::string why;
  std::string line;                  // the fault in one plain line, for reports
};

struct DurationRange {
  std::optional<Duration> at_least, at_most;
};
struct CountRange {
  std::optional<std::int64_t> at_least, at_most;
};
enum class StuckKind : std::uint8_t { kNone, kUntilTtl, kForever };

// What must come of a run. Only what is set is checked.
struct Expectation {
  std::optional<Outcome> outcome;
  std::optional<std::vector<std::pair<std::string, std::string>>> overlaps;   // pairs, in order of time
  std::optional<std::vector<Cause>> causes;     // of all findings, main and contributing, as a set
  std::optional<std::vector<std::pair<std::string, std::string>>> unowned;    // [who, whose], in order
  std::optional<StuckKind> stuck;
  std::optional<std::vector<DamageKind>> damage;                              // as a set
  std::map<std::string, std::string> releases;  // client -> released | refused | unknown | none
  std::map<std::string, DurationRange> waited, held;
  std::map<std::string, std::optional<DurationRange>> told;   // lateness; empty: never told
  std::optional<CountRange> commands, commands_per_second;
  std::map<std::string, Expectation> guards;    // what differs under another guard
  int line = 0;                                 // where it stands in the file
};

struct Scenario {
  std::string path;                  // as given by the user
  std::string name;                  // file name without folder and extension
  std::string title;
  std::string story;
  Lock lock;
  Redis redis;
  std::vector<Host> hosts;           // of clients; the server has its own
  std::vector<Process> processes;
  std::vector<Client> clients;
  std::vector<std::string> resources;           // names; index 0 is "the" resource
  std::optional<Resource> resource;  // empty: nothing is read or written
  Latency latency;
  std::vector<Fault> faults;
  Duration horizon = seconds(3600);
  std::map<std::string, Expectation> expect;    // by strategy
};

}  // namespace locklapse::scenario
