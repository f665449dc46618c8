// Vectors of three numbers of any scalar type, for the union of balls.
#pragma once

namespace demeter::fast_union {

template <class Scalar>
struct Vec3 {
  Scalar x, y, z;
};
using Vec = Vec3<double>;
template <class Scalar>
Vec3<Scalar> operator+(Vec3<Scalar> const& a, Vec3<Scalar> const& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class Scalar>
Vec3<Scalar> operator-(Vec3<Scalar> const& a, Vec3<Scalar> const& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class Scalar>
Vec3<Scalar> operator-(Vec3<Scalar> const& a) {
  return {-a.x, -a.y, -a.z};
}
template <class Scalar>
Vec3<Scalar> operator*(Scalar const& f, Vec3<Scalar> const& a) {
  return {f * a.x, f * a.y, f * a.z};
}
template <class Scalar>
Scalar dot(Vec3<Scalar> const& a, Vec3<Scalar> const& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class Scalar>
Vec3<Scalar> cross(Vec3<Scalar> const& a, Vec3<Scalar> const& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

constexpr long double wide_pi = 3.14159265358979323846264338327950288L;
constexpr double pi = static_cast<double>(wide_pi);

}  // namespace demeter::fast_union
