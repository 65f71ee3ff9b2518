#include "reports/version.h"

namespace locklapse::reports {

std::string_view version() { return LOCKLAPSE_VERSION; }

}  // namespace locklapse::reports
