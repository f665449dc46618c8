// Commands as a shell reads them.
#pragma once

#include <string>
#include <string_view>

namespace demeter {

/// The text as one word of a command that a person may copy: in quotes if the word needs quotes, and as $'...' (bash,
/// zsh, ksh) if the text has control characters, ends of lines, bidirectional marks or invalid UTF-8.
std::string shell_quoted(std::string_view text);

/// The text as one word of a command for /bin/sh, which does not know $'...'.
std::string sh_quoted(std::string_view text);

/// Whether a shell reads the text as a call of `demeter` with words that stand for themselves, and nothing else.
bool is_plain_command(std::string_view text);

}  // namespace demeter
