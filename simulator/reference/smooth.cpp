#include "simulator/reference/make_smooth.hpp"

namespace demeter::simulator::reference {

template std::optional<Simulation> make_smooth<double>(Scene<Number> const&, unsigned, unsigned, Unfit&);
template std::optional<Simulation> make_smooth<long double>(Scene<Number> const&, unsigned, unsigned, Unfit&);

}  // namespace demeter::simulator::reference
