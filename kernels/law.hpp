// Regimes (named parts of the input space) and laws (properties every input must satisfy), as plain data.
#pragma once

#include "kernels/profile.hpp"
#include "kernels/random.hpp"
#include "oracles/core/tolerance.hpp"

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

/// The inputs that a law compares, the case itself first; none if the law does not apply to the case.
template <class Input, class Output>
std::vector<Input> inputs_of(Law<Input, Output> const& law, Input const& in, Random& random) {
  std::vector<Input> inputs{in};
  if (law.derive == nullptr) return inputs;
  law.derive(in, random, inputs);
  if (inputs.size() == 1) inputs.clear();
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
