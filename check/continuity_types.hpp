// Options and results of a continuity search.
#pragma once

#include "reference/spec/core/table.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace demeter {

struct ContinuityOptions {
  std::uint64_t seed = 1;
  std::uint64_t paths = 10'000;       ///< number of paths in all families together
  std::optional<std::size_t> family;  ///< draw paths of this family only
  bool ascend = true;                 ///< enlarge the jumps found
  bool minimise = true;               ///< simplify the jumps found
  /// Time limit in seconds; 0: no limit. Paths are drawn during the first half. If there is no time for one path per
  /// family, none is drawn. After the limit no jump is enlarged. After twice the limit no jump is simplified or
  /// examined in 80 digits.
  double seconds = 0;
  std::uint64_t bends = 200;  ///< number of drawn paths that are searched for kinks
  std::function<void(double done)> progress;
  std::atomic<bool> const* stop = nullptr;
};

/// The behaviour of a function at a place: how its change decreases as the interval shrinks.
enum class Behaviour { smooth, kink, steep, jump };
constexpr std::array<std::string_view, 4> labels(Behaviour) { return {"smooth", "kink", "steep", "jump"}; }

/// A jump at one place of one path.
struct Jump {
  std::size_t quantity = 0;   ///< the quantity by which the jump was found
  std::string transition;     ///< the change of state at the jump, or "" if no named state changes
  std::vector<double> sizes;  ///< size of the jump in every quantity, in natural units
  Table path;                 ///< the path, as a table of one row
  double before = 0, after = 0;
  std::vector<double> at_before, at_after;  ///< observations at `before` and at `after`
  Table inputs;                             ///< the inputs at `before` and at `after`, as two rows
  bool certified = false;                   ///< confirmed in 80 digits, so it is not caused by rounding
  double width = 0;                         ///< width of the parameter interval that contains the jump
};

/// All jumps of one subject at one kind of transition.
struct TransitionJumps {
  std::string transition;
  std::uint64_t found = 0;
  std::vector<double> largest;  ///< size of the largest jump, per quantity
  std::vector<bool> certain;    ///< per quantity: true if its largest jump is certified
  std::vector<Jump> examples;   ///< at most one for each quantity that is not derived: the largest jump of the
                                ///< quantity, simplified
};

/// The largest ratio of the change of a quantity to the motion that causes it. It is measured over intervals of about
/// 1e-6 of a path that contain no jump.
struct Steepest {
  double ratio = 0;
  double parameter = 0;
  Table path;
};

/// A place where a quantity changes like motion^exponent with an exponent below 1 (Hölder, not Lipschitz).
struct Hoelder {
  std::uint64_t found = 0;
  double exponent = 1;  ///< the smallest exponent found
  double parameter = 0;
  Table path;
};

/// A kink: a change of slope at a place.
struct Kink {
  std::uint64_t found = 0;
  double turn = 0;  ///< the largest change of d(quantity)/d(motion)
  double parameter = 0;
  Table path;
};

struct Continuity {
  std::string subject;
  std::optional<std::size_t> formula;  ///< index of the subject's formula, if its jumps can be certified
  std::uint64_t paths = 0, answers = 0, bisections = 0, unanswered = 0;
  std::uint64_t dismissed = 0;   ///< suspected jumps that an evaluation in 80 digits showed to be rounding or a steep
                                 ///< slope
  std::uint64_t unexamined = 0;  ///< suspected jumps that were not evaluated in 80 digits (time limit)
  double seconds = 0;
  std::vector<TransitionJumps> transitions;
  std::vector<double> residual;  ///< per quantity: the largest change across adjacent parameters that is not a jump,
                                 ///< minus its possible rounding error
  std::vector<double> change;    ///< per quantity: the largest change across adjacent parameters that is not a jump,
                                 ///< including rounding
  std::vector<Steepest> steepest;
  std::vector<Hoelder> steep;
  std::vector<Kink> kinks;

  bool jumps() const { return !transitions.empty(); }
  TransitionJumps const* find(std::string_view transition) const {
    for (auto const& each : transitions)
      if (each.transition == transition) return &each;
    return nullptr;
  }
};

}  // namespace demeter
