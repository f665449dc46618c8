#include "simulator/keys.hpp"

#include "simulator/spec/scene.hpp"
#include "simulator/spec/state.hpp"

#include <fmt/format.h>

namespace demeter::simulations {
namespace {

using simulator::Number;

template <class Member>
std::string kind_of() {
  if constexpr (std::is_same_v<Member, Number>) {
    return "number";
  } else if constexpr (fixed_vector<Member>) {
    return fmt::format("{} numbers", static_cast<int>(Member::dimension));
  } else if constexpr (nullable<Member>) {
    return kind_of<typename Member::value_type>();
  } else if constexpr (labelled<Member>) {
    return fmt::format("{}", fmt::join(labels(Member{}), ", "));
  } else if constexpr (std::is_same_v<Member, bool>) {
    return "true, false";
  } else if constexpr (std::is_integral_v<Member>) {
    return "whole number";
  } else if constexpr (list<Member>) {
    if constexpr (record<typename Member::value_type>) {
      return "list of tables";
    } else {
      return "list of " + kind_of<typename Member::value_type>();
    }
  } else if constexpr (record<Member>) {
    return "table";
  } else {
    return "text";
  }
}

template <class Record>
std::string table() {
  std::string text = "| key | value | unit | meaning |\n|---|---|---|---|\n";
  for_each_field<Record>([&](auto const& each) {
    using Member = std::remove_cvref_t<decltype(std::declval<Record>().*(each.member))>;
    text += fmt::format("| `{}` | {} | {} | {} |\n", each.name, kind_of<Member>(), each.unit, each.doc);
  });
  return text;
}

template <class Record>
std::string observables() {
  std::string text = "| observable | unit | meaning |\n|---|---|---|\n";
  for_each_field<Record>([&](auto const& each) {
    using Member = std::remove_cvref_t<decltype(std::declval<Record>().*(each.member))>;
    std::string index;
    if constexpr (fixed_vector<Member>) index = fmt::format("[0] to [{}]", static_cast<int>(Member::dimension) - 1);
    text += fmt::format("| `{}`{} | {} | {} |\n", each.name, index, each.unit, each.doc);
  });
  return text;
}

}  // namespace

std::string keys_text() {
  using namespace simulator;
  std::string text;
  auto const add = [&](std::string_view title, std::string const& table, std::string_view note = "") {
    text += fmt::format("{}### {}\n\n{}{}", text.empty() ? "" : "\n", title, note, table);
  };
  add("[scene]", table<Settings<Number>>());
  add("[scene.dt]", table<TimeStep<Number>>());
  add("[model]", table<Model<Number>>());
  add("[solver]", table<Solver<Number>>());
  add("[orifice]", table<Orifice<Number>>());
  add("[use]", table<Use<Number>>());
  add("[view]", table<View<Number>>());
  add("[[material]]", table<Material<Number>>());
  add("[[body]]", table<Body<Number>>());
  add("[body.orientation]", table<Orientation<Number>>());
  add("[body.mass]", table<Mass<Number>>());
  add("members of a clump", table<Member<Number>>());
  add("[body.fill]", table<Fill<Number>>());
  add("[[event]]", table<Event<Number>>());
  add("[[output]]", table<OutputRule<Number>>());
  add("[[expect]]", table<Expect<Number>>());
  add("Observables of all bodies", observables<Observables<Number>>());
  add("Observables of all discs, in non-smooth dynamics", observables<NonsmoothObservables<Number>>());
  add("Observables of a body", observables<BodyObservables<Number>>(),
      "In non-smooth dynamics only position, orientation, velocity, spin and force.\n\n");
  add("Observables of a member", observables<ShapeObservables<Number>>());
  return text;
}

}  // namespace demeter::simulations
