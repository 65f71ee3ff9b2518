// Names and texts made safe for the format they go into.
//
// Whatever bytes come in, the result is valid UTF-8 on one line that cannot leave its place: it
// writes no terminal sequence, ends no statement, opens no tag. Characters that cannot be shown
// appear as a person would write them: \n, \x1b, \u{202e}; bytes that are not UTF-8 as \xff.
#pragma once

#include <string>
#include <string_view>

namespace locklapse::reports {

// For terminals. Without `unicode`, everything outside ASCII is written as \u{..} too.
std::string printable(std::string_view text, bool unicode = true);

// For XML text and attribute values. Line breaks survive as character references.
std::string xml_text(std::string_view text);

// For Mermaid messages and notes, anywhere but at their beginning: whatever Mermaid could read as
// syntax, and the word "end", becomes an entity code (#59;).
std::string mermaid_text(std::string_view text);

// For GitHub Markdown: a code span, in which GitHub resolves no mentions and no markup. In a table
// a bar ends the cell even inside a code span, so it is escaped there.
std::string markdown_code(std::string_view text, bool in_table = true);

// For a word in a line of key=value pairs: printable ASCII without spaces, "-" if empty.
std::string grep_word(std::string_view text);

}  // namespace locklapse::reports
