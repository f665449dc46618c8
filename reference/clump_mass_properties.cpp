#include "reference/clump_mass_properties.hpp"

namespace demeter::clump_mass_properties::reference {

template Output<double> evaluate(Input<double> const&);
template Output<long double> evaluate(Input<long double> const&);
template Output<Multiprecision> evaluate(Input<Multiprecision> const&);

}  // namespace demeter::clump_mass_properties::reference
