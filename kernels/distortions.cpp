#include "kernels/distortions.hpp"

#include "kernels/lists.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace demeter {
namespace {

std::vector<std::string> words(std::string_view text) {
  std::istringstream stream{std::string(text)};
  std::vector<std::string> result;
  for (std::string word; stream >> word;) result.push_back(word);
  return result;
}

Node const& find_field(Schema const& schema, std::string_view path) {
  Node const* node = &schema.root;
  for (std::size_t begin = 0; begin <= path.size();) {
    std::size_t const end = std::min(path.find('.', begin), path.size());
    std::string_view const name = path.substr(begin, end - begin);
    if (node->kind == Node::Kind::list) node = &node->children.front();
    auto const child =
        std::find_if(node->children.begin(), node->children.end(), [&](Node const& each) { return each.name == name; });
    if (child == node->children.end()) throw std::logic_error("distortion of " + std::string(path) + ": no such field");
    node = &*child;
    begin = end + 1;
  }
  return *node;
}

/// Returns the columns with the numbers of a field, including the numbers of its elements.
std::vector<std::size_t> number_columns(Schema const& schema, std::string_view path) {
  Node const& node = find_field(schema, path);
  std::vector<std::size_t> columns;
  for (std::size_t k = node.column; k < node.column + node.columns; ++k)
    if (schema.columns[k].kind == ColumnInfo::Kind::number) columns.push_back(k);
  if (columns.empty()) throw std::logic_error("distortion of " + std::string(path) + ": it holds no numbers");
  return columns;
}

/// Rounds to the 24 bits of a float for any exponent: only digits are lost, not the range.
double to_float(double x) {
  if (!std::isfinite(x)) return x;
  int exponent = 0;
  double const fraction = std::frexp(x, &exponent);
  return std::ldexp(static_cast<double>(static_cast<float>(fraction)), exponent);
}

std::string named(std::string path, std::string const& suffix) {
  std::replace(path.begin(), path.end(), '.', '_');
  return path + suffix;
}

std::string in_units(double units) {
  std::ostringstream text;
  text << units << " u";
  return text.str();
}

using ChangeCases = std::function<void(Table& cases)>;
using ChangeAnswers = std::function<void(Table const& cases, Table& answers)>;

class Maker {
 public:
  Maker(Answering const& right, Schema const& input, Schema const& output)
      : right_(right.answer), kernel_(right.kernel), input_(input), output_(output) {}

  void read_as_float(std::string const& path) {
    auto const columns = number_columns(input_, path);
    add_input(named(path, "_read_as_float"), path + " is rounded to float", "single precision input",
              [columns](Table& cases) {
                for (std::size_t const k : columns)
                  for (double& cell : cases.columns[k]) cell = to_float(cell);
              });
  }
  void shared_by_four(std::string const& path) {
    Node const& node = find_field(input_, path);
    std::vector<std::size_t> columns(node.columns);
    for (std::size_t k = 0; k < node.columns; ++k) columns[k] = node.column + k;
    add_input(named(path, "_of_the_first"), "four rows get " + path + " of the first row",
              "a uniform branch or a broadcast in SIMD", [columns](Table& cases) {
                for (std::size_t const k : columns)
                  for (std::size_t row = 0; row < cases.rows; ++row)
                    cases.columns[k][row] = cases.columns[k][row / 4 * 4];
              });
  }
  void of_each_number(std::string const& path, std::string const& suffix, std::string const& change,
                      std::string const& source, double (*function)(double)) {
    auto const columns = number_columns(output_, path);
    add_output(named(path, suffix), change, source, [columns, function](Table const&, Table& answers) {
      for (std::size_t const k : columns)
        for (double& cell : answers.columns[k]) cell = function(cell);
    });
  }
  void exchange(std::string const& first, std::string const& second) {
    auto const one = number_columns(output_, first), other = number_columns(output_, second);
    add_output(named(first, "_and_") + named(second, "_exchanged"), first + " and " + second + " are exchanged",
               "a swapped pair of results", [one, other](Table const&, Table& answers) {
                 for (std::size_t k = 0; k < one.size(); ++k)
                   std::swap(answers.columns[one[k]], answers.columns[other[k]]);
               });
  }
  void of_the_row_before(std::string const& path) {
    Node const& node = find_field(output_, path);
    add_output(named(path, "_of_the_row_before"), "three of four rows get " + path + " of the row before",
               "a warm start or a buffer that is not cleared",
               [begin = node.column, end = node.column + node.columns](Table const&, Table& answers) {
                 for (std::size_t k = begin; k < end; ++k)
                   for (std::size_t row = 1; row < answers.rows; ++row)
                     if (row % 4 != 0) answers.columns[k][row] = answers.columns[k][row - 1];
               });
  }
  void just_over(std::string const& path, Budget const& budget, ScaleOf const& scale) {
    // The added error is larger than the budget plus the usual error of the correct implementation. An answer of
    // exactly 0 is not changed, because many laws treat it as a special case.
    double const units = 1.25 * budget.units + 1;
    auto const columns = number_columns(output_, path);
    bool const relative = budget.measure == Measure::relative;
    auto const change = [columns, relative, scale, over = units * unit_roundoff, output = output_](Table const& cases,
                                                                                                   Table& answers) {
      auto scales = empty_table<long double>(output);
      for (std::size_t row = 0; row < cases.rows && !relative; ++row) scale(cases, row, scales);
      for (std::size_t const k : columns)
        for (std::size_t row = 0; row < answers.columns[k].size(); ++row) {
          long double const cell = answers.columns[k][row], by = relative ? cell : scales.columns[k][row];
          if (cell != 0) answers.columns[k][row] = static_cast<double>(cell + static_cast<long double>(over) * by);
        }
    };
    add_output(named(path, "_just_over"), path + " is " + in_units(units) + (relative ? "" : " S") + " too large",
               "an error just above the budget of " + in_units(budget.units), change);
    if (units < 1024) made.back().within_double = in_units(units) + " are less than 1024";
  }
  void tail() {
    add_output("tail_shifted", "the last n modulo 4 rows of a batch get the answers of the row before",
               "a SIMD tail loaded one too early", [output = output_](Table const&, Table& answers) {
                 for (std::size_t row = answers.rows; row-- > std::max<std::size_t>(answers.rows / 4 * 4, 1);)
                   copy_row(output, answers, row, row - 1);
               });
  }

  std::vector<Distorted> made;

 private:
  void add(std::string name, std::string change, std::string source, ChangeCases const& cases,
           ChangeAnswers const& answers) {
    Answering answering;
    answering.kernel = kernel_;
    answering.answer = [right = right_, cases, answers](Table const& given, Answers& result) {
      if (cases == nullptr) {
        right(given, result);
      } else {
        Table changed = given;
        changed.exact.clear();
        cases(changed);
        right(changed, result);
      }
      if (answers != nullptr) answers(given, result.output);
    };
    made.push_back({std::move(name), std::move(change), std::move(source), std::move(answering)});
  }
  void add_input(std::string name, std::string change, std::string source, ChangeCases const& cases) {
    add(std::move(name), std::move(change), std::move(source), cases, nullptr);
  }
  void add_output(std::string name, std::string change, std::string source, ChangeAnswers const& answers) {
    add(std::move(name), std::move(change), std::move(source), nullptr, answers);
  }

  std::function<void(Table const&, Answers&)> right_;
  std::string kernel_;
  Schema const& input_;
  Schema const& output_;
};

}  // namespace

std::vector<Distorted> distorted(Answering const& right, Schema const& input, Schema const& output,
                                 std::span<Budget const> budgets, ScaleOf const& scale, Distortions const& wanted) {
  Maker maker(right, input, output);
  for (auto const& path : words(wanted.read_as_float)) maker.read_as_float(path);
  for (auto const& path : words(wanted.as_float))
    maker.of_each_number(path, "_as_float", path + " is returned in float", "single precision storage", to_float);
  for (auto const& path : words(wanted.negated))
    maker.of_each_number(path, "_negated", path + " has the other sign", "another sign convention",
                         [](double x) { return -x; });
  for (auto const& path : words(wanted.doubled))
    maker.of_each_number(path, "_doubled", path + " is twice as large", "half and whole exchanged",
                         [](double x) { return 2 * x; });
  auto const pairs = words(wanted.exchanged);
  for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) maker.exchange(pairs[i], pairs[i + 1]);
  for (auto const& path : words(wanted.just_over)) {
    auto const budget =
        std::find_if(budgets.begin(), budgets.end(), [&](Budget const& each) { return each.output == path; });
    if (budget == budgets.end()) throw std::logic_error("distortion of " + path + ": it has no budget");
    maker.just_over(path, *budget, scale);
  }
  for (auto const& path : words(wanted.shared_by_four)) maker.shared_by_four(path);
  for (auto const& path : words(wanted.of_the_row_before)) maker.of_the_row_before(path);
  maker.tail();
  return std::move(maker.made);
}

}  // namespace demeter
