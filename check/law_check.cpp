#include "check/law_check.hpp"

#include "subjects/subjects.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace demeter {

bool LawCheck::broken_where_it_decides() const {
  if (regimes.empty()) return broken > 0;
  return std::any_of(regimes.begin(), regimes.end(),
                     [](LawBreach const& breach) { return breach.decides && breach.broken > 0; });
}

bool tells_more(Example const& a, Example const& b) {
  if (std::isfinite(a.error) != std::isfinite(b.error)) return std::isfinite(a.error);
  if (a.regime != b.regime) return a.regime < b.regime;
  if (a.error != b.error) return a.error > b.error;
  return a.id < b.id;
}

void merge(LawCheck& into, LawTally& total, std::size_t at, LawTally const& from) {
  into.cases += from.cases;
  into.applicable += from.applicable;
  into.broken += from.broken;
  into.known += from.known;
  into.by_formula += from.by_formula;
  into.worst = std::max(into.worst, from.worst);
  LawBreach& of_regime = into.regimes[at];
  of_regime.applicable += from.applicable;
  of_regime.broken += from.broken;
  of_regime.known += from.known;
  of_regime.by_formula += from.by_formula;
  of_regime.worst = std::max(of_regime.worst, from.worst);
  if (from.example && (!total.example || tells_more(*from.example, *total.example))) total.example = from.example;
}

std::vector<Node const*> used_outputs(Kernel const& kernel, LawInfo const& law) {
  std::vector<Node const*> outputs;
  for (auto const& child : kernel.output.root.children)
    for (auto const* named : {&law.uses, &law.compares})
      if (std::find(named->begin(), named->end(), child.name) != named->end()) outputs.push_back(&child);
  return outputs;
}

std::optional<double> violation_of(Kernel const& kernel, Subject const& subject, Tolerance const& held, std::size_t law,
                                   std::vector<Node const*> const& outputs, Table const& inputs, Answers const& answers,
                                   std::size_t first, std::size_t count) {
  for (std::size_t row = first; row < first + count; ++row) {
    if (owed(answers.status[row])) return infinite_error;
    if (answers.status[row] != Status::answered) return std::nullopt;
    for (Node const* const output : outputs) {
      if (output->kind == Node::Kind::list || output->kind == Node::Kind::enumeration) continue;
      auto const& cells = answers.output.columns[output->values()];
      if (subject.binary32 && !(std::fabs(cells[row]) >= 0x1p-126 && std::fabs(cells[row]) < 0x1p128) &&
          !std::isnan(cells[row]))
        return std::nullopt;
    }
  }
  if (subject.binary32)
    for (std::size_t row = first; row < first + count; ++row)
      if (!is_binary32(kernel, inputs, row)) return std::nullopt;
  auto result = kernel.violation(law, inputs, answers, first, count, held);
  if (result && std::isnan(*result)) result = infinite_error;
  return result;
}

namespace {
constexpr double steps_a_power = 100, lowest_exponent = -40;
constexpr std::uint64_t step_limit = 8192;
}  // namespace

std::uint64_t law_salt(std::uint64_t choice, Sizes const& sizes) {
  choice %= law_salts;
  if (sizes == Sizes{}) return choice;
  // Rounding may make the product differ slightly from a whole number: 1e-6 allows for this.
  auto const low = std::ceil((sizes.low_exponent - lowest_exponent) * steps_a_power - 1e-6);
  auto const high = std::floor((sizes.high_exponent - lowest_exponent) * steps_a_power + 1e-6);
  return choice + law_salts * (1 + static_cast<std::uint64_t>(low) * step_limit + static_cast<std::uint64_t>(high));
}

Random law_random(std::size_t law, std::uint64_t salt) {
  Sizes sizes;
  if (std::uint64_t const code = salt / law_salts; code > 0) {
    sizes.low_exponent = static_cast<double>((code - 1) / step_limit) / steps_a_power + lowest_exponent;
    sizes.high_exponent = static_cast<double>((code - 1) % step_limit) / steps_a_power + lowest_exponent;
    // A salt may be any number. If it encodes invalid sizes, use the sizes of all everyday cases.
    if (!(sizes.low_exponent < 40 && sizes.high_exponent < 40)) sizes = {};
  }
  return Random(0x1a35, law, salt % law_salts, sizes);
}

std::optional<double> law_violation(Ask const& ask, Kernel const& kernel, Subject const& subject, Tolerance const& held,
                                    std::size_t law, Table const& cases, std::size_t row, std::uint64_t salt,
                                    Table& inputs, Answers& answers) {
  inputs.clear(kernel.input);
  std::size_t const count = kernel.derive(law, cases, row, law_random(law, salt), inputs);
  if (count == 0) return std::nullopt;
  ask(inputs, answers);
  return violation_of(kernel, subject, held, law, used_outputs(kernel, kernel.laws[law]), inputs, answers, 0, count);
}

std::optional<double> law_violation(Kernel const& kernel, Subject const& subject, std::size_t law, Table const& cases,
                                    std::size_t row, std::uint64_t salt, Table& inputs, Answers& answers,
                                    std::optional<Held> const& held) {
  auto const ask = [&](Table const& asked, Answers& to) { answer(subject, kernel, asked, to); };
  return law_violation(ask, kernel, subject, tolerance_of(kernel, subject, held), law, cases, row, salt, inputs,
                       answers);
}

}  // namespace demeter
