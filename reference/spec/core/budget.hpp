// Error measures, budgets and domain errors: the parts of a contract that do not depend on a record type.
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace demeter {

/// Unit roundoff of binary64, u = 2^-53.
inline constexpr double unit_roundoff = 0x1p-53;

/// The measure of an output's error. One column of a report shows one measure only.
enum class Measure {
  relative,    ///< |x - truth| / (u |truth|)
  scale,       ///< |x - truth| / (u S), where S is the scale of this output in the contract
  optimality,  ///< for answers that are not unique: distance from the optimum, in units of u S
};
constexpr std::array<std::string_view, 3> labels(Measure) { return {"relative", "scale", "optimality"}; }

/// The largest allowed error of an output that is computed in double: `units` times the unit of the measure, plus
/// 2^-1075. `output` is a field of the contract's `Output`.
struct Budget {
  std::string_view output;
  Measure measure;
  double units;
};

/// Says whether the error radius of an oracle's truth is proven or only estimated. If it is estimated,
/// `not_bounded_because` gives the reason in one sentence. Reports show this sentence next to every verdict.
struct Certainty {
  std::string_view not_bounded_because;
  constexpr bool bounded() const { return not_bounded_because.empty(); }
};
inline constexpr Certainty bounded{};
constexpr Certainty estimated(std::string_view because) { return {because}; }

/// Names the input field that is outside the contract's domain, and the expected range ("> 0", "finite").
struct DomainError {
  std::string field;
  std::string expected;
};

}  // namespace demeter
