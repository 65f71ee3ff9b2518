// Messages for people, on stderr. Data never goes here.
#pragma once

#include <span>
#include <string_view>

#include "sim/cli/status.h"

namespace locklapse::cli {

// "locklapse: TEXT"
void tell(std::string_view text);

// The same, followed by where help is, and the status to return.
Status refuse_usage(std::string_view verb, std::string_view text);

// Index of `word` in `allowed`, or -1 after saying what is allowed and what was probably meant.
// `later` are words of the plan that this version does not know yet: they get their own sentence.
int choose(std::string_view verb, std::string_view what, std::string_view word,
           std::span<const std::string_view> allowed, std::span<const std::string_view> later = {});

}  // namespace locklapse::cli
