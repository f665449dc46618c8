#include "reference/simulator/make_simulation.hpp"

namespace demeter::simulator::reference {

template std::optional<Simulation> make_simulation<Multiprecision>(Scene<Number> const&, unsigned, unsigned, Unfit&);

}  // namespace demeter::simulator::reference
