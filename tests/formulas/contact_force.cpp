// Force laws as their authors write them, in plain double, written by hand from the formulas of
// docs/mathematics/forces.md. Each must be recognised by its answers, and each mistake in it must be found.
#include "oracles/contact_force.hpp"
#include "check/check.hpp"
#include "check/identify.hpp"
#include "fast/contact_force.hpp"
#include "reference/contact_force.hpp"
#include "reference/printed/contact_force.hpp"
#include "tests/core/kernel_cases.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace demeter::contact_force {
namespace {

using Case = Input<double>;
using Answer = Output<double>;
using Vector = Vector3<double>;

enum class Author { textbook, lammps, yade, luding };

/// A mistake in the code. The empty text means right code.
using Mistake = std::string_view;
constexpr Mistake mistakes[] = {"normal reversed",
                                "spring kept in a new contact",
                                "spring moves backwards",
                                "displacement without dt",
                                "elastic friction",
                                "friction squared",
                                "damping backwards",
                                "damping by the speed",
                                "hertz power 3/2",
                                "tangential is normal",
                                "spring not cut",
                                "cut per component",
                                "diameter",
                                "spring reset when it slides",
                                "whole velocity",
                                "half the displacement",
                                "tangential damping twice",
                                "twist backwards",
                                "small slip ignored",
                                "overlap below 1e-9 ignored",
                                "friction 1",
                                "stiffness of the step before"};

/// One step of a law, in plain double.
Answer law_by_hand(Author author, Mistake mistake, Case const& in) {
  auto const wrong = [&](Mistake what) { return mistake == what; };
  Answer out{Vector::Zero(), Vector::Zero(), not_computed(), not_computed(), Status::apart};
  if (!(in.uN < 0) || (wrong("overlap below 1e-9 ignored") && in.uN > -1e-9)) return out;
  bool const hertz = in.law == ForceLaw::hertz, old = in.uN_before < 0 || wrong("spring kept in a new contact");
  double const R = wrong("diameter") ? 2 * in.radius : in.radius, delta = -in.uN;
  auto const root = [&](double depth) { return hertz ? std::sqrt(depth / R) : 1.0; };
  double const s = wrong("hertz power 3/2") && hertz       ? std::pow(delta / R, 1.5)
                   : wrong("stiffness of the step before") ? root(std::fabs(in.uN_before))
                                                           : root(delta);
  double const kn = in.normal_stiffness * s,
               kt = (wrong("tangential is normal") ? in.normal_stiffness : in.tangential_stiffness) * s;
  // Damping: none in law linear; LAMMPS hertz multiplies by the root of the overlap, the others by its fourth root.
  double const factor = in.law == ForceLaw::linear ? 0 : author == Author::lammps && hertz ? s : std::sqrt(s);
  double const cn = (wrong("damping backwards") ? -1 : 1) * in.normal_damping * factor,
               ct = (wrong("tangential damping twice") ? 2 : 1) * in.tangential_damping * factor;
  Vector n = in.normal.normalized();
  Vector const b = in.normal_before.normalized();
  if (wrong("normal reversed")) n = -n;
  Vector const v = in.velocity;
  double const vn = wrong("damping by the speed") ? std::copysign(v.norm(), v.dot(n)) : v.dot(n);
  double N = kn * delta - cn * vn;
  if (author == Author::textbook || author == Author::yade || (author == Author::luding && in.tension == Tension::cut))
    N = std::max(N, 0.0);
  double const mu = wrong("friction 1") ? 1 : wrong("friction squared") ? in.friction * in.friction : in.friction;
  double const L = mu * std::fabs(wrong("elastic friction") ? kn * delta : N);
  Vector vt = wrong("whole velocity") ? v : Vector(v - v.dot(n) * n);
  if (wrong("small slip ignored") && vt.norm() * in.dt < 1e-7) vt.setZero();

  // The spring.
  Vector xi = old ? in.spring : Vector::Zero();
  if (author == Author::yade) {
    xi -= xi.cross(b.cross(n));
    xi -= (wrong("twist backwards") ? -1 : 1) * in.dt * in.twist * xi.cross(b);
    if (hertz && old) xi *= root(-in.uN_before) / root(delta);
  } else {
    double const length = xi.norm();
    xi -= xi.dot(n) * n;
    if (author == Author::luding && xi.norm() > 0) xi *= length / xi.norm();
    if (wrong("twist backwards")) xi -= in.dt * in.twist * n.cross(xi);
  }
  double const dt = wrong("displacement without dt") ? 1 : wrong("half the displacement") ? in.dt / 2 : in.dt;
  xi += (wrong("spring moves backwards") ? -dt : dt) * vt;

  // Coulomb's limit.
  Vector const uncut = xi;
  Vector T;
  bool slides = false;
  auto const cut = [&](Vector& x, double most) {
    if (wrong("cut per component")) {
      for (double& each : x) each = std::clamp(each, -most, most);
    } else {
      x *= most / x.norm();
    }
    slides = true;
  };
  if (author == Author::lammps || author == Author::luding) {
    T = kt * xi + ct * vt;
    if (T.norm() > L) {
      cut(T, L);
      if (kt > 0) xi = (T - ct * vt) / kt;
      if (wrong("spring reset when it slides")) xi.setZero();
    }
  } else {
    if (kt * xi.norm() > L) {
      cut(xi, L / kt);
      if (wrong("spring reset when it slides")) xi.setZero();
    }
    T = kt * xi;
    if (author == Author::textbook) {
      T += ct * vt;
      if (T.norm() > L) cut(T, L);
    } else if (!slides) {
      T += ct * vt;
    }
  }
  if (wrong("spring not cut")) xi = uncut;
  out.force = -N * n + T;
  out.spring = xi;
  out.status = slides ? Status::slide : Status::stick;
  return out;
}

Kernel const& kernel() { return *find_kernel("contact_force"); }

/// An author's code as a subject. `some` limits the laws that it answers.
Subject subject_of(Author author, Mistake mistake = "", std::optional<ForceLaw> some = std::nullopt) {
  return make_subject("by hand", answer_with<Contract>("", [=](Case const& in, Answer& out) -> char const* {
                        if (some && in.law != *some) return "another law";
                        out = law_by_hand(author, mistake, in);
                        return nullptr;
                      }));
}

constexpr Author authors[] = {Author::textbook, Author::lammps, Author::yade, Author::luding};
constexpr std::string_view names[] = {"textbook", "lammps-hertz-history", "yade-2023.02", "luding"};

TEST(ForceLaws, CodeByHandIsRecognised) {
  for (std::size_t i = 0; i < std::size(authors); ++i) {
    auto const found = identify(kernel(), subject_of(authors[i]), {});
    ASSERT_TRUE(found);
    EXPECT_EQ(kernel().formulas[found->formula].name, names[i]);
    EXPECT_TRUE(found->fits());
    EXPECT_GE(found->share(), 0.99);
    EXPECT_TRUE(found->open.empty()) << names[i] << ' ' << found->open.front().choice;
  }
}

TEST(ForceLaws, WhatTheAnswersDoNotDetermineIsReported) {
  auto const found = identify(kernel(), subject_of(Author::textbook, "", ForceLaw::dashpot), {});
  ASSERT_TRUE(found);
  EXPECT_EQ(kernel().formulas[found->formula].name, "textbook");
  std::set<std::string> open;
  for (auto const& each : found->open) open.insert(each.choice);
  EXPECT_EQ(open, (std::set<std::string>{"memory", "damping"}));
  ASSERT_TRUE(found->telling);
  EXPECT_EQ(load<Case>(*found->telling, 0).law, ForceLaw::hertz);
}

CheckOptions quick() {
  CheckOptions options;
  options.cases = 30;
  options.law_cases = 3;
  options.shrink = false;
  options.model_distance = false;
  options.deciding = {Profile::everyday, Profile::degenerate};
  return options;
}

/// Returns whether a check finds a failure, if the subject is judged by the formula that its answers show.
bool passes(Subject subject, std::string* formula = nullptr) {
  auto const found = identify(kernel(), subject, {.cases = 12});
  if (found) subject.answers.front().formula = kernel().formulas[judging_formula(kernel(), *found)].name;
  if (formula != nullptr) *formula = subject.answers.front().formula;
  return check(kernel(), {&subject}, quick()).front().passed();
}

TEST(ForceLaws, RightCodePassesAndEveryMistakeIsFound) {
  for (std::size_t i = 0; i < std::size(authors); ++i) {
    std::string formula;
    EXPECT_TRUE(passes(subject_of(authors[i]), &formula)) << names[i] << " judged by " << formula;
    for (Mistake const mistake : mistakes)
      EXPECT_FALSE(passes(subject_of(authors[i], mistake), &formula)) << names[i] << ", " << mistake << ": " << formula;
  }
}

TEST(ForceLaws, ASpringThatDoesNotRotateIsAMistake) {
  Subject const subject = make_subject("by hand", answer_with<Contract>("", [](Case const& in, Answer& out) {
                                         out = reference::evaluate<double>(in, {.transport = Transport::none});
                                         return static_cast<char const*>(nullptr);
                                       }));
  auto const found = identify(kernel(), subject, {});
  ASSERT_TRUE(found && found->fits());
  EXPECT_EQ(kernel().formulas[found->formula].name, "transport=none");
  EXPECT_EQ(judging_formula(kernel(), *found), 0u);
}

// ------------------------------------------------------------------------------------------------------ combinations

TEST(ForceLaws, NamesOfCombinationsAreReadBack) {
  auto const& formulas = kernel().formulas;
  for (std::size_t code = 0; code < formulas.combination_count(); code += 97) {
    if (!printed::without_meaning(code).empty()) continue;
    auto const found = formulas.find(formulas.name_of(code));
    ASSERT_TRUE(found.index) << formulas.name_of(code) << ": " << found.wrong;
    EXPECT_EQ(formulas.code(*found.index), code);
  }
  auto const index = [&](std::string_view name) { return formulas.find(name).index; };
  EXPECT_EQ(index("demeter"), 0u);
  EXPECT_EQ(index("recommended"), 0u);
  EXPECT_EQ(index("limit=spring-then-sum"), 0u);
  EXPECT_EQ(formulas[*index("textbook,limit=sum")].name, "textbook,limit=sum");
  EXPECT_EQ(formulas[*index("lammps-hertz-history,damping=lammps-hooke")].name, "lammps-hooke-history");
}

TEST(ForceLaws, WrongCombinationsAreReportedInOneLine) {
  struct Wrong {
    std::string_view text, message;
  };
  for (Wrong const& each : {
           Wrong{"", "expected demeter, textbook, luding, woo, yade-2023.02, lammps-hooke-history"},
           Wrong{"plain", "expected demeter, textbook"},
           Wrong{"limit=sum,textbook", "\"textbook\": expected the name of a law only at the beginning"},
           Wrong{"turn=exact", "unknown choice \"turn\"; expected normal_velocity, slip, transport, memory, limit"},
           Wrong{"transport=rotate", "transport: got \"rotate\"; expected exact, old-normal, woo, project"},
           Wrong{"limit=", "limit: got \"\"; expected spring-then-sum, sum"},
           Wrong{"limit=sum,limit=spring", "limit is given twice; expected one value"},
           Wrong{"transport=woo", "transport=woo needs slip=woo"},
           Wrong{"limit=spring,first_step=damp", "limit=spring has no tangential damping"},
       }) {
    auto const found = kernel().formulas.find(each.text);
    EXPECT_FALSE(found.index) << each.text;
    EXPECT_TRUE(found.wrong.starts_with(each.message)) << each.text << ": " << found.wrong;
    EXPECT_EQ(found.wrong.find('\n'), std::string::npos);
  }
}

/// Returns combinations with a meaning, a few hundred of them in a fixed random order.
std::vector<Choices> some_combinations(std::size_t count) {
  std::vector<Choices> found;
  Random random(1, 0, 0);
  while (found.size() < count) {
    auto const code = static_cast<std::size_t>(
        random.integer(0, static_cast<std::int64_t>(kernel().formulas.combination_count()) - 1));
    if (printed::without_meaning(code).empty()) found.push_back(choices_of<Choices>(code));
  }
  for (auto const& named : printed::combinations()) found.push_back(choices_of<Choices>(named.code));
  return found;
}

/// Calls visit(combination, case) for everyday and degenerate cases, another regime for each combination.
template <class Visit>
void for_some(std::size_t combinations, std::size_t cases, Visit const& visit) {
  std::size_t regime = 0;
  for (Choices const& by : some_combinations(combinations)) {
    for (std::size_t i = 0; i < cases; ++i) {
      do regime = (regime + 1) % kernel().regimes.size();
      while (kernel().regimes[regime].profile == Profile::extreme);
      Table table(kernel().input);
      kernel().generate(regime, 7, i, table);
      visit(by, load<Case>(table, 0), kernel().regimes[regime].name);
    }
  }
}

struct Distances {
  long double force = 0, spring = 0;
};
/// Returns the distances of an answer from the enclosures of the oracle, in units of u times the scale.
template <class Scalar>
Distances distances(Case const& in, Choices const& by, Output<Scalar> const& answer) {
  auto const truth = oracle::stepped(in, 256, by).out;
  auto const scale = Contract::scale(in, by);
  Distances worst;
  auto const add = [&](Interval const& bounds, Scalar const& x, long double size, long double& into) {
    if (!(size > 0)) return;
    long double const low = mpfr_get_ld(bounds.low(), MPFR_RNDD), high = mpfr_get_ld(bounds.high(), MPFR_RNDU);
    auto const value = static_cast<long double>(x);
    into = std::max(into, std::max(low - value, value - high) / (0x1p-53L * size));
  };
  for (Index k = 0; k < 3; ++k) {
    add(truth.force[k], answer.force[k], scale.force[k], worst.force);
    add(truth.spring[k], answer.spring[k], scale.spring[k], worst.spring);
  }
  return worst;
}

TEST(ForceLaws, OracleAndReferenceAgreeForEveryCombination) {
  for_some(400, 12, [](Choices const& by, Case const& in, std::string const& regime) {
    auto const exact = reference::evaluate<long double>(cast<Input<long double>>(in), by);
    Distances const apart = distances<long double>(in, by, exact);
    // In long double, both sides of a branch are within rounding.
    EXPECT_LE(apart.force, 0.1) << printed::without_meaning(code_of(by)) << kernel().formulas.name_of(code_of(by))
                                << ' ' << regime;
    EXPECT_LE(apart.spring, 0.1) << kernel().formulas.name_of(code_of(by)) << ' ' << regime;
  });
}

TEST(ForceLaws, TheFastFormIsWithinTheBudgetsForEveryCombination) {
  Schema const input = schema_of<Case>(), output = schema_of<Answer>();
  for_some(400, 12, [&](Choices const& by, Case const& in, std::string const& regime) {
    Table table(input);
    append(table, in);
    std::vector<double const*> from;
    for (auto const& column : table.columns) from.push_back(column.data());
    std::vector<Table> answers;
    for (Level const level : fast::levels) {
      if (!available(level)) continue;
      Table& answer = answers.emplace_back(output);
      answer.rows = 1;
      std::vector<double*> to;
      for (auto& column : answer.columns) column.resize(1), to.push_back(column.data());
      fast::evaluate(by, level, 1, from.data(), to.data());
      EXPECT_EQ(answer.columns, answers.front().columns) << kernel().formulas.name_of(code_of(by)) << ' ' << regime;
    }
    Distances const apart = distances<double>(in, by, load<Answer>(answers.front(), 0));
    EXPECT_LE(apart.force, 16) << kernel().formulas.name_of(code_of(by)) << ' ' << regime;
    EXPECT_LE(apart.spring, 16) << kernel().formulas.name_of(code_of(by)) << ' ' << regime;
  });
}

/// Returns the laws that the sentence of a value names.
std::set<std::string> laws_named_in(std::string_view doc) {
  std::set<std::string> named;
  std::size_t const at = doc.find("breaks the law");
  if (at == std::string_view::npos) return named;
  std::string_view const rest = doc.substr(at);
  for (LawInfo const& law : kernel().laws) {
    for (std::size_t found = rest.find(law.name); found != std::string_view::npos;
         found = rest.find(law.name, found + 1)) {
      auto const is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; };
      bool const whole = !is_letter(rest[found - 1]) && !is_letter(rest[found + law.name.size()]);
      if (whole) named.insert(law.name);
    }
  }
  return named;
}

TEST(ForceLaws, EachChoiceNamesTheLawsThatItBreaks) {
  auto const& formulas = kernel().formulas;
  auto const& choices = formulas.composition().choices;
  for (std::size_t k = 0; k < choices.size(); ++k)
    for (std::size_t value = 1; value < choices[k].values.size(); ++value) {
      Choices by = choices_of<Choices>(formulas.with_value(0, k, value));
      if (by.slip == Slip::woo || by.transport == Transport::woo) by = laws::woo;
      Subject subject = make_subject("choice", answer_with<Contract>("", [by](Case const& in, Answer& out) {
                                       out = reference::evaluate<double>(in, by);
                                       leave_out(out, printed::leaves_out(code_of(by)));
                                       return static_cast<char const*>(nullptr);
                                     }));
      subject.answers.front().formula = formulas[formulas.index_of(code_of(by))].name;
      CheckOptions options = quick();
      options.cases = options.law_cases = 60;
      for (std::size_t regime = 0; regime < kernel().regimes.size(); ++regime)
        if (kernel().regimes[regime].profile != Profile::extreme) options.regimes.push_back(regime);
      auto const result = check(kernel(), {&subject}, options).front();
      EXPECT_TRUE(result.passed()) << formulas.name_of(code_of(by));
      std::set<std::string> broken;
      for (auto const& law : result.laws)
        if (law.by_formula > 0) broken.insert(kernel().laws[law.law].name);
      std::set<std::string> named = laws_named_in(choices[k].values[value].doc);
      if (by == laws::woo)
        for (std::size_t const other : {1u, 2u})
          for (auto const& law : laws_named_in(choices[other].values[other == 1 ? 3 : 2].doc)) named.insert(law);
      EXPECT_EQ(broken, named) << choices[k].name << '=' << choices[k].values[value].name;
    }
}

}  // namespace
}  // namespace demeter::contact_force
