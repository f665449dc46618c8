#include "reference/simulator/make_nonsmooth.hpp"
#include "reference/simulator/make_smooth.hpp"

namespace demeter::simulator::reference {

template std::optional<Simulation> make_smooth<double>(Scene<Number> const&, unsigned, unsigned, Unfit&);
template std::optional<Simulation> make_nonsmooth<double>(Scene<Number> const&, unsigned, unsigned,
                                                          StepDiscs<double> const&, Unfit&);

}  // namespace demeter::simulator::reference
