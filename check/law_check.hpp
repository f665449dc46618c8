// One law on the answers of one subject, and what its cases add up to.
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
  bool decides = true;                                  ///< whether breaches here decide about the subject
  std::uint64_t applicable = 0, broken = 0, known = 0;  ///< known: accepted, not in `broken`
  std::uint64_t by_formula = 0;                         ///< see LawCheck
  double worst = 0;
};

struct LawCheck {
  std::size_t law = 0;
  std::uint64_t cases = 0, applicable = 0, broken = 0;
  std::uint64_t known = 0;  ///< accepted breaches, not in `broken`
  /// Breaches that the formula by which the subject is judged shows too (see `Model`), in neither of these.
  std::uint64_t by_formula = 0;
  double worst = 0;  ///< violation in units of the tolerance
  std::vector<LawBreach> regimes;
  /// In a regime that decides.
  bool broken_where_it_decides() const;
  /// Shrunk: the case, the salt of the law's randomness, all inputs compared and what was answered.
  struct Counterexample {
    Table inputs;
    Table outputs;
    std::uint64_t salt = 0;
    double violation = 0;
  };
  std::optional<Counterexample> counterexample;
};

/// What a law's cases of all regimes add up to while a check runs.
struct LawTally {
  std::uint64_t cases = 0, applicable = 0, broken = 0, known = 0, by_formula = 0;
  double worst = 0;
  std::optional<Example> example;
};

/// A case to show: of the earlier regime (they go from ordinary to extreme), a finite violation before an infinite one,
/// the larger violation, the smaller id. An order, so that threads do not change the choice.
bool tells_more(Example const& a, Example const& b);

/// Adds the cases of a block, which are of the regime `at`th in the list of the check.
void merge(LawCheck& into, LawTally& total, std::size_t at, LawTally const& from);

/// The outputs a law looks at.
std::vector<Node const*> used_outputs(Kernel const& kernel, LawInfo const& law);

/// The violation on rows first..first+count of answers; infinite if the subject owes one of them, nothing if it
/// declines one. A subject in binary32 breaks a law only where the inputs the law compares are binary32 too and the
/// answers inside its range: the laws know the range of doubles.
std::optional<double> violation_of(Kernel const& kernel, Subject const& subject, Tolerance const& held, std::size_t law,
                                   std::vector<Node const*> const& outputs, Table const& inputs, Answers const& answers,
                                   std::size_t first, std::size_t count);

/// The random choices of a law that a check tries.
constexpr std::uint64_t law_salts = 64;

/// The salt of the `choice`th of them, modulo `law_salts`. It says the sizes too that the law keeps everyday cases
/// within, to a hundredth of a power of ten inwards, so that a case and a salt tell all that a law does.
std::uint64_t law_salt(std::uint64_t choice, Sizes const& sizes);

/// The randomness of a law for a salt; what `demeter explain --law L --salt N` uses too.
Random law_random(std::size_t law, std::uint64_t salt);

/// A law on one case: violation, inputs and outputs; nothing if the law does not apply or an output it uses is not
/// computed.
std::optional<double> law_violation(Kernel const& kernel, Subject const& subject, std::size_t law, Table const& cases,
                                    std::size_t row, std::uint64_t salt, Table& inputs, Answers& answers,
                                    std::optional<Held> const& held = std::nullopt);
/// The same with the answers of `ask`.
using Ask = std::function<void(Table const& cases, Answers& answers)>;
std::optional<double> law_violation(Ask const& ask, Kernel const& kernel, Subject const& subject, Tolerance const& held,
                                    std::size_t law, Table const& cases, std::size_t row, std::uint64_t salt,
                                    Table& inputs, Answers& answers);

}  // namespace demeter
