// Whether a contact law is passive: the work of its force round closed paths and from no contact to no contact, and
// overlaps that fall while the bodies approach.
#pragma once

#include "kernels/laboratory.hpp"
#include "subjects/subjects.hpp"

#include <atomic>
#include <optional>

namespace demeter {

/// Work of the contact force on the bodies along one path.
struct Work {
  double value = 0;   ///< natural units
  double error = 0;   ///< by how much the last refinement of the quadrature changed it
  double stored = 0;  ///< the largest energy stored on the way
  Table path;
};

/// An overlap that falls while the bodies approach.
struct Fall {
  double value = 0;  ///< natural units
  double from = 0, to = 0;
  Table path;
};

struct Passivity {
  std::uint64_t loops = 0, contacts = 0, monotone_paths = 0;
  std::optional<Work> loop;       ///< the largest |work| round a closed loop
  std::optional<Work> gain;       ///< the largest work done from no contact to no contact
  std::optional<Work> loss;       ///< the least
  double mean_relative_loop = 0;  ///< mean of |work| / stored
  double mean_relative_contact = 0;
  std::optional<Fall> fall;
};

struct PassivityOptions {
  std::uint64_t seed = 1;
  std::uint64_t loops = 200, contacts = 200, monotone_paths = 1000;
  std::atomic<bool> const* stop = nullptr;
};

Passivity measure_passivity(Kernel const& kernel, Laboratory const& laboratory, Subject const& subject,
                            PassivityOptions const& options);

}  // namespace demeter
