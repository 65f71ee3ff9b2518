#include "sim/history/tenures.h"

#include <map>
#include <utility>

namespace locklapse {

namespace {

class TenureFinder {
 public:
  TenureFinder(const History& history, const AttemptIndex& attempts)
      : history_(history), attempts_(attempts) {
    for (const ClientInfo& client : history.cast.clients) latest_.emplace(client.lock_name, kNone);
  }

  std::vector<Tenure> find() {
    for (index_ = 0; index_ < history_.events.size(); ++index_) {
      const Event& event = history_.events[index_];
      if (event.kind < EventKind::kKeyWritten || event.kind > EventKind::kTtlEnded) continue;
      const auto latest = latest_.find(event.text);
      if (latest == latest_.end()) continue;
      latest_tenure_ = &latest->second;
      if (history_.cast.free_while_key_exists) {
        on_free_token(event);
      } else {
        on_key(event);
      }
    }
    return std::move(tenures_);
  }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  // The open tenure of the key that the event at hand is about, or null.
  Tenure* current() {
    if (*latest_tenure_ == kNone) return nullptr;
    Tenure& tenure = tenures_[*latest_tenure_];
    return tenure.end == TenureEnd::kOpen ? &tenure : nullptr;
  }

  void begin(const Event& event) {
    *latest_tenure_ = tenures_.size();
    Tenure& tenure = tenures_.emplace_back();
    tenure.key = event.text;
    tenure.client = event.client;
    tenure.attempt = event.attempt;
    tenure.token = event.detail;
    tenure.from = event.at;
    tenure.to = history_.end;
    tenure.begun_by = index_;
    set_deadline(tenure, event);
  }

  void set_deadline(Tenure& tenure, const Event& event) {
    tenure.deadline_ms = event.number;
    tenure.deadline_set = event.at;
    tenure.deadline_event = index_;
    tenure.count = event.extra;
  }

  void end(Tenure& tenure, TenureEnd how) {
    tenure.to = history_.events[index_].at;
    tenure.end = how;
    tenure.ended_by = index_;
  }

  // Whether an acquisition that shares the token of a joined tenure acts on it by right: it may prolong
  // it, and remove it where a hold count said that it was the last.
  static bool shares(const Tenure& tenure, const Event& event, std::string_view token) {
    return tenure.joined && token == tenure.token &&
           (event.kind == EventKind::kKeyDeadline || tenure.count > 0);
  }

  // A touch by another acquisition is un-owned. One client's later try under its own unchanged token (a
  // nested entry, a renewal that outlived its hold) is its own doing.
  static bool is_own(const Tenure& tenure, const Event& event, std::string_view token) {
    if (event.client != tenure.client) return shares(tenure, event, token);
    return event.attempt == tenure.attempt || token == tenure.token;
  }
  bool is_own(const Tenure& tenure, const Event& event) const {
    return is_own(tenure, event, attempts_.token(attempts_.slot(event.client, event.attempt)));
  }

  void on_key(const Event& event) {
    Tenure* tenure = current();
    switch (event.kind) {
      case EventKind::kKeyWritten: on_written(tenure, event); break;
      case EventKind::kKeyDeadline:
        if (tenure == nullptr) break;
        tenure->touches.push_back({index_, !is_own(*tenure, event)});
        set_deadline(*tenure, event);
        break;
      case EventKind::kKeyRemoved:
        if (tenure == nullptr) break;
        tenure->touches.push_back({index_, !is_own(*tenure, event)});
        end(*tenure, TenureEnd::kRemoved);
        break;
      case EventKind::kKeyExpired:
      case EventKind::kTtlEnded:
        if (tenure != nullptr) end(*tenure, TenureEnd::kTtl);
        break;
      default: break;
    }
  }

  void on_written(Tenure* tenure, const Event& event) {
    if (tenure == nullptr) return begin(event);
    const bool same_token = event.detail == tenure->token;
    const bool own = is_own(*tenure, event, event.detail);
    if (!own && same_token && event.phase == Phase::kAcquire) {
      end(*tenure, TenureEnd::kJoined);
      begin(event);
      tenures_.back().joined = true;
    } else if (own || same_token) {
      // A joined hold, too, is left under the token that both share.
      tenure->touches.push_back({index_, false});
      set_deadline(*tenure, event);
    } else {
      tenure->touches.push_back({index_, true});
      end(*tenure, TenureEnd::kOverwritten);
      begin(event);
    }
  }

  // The key is the free token: taking it begins a tenure, giving it back ends one.
  void on_free_token(const Event& event) {
    Tenure* tenure = current();
    if (event.kind == EventKind::kKeyRemoved && event.phase == Phase::kAcquire && tenure == nullptr) {
      begin(event);
      tenures_.back().token = attempts_.token(attempts_.slot(event.client, event.attempt));
      tenures_.back().deadline_ms = -1;
    } else if (event.kind == EventKind::kKeyWritten && tenure != nullptr) {
      tenure->touches.push_back({index_, !is_own(*tenure, event, {})});
      end(*tenure, TenureEnd::kRemoved);
    }
  }

  const History& history_;
  const AttemptIndex& attempts_;
  std::map<std::string_view, std::size_t> latest_;   // by key: its last tenure so far
  std::size_t* latest_tenure_ = nullptr;             // of the event at hand
  std::size_t index_ = 0;
  std::vector<Tenure> tenures_;
};

}  // namespace

std::vector<Tenure> find_tenures(const History& history, const AttemptIndex& attempts) {
  return TenureFinder(history, attempts).find();
}

}  // namespace locklapse
