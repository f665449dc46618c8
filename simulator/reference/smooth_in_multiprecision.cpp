#include "simulator/reference/make_smooth.hpp"

namespace demeter::simulator::reference {

template std::optional<Simulation> make_smooth<Multiprecision>(Scene<Number> const&, unsigned, unsigned, Unfit&);

}  // namespace demeter::simulator::reference
