// Regimes (named parts of the input space) and laws (properties every input must satisfy), as plain data.
#pragma once

#include "kernels/random.hpp"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace demeter {

/// A named part of a kernel's input space and how to draw from it.
template <class Input>
struct Regime {
  std::string_view name;
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

/// A property of a subject's answers that needs no truth.
///
/// `derive` appends the further inputs the law compares (swapped, scaled, moved ...) to `inputs`, whose first element
/// is the case itself; if it appends nothing and `single` is false, the law does not apply to this case. The subject
/// answers all of them, and `violation` says how far the law is from holding, in units of its tolerance: at most 1
/// holds, infinity is a failure with no size, nothing means that the law has no say on these inputs.
/// Every input and output is a double; whatever `violation` computes must be accurate to well below the tolerance
/// (use long double), and any rounding `derive` commits must be accounted for there.
template <class Input, class Output>
struct Law {
  std::string_view name;
  std::string_view doc;
  std::string_view tolerance;          ///< as text, for the report: "16 u S"
  std::vector<std::string_view> uses;  ///< outputs needed; the law is skipped for subjects that do not answer them
  bool single;                         ///< true: the law looks at the case's own answer, `derive` may add nothing
  void (*derive)(Input const&, Random&, std::vector<Input>& inputs);
  std::optional<double> (*violation)(std::span<Input const> inputs, std::span<Output const> outputs);
};

/// For laws that look at the case's own answer only.
template <class Input>
void derive_nothing(Input const&, Random&, std::vector<Input>&) {}

}  // namespace demeter
