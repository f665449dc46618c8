// What a continuity search is asked, and what it found.
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
  std::uint64_t paths = 10'000;       ///< of all families together
  std::optional<std::size_t> family;  ///< one alone
  bool ascend = true;                 ///< enlarge what is found
  bool minimise = true;               ///< and simplify it
  /// Half of it is for paths that are drawn, none where not one of each family fits; after all of it nothing is
  /// enlarged further, after twice of it nothing is simplified or looked at in 80 digits. 0: no limit.
  double seconds = 0;
  std::uint64_t bends = 200;  ///< paths that are searched for kinks, of those drawn
  std::function<void(double done)> progress;
  std::atomic<bool> const* stop = nullptr;
};

/// How a function behaves at a place: by what is left of its change as the interval shrinks.
enum class Behaviour { smooth, kink, steep, jump };
constexpr std::array<std::string_view, 4> labels(Behaviour) { return {"smooth", "kink", "steep", "jump"}; }

/// A jump at one place of one path.
struct Jump {
  std::size_t quantity = 0;   ///< the one that led to it
  std::string transition;     ///< what changes there, "" if nothing that has a name
  std::vector<double> sizes;  ///< of every quantity, natural units
  Table path;                 ///< one row
  double before = 0, after = 0;
  std::vector<double> at_before, at_after;  ///< observations
  Table inputs;                             ///< two rows
  bool certified = false;                   ///< in 80 digits: no rounding is involved
  double width = 0;                         ///< the interval of the parameter across which it stands
};

/// All jumps of one subject at one kind of transition.
struct TransitionJumps {
  std::string transition;
  std::uint64_t found = 0;
  std::vector<double> largest;  ///< of every quantity
  std::vector<bool> certain;    ///< whether that one is certified
  std::vector<Jump> examples;   ///< minimised, one for each quantity that jumps by itself
};

/// The largest ratio of a change to the motion that made it, over intervals of about 1e-6 of a path without a jump.
struct Steepest {
  double ratio = 0;
  double parameter = 0;
  Table path;
};

/// Where a quantity changes like a power below 1 of the motion.
struct Hoelder {
  std::uint64_t found = 0;
  double exponent = 1;  ///< the least
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
  std::optional<std::size_t> formula;  ///< whose jumps can be certified
  std::uint64_t paths = 0, answers = 0, bisections = 0, unanswered = 0;
  std::uint64_t dismissed = 0;   ///< suspects that 80 digits showed to be rounding, or steep
  std::uint64_t unexamined = 0;  ///< suspects that there was no time to look at in 80 digits
  double seconds = 0;
  std::vector<TransitionJumps> transitions;
  std::vector<double> residual;  ///< of each quantity: change across adjacent parameters less its rounding, no jumps
  std::vector<double> change;    ///< the same with its rounding
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
