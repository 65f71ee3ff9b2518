#include "reports/layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "reports/display_width.h"
#include "reports/escape.h"
#include "reports/glyphs.h"
#include "reports/wording.h"
#include "sim/history/time_text.h"

namespace locklapse::reports {
namespace {

constexpr int kClientWidthMax = 10;
constexpr int kNameWidthMin = 4;  // below this a cut name says less than a number
constexpr int kKeyWidthMax = 18;
constexpr int kKeyWidthMin = 8;
constexpr int kTimeWidthMax = 12;
constexpr int kFoldsMax = 20;  // a stretch is idle when it takes 1/20 of the whole

// Clients in the order in which their lanes are worth keeping.
std::vector<std::size_t> by_importance(const RunReport& run) {
  std::vector<std::size_t> order;
  std::set<std::size_t> seen;
  const std::size_t count = run.history->cast.clients.size();
  const auto add = [&](ClientId client) {
    if (client < count && seen.insert(client).second) order.push_back(client);
  };
  for (const Overlap& o : run.verdict->overlaps) {
    add(o.first);
    add(o.second);
  }
  for (const UnownedMutation& u : run.verdict->unowned) {
    add(u.client);
    add(u.owner);
  }
  for (const Damage& d : run.verdict->damage) add(d.client);
  for (const Told& t : run.verdict->told) add(t.client);
  for (std::size_t i = 0; i < count; ++i) add(static_cast<ClientId>(i));
  return order;
}

// "40.005 s" at the precision that the steps need, and the folds between them.
void measure_time(Layout& layout, const std::vector<Step>& steps, Time end) {
  for (const Step& step : steps)
    layout.decimals = std::max(layout.decimals, decimals_needed(step.at));
  const Time last = steps.empty() ? end : std::max(end, steps.back().at);
  layout.time_width = std::max(6, display_width(instant_text(last, layout.decimals)));
  for (std::size_t i = 1; i < steps.size(); ++i) {
    const Duration gap = steps[i].at - steps[i - 1].at;
    if (!is_fold(steps, gap)) continue;
    const int needed = 2 + display_width(duration_text(gap));
    layout.time_width = std::max(layout.time_width, std::min(needed, kTimeWidthMax));
  }
}

// Some node's key: the key's name, the node's, or both, whichever tells the lanes apart.
std::string key_heading(const RunReport& run, const Lanes& lanes, const KeyLane& key,
                        bool unicode) {
  const auto differs = [&](auto member) {
    return std::any_of(lanes.keys().begin(), lanes.keys().end(),
                       [&](const KeyLane& other) { return other.*member != key.*member; });
  };
  const std::string node = printable(node_label(*run.history, key.node), unicode);
  std::string name = printable(key.key, unicode);
  if (!differs(&KeyLane::node)) return name;
  return differs(&KeyLane::key) ? node + "/" + name : node;
}

int widest_name(const RunReport& run, bool unicode) {
  int widest = 1;
  for (const ClientInfo& client : run.history->cast.clients) {
    widest = std::max(widest, display_width(printable(client.name, unicode)));
  }
  return widest;
}

int used_width(const Layout& layout) {
  int used = layout.time_width + 1;
  if (!layout.keys.empty()) used += 2;
  for (const Column& column : layout.keys) used += column.width + 1;
  used += 2;
  for (const Column& column : layout.clients) used += column.width + 1;
  return used + 2;
}

int words_room(const Layout& layout, int width) { return width - used_width(layout); }

void set_widths(std::vector<Column>& columns, int width) {
  for (Column& column : columns) column.width = width;
}

void make_room(Layout& layout, int width, const std::vector<std::size_t>& importance) {
  const auto tight = [&] { return words_room(layout, width) < kWordsMin; };
  while (tight() && !layout.clients.empty() && layout.clients.front().width > 3) {
    set_widths(layout.clients, layout.clients.front().width - 1);
  }
  while (tight() && !layout.keys.empty() && layout.keys.front().width > kKeyWidthMin) {
    set_widths(layout.keys, layout.keys.front().width - 1);
  }
  while (tight() && layout.keys.size() > 1) {
    layout.keys.pop_back();
    ++layout.keys_left_out;
  }
  while (tight() && !layout.clients.empty() && layout.clients.front().width > 1) {
    set_widths(layout.clients, layout.clients.front().width - 1);
  }
  for (auto least = importance.rbegin(); tight() && least != importance.rend(); ++least) {
    std::erase_if(layout.clients, [&](const Column& column) { return column.index == *least; });
    ++layout.clients_left_out;
  }
}

}  // namespace

bool is_fold(const std::vector<Step>& steps, Duration gap) {
  const Duration whole = steps.back().at - steps.front().at;
  return gap > Duration{} && gap * kFoldsMax >= whole;
}

Layout make_layout(const RunReport& run, const Lanes& lanes, const std::vector<Step>& steps,
                   const TextStyle& style) {
  Layout layout;
  const int width = std::clamp(style.width, kTextWidthMin, kTextWidthMax);
  measure_time(layout, steps, run.history->end);
  const int names = widest_name(run, style.unicode);
  const std::string_view ellipsis = glyphs(style.unicode).ellipsis;

  int key_width = std::min(names, kNameColumnsMax) + 2;
  for (const KeyLane& key : lanes.keys()) {
    key_width = std::max(key_width, display_width(key_heading(run, lanes, key, style.unicode)));
  }
  key_width = std::clamp(key_width, kKeyWidthMin, kKeyWidthMax);
  for (std::size_t i = 0; i < lanes.keys().size(); ++i) layout.keys.push_back({i, {}, key_width});
  const int client_width = std::clamp(names, 3, kClientWidthMax);
  for (std::size_t i = 0; i < run.history->cast.clients.size(); ++i) {
    layout.clients.push_back({i, {}, client_width});
  }
  make_room(layout, width, by_importance(run));

  std::set<std::string> headings;
  for (Column& column : layout.clients) {
    const std::string name = printable(run.history->cast.clients[column.index].name, style.unicode);
    column.heading = fit(name, column.width, ellipsis);
    headings.insert(column.heading);
    if (column.heading != name && column.width < kNameWidthMin) layout.numbered = true;
  }
  if (headings.size() < layout.clients.size()) layout.numbered = true;
  if (layout.numbered) {
    std::size_t last = layout.clients.empty() ? 0 : layout.clients.back().index + 1;
    const int digits = static_cast<int>(std::to_string(last).size());
    for (Column& column : layout.clients) {
      column.width = std::max(column.width, digits);
      column.heading = std::to_string(column.index + 1);
    }
  }
  for (Column& column : layout.keys) {
    const KeyLane& key = lanes.keys()[column.index];
    column.heading = fit(key_heading(run, lanes, key, style.unicode), column.width, ellipsis);
  }
  layout.words_width = std::max(10, words_room(layout, width));
  return layout;
}

}  // namespace locklapse::reports
