// A kernel as data and functions over tables: what the command, the report, the benchmarks and the tests work with.
// Made from the kernel's own files by make_kernel.hpp, once a kernel, in a generated translation unit.
#pragma once

#include "kernels/baseline.hpp"
#include "kernels/formulas.hpp"
#include "kernels/profile.hpp"
#include "kernels/random.hpp"
#include "kernels/subject.hpp"
#include "oracles/core/judge.hpp"
#include "reference/spec/core/erratum.hpp"

#include <algorithm>
#include <optional>
#include <span>

namespace demeter {

struct Named {
  std::string name;
  std::string doc;
};

struct FormulaInfo : Named {
  std::vector<std::string> leaves_out = {};  ///< outputs that its source does not have

  bool has(std::string_view output) const {
    return std::find(leaves_out.begin(), leaves_out.end(), output) == leaves_out.end();
  }
};

struct RegimeInfo {
  std::string name;
  std::string doc;
  std::uint64_t size = 0;  ///< how many cases there are; 0: as many as one likes
  Profile profile = Profile::extreme;
};

struct LawInfo {
  std::string name;
  std::string doc;
  std::string tolerance;
  std::vector<std::string> uses, compares;
};

/// Arithmetic of an implementation: `formula@arithmetic`.
struct Arithmetic {
  enum class Kind { rounded, binary64, long_double, multiprecision };
  Kind kind = Kind::rounded;  ///< `rounded`: enough precision for a correctly rounded result
  unsigned digits = 0;        ///< of multiprecision, decimal
};

/// An answer as text, cell by cell, in the columns of the output schema; list offsets are text too.
using TextTable = BasicTable<std::string>;

inline TextTable empty_text(Schema const& schema) { return empty_table<std::string>(schema); }

/// One of Demeter's own implementations in binary64.
struct Implementation {
  std::string name;  ///< "fast@avx2", "documented@double", ...
  Origin origin = Origin::fast;
  Answering answering;
};

struct Kernel {
  std::string name, summary, conventions, source;
  Certainty certainty;
  Schema input, output;
  std::vector<Budget> budgets;
  std::vector<FormulaInfo> formulas;  ///< "reference" first, then the printed ones: those that run in any arithmetic
  std::vector<Erratum> errata;        ///< of what others print or do
  std::vector<RegimeInfo> regimes;
  std::vector<Named> workloads;  ///< cases that are only timed: their truths take too long for a survey
  std::vector<LawInfo> laws;
  std::vector<bench::Baseline> baselines;
  std::vector<Implementation> implementations;

  /// Why a case is outside the domain ("not finite" included), or nothing.
  std::function<std::optional<DomainError>(Table const&, std::size_t row)> domain_error;
  /// Appends case `id` of a regime: a function of seed, regime, id and sizes alone.
  std::function<void(std::size_t regime, std::uint64_t seed, std::uint64_t id, Sizes const&, Table&)> draw;
  std::function<void(std::size_t workload, std::uint64_t seed, std::uint64_t id, Table&)> generate_workload;
  /// In metres, see size_of_case(): what a sentence like "wrong below 3 mm" is about. NaN for a kernel
  /// without lengths, or whose lengths say nothing of a size (`Contract::has_size`, which is false).
  std::function<double(Table const& cases, std::size_t row)> size;
  /// Appends what the fast form of one case answers, which every batch form must give to the bit.
  std::function<void(Table const& cases, std::size_t row, Table& into)> fast_one;
  /// Appends cases that are this one with less in its lists, where these belong together (indices of one into
  /// another); empty for a kernel whose lists lose elements one by one.
  std::function<void(Table const& cases, std::size_t row, Table& into)> simpler;
  /// Appends the inputs a law compares for a case to `inputs`; 0 if the law does not apply, else how many.
  std::function<std::size_t(std::size_t law, Table const& cases, std::size_t row, Random, Table& inputs)> derive;
  /// How far the law is from holding, in units of its tolerance, on `count` rows from `first`.
  std::function<std::optional<double>(std::size_t law, Table const& inputs, Answers const&, std::size_t first,
                                      std::size_t count, Tolerance const& held)>
      violation;

  std::uint64_t case_divisor = 1;  ///< of a survey's number of cases, because a truth takes long
  Oracle oracle;
  FormulaRows evaluate;
  std::vector<std::size_t> budgeted;  ///< of each budget its output's place among the outputs

  void generate(std::size_t regime, std::uint64_t seed, std::uint64_t id, Table& into, Sizes const& sizes = {}) const {
    draw(regime, seed, id, sizes, into);
  }
  Truths truths(Table const& cases) const { return truths_of(oracle, output, cases); }
  /// Judges answer `answer_row` to case `row`: one entry a budget.
  void judge(Table const& cases, Truths const& truths, std::size_t row, Answers const& answers, std::size_t answer_row,
             Tolerance const& tolerance, std::span<Judged> judged) const {
    demeter::judge({output, budgets, budgeted, oracle}, cases, truths, row, answers.output, answer_row, tolerance,
                   judged);
  }
  /// Append the truth of one case as text of up to 30 significant digits in output columns; "" where it is not unique.
  /// The middle of the enclosure, or of it the digits that are certain.
  void truth_text(Truths const&, std::size_t row, TextTable&) const;
  void certain_text(Truths const&, std::size_t row, TextTable&) const;
  /// Appends the answer of a formula (index in `formulas`) to one case, each number with `digits` significant digits
  /// (17 or fewer: the shortest that gives the binary64 nearest to the result).
  void evaluate_text(std::size_t formula, Arithmetic, unsigned digits, Table const& cases, std::size_t row,
                     TextTable&) const;
  /// The batch form at the highest level that is code of its own and that this CPU runs: "fast@avx512".
  std::string_view fast() const {
    std::string_view best;
    for (auto const& each : implementations)
      if (each.origin == Origin::fast) best = each.name;
    return best;
  }
  /// Of each column of the output whether a formula (index in `formulas`) leaves it out.
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

/// The kernels of the list in CMakeLists.txt that this build judges, in the order of the list. The build judges all of
/// them unless DEMETER_JUDGED_KERNELS names some.
std::span<Kernel const> kernels();

/// Every kernel of the list. Those that this build does not judge follow the others and have only a contract, regimes
/// and a fast form.
std::span<Kernel const> batch_kernels();

inline Kernel const* find_kernel(std::string_view name) {
  for (auto const& kernel : kernels())
    if (kernel.name == name) return &kernel;
  return nullptr;
}

/// The same among batch_kernels().
inline Kernel const* find_batch_kernel(std::string_view name) {
  for (auto const& kernel : batch_kernels())
    if (kernel.name == name) return &kernel;
  return nullptr;
}

}  // namespace demeter
