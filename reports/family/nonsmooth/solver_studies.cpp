#include "reports/family/nonsmooth/solver_studies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

namespace demeter::nonsmooth {

// Generated from docs/hourglass/.
std::string_view curves_of_5000();
std::string_view solvers_of_5000();

namespace {

using fast::Method;

constexpr std::string_view meaning(Method method) {
  switch (method) {
    case Method::nlgs:
      return "Gauss-Seidel with accumulated impulses, projected, one contact after the other";
    case Method::coloured:
      return "the same, contacts that share no body of finite mass at once";
    case Method::jacobi:
      return "projected Jacobi, relaxed so that it converges in every packing";
    case Method::mass_splitting_jacobi:
      return "Jacobi with the mass of a body split among its contacts";
    case Method::apgd:
      return "accelerated projected gradient, optimised, with mass splitting and restart";
    case Method::documented:
      return "as documented: nothing is accumulated, one contact after the other";
    case Method::documented_jacobi:
      return "as documented, all contacts at once";
  }
  return "";
}

/// Returns a study with the data that all studies have in common.
report::SolverStudy blank(std::size_t discs) {
  report::SolverStudy made;
  made.kernel = solved_kernel;
  made.scene = "hourglass";
  made.discs = static_cast<std::int64_t>(discs);
  made.compared_with = bench::name(Method::nlgs);
  for (Method const method : fast::methods)
    made.methods.push_back({std::string(bench::name(method)), std::string(meaning(method))});
  return made;
}

// --------------------------------------------------------------------------------------------------------- recorded

/// Calls `visit(line)` for each line of a text.
template <class Visit>
void for_each_row(std::string_view text, Visit const& visit) {
  while (!text.empty()) {
    std::size_t const end = std::min(text.find('\n'), text.size());
    visit(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  while (true) {
    std::size_t const comma = line.find(',');
    cells.push_back(line.substr(0, comma));
    if (comma == std::string_view::npos) return cells;
    line.remove_prefix(comma + 1);
  }
}

template <class Value>
std::optional<Value> number_in(std::string_view text) {
  Value value{};
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

/// A file with rows. It begins with lines "# key: value", and the next line contains the names of the columns.
struct Rows {
  std::vector<std::pair<std::string_view, std::string_view>> about;
  std::vector<std::string_view> columns;
  std::vector<std::vector<std::string_view>> rows;

  explicit Rows(std::string_view text) {
    for_each_row(text, [this](std::string_view line) {
      std::size_t const colon = line.find(": ");
      if (line.starts_with("# ") && colon != std::string_view::npos) {
        about.emplace_back(line.substr(2, colon - 2), line.substr(colon + 2));
      } else if (columns.empty()) {
        columns = cells_of(line);
      } else if (auto cells = cells_of(line); cells.size() == columns.size()) {
        rows.push_back(std::move(cells));
      }
    });
  }
  std::string said(std::string_view key) const {
    for (auto const& [name, value] : about)
      if (name == key) return std::string(value);
    return "";
  }
  std::string_view in(std::vector<std::string_view> const& row, std::string_view column) const {
    auto const at = std::find(columns.begin(), columns.end(), column);
    return at == columns.end() ? std::string_view() : row[static_cast<std::size_t>(at - columns.begin())];
  }
};

/// Returns the curve of a row. Adds the curve if it is the first row of this curve. Returns null if the row does not
/// name a method.
report::SolverCurve* curve_of(report::SolverStudy& study, Rows const& file, std::vector<std::string_view> const& row) {
  auto const state = file.in(row, "state"), start = file.in(row, "start"), method = file.in(row, "method");
  for (auto& each : study.curves)
    if (each.state == state && each.start == start && each.method == method) return &each;
  auto const found = std::find_if(fast::methods.begin(), fast::methods.end(),
                                  [method](Method each) { return bench::name(each) == method; });
  auto const contacts = number_in<std::int64_t>(file.in(row, "contacts"));
  if (found == fast::methods.end() || !contacts) return nullptr;
  study.curves.push_back({std::string(state), std::string(start), std::string(method), solves(*found), *contacts});
  return &study.curves.back();
}

}  // namespace

report::SolverStudy describe(bench::Study const& study) {
  report::SolverStudy made = blank(study.discs);
  for (auto const& each : study.curves) {
    report::SolverCurve curve{std::string(bench::state_name(each.flowing)),
                              std::string(bench::start_name(each.warm)),
                              std::string(bench::name(each.method)),
                              solves(each.method),
                              static_cast<std::int64_t>(study.contacts[each.flowing ? 1 : 0]),
                              each.asked};
    for (auto const& point : each.points) curve.points.push_back({point.outcome.sweeps, point.seconds, point.residual});
    for (std::size_t k = 0; k < each.reached.size(); ++k) {
      report::SolverReached row;
      row.tolerance = bench::tolerances[k];
      if (auto const& reached = each.reached[k]) {
        row.sweeps = reached->outcome.sweeps;
        row.seconds = reached->seconds;
        row.residual = reached->residual;
      }
      curve.reached.push_back(row);
    }
    made.curves.push_back(std::move(curve));
  }
  return made;
}

report::SolverStudy recorded_study(std::size_t discs, std::string_view curves, std::string_view solvers) {
  report::SolverStudy made = blank(discs);
  made.recorded = true;
  Rows const points(curves), reached(solvers);
  made.commit = points.said("commit");
  made.created = points.said("created");
  made.cpu = points.said("cpu");
  made.level = points.said("level");
  made.command = fmt::format("build/release/bench_hourglass {} docs/hourglass", discs);
  for (auto const& row : points.rows) {
    auto const sweeps = number_in<std::int64_t>(points.in(row, "sweeps"));
    auto const seconds = number_in<double>(points.in(row, "seconds")),
               residual = number_in<double>(points.in(row, "residual_over_g_dt"));
    if (!sweeps || !seconds || !residual) continue;
    if (auto* const curve = curve_of(made, points, row)) curve->points.push_back({*sweeps, seconds, residual});
  }
  for (auto const& row : reached.rows) {
    auto const tolerance = number_in<double>(reached.in(row, "tolerance_over_g_dt"));
    auto* const curve = curve_of(made, reached, row);
    if (curve == nullptr || !tolerance) continue;
    curve->asked = number_in<std::int64_t>(reached.in(row, "sweeps_asked")).value_or(0);
    curve->reached.push_back({tolerance, number_in<std::int64_t>(reached.in(row, "sweeps")),
                              number_in<double>(reached.in(row, "seconds")),
                              number_in<double>(reached.in(row, "residual_over_g_dt"))});
  }
  return made;
}

report::SolverStudy recorded_study() { return recorded_study(5000, curves_of_5000(), solvers_of_5000()); }

report::SolverStudy measured_study(double seconds, std::atomic<bool> const* stop) {
  // For 500 discs, the simulation takes two seconds to settle. Then 20,000 sweeps take three seconds. A run of a slow
  // solver is limited to 0.3 s.
  constexpr double whole = 8, of_a_run = 0.3, discs = 500, fewest = 20;
  constexpr std::int64_t sweeps = 20'000;
  double const share = seconds > 0 ? std::min(seconds / whole, 1.0) : 1;
  auto const some = static_cast<std::size_t>(std::max(discs * share, fewest));
  return describe(bench::study(some, bench::steps_to_settle, bench::steps_until_flow,
                               {sweeps, seconds > 0 ? of_a_run * share : 0}, stop));
}

}  // namespace demeter::nonsmooth
