#include "kernels/operations.hpp"

#include <algorithm>

namespace demeter {
namespace {

constexpr std::size_t most_cases = 48, enough_steps = 2'000'000;

/// Row `row` alone, each number known to come from its column.
BasicTable<Counted> inputs_of(Schema const& schema, Table const& cases, std::size_t row) {
  auto inputs = empty_table<Counted>(schema);
  append_row_as(schema, inputs, cases, row, [&](std::size_t column, std::size_t at) -> Counted {
    return Counted::input(cases.columns[column][at], column);
  });
  // Labels, presence and the lengths of lists are data too; where a list begins is not.
  for (std::size_t column = 0; column < inputs.columns.size(); ++column) {
    if (schema.columns[column].kind == ColumnInfo::Kind::number) continue;
    bool const offsets = schema.columns[column].kind == ColumnInfo::Kind::offsets;
    auto& cells = inputs.columns[column];
    for (std::size_t i = offsets ? 1 : 0; i < cells.size(); ++i) cells[i] = Counted::input(cells[i].value(), column);
  }
  return inputs;
}

}  // namespace

FormulaCost formula_cost(Kernel const& kernel, Table const& cases, std::vector<bool> const& wanted) {
  FormulaCost cost{std::nullopt, std::vector<bool>(kernel.input.columns.size(), true)};
  CountRow const count = find_count(kernel.name);
  if (count == nullptr || cases.rows == 0) return cost;
  std::vector<bool> read(kernel.input.columns.size(), false);
  Operations total;
  std::size_t const drawn = std::min(cases.rows, most_cases);
  std::size_t counted = 0, steps = 0;
  Account account;
  for (; counted < drawn && steps < enough_steps; ++counted) {
    account.clear();
    auto answers = empty_table<Counted>(kernel.output);
    count(inputs_of(kernel.input, cases, counted * cases.rows / drawn), 0, answers);
    if (!account.complete()) return cost;
    steps += account.steps();
    std::vector<Counted> outputs;
    for (std::size_t column = 0; column < answers.columns.size(); ++column)
      if (wanted[column]) outputs.insert(outputs.end(), answers.columns[column].begin(), answers.columns[column].end());
    total += account.of(outputs, read);
  }
  cost.reads = read;
  if (total.functions == 0) cost.operations = total / static_cast<double>(counted);
  return cost;
}

}  // namespace demeter
