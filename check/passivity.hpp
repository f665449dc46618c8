// Measures whether a contact law is passive. Computes the work of its force along closed paths and between states
// without contact. Also finds overlaps that decrease while the bodies approach each other.
#pragma once

#include "kernels/laboratory.hpp"
#include "subjects/subjects.hpp"

#include <atomic>
#include <optional>

namespace demeter {

/// The work of the contact force on the bodies along one path.
struct Work {
  double value = 0;   ///< the work, in natural units
  double error = 0;   ///< estimated from the last two refinements of the quadrature: the larger change of the value
  double stored = 0;  ///< the largest energy stored along the path
  Table path;
};

/// A decrease of the overlap while the bodies approach each other.
struct Fall {
  double value = 0;  ///< decrease of the overlap, in natural units
  double from = 0, to = 0;
  Table path;
};

struct Passivity {
  std::uint64_t loops = 0, contacts = 0, monotone_paths = 0;
  std::optional<Work> loop;       ///< the largest |work| along a closed path
  std::optional<Work> gain;       ///< the largest work between two states without contact
  std::optional<Work> loss;       ///< the smallest work between two states without contact
  double mean_relative_loop = 0;  ///< mean over the closed paths of |work| / stored
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
