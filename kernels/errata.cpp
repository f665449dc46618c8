#include "kernels/errata.hpp"

#include "kernels/json_lines.hpp"

#include <cmath>
#include <cstdlib>

namespace demeter {

bool is_rounded(std::string_view stated, std::string_view computed) {
  std::string const text(stated);
  if (text == "nan") return computed == "nan";
  std::size_t const end = std::min(text.find_first_of("eE"), text.size()), point = std::min(text.find('.'), end);
  long const decimals = static_cast<long>(point == end ? 0 : end - point - 1);
  long const exponent = end == text.size() ? 0 : std::strtol(text.c_str() + end + 1, nullptr, 10);
  long double const last = std::pow(10.0L, static_cast<long double>(exponent - decimals));
  long double const value = std::strtold(std::string(computed).c_str(), nullptr);
  // If the computed figure is halfway between two rounded figures, it agrees with both.
  return std::fabs(std::strtold(text.c_str(), nullptr) - value) <= last * (0.5L + 1e-9L);
}

std::vector<FigureFound> find_figure(Kernel const& kernel, ErratumFigure const& figure, std::string& wrong) {
  std::vector<FigureFound> found(figure.values.size());
  auto const& columns = kernel.output.columns;
  auto const column = std::find_if(columns.begin(), columns.end(), [&](auto const& each) {
    return each.path == figure.column && each.kind != ColumnInfo::Kind::offsets;
  });
  if (column == columns.end()) {
    wrong = fmt::format("\"{}\" is no column of {}", figure.column, kernel.name);
    return found;
  }
  Table cases(kernel.input);
  if (auto const error = read_case(kernel, figure.input, cases)) {
    wrong = *error;
    return found;
  }
  if (auto const outside = kernel.domain_error(cases, 0)) {
    wrong = fmt::format("{}: expected {}", outside->field, outside->expected);
    return found;
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    auto const& value = figure.values[i];
    auto const formula = kernel.formulas.find(value.formula);
    if (!formula.index) {
      wrong = fmt::format("unknown formula \"{}\" of {}; {}", value.formula, kernel.name, formula.wrong);
      return found;
    }
    TextTable answer = empty_text(kernel.output);
    kernel.evaluate_text(*formula.index, {Arithmetic::Kind::multiprecision, 50}, 17, cases, 0, answer);
    auto const& cells = answer.columns[static_cast<std::size_t>(column - columns.begin())];
    if (!cells.empty()) found[i].computed = cells.front();  // the first element, if the output is a list
    found[i].agrees = !found[i].computed.empty() && is_rounded(value.stated, found[i].computed);
  }
  return found;
}

}  // namespace demeter
