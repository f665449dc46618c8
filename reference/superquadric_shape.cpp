#include "reference/superquadric_shape.hpp"

namespace demeter::superquadric_shape::reference {

template Output<float> evaluate(Input<float> const&);
template Output<double> evaluate(Input<double> const&);
template Output<long double> evaluate(Input<long double> const&);
template Output<Multiprecision> evaluate(Input<Multiprecision> const&);
template Output<Binary128> evaluate(Input<Binary128> const&);

}  // namespace demeter::superquadric_shape::reference
