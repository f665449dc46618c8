#include "cli/core/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace demeter::cli {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), now(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      std::size_t const replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      now[j] = std::min({replaced, last[j] + 1, now[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        now[j] = std::min(now[j], before_last[j - 2] + 1);
    }
    before_last = std::exchange(last, now);
  }
  return last[b.size()];
}

std::string nearest(std::string_view misspelt, std::vector<std::string> const& names) {
  std::string best;
  std::size_t least = 1 + std::max<std::size_t>(1, misspelt.size() / 4);
  for (auto const& name : names) {
    // A name that begins with the misspelt text counts as near: "segment" means "segment_distance".
    bool const beginning = misspelt.size() >= 4 && name.starts_with(misspelt);
    std::size_t const distance = beginning ? 1 : edit_distance(misspelt, name);
    if (distance >= name.size() || distance >= least) continue;
    least = distance;
    best = name;
  }
  return best;
}

std::string meant(std::string_view misspelt, std::vector<std::string> const& names, std::string_view those_there_are) {
  std::string const near = nearest(misspelt, names);
  if (!near.empty()) return fmt::format("did you mean {}?", near);
  return fmt::format("expected {}",
                     those_there_are.empty() ? fmt::to_string(fmt::join(names, ", ")) : std::string(those_there_are));
}

}  // namespace demeter::cli
