#include "reference/simulator/simulation.hpp"
#include "reference/simulator/nonsmooth_system.hpp"

#include "reference/core/multiprecision.hpp"
#include "reference/printed/capsule_contact.hpp"
#include "reference/printed/contact_force.hpp"
#include "reference/printed/wall_capsule_contact.hpp"

namespace demeter::simulator::reference {

template <class Scalar>
std::optional<Simulation> make_smooth(Scene<Number> const& scene, unsigned refinement, unsigned digits, Unfit& unfit);
template <class Scalar>
std::optional<Simulation> make_nonsmooth(Scene<Number> const& scene, unsigned refinement, unsigned digits,
                                         StepDiscs<Scalar> const& step, Unfit& unfit);
// Both are compiled by themselves.
extern template std::optional<Simulation> make_smooth<double>(Scene<Number> const&, unsigned, unsigned, Unfit&);
extern template std::optional<Simulation> make_smooth<long double>(Scene<Number> const&, unsigned, unsigned, Unfit&);
extern template std::optional<Simulation> make_smooth<Multiprecision>(Scene<Number> const&, unsigned, unsigned, Unfit&);
extern template std::optional<Simulation> make_nonsmooth<double>(Scene<Number> const&, unsigned, unsigned,
                                                                 StepDiscs<double> const&, Unfit&);
extern template std::optional<Simulation> make_nonsmooth<long double>(Scene<Number> const&, unsigned, unsigned,
                                                                      StepDiscs<long double> const&, Unfit&);
extern template std::optional<Simulation> make_nonsmooth<Multiprecision>(Scene<Number> const&, unsigned, unsigned,
                                                                         StepDiscs<Multiprecision> const&, Unfit&);

namespace {

template <class Scalar>
std::optional<Simulation> make(Scene<Number> const& scene, unsigned refinement, unsigned digits, Unfit& unfit) {
  return scene.model.dynamics == Dynamics::smooth ? make_smooth<Scalar>(scene, refinement, digits, unfit)
                                                  : make_nonsmooth<Scalar>(scene, refinement, digits, nullptr, unfit);
}

}  // namespace

std::optional<Simulation> simulate(Scene<Number> const& scene, InArithmetic arithmetic, unsigned refinement,
                                   Unfit& unfit) {
  switch (arithmetic.kind) {
    case InArithmetic::Kind::binary64:
      return make<double>(scene, refinement, Precision::digits(), unfit);
    case InArithmetic::Kind::long_double:
      return make<long double>(scene, refinement, Precision::digits(), unfit);
    default:
      return make<Multiprecision>(scene, refinement, arithmetic.digits, unfit);
  }
}

std::optional<Simulation> simulate_discs(Scene<Number> const& scene, StepDiscs<double> const& step, unsigned refinement,
                                         Unfit& unfit) {
  return make_nonsmooth<double>(scene, refinement, Precision::digits(), step, unfit);
}

std::vector<std::pair<std::string, std::vector<std::string>>> formula_names() {
  std::vector<std::pair<std::string, std::vector<std::string>>> names;
  auto const add = [&](std::string kernel, auto const& formulas) {
    std::vector<std::string> of{"reference"};
    std::apply([&](auto const&... formula) { (of.emplace_back(formula.name), ...); }, formulas);
    names.emplace_back(std::move(kernel), std::move(of));
  };
  add("capsule_contact", capsule_contact::printed::formulas());
  add("wall_capsule_contact", wall_capsule_contact::printed::formulas());
  add("contact_force", contact_force::printed::formulas());
  return names;
}

}  // namespace demeter::simulator::reference
