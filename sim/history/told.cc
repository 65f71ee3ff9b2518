#include "sim/history/oracles.h"

namespace locklapse {

std::vector<Told> find_told(const Reading& reading) {
  std::vector<Told> result;
  for (const Hold& hold : reading.holds) {
    const Tenure* tenure = reading.tenure_of(hold);
    if (tenure == nullptr || tenure->end == TenureEnd::kOpen || tenure->end == TenureEnd::kJoined) continue;
    if (tenure->to >= hold.left) continue;
    Told& told = result.emplace_back();
    told.client = hold.client;
    told.lost_at = tenure->to;
    // A refused release tells it too, when the work is done already.
    told.told_at = hold.told ? hold.told : hold.release == 0 ? hold.released : std::nullopt;
  }
  return result;
}

}  // namespace locklapse
