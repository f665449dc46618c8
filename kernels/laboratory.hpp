// A laboratory: what a kernel must declare for its continuity to be measured. Families of smooth paths through its
// inputs, what must be continuous along them and in which natural units, how large a motion is, and what a change of
// state is called. As data and functions over tables, like `Kernel`; made from properties/continuity/<kernel>.hpp by
// make_laboratory.hpp.
#pragma once

#include "kernels/kernel.hpp"
#include "reference/core/multiprecision.hpp"

namespace demeter {

/// What must be continuous: `count` numbers of an observation from `first` on.
struct Quantity {
  std::string_view name;
  std::string_view unit;  ///< natural: "R", "rad", "k R", ...
  std::size_t first, count;
  bool direction = false;  ///< a unit vector: changes are angles in radians
  bool derived = false;    ///< made of the others: it jumps where they do
};

/// A family of paths. `size` paths of it are drawn for each one of a family of size 1.
struct FamilyInfo {
  std::string name;
  std::string doc;
  bool loop = false;  ///< its paths return to where they began
};

/// A place on a path: `parameter` in [0, 1].
struct Place {
  std::size_t path;
  double parameter;
};

/// What became of a suspected jump in high precision.
struct Promoted {
  bool jump = false;
  bool in_time = true;        ///< false if it was given up, so that nothing is known
  double width = 0;           ///< of the last interval of the parameter
  std::vector<double> sizes;  ///< of every quantity's change across it, in natural units
  std::string transition;
};

/// Numbers in natural units, and which quantities count there.
struct ExactObservation {
  std::vector<Multiprecision> numbers;
  std::vector<bool> counts;
};

/// Of a kernel that is not about contacts: there is no force, and nothing to say of energy.
inline constexpr std::size_t no_overlap = ~std::size_t{0};

struct Laboratory {
  std::string kernel;
  Schema path;  ///< of one path
  std::vector<FamilyInfo> families;
  std::vector<Quantity> quantities;
  std::size_t numbers = 0;       ///< of one observation
  std::string_view excluded;     ///< where continuity is not asked for, and why
  std::size_t overlap = 0;       ///< the quantity that is the overlap: >= 0, 0 where free; or `no_overlap`
  std::string_view energy_unit;  ///< of work, if there is an overlap
  /// Appends path `id` of a family: a function of seed, family and id alone.
  std::function<void(std::size_t family, std::uint64_t seed, std::uint64_t id, Table& paths)> draw;
  /// What is wrong with a path given by somebody, or nothing.
  std::function<std::optional<DomainError>(Table const& paths, std::size_t row)> path_error;
  /// Whether a path is within the bounds of the search: sizes and motions that the families draw.
  std::function<bool(Table const& paths, std::size_t row)> within_search;
  /// Simpler paths that are not simplifications of single numbers: another frame, equal sizes.
  std::function<void(Table const& paths, std::size_t row, Table& candidates)> simpler;

  /// Appends the inputs at places of paths.
  std::function<void(Table const& paths, std::span<Place const>, Table& inputs)> at;
  /// One observation a row, in natural units; NaN where a quantity does not count (no contact, or not computed).
  std::function<void(Table const& inputs, Answers const& answers, std::span<double> observations)> observe;
  /// The discrete state of an input: where it changes along a path a formula may switch.
  std::function<void(Table const& inputs, std::span<std::uint32_t> states)> states;
  /// What rounding of binary64 may move each quantity by, in natural units.
  std::function<void(Table const& inputs, std::size_t row, std::span<double> bounds)> rounding;
  /// The natural size of the motion from one row to another.
  std::function<double(Table const& inputs, std::size_t before, std::size_t after)> motion;
  /// The gaps of an input: the bodies approach where none of them grows.
  std::function<void(Table const& inputs, std::size_t row, std::vector<double>& gaps)> gaps;
  /// The change of state between two rows, "" if there is none.
  std::function<std::string(Table const& inputs, std::size_t before, std::size_t after)> transition;
  /// The power of the contact force on the bodies at a place, in natural units of energy per unit of the parameter.
  std::function<double(Table const& paths, Place const&, Table const& inputs, Answers const& answers, std::size_t row)>
      power;
  /// The energy stored in a contact of this overlap (an observation).
  std::function<double(std::span<double const> observation)> stored;

  /// The same three in the digits of the innermost `Precision`: the input at a place of a path, what is observed there
  /// of an answer, and the change of state.
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

/// Whether a jump of a formula (index in `Kernel::formulas`) between two parameters is still there, at least half as
/// large as `size`, across 1e-40 of the parameter, in 80 digits. (1e-30 would do but for closest pairs of axes that
/// doubles cannot make exactly parallel: at an angle of 1e-16 they run 30 radii within it.) Given up when `late` says
/// so.
Promoted promote(Kernel const& kernel, Laboratory const& laboratory, std::size_t formula, Table const& paths,
                 std::size_t row, double before, double after, std::size_t quantity, double size,
                 std::function<bool()> const& late);

/// The laboratories of the kernels that have one. Generated.
std::span<Laboratory const> laboratories();

inline Laboratory const* find_laboratory(std::string_view kernel) {
  for (auto const& laboratory : laboratories())
    if (laboratory.kernel == kernel) return &laboratory;
  return nullptr;
}

}  // namespace demeter
