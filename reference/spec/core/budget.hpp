// Error measures, budgets and domain errors: the parts of a contract that do not depend on a record type.
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace demeter {

/// Unit roundoff of binary64, u = 2^-53.
inline constexpr double unit_roundoff = 0x1p-53;

/// How the error of an output is measured. One column of a report shows one measure only.
enum class Measure {
  relative,    ///< |x - truth| / (u |truth|)
  scale,       ///< |x - truth| / (u S), S the contract's scale of this output
  optimality,  ///< the answer is not unique: distance from the optimum, in units of u S
};
constexpr std::array<std::string_view, 3> labels(Measure) { return {"relative", "scale", "optimality"}; }

/// Largest error allowed in one output (a field of the contract's `Output`) computed in double: `units` of the measure,
/// plus 2^-1075.
struct Budget {
  std::string_view output;
  Measure measure;
  double units;
};

/// Says whether the error radius of an oracle's truth is proven or only estimated. An estimated radius gives the reason
/// in one sentence, which is shown next to every verdict.
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
