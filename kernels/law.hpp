// Regimes (named parts of the input space) and laws (properties that hold for every input), as plain data.
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

/// A named part of a kernel's input space, with its generator.
template <class Input>
struct Regime {
  std::string_view name;
  Profile profile;
  std::string_view doc;
  Input (*draw)(Random&);
};

/// Optional members of a kernel's properties, beside regimes() and laws(). Every properties file defines `inline
/// constexpr PropertiesHooks<Case> hooks{...}` and sets its members by name, so that a misspelt name does not compile.
template <class Input>
struct PropertiesHooks {
  /// Cases that are only timed, because their truths take too long for a survey.
  std::span<Regime<Input> const> (*workloads)() = nullptr;
  /// Appends simpler cases with shorter lists, the largest steps first. It is needed for kernels whose lists refer to
  /// each other: a grain is removed together with its contacts, and higher indices decrease. Without this function list
  /// elements are removed one by one.
  void (*simpler)(Input const&, std::vector<Input>&) = nullptr;
};

using OutputNames = std::vector<std::string_view>;

/// A property of a subject's answers that needs no truth.
///
/// The first element of `inputs` is the case itself. `derive` appends the further inputs that the law compares
/// (swapped, scaled, moved ...). If it appends nothing, the law does not apply to this case. Without `derive` the law
/// examines only the answer to the case itself.
///
/// The subject answers all inputs. `violation` returns the violation in units of the law's tolerance. The law holds if
/// the violation is at most 1. An infinite violation means that the law is broken by an amount that cannot be measured.
/// No value means that the law does not apply to these inputs. If the user sets a larger tolerance of the outputs, the
/// tolerance of the law becomes larger too. This does not apply to facts, for example that a volume is not negative.
/// Outputs that the law does not name are passed as not computed.
///
/// Every input and output is a double. The computations of `violation` must be much more accurate than the tolerance
/// (use long double). They must account for any rounding in `derive`.
template <class Input, class Output>
struct Law {
  std::string_view name = {};
  std::string_view doc = {};
  std::string_view tolerance = {};    ///< the tolerance in words, for the report: "both budgets"
  OutputNames uses = OutputNames(0);  ///< outputs needed; the law is skipped for answers without one of them
  /// Outputs that are compared if all answers have them. Without any of them the law is skipped too.
  OutputNames compares = OutputNames(0);
  void (*derive)(Input const&, Random&, std::vector<Input>& inputs) = nullptr;
  std::optional<double> (*violation)(std::span<Input const> inputs, std::span<Output const> outputs,
                                     Tolerance const& held) = nullptr;
};

/// Returns true if a case has an everyday size and position, within a factor of two, and no extremely small or large
/// numbers. `sizes` is the range of everyday sizes, which the user may set.
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

/// Returns the inputs that a law compares, the case itself first. Returns none if the law does not apply. An everyday
/// case is compared only with everyday cases, so that results for everyday sizes do not depend on other sizes.
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

/// Returns several lists as one.
template <class Each>
std::vector<Each> joined(std::initializer_list<std::vector<Each>> lists) {
  std::vector<Each> all;
  for (auto const& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

}  // namespace demeter
