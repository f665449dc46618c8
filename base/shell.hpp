// Quoting of words for a shell.
#pragma once

#include <string>
#include <string_view>

namespace demeter {

/// Returns the text as one word of a command that a person may copy. Quotes it if necessary. Uses $'...' (bash, zsh,
/// ksh) if the text has control characters, ends of lines, bidirectional marks or invalid UTF-8.
std::string shell_quoted(std::string_view text);

/// Returns the text as one word of a command for /bin/sh, which does not know $'...'.
std::string sh_quoted(std::string_view text);

/// Returns whether the text is a single call of `demeter` in which the shell expands and redirects nothing.
bool is_plain_command(std::string_view text);

}  // namespace demeter
