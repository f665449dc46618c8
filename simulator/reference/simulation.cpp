#include "simulator/reference/simulation.hpp"
#include "simulator/reference/nonsmooth_system.hpp"

#include "reference/core/multiprecision.hpp"

namespace demeter::simulator::reference {

template <class Scalar>
std::optional<Simulation> make_smooth(Scene<Number> const& scene, unsigned refinement, unsigned digits, Unfit& unfit);
template <class Scalar>
std::optional<Simulation> make_nonsmooth(Scene<Number> const& scene, unsigned refinement, unsigned digits,
                                         StepDiscs<Scalar> const& step, Unfit& unfit);
// Other source files compile these functions.
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

}  // namespace demeter::simulator::reference
