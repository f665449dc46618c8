#include "reference/superquadric_depth.hpp"

namespace demeter::superquadric_depth::reference {

template Output<float> evaluate(Input<float> const&);
template Output<double> evaluate(Input<double> const&);
template Output<long double> evaluate(Input<long double> const&);
template Output<Multiprecision> evaluate(Input<Multiprecision> const&);
template Output<Binary128> evaluate(Input<Binary128> const&);
template Foot<float> foot(Pair<float> const&, Vector3<float>, std::optional<Vector3<float>>);
template Foot<double> foot(Pair<double> const&, Vector3<double>, std::optional<Vector3<double>>);
template Foot<long double> foot(Pair<long double> const&, Vector3<long double>, std::optional<Vector3<long double>>);
template Foot<Multiprecision> foot(Pair<Multiprecision> const&, Vector3<Multiprecision>,
                                   std::optional<Vector3<Multiprecision>>);
template Foot<Binary128> foot(Pair<Binary128> const&, Vector3<Binary128>, std::optional<Vector3<Binary128>>);

}  // namespace demeter::superquadric_depth::reference
