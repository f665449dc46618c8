#include "simulations/keys.hpp"

#include "reference/spec/simulator/scene.hpp"
#include "reference/spec/simulator/state.hpp"

#include <fmt/format.h>

namespace demeter::simulations {
namespace {

using simulator::Number;

template <class Member>
std::string kind_of() {
  if constexpr (std::is_same_v<Member, Number>) {
    return "number";
  } else if constexpr (fixed_vector<Member>) {
    return fmt::format("{} numbers", static_cast<int>(Member::RowsAtCompileTime));
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
    if constexpr (fixed_vector<Member>)
      index = fmt::format("[0] to [{}]", static_cast<int>(Member::RowsAtCompileTime) - 1);
    text += fmt::format("| `{}`{} | {} | {} |\n", each.name, index, each.unit, each.doc);
  });
  return text;
}

}  // namespace

std::string keys_text() {
  using namespace simulator;
  return fmt::format(
      "### [scene]\n\n{}\n### [scene.dt]\n\n{}\n### [model]\n\n{}\n### [solver]\n\n{}\n### [orifice]\n\n{}\n### "
      "[use]\n\n{}\n### [view]\n\n{}\n"
      "### [[material]]\n\n{}\n### [[body]]\n\n{}\n### [body.orientation]\n\n{}\n### [body.mass]\n\n{}\n"
      "### members of a clump\n\n{}\n### [body.fill]\n\n{}\n### [[event]]\n\n{}\n### [[output]]\n\n{}\n### "
      "[[expect]]\n\n{}\n"
      "### Observables of all bodies\n\n{}\n### Observables of all discs, in non-smooth dynamics\n\n{}\n### "
      "Observables of a body\n\n{}\n### Observables of a member\n\n{}",
      table<Settings<Number>>(), table<TimeStep<Number>>(), table<Model<Number>>(), table<Solver<Number>>(),
      table<Orifice<Number>>(), table<Use<Number>>(), table<View<Number>>(), table<Material<Number>>(),
      table<Body<Number>>(), table<Orientation<Number>>(), table<Mass<Number>>(), table<Member<Number>>(),
      table<Fill<Number>>(), table<Event<Number>>(), table<OutputRule<Number>>(), table<Expect<Number>>(),
      observables<Observables<Number>>(), observables<NonsmoothObservables<Number>>(),
      observables<BodyObservables<Number>>(), observables<ShapeObservables<Number>>());
}

}  // namespace demeter::simulations
