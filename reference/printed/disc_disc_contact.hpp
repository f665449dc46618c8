// Contact of two discs: no source prints another formula, so there are only errata.
#pragma once

#include "reference/spec/core/erratum.hpp"
#include "reference/spec/core/formula.hpp"
#include "reference/spec/disc_disc_contact.hpp"

namespace demeter::disc_disc_contact::printed {

inline auto formulas() { return std::tuple{}; }

inline std::vector<Erratum> errata() {
  return {
      Erratum{.where = "alert distance",
              .documented = "any number",
              .recommended = "at least the greatest speed of approach times the time step, because pairs beyond the "
                             "alert distance are not solved"},
      Erratum{.where = "equal centres", .documented = "not stated", .recommended = "the contact has no normal"},
  };
}

}  // namespace demeter::disc_disc_contact::printed
