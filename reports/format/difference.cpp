#include "reports/format/difference.hpp"

#include "reports/format/words.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

namespace demeter::report {
namespace {

/// Returns the value of a number, or of a number that a file contains as text. Returns nothing for a label.
Number number_of(Json const& value) {
  if (value.is_number()) return value.get<double>();
  if (!value.is_string()) return std::nullopt;
  std::string const& text = value.get_ref<std::string const&>();
  double number = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (end != text.data() + text.size() || text.empty()) return std::nullopt;
  if (error == std::errc::result_out_of_range) {
    bool const tiny = text.find("e-") != std::string::npos;
    return std::copysign(tiny ? 0.0 : HUGE_VAL, text.front() == '-' ? -1.0 : 1.0);
  }
  return error == std::errc{} ? Number(number) : std::nullopt;
}

std::string said(Json const& value) {
  if (value.is_null()) return "none";
  if (value.is_string()) return value.get<std::string>();
  return value.dump();
}

/// Writes both numbers with the fewest digits that distinguish them, at least three.
void write_numbers(double answer, double truth, Difference& to) {
  for (int digits = 3; digits <= 17; ++digits) {
    to.answer = fmt::format("{:.{}g}", answer, digits);
    to.truth = fmt::format("{:.{}g}", truth, digits);
    if (to.answer != to.truth) return;
  }
}

struct Farthest {
  double distance = -1;
  Difference difference;
};

void keep(Farthest& farthest, double distance, Difference difference) {
  if (!(distance > farthest.distance)) return;
  farthest.distance = distance;
  farthest.difference = std::move(difference);
}

void compare(std::string const& where, Json const& answer, Json const& truth, Farthest& farthest) {
  if (truth.is_array() && answer.is_array() && truth.size() == answer.size()) {
    bool const vector = truth.size() == 3 && number_of(answer[0]).has_value();
    for (std::size_t i = 0; i < truth.size(); ++i)
      compare(vector ? fmt::format("{} {}", where, "xyz"[i]) : fmt::format("{}[{}]", where, i), answer[i], truth[i],
              farthest);
    return;
  }
  if (truth.is_object() && answer.is_object()) {
    for (auto const& [key, of_truth] : truth.items())
      if (answer.contains(key)) compare(where + " " + key, answer[key], of_truth, farthest);
    return;
  }
  if (truth == "") return;  // the truth is not unique
  Number const is = number_of(answer), should = number_of(truth);
  if (!is || !should) {
    if (said(answer) != said(truth) && !truth.is_array() && !answer.is_array())
      keep(farthest, HUGE_VAL, {where, said(answer), said(truth)});
    return;
  }
  if (*is == *should) return;
  Difference found{where, "", "", std::isfinite(*is), 0};
  write_numbers(*is, *should, found);
  // Not computed for components of a vector. A component that should be nearly 0 may have an error much larger than
  // itself.
  if (found.is_number && *is * *should > 0 && where.find_first_of(" [") == std::string::npos)
    found.relative = (*is - *should) / *should;
  keep(farthest, found.is_number ? std::fabs(*is - *should) : HUGE_VAL, std::move(found));
}

}  // namespace

std::optional<Difference> difference(std::string_view output, Json const& answer, Json const& truth) {
  Farthest farthest;
  compare(std::string(output), answer, truth, farthest);
  if (farthest.distance < 0) return std::nullopt;
  return farthest.difference;
}

std::string relative_text(Difference const& difference) {
  double const relative = difference.relative;
  if (!difference.is_number || !(std::fabs(relative) >= 1e-3)) return "";
  if (relative >= 10) return fmt::format("{:.2g} times as much", relative + 1);
  if (relative <= -0.995) return fmt::format("{:.2g} times as much", 1 + relative);
  return (relative < 0 ? "-" : "+") + percent(std::fabs(relative));
}

std::string difference_text(Difference const& difference) {
  std::string const relative = relative_text(difference);
  return fmt::format("{} {} instead of {}{}", difference.where, difference.answer, difference.truth,
                     relative.empty() ? "" : " (" + relative + ")");
}

std::string what_is_wrong(Kernel const& kernel, Failure const& failure, double u) {
  Example const& example = failure.example;
  Json const &answer = *example.answer, &truth = *example.truth;
  if (answer.is_object() && truth.is_object() && answer.contains(failure.output) && truth.contains(failure.output))
    if (auto const found = difference(failure.output, answer[failure.output], truth[failure.output]))
      return difference_text(*found);
  if (answer.empty()) return "not answered";
  std::string measure;
  for (auto const& budget : kernel.budgets)
    if (budget.output == failure.output) measure = budget.measure;
  double const error = example.error.value_or(HUGE_VAL) * u;
  if (measure != "optimality" || !std::isfinite(error)) return failure.output + " is wrong";
  return fmt::format("{} is worse than the optimum by {} of the size", failure.output,
                     error >= 1e-3 ? percent(error) : fmt::format("{:.1e}", error));
}

}  // namespace demeter::report
