// Force laws by name, for scenes: "lammps-hooke-history", "textbook,limit=sum".
#pragma once

#include "reference/spec/contact_force.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace demeter::simulations {

/// A force law, or the reason why the text is none.
struct NamedLaw {
  std::optional<contact_force::Choices> law;
  std::string wrong = {};
};
NamedLaw named_law(std::string_view text);

}  // namespace demeter::simulations
