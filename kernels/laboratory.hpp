// A laboratory: the declarations of a kernel for the measurement of its continuity. It declares families of smooth
// paths through the inputs of the kernel, the quantities that must be continuous, their natural units, the size of a
// motion, and the names of changes of state. Like `Kernel`, it consists of data and functions on tables.
// make_laboratory.hpp makes it from properties/continuity/<kernel>.hpp.
#pragma once

#include "kernels/kernel.hpp"
#include "reference/core/multiprecision.hpp"

namespace demeter {

/// A quantity that must be continuous: `count` numbers of an observation from `first` on.
struct Quantity {
  std::string_view name;
  std::string_view unit;  ///< natural unit: "R", "rad", "k R", ...
  std::size_t first, count;
  bool direction = false;  ///< a unit vector: changes are angles in radians
  bool derived = false;    ///< computed from other quantities: it jumps where they jump
};

/// A family of paths.
struct FamilyInfo {
  std::string name;
  std::string doc;
  bool loop = false;  ///< true if the paths end where they begin
};

/// A point on a path: `parameter` in [0, 1].
struct Place {
  std::size_t path;
  double parameter;
};

/// The result of examining a suspected jump in 80 digits.
struct Promoted {
  bool jump = false;
  bool in_time = true;        ///< false: stopped before a result was known
  double width = 0;           ///< width of the last interval of the parameter
  std::vector<double> sizes;  ///< change of every quantity across the interval, in natural units
  std::string transition;
};

/// An observation in multiprecision: numbers in natural units, and for each quantity whether it counts at this point
/// (see `Laboratory::observe`).
struct ExactObservation {
  std::vector<Multiprecision> numbers;
  std::vector<bool> counts;
};

/// The value of `Laboratory::overlap` for a kernel without contacts. Such a kernel has no force, and its energy is not
/// examined.
inline constexpr std::size_t no_overlap = ~std::size_t{0};

struct Laboratory {
  std::string kernel;
  Schema path;  ///< schema of one path
  std::vector<FamilyInfo> families;
  std::vector<Quantity> quantities;
  std::size_t numbers = 0;       ///< count of numbers per observation
  std::string_view excluded;     ///< the places where continuity is not required, with the reason
  std::size_t overlap = 0;       ///< index of the quantity that is the overlap (>= 0, 0 without contact), or
                                 ///< `no_overlap`
  std::string_view energy_unit;  ///< unit of work, if there is an overlap
  /// Appends path `id` of a family. The path depends only on seed, family and id.
  std::function<void(std::size_t family, std::uint64_t seed, std::uint64_t id, Table& paths)> draw;
  /// Returns what is wrong with a path from a user, or nothing.
  std::function<std::optional<DomainError>(Table const& paths, std::size_t row)> path_error;
  /// Returns true if the sizes and motions of a path are in the ranges from which the families draw them.
  std::function<bool(Table const& paths, std::size_t row)> within_search;
  /// Appends simpler paths: the path in another frame, or with equal sizes. Simpler values of single numbers are not
  /// included.
  std::function<void(Table const& paths, std::size_t row, Table& candidates)> simpler;

  /// Appends the inputs at places of paths.
  std::function<void(Table const& paths, std::span<Place const>, Table& inputs)> at;
  /// Writes one observation per row, in natural units. NaN where a quantity does not count (no contact, or not
  /// computed).
  std::function<void(Table const& inputs, Answers const& answers, std::span<double> observations)> observe;
  /// Writes the discrete state of each input. Where it changes along a path, a formula may switch between branches.
  std::function<void(Table const& inputs, std::span<std::uint32_t> states)> states;
  /// Writes, for each quantity, the largest change that rounding in binary64 can cause, in natural units.
  std::function<void(Table const& inputs, std::size_t row, std::span<double> bounds)> rounding;
  /// Returns the natural size of the motion from one row to another.
  std::function<double(Table const& inputs, std::size_t before, std::size_t after)> motion;
  /// Returns the gaps of an input. The bodies approach each other where none of the gaps grows.
  std::function<void(Table const& inputs, std::size_t row, std::vector<double>& gaps)> gaps;
  /// Returns the change of state between two rows, or "" without a change.
  std::function<std::string(Table const& inputs, std::size_t before, std::size_t after)> transition;
  /// Returns the power of the contact force on the bodies at a place, in natural units of energy per unit of the
  /// parameter.
  std::function<double(Table const& paths, Place const&, Table const& inputs, Answers const& answers, std::size_t row)>
      power;
  /// Returns the energy stored in a contact with the overlap of this observation.
  std::function<double(std::span<double const> observation)> stored;

  /// Three functions that compute with the number of digits of the innermost `Precision` object: the input at a place
  /// of a path, the observation of an answer, and the change of state.
  std::function<void(Table const& paths, std::size_t row, Multiprecision const& parameter,
                     BasicTable<Multiprecision>& inputs)>
      at_exactly;
  std::function<ExactObservation(BasicTable<Multiprecision> const& inputs, BasicTable<Multiprecision> const& outputs,
                                 std::size_t row)>
      observe_exactly;
  std::function<std::string(BasicTable<Multiprecision> const& inputs, std::size_t before, std::size_t after)>
      transition_exactly;

  bool of_contacts() const { return overlap != no_overlap; }
  std::size_t find_family(std::string_view name) const {
    for (std::size_t i = 0; i < families.size(); ++i)
      if (families[i].name == name) return i;
    return families.size();
  }
};

/// Examines a suspected jump of a formula (index in `Kernel::formulas`) between two parameters in 80 digits. It is a
/// jump if the change across an interval of 1e-40 of the parameter is at least half of `size`. Gives up when `late`
/// returns true. (An interval of 1e-30 would be too wide. Doubles cannot make some axes exactly parallel. At an angle
/// of 1e-16, the closest points of two axes move by 30 radii within 1e-30 of the parameter.)
Promoted promote(Kernel const& kernel, Laboratory const& laboratory, std::size_t formula, Table const& paths,
                 std::size_t row, double before, double after, std::size_t quantity, double size,
                 std::function<bool()> const& late);

/// Returns the laboratories of the kernels that have one. Generated.
std::span<Laboratory const> laboratories();

inline Laboratory const* find_laboratory(std::string_view kernel) {
  for (auto const& laboratory : laboratories())
    if (laboratory.kernel == kernel) return &laboratory;
  return nullptr;
}

}  // namespace demeter
