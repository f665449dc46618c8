#include "kernels/limits.hpp"

#include "base/text.hpp"

#include <cstdio>
#include <cstring>

namespace demeter {

std::string tidy(std::string_view text, std::size_t longest) {
  std::string result(text);
  for (char& each : result)
    if (each == '\n' || each == '\t') each = ' ';
  return plain_text(result, std::min(longest, most_quoted));
}

std::string in_seconds(std::chrono::milliseconds time) {
  char text[32];
  std::snprintf(text, sizeof text, "%g s", std::chrono::duration<double>(time).count());
  return text;
}

std::string signal_name(int signal) {
  char const* const name = sigabbrev_np(signal);
  return "signal " + std::to_string(signal) + (name != nullptr ? " (SIG" + std::string(name) + ")" : "");
}

}  // namespace demeter
