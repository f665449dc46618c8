#include "reference/family/superquadric/touch.hpp"

namespace demeter::superquadric::reference {

template Meeting<float> touch(Body<float> const&, Body<float> const&, Vector3<float> const&);
template Meeting<double> touch(Body<double> const&, Body<double> const&, Vector3<double> const&);
template Meeting<long double> touch(Body<long double> const&, Body<long double> const&, Vector3<long double> const&);
template Meeting<Multiprecision> touch(Body<Multiprecision> const&, Body<Multiprecision> const&,
                                       Vector3<Multiprecision> const&);
template Meeting<Binary128> touch(Body<Binary128> const&, Body<Binary128> const&, Vector3<Binary128> const&);
template Vector3<float> between(Body<float> const&, Body<float> const&);
template Vector3<double> between(Body<double> const&, Body<double> const&);
template Vector3<long double> between(Body<long double> const&, Body<long double> const&);
template Vector3<Multiprecision> between(Body<Multiprecision> const&, Body<Multiprecision> const&);
template Vector3<Binary128> between(Body<Binary128> const&, Body<Binary128> const&);
template float exit_distance(Body<float> const&, Vector3<float> const&, Vector3<float> const&);
template double exit_distance(Body<double> const&, Vector3<double> const&, Vector3<double> const&);
template long double exit_distance(Body<long double> const&, Vector3<long double> const&, Vector3<long double> const&);
template Multiprecision exit_distance(Body<Multiprecision> const&, Vector3<Multiprecision> const&,
                                      Vector3<Multiprecision> const&);
template Binary128 exit_distance(Body<Binary128> const&, Vector3<Binary128> const&, Vector3<Binary128> const&);
template Slope<float> slope(Body<float> const&, Vector3<float> const&);
template Slope<double> slope(Body<double> const&, Vector3<double> const&);
template Slope<long double> slope(Body<long double> const&, Vector3<long double> const&);
template Slope<Multiprecision> slope(Body<Multiprecision> const&, Vector3<Multiprecision> const&);
template Slope<Binary128> slope(Body<Binary128> const&, Vector3<Binary128> const&);
template Slope<float> own_slope(Shape<float> const&, Vector3<float> const&);
template Slope<double> own_slope(Shape<double> const&, Vector3<double> const&);
template Slope<long double> own_slope(Shape<long double> const&, Vector3<long double> const&);
template Slope<Multiprecision> own_slope(Shape<Multiprecision> const&, Vector3<Multiprecision> const&);
template Slope<Binary128> own_slope(Shape<Binary128> const&, Vector3<Binary128> const&);

}  // namespace demeter::superquadric::reference
