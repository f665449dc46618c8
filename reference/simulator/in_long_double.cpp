#include "reference/simulator/make_nonsmooth.hpp"
#include "reference/simulator/make_smooth.hpp"

namespace demeter::simulator::reference {

template std::optional<Simulation> make_smooth<long double>(Scene<Number> const&, unsigned, unsigned, Unfit&);
template std::optional<Simulation> make_nonsmooth<long double>(Scene<Number> const&, unsigned, unsigned,
                                                               StepDiscs<long double> const&, Unfit&);

}  // namespace demeter::simulator::reference
