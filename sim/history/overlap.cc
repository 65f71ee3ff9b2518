#include <algorithm>

#include "sim/history/oracles.h"

namespace locklapse {

namespace {

std::string resource_name(const Reading& reading, ClientId client) {
  const auto& names = reading.history.cast.resources;
  const PlaceId resource = reading.info(client).resource;
  return resource < names.size() ? std::string(names[resource]) : std::string("the resource");
}

}  // namespace

std::vector<Overlap> find_overlaps(const Reading& reading, std::uint64_t& left_out) {
  std::vector<Overlap> overlaps;
  for (std::size_t i = 0; i < reading.holds.size(); ++i) {
    const Hold& first = reading.holds[i];
    for (std::size_t j = i + 1; j < reading.holds.size(); ++j) {
      const Hold& second = reading.holds[j];
      if (second.entered >= first.left) break;   // holds are in order of entering
      if (second.client == first.client || second.left <= second.entered) continue;
      if (reading.info(first.client).resource != reading.info(second.client).resource) continue;
      if (overlaps.size() == kFindingsMax) {
        ++left_out;
        continue;
      }
      Overlap& overlap = overlaps.emplace_back();
      overlap.resource = resource_name(reading, first.client);
      overlap.first = first.client;
      overlap.second = second.client;
      overlap.from = second.entered;
      overlap.to = std::min(first.left, second.left);
      explain_overlap(reading, first, second, overlap);
    }
  }
  std::stable_sort(overlaps.begin(), overlaps.end(),
                   [](const Overlap& a, const Overlap& b) { return a.from < b.from; });
  return overlaps;
}

}  // namespace locklapse
