#include "reference/clump_union_mass_properties.hpp"

namespace demeter::clump_union_mass_properties::reference {

template Output<double> evaluate(Input<double> const&);
template Output<long double> evaluate(Input<long double> const&);
template Output<Multiprecision> evaluate(Input<Multiprecision> const&);
template std::optional<Integrals<double>> integrals(std::vector<Ball<double>> const&, bool);
template std::optional<Integrals<long double>> integrals(std::vector<Ball<long double>> const&, bool);
template std::optional<Integrals<Multiprecision>> integrals(std::vector<Ball<Multiprecision>> const&, bool);
template std::optional<Patch<long double>> exposed_patch(std::vector<Ball<long double>> const&, std::size_t, bool);
template std::optional<Patch<Multiprecision>> exposed_patch(std::vector<Ball<Multiprecision>> const&, std::size_t,
                                                            bool);

}  // namespace demeter::clump_union_mass_properties::reference
