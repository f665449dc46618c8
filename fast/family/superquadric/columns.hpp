// A body as columns of one row.
#pragma once

#include "reference/spec/family/superquadric.hpp"

#include <cstddef>

namespace demeter::superquadric::fast {

/// Where the 12 numbers of a body are, in the order of its columns. Returns what follows them in `from`.
inline double const** list_body(Superquadric<double> const& body, double const** from) {
  for (int k = 0; k < 3; ++k) *from++ = &body.position[k];
  for (int k = 0; k < 4; ++k) *from++ = &body.orientation[k];
  for (int k = 0; k < 3; ++k) *from++ = &body.semi_axes[k];
  *from++ = &body.n1;
  *from++ = &body.n2;
  return from;
}

}  // namespace demeter::superquadric::fast
