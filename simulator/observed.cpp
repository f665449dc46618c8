#include "simulator/observed.hpp"

#include "reference/spec/core/schema.hpp"

#include <algorithm>

namespace demeter::simulations {
namespace {

using simulator::Dynamics;
using simulator::Text;

template <class Record>
std::vector<std::string> names_of() {
  std::vector<std::string> names;
  for_each_field<Record>([&](auto const& each) {
    using Member = std::remove_cvref_t<decltype(std::declval<Record>().*(each.member))>;
    if constexpr (fixed_vector<Member>) {
      for (Index k = 0; k < Member::dimension; ++k)
        names.push_back(std::string(each.name) + "[" + std::to_string(k) + "]");
    } else {
      names.emplace_back(each.name);
    }
  });
  return names;
}

template <class Record>
Text const* at(Record const& record, std::size_t index) {
  Text const* found = nullptr;
  for_each_field<Record>([&](auto const& each) {
    auto const& member = record.*(each.member);
    if constexpr (fixed_vector<std::remove_cvref_t<decltype(member)>>) {
      for (Index k = 0; k < member.size(); ++k)
        if (index-- == 0) found = &member[k];
    } else {
      if (index-- == 0) found = &member;
    }
  });
  return found;
}

}  // namespace

std::vector<std::string> common_observables(Dynamics dynamics) {
  return dynamics == Dynamics::smooth ? names_of<simulator::Observables<Text>>()
                                      : names_of<simulator::NonsmoothObservables<Text>>();
}
std::vector<std::string> body_observables(Dynamics dynamics) {
  auto names = names_of<simulator::BodyObservables<Text>>();
  // A non-smooth disc has only these observables. Sums over steps exist only for all bodies together.
  if (dynamics == Dynamics::nonsmooth)
    names.erase(std::remove_if(names.begin(), names.end(),
                               [](std::string const& name) {
                                 static constexpr std::array<std::string_view, 5> own{"position", "orientation",
                                                                                      "velocity", "spin", "force"};
                                 auto const word = std::string_view(name).substr(0, name.find('['));
                                 return std::find(own.begin(), own.end(), word) == own.end();
                               }),
                names.end());
  return names;
}
std::vector<std::string> member_observables() { return names_of<simulator::ShapeObservables<Text>>(); }

std::optional<Observed> find_observable(simulator::Simulation const& simulation, std::string_view name) {
  auto const index_in = [](std::vector<std::string> const& names,
                           std::string_view wanted) -> std::optional<std::size_t> {
    auto const found = std::find(names.begin(), names.end(), wanted);
    if (found == names.end()) return std::nullopt;
    return static_cast<std::size_t>(found - names.begin());
  };
  auto const of_body = body_observables(simulation.dynamics);
  if (auto const index = index_in(common_observables(simulation.dynamics), name))
    return Observed{std::nullopt, std::nullopt, *index};
  auto const dot = name.find('.');
  if (dot == std::string_view::npos) return std::nullopt;
  std::string_view const own = name.substr(dot + 1);
  for (std::size_t b = 0; b < simulation.bodies.size(); ++b) {
    if (simulation.bodies[b].name != name.substr(0, dot)) continue;
    if (std::find(of_body.begin(), of_body.end(), own) != of_body.end())
      return Observed{b, std::nullopt, *index_in(body_observables(), own)};
    std::size_t member = 0;
    for (std::size_t s = 0; s < simulation.shapes.size(); ++s) {
      if (simulation.shapes[s].body != b) continue;
      std::string const prefix = "member" + std::to_string(member++) + ".";
      if (own.starts_with(prefix))
        if (auto const index = index_in(member_observables(), own.substr(prefix.size())))
          return Observed{std::nullopt, s, *index};
    }
  }
  return std::nullopt;
}

Text const& value_of(Shown const& shown, Observed const& observed) {
  if (observed.shape) return *at(shown.shapes[*observed.shape], observed.index);
  if (observed.body) return *at(shown.bodies[*observed.body], observed.index);
  return shown.nonsmooth ? *at(*shown.nonsmooth, observed.index) : *at(shown.all, observed.index);
}

std::optional<simulator::Trouble> not_finite(simulator::Simulation const& simulation, Shown const& shown) {
  std::optional<simulator::Trouble> trouble;
  auto const look = [&](std::string const& of, std::string const& name, Text const& text) {
    // "nan" and "inf" contain the letter n, and the digits of a finite number do not. The test does not use the double,
    // because the double nearest to a finite number may be infinite.
    if (!trouble && text.digits.find('n') != std::string::npos)
      trouble = {"step " + std::to_string(shown.step) + ": " + of + ": " + name + ": got " + text.digits +
                     ", expected a finite number",
                 true};
  };
  auto const common = common_observables(simulation.dynamics), of_body = body_observables();
  for (std::size_t k = 0; k < common.size(); ++k)
    look("all bodies", common[k], value_of(shown, Observed{std::nullopt, std::nullopt, k}));
  for (std::size_t b = 0; b < simulation.bodies.size(); ++b)
    for (std::size_t k = 0; k < of_body.size(); ++k)
      look(simulation.bodies[b].name, of_body[k], value_of(shown, Observed{b, std::nullopt, k}));
  return trouble;
}

}  // namespace demeter::simulations
