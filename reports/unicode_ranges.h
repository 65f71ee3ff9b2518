// Which code points take no column, which take two, and which are invisible.
#pragma once

namespace locklapse::reports {

bool is_combining(char32_t value);  // drawn over the character before it
bool is_wide(char32_t value);       // takes two columns in a terminal
bool is_format(char32_t value);     // invisible, steers layout: zero-width spaces, bidi controls

}  // namespace locklapse::reports
