// A kernel for tests. Its answers have all forms of output: lists as long as a list of the input, a list of free
// length, elements that may be null, records in a list, and a label.
#pragma once

#include "kernels/make_kernel.hpp"
#include "oracles/core/make_oracle.hpp"

namespace demeter::toy_lists {

enum class Order { none, rising, mixed };
constexpr std::array<std::string_view, 3> labels(Order) { return {"none", "rising", "mixed"}; }

template <class Scalar>
struct Input {
  Scalar limit;
  std::vector<Vector3<Scalar>> points;
  static constexpr auto fields() {
    return std::tuple{field("limit", &Input::limit, unit::metre, ""), field("points", &Input::points, unit::metre, "")};
  }
};

template <class Scalar>
struct Step {
  Scalar rise;
  Scalar height;
  static constexpr auto fields() {
    return std::tuple{field("rise", &Step::rise, unit::metre, ""), field("height", &Step::height, unit::metre, "")};
  }
};

template <class Scalar>
struct Output {
  Order order;
  std::vector<Vector3<Scalar>> doubled;
  std::vector<Step<Scalar>> steps;
  std::vector<std::optional<Scalar>> signs;
  std::optional<Scalar> highest;
  static constexpr auto fields() {
    return std::tuple{
        field("order", &Output::order, "", "of the points' x"),
        field("doubled", &Output::doubled, unit::metre, "twice each point", as_long_as("points")),
        field("steps", &Output::steps, unit::metre, "from a point to the next, where x rises by more than the limit"),
        field("signs", &Output::signs, "", "-1 or 1, that of x; null where x is 0", as_long_as("points")),
        field("highest", &Output::highest, unit::metre, "greatest x; null without points")};
  }
};

template <class Scalar>
Output<Scalar> evaluate(Input<Scalar> const& in) {
  Output<Scalar> out;
  out.order = in.points.empty() ? Order::none : Order::rising;
  for (std::size_t i = 0; i < in.points.size(); ++i) {
    Scalar const x = in.points[i][0];
    out.doubled.push_back(in.points[i] + in.points[i]);
    out.signs.emplace_back();
    if (x != Scalar(0)) out.signs.back() = Scalar(x > Scalar(0) ? 1 : -1);
    if (!out.highest || x > *out.highest) out.highest = x;
    if (i == 0) continue;
    Scalar const rise = x - in.points[i - 1][0];
    if (rise < Scalar(0)) out.order = Order::mixed;
    if (rise > in.limit) out.steps.push_back({rise, x});
  }
  return out;
}

struct Contract {
  template <class Scalar>
  using Input = toy_lists::Input<Scalar>;
  template <class Scalar>
  using Output = toy_lists::Output<Scalar>;
  static constexpr std::string_view name = "toy_lists";
  static constexpr std::string_view summary = "every form of answer";
  static constexpr std::string_view conventions = "none";
  static constexpr std::string_view source = "this test";
  static constexpr Certainty certainty = bounded;
  static constexpr std::array budgets{Budget{"order", Measure::relative, 0}, Budget{"doubled", Measure::relative, 1},
                                      Budget{"steps", Measure::relative, 4}, Budget{"signs", Measure::relative, 0},
                                      Budget{"highest", Measure::relative, 0}};
  template <class Scalar>
  static std::optional<DomainError> domain_error(Input<Scalar> const& in) {
    if (!(in.limit >= Scalar(0))) return DomainError{"limit", ">= 0"};
    return std::nullopt;
  }
  static Output<long double> scale(Input<double> const& in) { return evaluate(cast<Input<long double>>(in)); }
};

/// Draws a case whose numbers are integers, so that all operations are exact.
inline Input<double> draw(Random& random) {
  auto const whole = [&](std::int64_t low, std::int64_t high) {
    return static_cast<double>(random.integer(low, high));
  };
  Input<double> in{whole(0, 3), {}};
  for (std::int64_t count = random.integer(0, 9); count > 0; --count)
    in.points.push_back({whole(-3, 3), whole(-9, 9), whole(-9, 9)});
  return in;
}

inline constexpr OracleHooks<Contract> hooks{};
inline Output<Enclosure> truth(Input<double> const& in) {
  auto const right = evaluate(in);
  Output<Enclosure> out;
  auto const exactly = [](double value) { return Enclosure{value, 0, 0}; };
  out.order = right.order;
  for (auto const& each : right.doubled) {
    out.doubled.emplace_back();
    for (int i = 0; i < 3; ++i) out.doubled.back()[i] = exactly(each[i]);
  }
  for (auto const& each : right.steps) out.steps.push_back({exactly(each.rise), exactly(each.height)});
  for (auto const& each : right.signs) {
    out.signs.emplace_back();
    if (each) out.signs.back() = exactly(*each);
  }
  if (right.highest) out.highest = exactly(*right.highest);
  return out;
}

struct Parts {
  using Contract = toy_lists::Contract;
  static Output<double> reference(Input<double> const& in) { return toy_lists::evaluate(in); }
  static auto formulas() { return std::tuple{}; }
  static std::vector<Erratum> errata() { return {}; }
  static Oracle oracle() {
    Oracle made = make_judging_oracle<Contract, hooks>();
    made.truth = [](Table const& cases, std::size_t row, BasicTable<Enclosure>& into) {
      append(into, truth(load<Input<double>>(cases, row)));
    };
    return made;
  }
  static FormulaRows evaluate() { return {}; }
  static FastHooks<Contract> fast_hooks() { return {}; }
  static PropertiesHooks<Input<double>> properties_hooks() { return {}; }
  static std::array<Level, 1> fast_levels() { return {Level::scalar}; }
  static Output<double> fast(Input<double> const& in) { return toy_lists::evaluate(in); }
  static void fast_batch(Level, std::size_t, double const* const*, double* const*) {}
  static std::span<Regime<Input<double>> const> regimes() {
    static Regime<Input<double>> const list[] = {{"small", Profile::everyday, "few points", draw}};
    return list;
  }
  static std::span<Law<Input<double>, Output<double>> const> laws() {
    static Law<Input<double>, Output<double>> const list[] = {
        {.name = "every_step_rises",
         .doc = "no step falls",
         .tolerance = "0",
         .uses = {"steps"},
         .violation = [](std::span<Input<double> const>, std::span<Output<double> const> out,
                         Tolerance const&) -> std::optional<double> {
           for (auto const& step : out[0].steps)
             if (!(step.rise > 0)) return std::numeric_limits<double>::infinity();
           return 0;
         }}};
    return list;
  }
  static std::span<bench::Baseline const> baselines() { return {}; }
};

}  // namespace demeter::toy_lists
