// Guesses which name a misspelt name means.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace demeter::cli {

/// Returns the number of letters to insert, delete, replace or swap with a neighbour to turn one name into the other.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// Returns the nearest name, or an empty string if every name is too different.
std::string nearest(std::string_view misspelt, std::vector<std::string> const& names);

/// Returns "did you mean ode?" if a name is near. Otherwise returns "expected " and `those_there_are`, or "expected "
/// and all names if `those_there_are` is empty.
std::string meant(std::string_view misspelt, std::vector<std::string> const& names,
                  std::string_view those_there_are = "");

/// Returns the names of things that have a member `name`.
template <class Things>
std::vector<std::string> names_of(Things const& things) {
  std::vector<std::string> names;
  for (auto const& each : things) names.emplace_back(each.name);
  return names;
}

}  // namespace demeter::cli
