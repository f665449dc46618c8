// Makes a `Kernel` from a kernel's own files. Included by one generated translation unit per kernel, and by tests that
// declare their own kernel.
#pragma once

#include "fast/core/hooks.hpp"
#include "fast/core/level.hpp"
#include "kernels/kernel.hpp"
#include "kernels/law.hpp"
#include "kernels/lists.hpp"
#include "kernels/timed_columns.hpp"
#include "reference/spec/core/formula.hpp"
#include "reference/spec/core/quantities.hpp"
#include "reference/spec/core/table.hpp"

#include <algorithm>
#include <span>
#include <stdexcept>
#include <tuple>

namespace demeter {
namespace detail {

template <class T>
bool all_finite(T const& value, std::string const& path, std::string& where, bool infinite = false) {
  if constexpr (fixed_vector<T>) {
    for (Index i = 0; i < value.size(); ++i)
      if (!all_finite(value[i], path + "[" + std::to_string(i) + "]", where)) return false;
  } else if constexpr (list<T>) {
    for (std::size_t i = 0; i < value.size(); ++i)
      if (!all_finite(value[i], path + "[" + std::to_string(i) + "]", where, infinite)) return false;
  } else if constexpr (nullable<T>) {
    return !value || all_finite(*value, path, where, infinite);
  } else if constexpr (record<T>) {
    bool fine = true;
    for_each_field<T>([&](auto const& each) {
      if (fine)
        fine = all_finite(value.*(each.member),
                          path.empty() ? std::string(each.name) : path + "." + std::string(each.name), where,
                          each.infinite);
    });
    return fine;
  } else if constexpr (std::is_floating_point_v<T>) {
    bool const fine = std::isfinite(value) || (infinite && value > 0);
    if (!fine) where = path;
    return fine;
  }
  return true;
}

/// Returns true if every number of the row outside lists is finite. This check is fast because it does not build the
/// name of a field. all_finite() finds the name.
inline bool row_is_finite(Schema const& schema, Table const& table, std::size_t row) {
  for (std::size_t i = 0; i < schema.columns.size(); ++i) {
    if (schema.columns[i].kind != ColumnInfo::Kind::number || schema.columns[i].list != Schema::top) continue;
    if (!std::isfinite(table.columns[i][row])) return false;
  }
  return true;
}

/// Removes the outputs that a law does not name. Returns false if an output that the law needs is missing, or if all
/// outputs that the law compares are missing.
template <class Input, class Output>
bool leave_what_is_named(Law<Input, Output> const& law, std::span<Output> outputs) {
  auto const names = [](std::vector<std::string_view> const& list, std::string_view name) {
    return std::find(list.begin(), list.end(), name) != list.end();
  };
  bool usable = true, any = !law.uses.empty();
  for_each_field<Output>([&](auto const& field) {
    bool const there =
        std::all_of(outputs.begin(), outputs.end(), [&](Output const& out) { return is_computed(out.*field.member); });
    bool const used = names(law.uses, field.name), compared = names(law.compares, field.name);
    usable = usable && (there || !used);
    any = any || (there && compared);
    if (there && (used || compared)) return;
    for (Output& out : outputs) fill_not_computed(out.*field.member);
  });
  return usable && any;
}

inline bool has_lists(Schema const& schema) {
  for (auto const& column : schema.columns)
    if (column.kind == ColumnInfo::Kind::offsets) return true;
  return false;
}

}  // namespace detail

/// Returns a batch function over columns as an `Answering`. Timed runs call the function directly on columns.
template <class Contract, class Batch>
Answering answer_columns(std::string doc, Batch batch) {
  Answering result;
  result.kernel = Contract::name;
  result.doc = std::move(doc);
  static_assert(detail::column_count<typename Contract::template Output<double>>() > 0);
  Schema const input = schema_of<typename Contract::template Input<double>>();
  Schema const output = schema_of<typename Contract::template Output<double>>();
  // A list whose length the answer determines gets no space: our batch forms do not compute such lists.
  result.answer = [batch, input, output](Table const& cases, Answers& answers) {
    std::vector<double const*> in;
    for (auto const& column : cases.columns) in.push_back(column.data());
    answers.output = blank_outputs(input, output, cases, 0);
    std::vector<double*> out;
    for (auto& column : answers.output.columns) out.push_back(column.data());
    batch(cases.rows, in.data(), out.data());
    if (auto const wrong = settle_outputs(input, output, cases, 0, answers.output)) throw std::logic_error(*wrong);
    answers.status.assign(cases.rows, Status::answered);
  };
  auto const timed = [batch, input, output](Table const& cases,
                                            std::vector<bool> const& wanted) -> std::function<void()> {
    auto columns = std::make_shared<bench::Columns>(cases, blank_outputs(input, output, cases, 0), wanted);
    return [batch, columns] {
      batch(columns->rows(), columns->in(), columns->out());
      asm volatile("" : : "g"(columns->out()) : "memory");
    };
  };
  result.timed_columns = timed;
  result.columns = batch;
  result.timed = [timed](Table const& cases) {
    return timed(cases, std::vector<bool>(detail::column_count<typename Contract::template Output<double>>(), true));
  };
  return result;
}

/// Parts of a kernel without truth, formulas, laws and comparison routines: only its fast form and regimes are built.
template <class ItsContract>
struct FastAlone {
  using Contract = ItsContract;
  using Input = typename Contract::template Input<double>;
  using Output = typename Contract::template Output<double>;

  static Oracle oracle() { return {}; }
  static FormulaRows evaluate() { return {}; }
  static std::tuple<> formulas() { return {}; }
  static std::vector<Erratum> errata() { return {}; }
  static std::span<Law<Input, Output> const> laws() { return {}; }
  static std::span<bench::Baseline const> baselines() { return {}; }
};

namespace detail {

template <class Parts>
constexpr bool has_reference() {
  return requires(typename Parts::Contract::template Input<double> const& in) { Parts::reference(in); };
}

/// Adds the contract, and the names of regimes, workloads, laws and comparison routines.
template <class Parts>
void describe(Kernel& kernel) {
  using Contract = typename Parts::Contract;
  using Input = typename Parts::Contract::template Input<double>;
  using Output = typename Parts::Contract::template Output<double>;

  kernel.name = Contract::name;
  kernel.summary = Contract::summary;
  kernel.conventions = Contract::conventions;
  kernel.source = Contract::source;
  kernel.certainty = Contract::certainty;
  kernel.input = schema_of<Input>();
  kernel.output = schema_of<Output>();
  kernel.budgets.assign(Contract::budgets.begin(), Contract::budgets.end());
  if constexpr (has_reference<Parts>())
    kernel.formulas.push_back({{"reference", "the recommended formula, at any precision"}});
  for (auto const& regime : Parts::regimes())
    kernel.regimes.push_back({std::string(regime.name), std::string(regime.doc), 0, regime.profile});
  auto const workloads = Parts::properties_hooks().workloads;
  for (auto const& workload : workloads == nullptr ? std::span<Regime<Input> const>() : workloads())
    kernel.workloads.push_back({std::string(workload.name), std::string(workload.doc)});
  for (auto const& law : Parts::laws())
    kernel.laws.push_back({std::string(law.name),
                           std::string(law.doc),
                           std::string(law.tolerance),
                           {law.uses.begin(), law.uses.end()},
                           {law.compares.begin(), law.compares.end()}});
  for (auto const& baseline : Parts::baselines()) kernel.baselines.push_back(baseline);
  kernel.oracle = Parts::oracle();
  kernel.case_divisor = kernel.oracle.case_divisor;
  kernel.evaluate = Parts::evaluate();
  kernel.budgeted = budgeted_nodes(kernel.output, kernel.budgets);
}

/// Adds Demeter's fast forms, and the reference and the printed formulas in double.
template <class Parts>
void add_implementations(Kernel& kernel) {
  using Contract = typename Parts::Contract;
  using Input = typename Parts::Contract::template Input<double>;
  using Output = typename Parts::Contract::template Output<double>;

  for (Level const level : Parts::fast_levels()) {
    if (!available(level)) continue;
    kernel.implementations.push_back(
        {"fast@" + std::string(labels(level)[static_cast<std::size_t>(level)]), Origin::fast,
         answer_columns<Contract>("Demeter's batch form",
                                  [level](std::size_t n, double const* const* in, double* const* out) {
                                    Parts::fast_batch(level, n, in, out);
                                  })});
  }
  if (auto const evaluate = Parts::fast_hooks().correctly_rounded; evaluate != nullptr)
    kernel.implementations.push_back({"correctly_rounded", Origin::correctly_rounded,
                                      answer_with<Contract>("every output is the double nearest to the truth",
                                                            [evaluate](Input const& in, Output& out) -> char const* {
                                                              out = evaluate(in);
                                                              return nullptr;
                                                            })});
  auto const in_double = [&](std::string_view name, Origin origin, std::string_view doc, auto evaluate,
                             std::vector<std::string_view> leaves_out) {
    kernel.implementations.push_back(
        {std::string(name) + "@double", origin,
         answer_with<Contract>(std::string(doc), [evaluate, leaves_out](Input const& in, Output& out) -> char const* {
           out = evaluate(in);
           leave_out(out, leaves_out);
           return nullptr;
         })});
  };
  if constexpr (has_reference<Parts>())
    in_double("reference", Origin::reference, "the recommended formula in plain double",
              [](Input const& in) { return Parts::reference(in); }, {});
  auto const add_formula = [&](auto const& formula) {
    auto const& names = formula.leaves_out;
    kernel.formulas.push_back(
        {{std::string(formula.name), std::string(formula.doc)}, formula.kind, {names.begin(), names.end()}});
    for (auto const& each : kernel.formulas.back().leaves_out)
      if (std::none_of(kernel.output.root.children.begin(), kernel.output.root.children.end(),
                       [&](Node const& output) { return output.name == each; }))
        throw std::logic_error(kernel.name + ": " + std::string(formula.name) + " leaves out an unknown " + each);
    in_double(formula.name, Origin::printed, formula.doc, formula.evaluate, names);
  };
  std::apply([&](auto const&... formula) { (add_formula(formula), ...); }, Parts::formulas());
  if constexpr (has_reference<Parts>() && requires { typename Contract::Choices; })
    kernel.formulas.compose(composition(Contract{}));
  kernel.errata = Parts::errata();
}

/// Adds the functions that draw a case, check and measure its input, and make it simpler.
template <class Parts>
void add_cases(Kernel& kernel) {
  using Contract = typename Parts::Contract;
  using Input = typename Parts::Contract::template Input<double>;

  auto const workloads = Parts::properties_hooks().workloads;
  auto const input_schema = kernel.input;
  kernel.domain_error = [input_schema, lists = has_lists(input_schema)](Table const& cases,
                                                                        std::size_t row) -> std::optional<DomainError> {
    if (lists || !row_is_finite(input_schema, cases, row)) {
      std::string where;
      if (!all_finite(load<Input>(cases, row), "", where)) return DomainError{where, "a finite number"};
    }
    return Contract::domain_error(load<Input>(cases, row));
  };
  kernel.draw = [](std::size_t regime, std::uint64_t seed, std::uint64_t id, Sizes const& sizes, Table& into) {
    Random random(seed, regime, id, sizes);
    append(into, Parts::regimes()[regime].draw(random));
  };
  kernel.generate_workload = [workloads](std::size_t workload, std::uint64_t seed, std::uint64_t id, Table& into) {
    Random random(seed, workload, id);
    append(into, workloads()[workload].draw(random));
  };
  kernel.size = [](Table const& cases, std::size_t row) {
    // The lengths of such a kernel are not sizes: for example, a gap does not determine the size of the grains.
    if constexpr (requires { Contract::has_size; }) {
      static_cast<void>(cases), static_cast<void>(row);
      return std::numeric_limits<double>::quiet_NaN();
    } else {
      return size_of_case(load<Input>(cases, row));
    }
  };
  kernel.fast_one = [](Table const& cases, std::size_t row, Table& into) {
    append(into, Parts::fast(load<Input>(cases, row)));
  };
  using Output = typename Contract::template Output<double>;
  kernel.fast_one_timed = answer_with<Contract>("", [](Input const& in, Output& out) -> char const* {
                            out = Parts::fast(in);
                            return nullptr;
                          }).timed;
  if (auto const simpler = Parts::properties_hooks().simpler; simpler != nullptr)
    kernel.simpler = [simpler](Table const& cases, std::size_t row, Table& into) {
      std::vector<Input> all;
      simpler(load<Input>(cases, row), all);
      for (auto const& each : all) append(into, each);
    };
}

/// Adds the functions that derive the inputs of a law from a case, and that compute the violation of the law.
template <class Parts>
void add_laws(Kernel& kernel) {
  using Input = typename Parts::Contract::template Input<double>;
  using Output = typename Parts::Contract::template Output<double>;

  kernel.derive = [](std::size_t law, Table const& cases, std::size_t row, Random random,
                     Table& inputs) -> std::size_t {
    auto const derived = inputs_of(Parts::laws()[law], load<Input>(cases, row), random);
    for (auto const& each : derived) append(inputs, each);
    return derived.size();
  };
  kernel.violation = [](std::size_t which, Table const& inputs, Answers const& answers, std::size_t first,
                        std::size_t count, Tolerance const& held) -> std::optional<double> {
    auto const& law = Parts::laws()[which];
    std::vector<Input> in;
    std::vector<Output> out;
    for (std::size_t row = first; row < first + count; ++row) {
      in.push_back(load<Input>(inputs, row));
      out.push_back(load<Output>(answers.output, row));
    }
    if (!leave_what_is_named(law, std::span<Output>(out))) return std::nullopt;
    return law.violation(in, out, held);
  };
}

}  // namespace detail

/// Returns the kernel. `Parts` bundles the definitions in the kernel's files (see kernels/generated/kernel.cpp.in).
template <class Parts>
Kernel make_kernel() {
  static_assert(lengths_are_known<typename Parts::Contract::template Input<double>,
                                  typename Parts::Contract::template Output<double>>(),
                "as_long_as names no list among the input's own fields");
  Kernel kernel;
  detail::describe<Parts>(kernel);
  detail::add_implementations<Parts>(kernel);
  detail::add_cases<Parts>(kernel);
  detail::add_laws<Parts>(kernel);
  return kernel;
}

}  // namespace demeter
