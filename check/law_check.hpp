// The check of one law on the answers of one subject, and its statistics.
#pragma once

#include "check/accuracy.hpp"
#include "check/tolerance.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace demeter {

struct LawBreach {
  std::size_t regime = 0;
  bool decides = true;                                  ///< true if a violation here fails the subject
  std::uint64_t applicable = 0, broken = 0, known = 0;  ///< known: accepted violations, not in `broken`
  std::uint64_t by_formula = 0;                         ///< see `LawCheck::by_formula`
  double worst = 0;
};

struct LawCheck {
  std::size_t law = 0;
  std::uint64_t cases = 0, applicable = 0, broken = 0;
  std::uint64_t known = 0;  ///< accepted violations, not in `broken`
  /// Number of violations that do not count against the subject: the formula by which it is judged breaks the law too
  /// (see `Model`). They are not in `broken` or `known`.
  std::uint64_t by_formula = 0;
  double worst = 0;  ///< largest violation, in units of the tolerance
  std::vector<LawBreach> regimes;
  /// Returns true if the law is broken in a regime that decides.
  bool broken_where_it_decides() const;
  /// A shrunk violation: all inputs that the law compares, the answers, and the salt of the law's random choices.
  struct Counterexample {
    Table inputs;
    Table outputs;
    std::uint64_t salt = 0;
    double violation = 0;
  };
  std::optional<Counterexample> counterexample;
};

/// Statistics of a law over several regimes while a check runs.
struct LawTally {
  std::uint64_t cases = 0, applicable = 0, broken = 0, known = 0, by_formula = 0;
  double worst = 0;
  std::optional<Example> example;
};

/// Returns true if example `a` is better to show than `b`. A finite violation comes before an infinite one. Then the
/// earlier regime (regimes go from ordinary to extreme), the larger violation and the smaller id come first. This is a
/// total order, so that the number of threads does not change the choice.
bool tells_more(Example const& a, Example const& b);

/// Adds the statistics of a block. `at` is the index of its regime in the list of the check.
void merge(LawCheck& into, LawTally& total, std::size_t at, LawTally const& from);

/// Returns the outputs that a law uses.
std::vector<Node const*> used_outputs(Kernel const& kernel, LawInfo const& law);

/// Returns the violation of a law on rows first..first+count of the answers. Returns infinity if the subject must give
/// an answer and has not given it (see owed()). Returns nothing if the subject declines an answer. The laws assume the
/// range of doubles. So a subject in binary32 is judged only if all inputs that the law compares are binary32 numbers
/// and all answers are inside its normal range.
std::optional<double> violation_of(Kernel const& kernel, Subject const& subject, Tolerance const& held, std::size_t law,
                                   std::vector<Node const*> const& outputs, Table const& inputs, Answers const& answers,
                                   std::size_t first, std::size_t count);

/// Number of different random choices of a law that a check tries.
constexpr std::uint64_t law_salts = 64;

/// Returns the salt of a random choice (`choice` modulo `law_salts`). The salt also encodes the range of sizes of
/// everyday cases, rounded inwards to 0.01 in the decimal exponent. So a case and a salt determine everything that a
/// law does.
std::uint64_t law_salt(std::uint64_t choice, Sizes const& sizes);

/// Returns the random generator of a law for a salt. `demeter explain --law L --salt N` uses it too.
Random law_random(std::size_t law, std::uint64_t salt);

/// Evaluates a law on one case. Returns the violation and sets the inputs and answers. Returns nothing if the law does
/// not apply or an output that it uses is not computed.
std::optional<double> law_violation(Kernel const& kernel, Subject const& subject, std::size_t law, Table const& cases,
                                    std::size_t row, std::uint64_t salt, Table& inputs, Answers& answers,
                                    std::optional<Held> const& held = std::nullopt);
/// Does the same as the function above, but gets the answers from `ask`.
using Ask = std::function<void(Table const& cases, Answers& answers)>;
std::optional<double> law_violation(Ask const& ask, Kernel const& kernel, Subject const& subject, Tolerance const& held,
                                    std::size_t law, Table const& cases, std::size_t row, std::uint64_t salt,
                                    Table& inputs, Answers& answers);

}  // namespace demeter
