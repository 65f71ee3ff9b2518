#include "reports/event_fields.h"

namespace locklapse::reports {
namespace {

using enum EventKind;

EventFields lock(EventKind kind, const char* text = nullptr, const char* number = nullptr,
                 Number form = Number::kPlain) {
  EventFields f{kind};
  f.attempt = true;
  f.text = text;
  f.number = number;
  f.number_form = form;
  return f;
}

EventFields message(EventKind kind, const char* text = nullptr, const char* number = nullptr,
                    Number form = Number::kPlain) {
  EventFields f = lock(kind, text, number, form);
  f.place = Place::kNodeOrResource;
  f.command = true;
  return f;
}

EventFields key(EventKind kind, const char* owner, bool by_someone) {
  EventFields f{kind};
  f.client = by_someone ? Whose::kClientOrNull : Whose::kNobody;
  f.place = Place::kNode;
  f.attempt = f.command = by_someone;
  f.text = "key";
  f.detail = owner;
  return f;
}

EventFields key_set(EventKind kind) {
  EventFields f = key(kind, "owner", true);
  f.number = "deadline_unix_ms";
  f.number_form = Number::kOptional;
  f.extra = "hold_count";
  f.extra_form = Number::kPlain;
  return f;
}

EventFields resource(EventKind kind, const char* text, const char* detail, const char* number,
                     const char* extra, Number extra_form) {
  EventFields f{kind};
  f.place = Place::kResource;
  f.attempt = f.command = true;
  f.text = text;
  f.detail = detail;
  f.number = number;
  f.number_form = Number::kPlain;
  f.extra = extra;
  f.extra_form = extra_form;
  return f;
}

EventFields fault(EventKind kind, Whose client, Place place, const char* number = nullptr,
                  Number form = Number::kNanoseconds, const char* text = "why") {
  EventFields f{kind};
  f.client = client;
  f.place = place;
  f.text = text;
  f.number = number;
  f.number_form = form;
  return f;
}

EventFields with_detail(EventFields f, const char* detail) {
  f.detail = detail;
  return f;
}

EventFields with_extra(EventFields f, const char* extra, Number form) {
  f.extra = extra;
  f.extra_form = form;
  return f;
}

EventFields fields_of_lock(EventKind kind) {
  switch (kind) {
    case kAttempt:
      return with_detail(lock(kind, "token"), "key");
    case kGaveUp:
      return lock(kind, nullptr, "tries");
    case kEntered:
      return with_extra(lock(kind, "token", "fence"), "without_lock", Number::kFlag);
    case kReentered:
      return lock(kind, nullptr, "depth");
    case kTold:
      return lock(kind, "how");
    case kLeft:
      return lock(kind, "how");
    case kReleased:
      return lock(kind, "reply", "result", Number::kVerdict);
    case kRenewing:
      return lock(kind, nullptr, "period_us", Number::kNanoseconds);
    case kRenewed:
      return lock(kind, nullptr, "ttl_ms");
    case kRenewalEnded:
      return lock(kind, "how");
    default:
      return lock(kind);
  }
}

EventFields fields_of_message(EventKind kind) {
  switch (kind) {
    case kSent:
      return with_detail(message(kind, "line"), "name");
    case kResent:
      return message(kind, nullptr, "sending");
    case kExecuted:
      return message(kind, "reply", "sending");
    case kReplied:
      return message(kind, "reply");
    case kTimedOut:
      return message(kind, "why");
    case kRedirected:
      return message(kind, "told_by");
    case kDelayed:
      return message(kind, "message", "by_us", Number::kNanoseconds);
    default:
      return message(kind, "message");
  }
}

EventFields fields_of_fault(EventKind kind) {
  switch (kind) {
    case kPaused:
      return fault(kind, Whose::kNobody, Place::kProcess, "for_us");
    case kResumed:
      return fault(kind, Whose::kNobody, Place::kProcess);
    case kStalled:
      return fault(kind, Whose::kClient, Place::kNone, "for_us");
    case kUnstalled:
      return fault(kind, Whose::kClient, Place::kNone);
    case kCrashed:
    case kRestarted:
      return fault(kind, Whose::kNobody, Place::kProcess);
    case kSlowed:
      return fault(kind, Whose::kClient, Place::kNone, "by_us");
    case kClockStepped:
      return fault(kind, Whose::kNobody, Place::kHost, "by_us");
    case kClockDrifted:
      return fault(kind, Whose::kNobody, Place::kHost, "ppm", Number::kPlain);
    case kPartitioned:
      return with_detail(
          fault(kind, Whose::kClientOrNull, Place::kNone, "for_us", Number::kNanoseconds, "who"),
          "direction");
    case kHealed:
      return with_detail(
          fault(kind, Whose::kClientOrNull, Place::kNone, nullptr, Number::kNone, "who"),
          "direction");
    case kOperator:
      return with_detail(fault(kind, Whose::kNobody, Place::kNode, nullptr, Number::kNone, "line"),
                         "why");
    default:
      return fault(kind, Whose::kNobody, Place::kNone, "fault", Number::kPlain, nullptr);
  }
}

EventFields of_node(EventKind kind, const char* text = nullptr, const char* detail = nullptr,
                    const char* number = nullptr, Number form = Number::kNode) {
  return with_detail(fault(kind, Whose::kNobody, Place::kNode, number, form, text), detail);
}

EventFields make(EventKind kind) {
  switch (kind) {
    case kKeyWritten:
    case kKeyDeadline:
    case kKeyRestored:
      return key_set(kind);
    case kKeyRemoved:
      return key(kind, "owner_before", true);
    case kKeyExpired:
    case kKeyEvicted:
    case kKeyLost:
      return key(kind, "owner_before", false);
    case kTtlEnded: {
      EventFields f = key(kind, "owner", false);
      f.number = "deadline_unix_ms";
      f.number_form = Number::kOptional;
      return f;
    }
    case kRead:
      return resource(kind, nullptr, nullptr, "quantity", "version", Number::kPlain);
    case kWritten:
      return resource(kind, "order", nullptr, "quantity", "version_read", Number::kOptional);
    case kWriteRefused:
      return resource(kind, "order", "why", nullptr, nullptr, Number::kNone);
    case kWorking:
      return lock(kind, nullptr, "for_us", Number::kNanoseconds);
    case kWorked:
      return lock(kind);
    case kCalling:
      return with_extra(lock(kind, nullptr, "try"), "for_us", Number::kNanoseconds);
    case kCalled:
      return with_extra(lock(kind, nullptr, "try"), "succeeded", Number::kFlag);
    case kNodeStopped:
      return of_node(kind, "why", "how");
    case kNodeStarted:
      return of_node(kind);
    case kNodePaused:
      return of_node(kind, "why", nullptr, "for_us", Number::kNanoseconds);
    case kNodeResumed:
      return of_node(kind, "why");
    case kPromoted:
      return of_node(kind, "by");
    case kDemoted:
      return of_node(kind, "by", nullptr, "master");
    case kSynced:
      return of_node(kind, "how", nullptr, "master");
    case kFailoverStep:
      return of_node(kind, "step", "by");
    default:
      break;
  }
  if (kind >= kPaused) return fields_of_fault(kind);
  return kind >= kSent ? fields_of_message(kind) : fields_of_lock(kind);
}

struct Fields {
  EventFields of[kEventKinds];
  Fields() {
    for (int i = 0; i < kEventKinds; ++i) of[i] = make(static_cast<EventKind>(i));
  }
};

}  // namespace

const EventFields& fields_of(EventKind kind) {
  static const Fields fields;
  return fields.of[static_cast<int>(kind)];
}

}  // namespace locklapse::reports
