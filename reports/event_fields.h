// Which fields an event of each kind has, and what JSON calls them.
//
// One table: the JSON writer walks it and a test holds reports/run.schema.json against it.
#pragma once

#include <cstdint>

#include "sim/core/event.h"

namespace locklapse::reports {

enum class Whose : std::uint8_t { kNobody, kClient, kClientOrNull };
enum class Place : std::uint8_t { kNone, kNode, kProcess, kHost, kResource, kNodeOrResource };
enum class Number : std::uint8_t {
  kNone,
  kPlain,
  kNanoseconds,  // written as whole microseconds
  kOptional,     // null when negative
  kFlag,         // true when not 0
  kVerdict,      // of a release: released, refused, unknown
  kNode,         // the name of the node with this index
};

// Names are null when the kind has no such field.
struct EventFields {
  EventKind kind;
  Whose client = Whose::kClient;
  Place place = Place::kNone;
  bool attempt = false;
  bool command = false;  // with `phase` and `command_id`
  const char* text = nullptr;
  const char* detail = nullptr;
  const char* number = nullptr;
  Number number_form = Number::kNone;
  const char* extra = nullptr;
  Number extra_form = Number::kNone;
};

const EventFields& fields_of(EventKind kind);

}  // namespace locklapse::reports
