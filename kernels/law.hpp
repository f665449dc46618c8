// Regimes (named parts of the input space) and laws (properties every input must satisfy), as plain data.
#pragma once

#include "kernels/profile.hpp"
#include "kernels/random.hpp"
#include "oracles/core/tolerance.hpp"
#include "reference/spec/core/quantities.hpp"

#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace demeter {

/// A named part of a kernel's input space and how to draw from it.
template <class Input>
struct Regime {
  std::string_view name;
  Profile profile;
  std::string_view doc;
  Input (*draw)(Random&);
};

/// What a kernel's properties may say beside regimes() and laws(). Every one defines
/// `inline constexpr PropertiesHooks<Case> hooks{...}` and names the members it fills in, so that a misspelt one does
/// not compile.
template <class Input>
struct PropertiesHooks {
  /// Cases that are only timed, because their truths take too long for a survey.
  std::span<Regime<Input> const> (*workloads)() = nullptr;
  /// Cases that are this one with less in its lists, the largest steps first, for kernels whose lists belong together:
  /// a grain goes with its contacts, and the indices behind it move down. Without it elements are left out one by one.
  void (*simpler)(Input const&, std::vector<Input>&) = nullptr;
};

using OutputNames = std::vector<std::string_view>;

/// A property of a subject's answers that needs no truth.
///
/// `derive` appends the further inputs that the law compares (swapped, scaled, moved ...) to `inputs`, whose first
/// element is the case itself; if it appends nothing, the law does not apply to this case. Without `derive` the law
/// looks at the case's own answer only. The subject answers all inputs, and `violation` says how far the law is from
/// holding, in units of its tolerance: at most 1 holds, infinity is a failure with no size, nothing means that the law
/// has no say on these inputs. What the outputs are held to widens that tolerance; a fact, that a volume is not
/// negative say, stays one. Outputs that the law does not name are not computed in what it is shown.
/// Every input and output is a double; whatever `violation` computes must be accurate to well below the tolerance
/// (use long double), and any rounding `derive` commits must be accounted for there.
template <class Input, class Output>
struct Law {
  std::string_view name = {};
  std::string_view doc = {};
  std::string_view tolerance = {};    ///< in words, for the report: "both budgets"
  OutputNames uses = OutputNames(0);  ///< outputs needed; the law is skipped for answers without one of them
  /// Outputs it looks at where all answers have them; without any of them the law is skipped too.
  OutputNames compares = OutputNames(0);
  void (*derive)(Input const&, Random&, std::vector<Input>& inputs) = nullptr;
  std::optional<double> (*violation)(std::span<Input const> inputs, std::span<Output const> outputs,
                                     Tolerance const& held) = nullptr;
};

/// Whether a case is of an everyday size (a user's, if some are given) and place, give or take a factor of two, and all
/// its numbers are ordinary.
template <class Case>
bool has_everyday_size(Case const& in, Sizes const& sizes = {}) {
  double const size = size_of_case(in), extent = extent_of(in);
  double const least = 0.5 * power_of_ten(sizes.low_exponent), most = 2 * power_of_ten(sizes.high_exponent);
  bool everyday = size == 0 ? extent < 1024 * most : size > least && size < most;
  for_each_quantity(in, [&](auto const& quantity, auto const& field) {
    double const limit = field.kind == Kind::position ? 4096 * extent : 1e100;
    for_each_number(quantity, [&](double x) {
      if (field.infinite && std::isinf(x)) return;
      everyday = everyday && (x == 0 || (std::fabs(x) > 1e-100 && std::fabs(x) <= limit));
    });
  });
  return everyday;
}

/// The inputs that a law compares, the case itself first; none if the law does not apply to the case. An everyday case
/// is compared with everyday cases only, so that what is said of everyday sizes rests on nothing else.
template <class Input, class Output>
std::vector<Input> inputs_of(Law<Input, Output> const& law, Input const& in, Random& random) {
  std::vector<Input> inputs{in};
  if (law.derive == nullptr) return inputs;
  law.derive(in, random, inputs);
  bool applies = inputs.size() > 1;
  if (applies && has_everyday_size(in, random.sizes()))
    for (Input const& each : inputs) applies = applies && has_everyday_size(each, random.sizes());
  if (!applies) inputs.clear();
  return inputs;
}

/// Lists of laws as one.
template <class Each>
std::vector<Each> joined(std::initializer_list<std::vector<Each>> lists) {
  std::vector<Each> all;
  for (auto const& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

}  // namespace demeter
