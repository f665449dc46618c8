// What a misspelt name was meant to be.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace demeter::cli {

/// How many letters must be put in, left out, replaced or swapped with their neighbour to make one of the other.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The name that is nearest, if it is near enough to be meant; empty if none is.
std::string nearest(std::string_view misspelt, std::vector<std::string> const& names);

/// "did you mean ode?", or, if no name is near, "expected " and `those_there_are`, the names if that is empty.
std::string meant(std::string_view misspelt, std::vector<std::string> const& names,
                  std::string_view those_there_are = "");

/// Of things with a name.
template <class Things>
std::vector<std::string> names_of(Things const& things) {
  std::vector<std::string> names;
  for (auto const& each : things) names.emplace_back(each.name);
  return names;
}

}  // namespace demeter::cli
