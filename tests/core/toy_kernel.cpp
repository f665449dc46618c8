// Tests with a kernel that exists only in this file. It has many shapes of data: an enumeration, nested records, a list
// of records with a record inside, outputs that are lists or may be null, and vectors of size 2. Everything that is
// derived from fields() must work for this kernel without special code.
#include "check/check.hpp"
#include "check/model.hpp"
#include "kernels/json_lines.hpp"
#include "kernels/make_formulas.hpp"
#include "kernels/make_kernel.hpp"
#include "oracles/core/make_oracle.hpp"
#include "properties/core/generators.hpp"

#include <gtest/gtest.h>

#include <array>

namespace demeter::toy {

enum class Mode { still, moving };
constexpr std::array<std::string_view, 2> labels(Mode) { return {"still", "moving"}; }
enum class Load { none, light, heavy };
constexpr std::array<std::string_view, 3> labels(Load) { return {"none", "light", "heavy"}; }

template <class Scalar>
using Vector2 = Vector<Scalar, 2>;

template <class Scalar>
struct Frame {
  Vector3<Scalar> origin;
  Scalar angle;
  static constexpr auto fields() {
    return std::tuple{field("origin", &Frame::origin, unit::metre, ""), field("angle", &Frame::angle, "", "")};
  }
};
template <class Scalar>
struct Body {
  Frame<Scalar> frame;
  Scalar weight;
  Mode mode;
  std::optional<Scalar> limit;
  static constexpr auto fields() {
    return std::tuple{field("frame", &Body::frame, "", ""), field("weight", &Body::weight, unit::newton, ""),
                      field("mode", &Body::mode, "", ""), field("limit", &Body::limit, "", "null: none")};
  }
};
template <class Scalar>
struct Input {
  Scalar size;
  Vector2<Scalar> place;
  std::optional<Vector3<Scalar>> wind;
  std::vector<Body<Scalar>> bodies;
  static constexpr auto fields() {
    return std::tuple{field("size", &Input::size, "", "> 0"), field("place", &Input::place, "", ""),
                      field("wind", &Input::wind, "", "null: none"), field("bodies", &Input::bodies, "", "")};
  }
};

template <class Scalar>
struct Summary {
  Scalar third;
  Vector2<Scalar> centre;
  static constexpr auto fields() {
    return std::tuple{field("third", &Summary::third, "", ""), field("centre", &Summary::centre, "", "")};
  }
};
template <class Scalar>
struct Output {
  Load load;
  Scalar total;
  std::optional<Scalar> heaviest;
  std::optional<Vector3<Scalar>> drift;
  std::vector<Scalar> steps;
  Summary<Scalar> summary;
  static constexpr auto fields() {
    return std::tuple{field("load", &Output::load, "", ""),
                      field("total", &Output::total, unit::newton, ""),
                      field("heaviest", &Output::heaviest, "", ""),
                      field("drift", &Output::drift, "", ""),
                      field("steps", &Output::steps, "", "", as_long_as("bodies")),
                      field("summary", &Output::summary, "", "")};
  }
};

/// Returns the answer. In the right formula, `divisor` is 3.
template <class Scalar>
Output<Scalar> evaluate(Input<Scalar> const& in, int divisor = 3) {
  Output<Scalar> out;
  out.total = Scalar(0);
  for (auto const& body : in.bodies) {
    if (body.mode == Mode::moving) out.total += in.size * body.weight;
    out.steps.push_back(in.size * body.weight);
    if (!out.heaviest || *out.heaviest < body.weight) out.heaviest = body.weight;
  }
  out.load = in.bodies.empty() ? Load::none : out.total < Scalar(10) ? Load::light : Load::heavy;
  if (in.wind) {
    out.drift.emplace();
    for (int i = 0; i < 3; ++i) (*out.drift)[i] = (*in.wind)[i] * out.total;
  }
  out.summary.third = out.total / Scalar(divisor);
  for (int i = 0; i < 2; ++i) out.summary.centre[i] = in.place[i] + out.total;
  return out;
}

struct Contract {
  template <class Scalar>
  using Input = toy::Input<Scalar>;
  template <class Scalar>
  using Output = toy::Output<Scalar>;
  static constexpr std::string_view name = "toy";
  static constexpr std::string_view summary = "every shape of data";
  static constexpr std::string_view conventions = "none";
  static constexpr std::string_view source = "this test";
  static constexpr Certainty certainty = bounded;
  static constexpr std::array budgets{
      Budget{"load", Measure::relative, 0},     Budget{"total", Measure::relative, 4},
      Budget{"heaviest", Measure::relative, 0}, Budget{"drift", Measure::scale, 4},
      Budget{"steps", Measure::relative, 4},    Budget{"summary", Measure::relative, 4}};
  template <class Scalar>
  static std::optional<DomainError> domain_error(Input<Scalar> const& in) {
    if (!(in.size > Scalar(0))) return DomainError{"size", "> 0"};
    return std::nullopt;
  }
  static Output<long double> scale(Input<double> const& in) {
    auto out = evaluate(cast<Input<long double>>(in));
    if (!out.drift) out.drift.emplace();
    out.drift->setConstant(out.total);
    return out;
  }
};

inline Input<double> draw_small(Random& random) {
  auto const whole = [&](std::int64_t low, std::int64_t high) {
    return static_cast<double>(random.integer(low, high));
  };
  Input<double> in{whole(1, 9), {whole(-5, 5), whole(-5, 5)}, std::nullopt, {}};
  if (random.chance(0.5)) in.wind = few_bits_vector(random, 4, -2);
  for (std::int64_t count = random.integer(0, 7); count > 0; --count) {
    Body<double> body{{few_bits_vector(random, 5, -1), whole(0, 7)}, whole(0, 20) / 4, Mode::still, std::nullopt};
    if (random.chance(0.6)) body.mode = Mode::moving;
    if (random.chance(0.3)) body.limit = whole(1, 3);
    in.bodies.push_back(body);
  }
  return in;
}
inline Input<double> draw_empty(Random& random) {
  Input<double> in = draw_small(random);
  in.bodies.clear();
  return in;
}

inline std::span<Regime<Input<double>> const> regimes() {
  static Regime<Input<double>> const list[] = {{"small", Profile::everyday, "few bodies", draw_small},
                                               {"empty", Profile::everyday, "none", draw_empty}};
  return list;
}

inline std::span<Law<Input<double>, Output<double>> const> laws() {
  static Law<Input<double>, Output<double>> const list[] = {
      {.name = "doubling",
       .doc = "twice the size doubles the total",
       .tolerance = "0",
       .uses = {"total"},
       .derive =
           [](Input<double> const& in, Random&, std::vector<Input<double>>& inputs) {
             if (in.bodies.empty()) return;
             Input<double> twice = in;
             twice.size *= 2;
             inputs.push_back(twice);
           },
       .violation = [](std::span<Input<double> const>, std::span<Output<double> const> out,
                       Tolerance const&) -> std::optional<double> {
         return in_units_if_different(2 * out[0].total - out[1].total, std::fabs(out[1].total));
       }},
      {.name = "lengths",
       .doc = "as many steps as bodies",
       .tolerance = "0",
       .uses = {"steps"},
       .violation = [](std::span<Input<double> const> in, std::span<Output<double> const> out, Tolerance const&)
           -> std::optional<double> { return out[0].steps.size() == in[0].bodies.size() ? 0 : infinite; }},
  };
  return list;
}

/// Returns the truth. The cases have few bits, so all outputs except `third` are exact in long double. The output
/// `third` has a relative error of 2^-120, with its remainder.
inline Output<Enclosure> truth(Input<double> const& in) {
  auto const wide = evaluate(cast<Input<long double>>(in));
  Output<Enclosure> out;
  out.load = wide.load;
  out.total = {wide.total, 0, 0};
  if (wide.heaviest) out.heaviest = Enclosure{*wide.heaviest, 0, 0};
  if (wide.drift) {
    out.drift.emplace();
    for (int i = 0; i < 3; ++i) (*out.drift)[i] = {(*wide.drift)[i], 0, 0};
  }
  for (long double const step : wide.steps) out.steps.push_back({step, 0, 0});
  long double const third = wide.total / 3, rest = std::fma(third, -3.0L, wide.total) / 3;
  out.summary.third = {third, rest, std::fabs(third) * 0x1p-120L};
  for (int i = 0; i < 2; ++i) out.summary.centre[i] = {wide.summary.centre[i], 0, 0};
  return out;
}
/// Returns the scale. The scale of the steps is the true total, which the contract alone cannot compute.
inline Output<long double> scale(Input<double> const& in, Output<Enclosure> const& truth) {
  auto out = Contract::scale(in);
  for (long double& step : out.steps) step = truth.total.high;
  return out;
}
inline constexpr OracleHooks<Contract> hooks{.scale = scale};

inline auto printed() {
  return std::tuple{Formula{"halved", "a half for the third", FormulaKind::mistake,
                            []<class Scalar>(Input<Scalar> const& in) { return evaluate(in, 2); }},
                    Formula{"total_alone",
                            "without load, drift and summary",
                            FormulaKind::mistake,
                            []<class Scalar>(Input<Scalar> const& in) { return evaluate(in, 7); },
                            {"load", "drift", "summary"}}};
}

struct Parts {
  using Contract = toy::Contract;
  static Output<double> reference(Input<double> const& in) { return toy::evaluate(in); }
  static auto formulas() { return printed(); }
  static std::vector<Erratum> errata() { return {}; }
  static FastHooks<Contract> fast_hooks() {
    return {.correctly_rounded = [](Input<double> const& in) noexcept { return toy::evaluate(in); }};
  }
  static Oracle oracle() {
    Oracle made = make_judging_oracle<Contract, hooks>();
    made.truth = [](Table const& cases, std::size_t row, BasicTable<Enclosure>& into) {
      append(into, truth(load<Input<double>>(cases, row)));
    };
    return made;
  }
  static FormulaRows evaluate() {
    return make_formulas<Contract>([](auto const& in) { return toy::evaluate(in); }, [] { return printed(); });
  }
  static PropertiesHooks<Input<double>> properties_hooks() { return {}; }
  static std::array<Level, 1> fast_levels() { return {Level::scalar}; }
  static Output<double> fast(Input<double> const& in) { return toy::evaluate(in); }
  /// Not used: columns of output lists have no fixed length, so a batch form is not possible.
  static void fast_batch(Level, std::size_t, double const* const*, double* const*) {}
  static auto regimes() { return toy::regimes(); }
  static auto laws() { return toy::laws(); }
  static std::span<bench::Baseline const> baselines() { return {}; }
};

namespace toy_kernel_test {

Kernel const& kernel() {
  static Kernel const made = make_kernel<Parts>();
  return made;
}

Table drawn(std::uint64_t count) {
  Table cases(kernel().input);
  for (std::size_t regime = 0; regime < 2; ++regime)
    for (std::uint64_t id = 0; id < count; ++id) kernel().generate(regime, 1, id, cases);
  return cases;
}

std::string written(Schema const& schema, Table const& table, std::size_t row) {
  Buffer buffer;
  write_record(schema, table, row, buffer);
  return fmt::to_string(buffer);
}

std::optional<std::string> read(std::string const& text, Table* cases, Table* outputs) {
  static LineReader reader(kernel());
  Line line;
  std::string buffer = text + std::string(LineReader::padding(), ' ');
  return reader.read(std::string_view(buffer).substr(0, text.size()), cases, outputs, line);
}

Input<double> example() {
  Input<double> in{2, {10, -1}, Vector3<double>(1, 0, -0.5), {}};
  in.bodies.push_back({{{1, 2, 3}, 0.5}, 4, Mode::moving, 7.0});
  in.bodies.push_back({{{4, 5, 6}, 0.25}, 1.5, Mode::still, std::nullopt});
  return in;
}

char const* const example_text =
    R"({"size":2,"place":[10,-1],"wind":[1,0,-0.5],"bodies":[{"frame":{"origin":[1,2,3],"angle":0.5},"weight":4,)"
    R"("mode":"moving","limit":7},{"frame":{"origin":[4,5,6],"angle":0.25},"weight":1.5,"mode":"still",)"
    R"("limit":null}]})";
char const* const answer_text = R"({"load":"light","total":8,"heaviest":4,"drift":[8,0,-4],"steps":[8,3],)"
                                R"("summary":{"third":2.6666666666666665,"centre":[18,7]}})";

TEST(ToyKernel, TheSchemaHasAColumnForEachNumberLabelAndList) {
  std::vector<std::string> in, out;
  for (auto const& column : kernel().input.columns) in.push_back(column.path);
  for (auto const& column : kernel().output.columns) out.push_back(column.path);
  EXPECT_EQ(in, (std::vector<std::string>{"size", "place[0]", "place[1]", "wind?", "wind[0]", "wind[1]", "wind[2]",
                                          "bodies", "bodies.frame.origin[0]", "bodies.frame.origin[1]",
                                          "bodies.frame.origin[2]", "bodies.frame.angle", "bodies.weight",
                                          "bodies.mode", "bodies.limit?", "bodies.limit"}));
  EXPECT_EQ(out, (std::vector<std::string>{"load", "total", "heaviest?", "heaviest", "drift?", "drift[0]", "drift[1]",
                                           "drift[2]", "steps", "steps", "summary.third", "summary.centre[0]",
                                           "summary.centre[1]"}));
  EXPECT_EQ(kernel().output.root.children[0].labels, (std::vector<std::string_view>{"none", "light", "heavy"}));
}

TEST(ToyKernel, TheKernelListsItsFormulasRegimesLawsAndImplementations) {
  EXPECT_EQ(kernel().name, "toy");
  EXPECT_EQ(kernel().formulas.size(), 3u);
  EXPECT_EQ(kernel().formulas[1].name, "halved");
  EXPECT_EQ(kernel().regimes[1].name, "empty");
  EXPECT_EQ(kernel().laws[0].uses, std::vector<std::string>{"total"});
  for (char const* name : {"fast@scalar", "correctly_rounded", "reference@double", "halved@double"})
    EXPECT_NE(kernel().find(name), nullptr) << name;
  EXPECT_EQ(kernel().find("halved"), nullptr);
}

TEST(ToyKernel, WrittenCasesAreReadBack) {
  Table cases(kernel().input);
  append(cases, example());
  EXPECT_EQ(written(kernel().input, cases, 0), example_text);
  Table back(kernel().input);
  EXPECT_FALSE(read("{\"input\":" + std::string(example_text) + "}", &back, nullptr));
  EXPECT_EQ(back.columns, cases.columns);

  Table const many = drawn(200);
  Table again(kernel().input);
  for (std::size_t row = 0; row < many.rows; ++row)
    ASSERT_FALSE(read("{\"input\":" + written(kernel().input, many, row) + "}", &again, nullptr));
  EXPECT_EQ(again.columns, many.columns);
  EXPECT_EQ(again.rows, many.rows);
}

TEST(ToyKernel, AnAbsentNullableFieldIsNull) {
  Table cases(kernel().input), absent(kernel().input);
  ASSERT_FALSE(read(R"({"input":{"size":2,"place":[1,2],"wind":null,"bodies":[]}})", &cases, nullptr));
  ASSERT_FALSE(read(R"({"input":{"size":2,"place":[1,2],"bodies":[]}})", &absent, nullptr));
  EXPECT_EQ(absent.columns, cases.columns);
  auto const wrong = read(R"({"input":{"size":2,"bodies":[]}})", &absent, nullptr);
  ASSERT_TRUE(wrong);
  EXPECT_EQ(*wrong, "input: missing key \"place\"");
}

TEST(ToyKernel, OutputsThatAFormulaLeavesOutAreNotJudged) {
  Table cases(kernel().input);
  append(cases, example());
  for (auto const& [arithmetic, digits] : {std::pair{Arithmetic{Arithmetic::Kind::binary64}, 17U},
                                           {Arithmetic{Arithmetic::Kind::long_double}, 17U},
                                           {Arithmetic{Arithmetic::Kind::multiprecision, 40}, 40U},
                                           {Arithmetic{Arithmetic::Kind::rounded}, 17U}}) {
    TextTable text = empty_text(kernel().output);
    kernel().evaluate_text(2, arithmetic, digits, cases, 0, text);
    Buffer line;
    write_record(kernel().output, text, 0, false, line);
    auto const answer = fmt::to_string(line);
    EXPECT_TRUE(answer.starts_with(R"({"total":8)")) << answer;
    EXPECT_EQ(answer.find("load"), std::string::npos) << answer;
    EXPECT_EQ(answer.find("drift"), std::string::npos) << answer;
    EXPECT_EQ(answer.find("summary"), std::string::npos) << answer;
  }
  // This formula is the truth here. Outputs that the formula leaves out are not judged, neither in its own answers nor
  // in complete answers.
  Answers answers;
  answers.clear(kernel().output);
  kernel().find("total_alone@double")->answer(cases, answers);
  Model const model(kernel(), 2);
  Truths const truths = model.truths(cases);
  std::vector<Judged> judged(kernel().budgets.size());
  for (auto const& subject : {answers, [] {
                                Answers whole;
                                whole.clear(kernel().output);
                                append(whole.output, evaluate(example(), 9));
                                whole.status.push_back(Status::answered);
                                return whole;
                              }()}) {
    model.judge(cases, truths, 0, subject, 0, {}, judged);
    for (std::size_t k = 0; k < judged.size(); ++k) {
      bool const has = kernel().formulas[2].has(kernel().budgets[k].output);
      EXPECT_EQ(judged[k].computed, has) << kernel().budgets[k].output;
      EXPECT_NE(judged[k].verdict, Verdict::fail) << kernel().budgets[k].output;
    }
  }
}

TEST(ToyKernel, TheScaleCanDependOnTheTruth) {
  Table cases(kernel().input);
  append(cases, example());
  Truths const truths = kernel().truths(cases);
  auto const scale = load<Output<long double>>(truths.scales, 0);
  EXPECT_EQ(scale.steps, (std::vector<long double>{8, 8}));
  EXPECT_EQ(scale.total, 8);
}

TEST(ToyKernel, WrittenAnswersAreReadBack) {
  Table outputs(kernel().output);
  append(outputs, evaluate(example()));
  EXPECT_EQ(written(kernel().output, outputs, 0), answer_text);
  Input<double> nothing{1, {0, 0}, std::nullopt, {}};
  append(outputs, evaluate(nothing));
  EXPECT_EQ(
      written(kernel().output, outputs, 1),
      R"({"load":"none","total":0,"heaviest":null,"drift":null,"steps":[],"summary":{"third":0,"centre":[0,0]}})");
  Table back(kernel().output);
  for (std::size_t row = 0; row < 2; ++row)
    ASSERT_FALSE(read("{\"output\":" + written(kernel().output, outputs, row) + "}", nullptr, &back));
  EXPECT_EQ(back.columns, outputs.columns);
  auto const out = load<Output<double>>(back, 1);
  EXPECT_TRUE(!out.heaviest && !out.drift && out.steps.empty() && out.load == Load::none);
}

TEST(ToyKernel, ErrorsInALineNameTheField) {
  auto const input = [](std::string const& from, std::string const& to) {
    std::string text = "{\"input\":" + std::string(example_text) + "}";
    std::size_t const at = text.find(from);
    EXPECT_NE(at, std::string::npos);
    return text.replace(at, from.size(), to);
  };
  Table cases(kernel().input), outputs(kernel().output);
  append(cases, example());
  append(outputs, evaluate(example()));
  Table const cases_before = cases, outputs_before = outputs;
  for (auto const& [text, message] : std::vector<std::pair<std::string, std::string>>{
           {input("\"moving\"", "\"fast\""), "input.bodies[0].mode: \"fast\" is not one of \"still\", \"moving\""},
           {input("\"moving\"", "1"), "input.bodies[0].mode: expected one of"},
           {input("\"moving\"", "null"), "input.bodies[0].mode: expected one of"},
           {input("\"angle\":0.25", "\"angel\":0.25"),
            "input.bodies[1].frame: unknown key \"angel\"; expected origin, angle"},
           {input(",\"angle\":0.25", ""), "input.bodies[1].frame: missing key \"angle\""},
           {input("[4,5,6]", "[4,5]"), "input.bodies[1].frame.origin: expected an array of 3 numbers, got 2"},
           {input("[4,5,6]", "[4,5,\"x\"]"), "input.bodies[1].frame.origin[2]: \"x\" is not a number"},
           {input("[4,5,6]", "null"), "input.bodies[1].frame.origin: expected an array"},
           {input("[10,-1]", "[10,-1,0]"), "input.place: expected an array of 2 numbers, got more"},
           {input("[1,0,-0.5]", "[1,0]"), "input.wind: expected an array of 3 numbers, got 2"},
           {input("\"limit\":7", "\"limit\":\"seven\""), "input.bodies[0].limit: \"seven\" is not a number"},
           {input("\"size\":2", "\"size\":null"), "input.size: expected a number"},
           {input(",\"weight\":1.5", ""), "input.bodies[1]: missing key \"weight\""},
           {R"({"output":{"load":"medium"}})", "output.load: \"medium\" is not one of \"none\", \"light\", \"heavy\""},
           {R"({"output":{"steps":[1,2,null]}})", "output.steps[2]: expected a number"},
           {R"({"output":{"steps":3}})", "output.steps: expected an array"},
           {R"({"output":{"summary":{"third":1}}})", "output.summary: missing key \"centre\""},
           {R"({"output":{"summary":{"third":1,"centre":[1,"1e"]}}})",
            "output.summary.centre[1]: \"1e\" is not a number"},
           {R"({"output":{"total":null}})", "output.total: expected a number"},
       }) {
    auto const wrong = read(text, &cases, &outputs);
    ASSERT_TRUE(wrong) << text;
    EXPECT_EQ(wrong->substr(0, message.size()), message) << text;
    EXPECT_EQ(cases.columns, cases_before.columns) << text;
    EXPECT_EQ(outputs.columns, outputs_before.columns) << text;
  }
}

TEST(ToyKernel, DomainErrorsNameTheField) {
  auto const error = [](Input<double> const& in) {
    Table cases(kernel().input);
    append(cases, in);
    return kernel().domain_error(cases, 0);
  };
  EXPECT_FALSE(error(example()));
  Input<double> in = example();
  in.size = 0;
  ASSERT_TRUE(error(in));
  EXPECT_EQ(error(in)->field, "size");
  EXPECT_EQ(error(in)->expected, "> 0");
  in = example();
  in.bodies[1].frame.origin[2] = infinite;
  ASSERT_TRUE(error(in));
  EXPECT_EQ(error(in)->field, "bodies[1].frame.origin[2]");
  EXPECT_EQ(error(in)->expected, "a finite number");
  in = example();
  (*in.wind)[1] = std::nan("");
  ASSERT_TRUE(error(in));
  EXPECT_EQ(error(in)->field, "wind[1]");
  in = example();
  in.bodies[0].limit = -infinite;
  ASSERT_TRUE(error(in));
  EXPECT_EQ(error(in)->field, "bodies[0].limit");
}

TEST(ToyKernel, DrawsAreReproducible) {
  Table const a = drawn(50), b = drawn(50);
  EXPECT_EQ(a.columns, b.columns);
  Table other(kernel().input);
  for (std::uint64_t id = 0; id < 50; ++id) kernel().generate(0, 2, id, other);
  EXPECT_NE(other.columns[12],
            std::vector<double>(
                a.columns[12].begin(),
                a.columns[12].begin() + std::min<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(other.columns[12].size()),
                                                                 static_cast<std::ptrdiff_t>(a.columns[12].size()))));
}

std::vector<Judged> judged(Input<double> const& in, Output<double> const& out) {
  Table cases(kernel().input);
  append(cases, in);
  Answers answers;
  answers.clear(kernel().output);
  append(answers.output, out);
  answers.status.push_back(Status::answered);
  std::vector<Judged> result(kernel().budgets.size());
  kernel().judge(cases, kernel().truths(cases), 0, answers, 0, {}, result);
  return result;
}

TEST(ToyKernel, RightAnswersPass) {
  Table const cases = drawn(300);
  Truths const truths = kernel().truths(cases);
  Answers answers;
  answers.clear(kernel().output);
  kernel().find("reference@double")->answer(cases, answers);
  std::vector<Judged> all(kernel().budgets.size());
  for (std::size_t row = 0; row < cases.rows; ++row) {
    kernel().judge(cases, truths, row, answers, row, {}, all);
    for (Judged const& each : all) {
      ASSERT_TRUE(each.computed);
      ASSERT_EQ(each.verdict, Verdict::pass) << written(kernel().input, cases, row);
    }
  }
}

TEST(ToyKernel, EachWrongOutputFailsItsOwnBudget) {
  Input<double> const in = example();
  Output<double> const right = evaluate(in);
  auto const fails = [&](std::size_t budget, auto change) {
    Output<double> wrong = right;
    change(wrong);
    auto const all = judged(in, wrong);
    for (std::size_t k = 0; k < all.size(); ++k)
      EXPECT_EQ(all[k].verdict, k == budget ? Verdict::fail : Verdict::pass)
          << "budget " << kernel().budgets[k].output << " for " << kernel().budgets[budget].output;
  };
  fails(0, [](auto& out) { out.load = Load::heavy; });
  fails(1, [](auto& out) { out.total *= 1 + 16 * unit_roundoff; });
  fails(2, [](auto& out) { out.heaviest.reset(); });
  fails(2, [](auto& out) { *out.heaviest += 1e-15; });
  fails(3, [](auto& out) { out.drift.reset(); });
  fails(3, [](auto& out) { (*out.drift)[1] = 1e-10; });
  fails(4, [](auto& out) { out.steps.pop_back(); });
  fails(4, [](auto& out) { out.steps.push_back(0); });
  fails(4, [](auto& out) { out.steps[1] = 2.5; });
  fails(5, [](auto& out) { out.summary.third = 2.7; });
  fails(5, [](auto& out) { out.summary.centre[1] = std::nan(""); });
  Input<double> calm = in;
  calm.wind.reset();
  Output<double> windy = evaluate(calm);
  windy.drift = Vector3<double>(0, 0, 0);
  EXPECT_EQ(judged(calm, windy)[3].verdict, Verdict::fail) << "a number where the truth is null";
}

TEST(ToyKernel, MissingOutputsAreNotJudged) {
  Table cases(kernel().input);
  append(cases, example());
  Truths const truths = kernel().truths(cases);
  for (auto const& [text, judged_output] : std::vector<std::pair<std::string, std::size_t>>{
           {R"({"load":"light"})", 0},
           {R"({"total":8})", 1},
           {R"({"heaviest":4})", 2},
           {R"({"drift":[8,0,-4]})", 3},
           {R"({"steps":[8,3]})", 4},
           {R"({"summary":{"third":2.6666666666666665,"centre":[18,7]}})", 5}}) {
    Answers answers;
    answers.clear(kernel().output);
    ASSERT_FALSE(read("{\"output\":" + text + "}", nullptr, &answers.output));
    answers.status.push_back(Status::answered);
    std::vector<Judged> all(kernel().budgets.size());
    kernel().judge(cases, truths, 0, answers, 0, {}, all);
    for (std::size_t k = 0; k < all.size(); ++k) {
      EXPECT_EQ(all[k].computed, k == judged_output) << text << " " << kernel().budgets[k].output;
    }
    EXPECT_EQ(all[judged_output].verdict, Verdict::pass) << text;
  }
}

TEST(ToyKernel, OutputsThatAreMissingInALineAreNotWritten) {
  Table outputs(kernel().output);
  ASSERT_FALSE(read(R"({"output":{"total":8}})", nullptr, &outputs));
  EXPECT_EQ(written(kernel().output, outputs, 0), R"({"total":8})");
}

TEST(ToyKernel, TruthIsWrittenAsText) {
  Table cases(kernel().input);
  append(cases, example());
  TextTable text = empty_text(kernel().output);
  kernel().truth_text(kernel().truths(cases), 0, text);
  Buffer buffer;
  write_record(kernel().output, text, 0, false, buffer);
  EXPECT_EQ(fmt::to_string(buffer), R"({"load":"light","total":8,"heaviest":4,"drift":[8,0,-4],"steps":[8,3],)"
                                    R"("summary":{"third":2.66666666666666666666666666667,"centre":[1.8e1,7]}})");
}

std::string evaluated(std::size_t formula, Arithmetic arithmetic, unsigned digits, Table const& cases,
                      std::size_t row = 0) {
  TextTable text = empty_text(kernel().output);
  // Evaluates twice, to test the offsets of a second row.
  kernel().evaluate_text(formula, arithmetic, digits, cases, row, text);
  kernel().evaluate_text(formula, arithmetic, digits, cases, row, text);
  EXPECT_EQ(text.rows, 2u);
  Buffer first, second;
  write_record(kernel().output, text, 0, false, first);
  write_record(kernel().output, text, 1, false, second);
  EXPECT_EQ(fmt::to_string(first), fmt::to_string(second));
  return fmt::to_string(first);
}

TEST(ToyKernel, EvaluatesInEveryArithmetic) {
  using Kind = Arithmetic::Kind;
  Table cases(kernel().input);
  append(cases, example());
  EXPECT_EQ(evaluated(0, {Kind::binary64, 0}, 17, cases), answer_text);
  EXPECT_EQ(evaluated(0, {Kind::long_double, 0}, 17, cases), answer_text);
  EXPECT_EQ(evaluated(0, {Kind::multiprecision, 50}, 17, cases), answer_text);
  EXPECT_EQ(evaluated(0, {Kind::rounded, 0}, 17, cases), answer_text);
  auto const third = [&](std::size_t formula, Arithmetic arithmetic, unsigned digits) {
    std::string const text = evaluated(formula, arithmetic, digits, cases);
    std::size_t const from = text.find("third\":") + 7;
    return text.substr(from, text.find(',', from) - from);
  };
  EXPECT_EQ(third(0, {Kind::long_double, 0}, 25), "2.666666666666666666738947");
  EXPECT_EQ(third(0, {Kind::multiprecision, 50}, 40), "2.666666666666666666666666666666666666667");
  EXPECT_EQ(third(0, {Kind::rounded, 0}, 60), "2.66666666666666666666666666666666666666666666666666666666667");
  EXPECT_EQ(third(1, {Kind::rounded, 0}, 20), "4.0000000000000000000");
  EXPECT_EQ(third(1, {Kind::binary64, 0}, 17), "4");
}

TEST(ToyKernel, EvaluatesExactTextsExactly) {
  Table cases(kernel().input);
  ASSERT_FALSE(read(R"({"input":{"size":"1/7","place":[0,"0.1"],"wind":null,"bodies":[{"frame":{"origin":[0,0,0],)"
                    R"("angle":0},"weight":"0.3","mode":"moving","limit":null}]}})",
                    &cases, nullptr));
  EXPECT_EQ(cases.exact.size(), 3u);
  std::string const text = evaluated(0, {Arithmetic::Kind::rounded, 0}, 30, cases);
  EXPECT_NE(text.find("\"total\":4.28571428571428571428571428571e-2"), std::string::npos) << text;
  EXPECT_NE(text.find("1.42857142857142857142857142857e-1]"), std::string::npos) << text;
  EXPECT_NE(text.find("\"drift\":null"), std::string::npos) << text;
  std::string const nearest_inputs = evaluated(0, {Arithmetic::Kind::binary64, 0}, 17, cases);
  EXPECT_NE(nearest_inputs.find("\"total\":0.042857142857142"), std::string::npos) << nearest_inputs;
}

// -------------------------------------------------------------------------------------------------------------- check

Subject subject(std::function<Output<double>(Input<double> const&)> function) {
  return make_subject("toy", answer_with<Contract>("", [function](Input<double> const& in, Output<double>& out) {
                        out = function(in);
                        return static_cast<char const*>(nullptr);
                      }));
}

CheckOptions options() {
  CheckOptions result;
  result.cases = 400;
  result.law_cases = 100;
  return result;
}

TEST(ToyKernel, ACorrectSubjectPassesTheCheck) {
  Subject const right = subject([](Input<double> const& in) { return evaluate(in); });
  auto const result = check(kernel(), {&right}, options());
  ASSERT_EQ(result.size(), 1u);
  EXPECT_TRUE(result[0].passed());
  EXPECT_EQ(result[0].undecided(), 0u);
  EXPECT_TRUE(result[0].failures.empty());
  EXPECT_EQ(result[0].accuracy.size(), 2 * kernel().budgets.size());
  for (auto const& cell : result[0].accuracy) EXPECT_EQ(cell.judged, 400u);
  EXPECT_GT(result[0].laws[0].applicable, 50u);
  EXPECT_LT(result[0].laws[0].applicable, 100u) << "does not apply without bodies";
  EXPECT_EQ(result[0].laws[1].applicable, 200u);
}

TEST(ToyKernel, APlantedDefectIsFoundAndShrunk) {
  Subject const wrong = subject([](Input<double> const& in) {
    auto out = evaluate(in);
    for (auto const& body : in.bodies)
      if (body.mode == Mode::moving && body.weight > 3 && in.size > 1) out.total += 0.5;
    return out;
  });
  auto const result = check(kernel(), {&wrong}, options());
  EXPECT_FALSE(result[0].passed());
  ASSERT_EQ(result[0].failures.size(), 1u) << "in the regime that has bodies";
  EXPECT_EQ(kernel().budgets[result[0].failures[0].budget].output, "total");
  auto const in = load<Input<double>>(result[0].failures[0].example.input, 0);
  ASSERT_EQ(in.bodies.size(), 1u);
  EXPECT_EQ(in.bodies[0].mode, Mode::moving);
  EXPECT_EQ(in.bodies[0].weight, 4);
  EXPECT_EQ(in.bodies[0].frame.origin, Vector3<double>(0, 0, 0));
  EXPECT_EQ(in.bodies[0].frame.angle, 0);
  EXPECT_EQ(in.place, Vector2<double>(0, 0));
  EXPECT_EQ(in.size, 2);
  auto const& law = result[0].laws[0];
  EXPECT_GT(law.broken, 0u);
  ASSERT_TRUE(law.counterexample);
  EXPECT_EQ(law.counterexample->inputs.rows, 2u);
  EXPECT_GT(law.counterexample->violation, 1);
  EXPECT_EQ(result[0].laws[1].broken, 0u);
}

TEST(ToyKernel, AListThatIsTooShortBreaksItsLawAndItsBudget) {
  Subject const wrong = subject([](Input<double> const& in) {
    auto out = evaluate(in);
    if (out.steps.size() > 2) out.steps.pop_back();
    return out;
  });
  auto const result = check(kernel(), {&wrong}, options());
  EXPECT_GT(result[0].laws[1].broken, 0u);
  ASSERT_TRUE(result[0].laws[1].counterexample);
  EXPECT_EQ(load<Input<double>>(result[0].laws[1].counterexample->inputs, 0).bodies.size(), 3u);
  ASSERT_FALSE(result[0].failures.empty());
  EXPECT_EQ(kernel().budgets[result[0].failures[0].budget].output, "steps");
  EXPECT_EQ(load<Input<double>>(result[0].failures[0].example.input, 0).bodies.size(), 3u);
}

}  // namespace toy_kernel_test
}  // namespace demeter::toy
