// Events and participants in plain words, shared by every picture.
//
// The words hold names as the history has them, shortened but not escaped: the picture that shows
// them escapes the whole sentence for its format.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/history/history.h"

namespace locklapse::reports {

inline constexpr int kNameColumnsMax = 28;   // a longer name is cut in a sentence
inline constexpr int kTextColumnsMax = 120;  // so is a longer reply, reason or command line

std::string client_label(const History& history, ClientId client);
// How sentences call each client: by name, or by number ("#3") where a legend explains the numbers.
std::vector<std::string> client_names(const History& history);
std::vector<std::string> client_numbers(const History& history);
std::string process_label(const History& history, PlaceId process);
std::string host_label(const History& history, PlaceId host);
std::string node_label(const History& history, PlaceId node);
std::string resource_label(const History& history, PlaceId resource);

// A name or a text, cut to its limit.
std::string short_name(std::string_view name);
std::string short_text(std::string_view text);

// The clients that run in a process: "A", or "pod-1 (A, B)".
std::string who_runs_in(const History& history, PlaceId process,
                        std::span<const std::string> names);

// One sentence without a full stop; empty for events that change nothing a reader would miss.
// Events of keys are worded where the owner is known (timeline.cc).
std::string event_words(const History& history, const Event& event,
                        std::span<const std::string> names);

// ", for 30 s" or ", without a TTL" or nothing, for a key-written or key-deadline event. The
// deadline is the node's wall clock; where that clock is off by itself, nothing is claimed.
std::string ttl_words(const History& history, const Event& event);

}  // namespace locklapse::reports
