// The program's version, as documents name it.
#pragma once

#include <string_view>

namespace locklapse::reports {

std::string_view version();  // "0.1.0"

}  // namespace locklapse::reports
