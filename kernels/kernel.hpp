// A kernel as data and functions on tables, for the command, the report, the benchmarks and the tests. make_kernel.hpp
// makes a `Kernel` from the kernel's own files, in one generated translation unit per kernel.
#pragma once

#include "kernels/baseline.hpp"
#include "kernels/formula_list.hpp"
#include "kernels/formulas.hpp"
#include "kernels/profile.hpp"
#include "kernels/random.hpp"
#include "kernels/subject.hpp"
#include "oracles/core/judge.hpp"
#include "reference/spec/core/erratum.hpp"
#include "reference/spec/core/formula.hpp"

#include <algorithm>
#include <optional>
#include <span>

namespace demeter {

struct RegimeInfo {
  std::string name;
  std::string doc;
  std::uint64_t size = 0;  ///< number of cases; 0: unlimited
  Profile profile = Profile::extreme;
};

struct LawInfo {
  std::string name;
  std::string doc;
  std::string tolerance;
  std::vector<std::string> uses, compares;
};

/// The arithmetic of an implementation, `formula@arithmetic`.
struct Arithmetic {
  enum class Kind { rounded, binary64, long_double, multiprecision };
  Kind kind = Kind::rounded;  ///< `rounded`: enough precision for a correctly rounded result
  unsigned digits = 0;        ///< decimal digits of multiprecision
};

/// Answers as text, cell by cell, in the columns of the output schema. List offsets are text too.
using TextTable = BasicTable<std::string>;

inline TextTable empty_text(Schema const& schema) { return empty_table<std::string>(schema); }

/// One of Demeter's own implementations in binary64.
struct Implementation {
  std::string name;  ///< for example "fast@avx2" or "documented@double"
  Origin origin = Origin::fast;
  Answering answering;
};

struct Kernel {
  std::string name, summary, conventions, source;
  Certainty certainty;
  Schema input, output;
  std::vector<Budget> budgets;
  FormulaList formulas;         ///< formulas that run in any arithmetic: first "reference", then the printed ones
  std::vector<Erratum> errata;  ///< errors in publications and other codes
  std::vector<RegimeInfo> regimes;
  std::vector<Named> workloads;  ///< cases that are only timed: their truths take too long for a survey
  std::vector<LawInfo> laws;
  std::vector<bench::Baseline> baselines;
  std::vector<Implementation> implementations;

  /// Returns why a case is outside the domain ("not finite" included), or nothing.
  std::function<std::optional<DomainError>(Table const&, std::size_t row)> domain_error;
  /// Appends case `id` of a regime. The case depends only on seed, regime, id and sizes.
  std::function<void(std::size_t regime, std::uint64_t seed, std::uint64_t id, Sizes const&, Table&)> draw;
  std::function<void(std::size_t workload, std::uint64_t seed, std::uint64_t id, Table&)> generate_workload;
  /// Returns the size of a case in metres, see size_of_case(), for sentences like "wrong below 3 mm". NaN for a kernel
  /// without lengths, or if its lengths are not sizes (`Contract::has_size` is false).
  std::function<double(Table const& cases, std::size_t row)> size;
  /// Appends the answer of the fast form for one case. Every batch form must give the same bits.
  std::function<void(Table const& cases, std::size_t row, Table& into)> fast_one;
  /// Prepares a timed run of the fast form for one case, as `Answering::timed` does.
  std::function<std::function<void()>(Table const& cases)> fast_one_timed;
  /// Appends simpler cases with shorter lists, for kernels whose lists belong together (indices of one list refer to
  /// another). Null for kernels whose list elements can be removed one by one.
  std::function<void(Table const& cases, std::size_t row, Table& into)> simpler;
  /// Appends to `inputs` the inputs that a law compares for a case. Returns their number; 0 if the law does not apply.
  std::function<std::size_t(std::size_t law, Table const& cases, std::size_t row, Random, Table& inputs)> derive;
  /// Returns the violation of the law in units of its tolerance, for `count` rows from `first`.
  std::function<std::optional<double>(std::size_t law, Table const& inputs, Answers const&, std::size_t first,
                                      std::size_t count, Tolerance const& held)>
      violation;

  std::uint64_t case_divisor = 1;  ///< divides the number of cases of a survey, for kernels with slow truths
  Oracle oracle;
  FormulaRows evaluate;
  std::vector<std::size_t> budgeted;  ///< for each budget: index of its output among the outputs

  void generate(std::size_t regime, std::uint64_t seed, std::uint64_t id, Table& into, Sizes const& sizes = {}) const {
    draw(regime, seed, id, sizes, into);
  }
  Truths truths(Table const& cases) const { return truths_of(oracle, output, cases); }
  /// Judges answer `answer_row` to case `row`. Writes one entry per budget.
  void judge(Table const& cases, Truths const& truths, std::size_t row, Answers const& answers, std::size_t answer_row,
             Tolerance const& tolerance, std::span<Judged> judged) const {
    demeter::judge({output, budgets, budgeted, oracle}, cases, truths, row, answers.output, answer_row, tolerance,
                   judged);
  }
  /// Append the truth of one case as text in output columns. The text is "" where the truth is not unique. truth_text
  /// writes the middle of the enclosure with up to 30 significant digits. certain_text writes only the digits that are
  /// certain.
  void truth_text(Truths const&, std::size_t row, TextTable&) const;
  void certain_text(Truths const&, std::size_t row, TextTable&) const;
  /// Appends the answer of a formula (index in `formulas`) to one case. Each number has `digits` significant digits.
  /// For 17 digits or fewer: the shortest text of the binary64 nearest to the result.
  void evaluate_text(std::size_t formula, Arithmetic, unsigned digits, Table const& cases, std::size_t row,
                     TextTable&) const;
  /// Returns the batch form at the highest level that has its own code and runs on this CPU, for example "fast@avx512".
  std::string_view fast() const {
    std::string_view best;
    for (auto const& each : implementations)
      if (each.origin == Origin::fast) best = each.name;
    return best;
  }
  /// Returns, for each output column, whether a formula (index in `formulas`) leaves it out.
  std::vector<bool> left_out(std::size_t formula) const {
    std::vector<bool> columns(output.columns.size());
    for (Node const& node : output.root.children)
      for (std::size_t i = node.column; i < node.column + node.columns; ++i)
        columns[i] = !formulas[formula].has(node.name);
    return columns;
  }
  Answering const* find(std::string_view implementation) const {
    for (auto const& each : implementations)
      if (each.name == implementation) return &each.answering;
    return nullptr;
  }
};

/// Returns the kernels that this build judges, in the order of the list in CMakeLists.txt. The build judges all of them
/// unless DEMETER_JUDGED_KERNELS names some.
std::span<Kernel const> kernels();

/// Returns every kernel of the list. Kernels that this build does not judge come last and have only a contract, regimes
/// and a fast form.
std::span<Kernel const> batch_kernels();

inline Kernel const* find_kernel(std::string_view name) {
  for (auto const& kernel : kernels())
    if (kernel.name == name) return &kernel;
  return nullptr;
}

/// Returns the kernel with this name among batch_kernels(), or null.
inline Kernel const* find_batch_kernel(std::string_view name) {
  for (auto const& kernel : batch_kernels())
    if (kernel.name == name) return &kernel;
  return nullptr;
}

}  // namespace demeter
