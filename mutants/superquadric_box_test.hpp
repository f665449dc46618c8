// Mutants of superquadric_box_test. Each mutant is `right()` with one defect.
#pragma once

#include "kernels/mutant.hpp"
#include "reference/spec/superquadric_box_test.hpp"

#include <cmath>
#include <utility>

namespace demeter::superquadric_box_test::mutants {

using Case = Input<double>;
using Answer = Output<double>;
/// Quadruple precision (113 bits). If two edges are parallel up to 1e-17, their cross product in long double has no
/// correct bits.
__extension__ typedef __float128 Real;

inline constexpr std::string_view left_out = "a missing axis";
inline constexpr Defect defects[] = {
    {"axis_ix", "14 axes: without x of i", left_out},
    {"axis_iy", "14 axes: without y of i", left_out},
    {"axis_iz", "14 axes: without z of i", left_out},
    {"axis_jx", "14 axes: without x of j", left_out},
    {"axis_jy", "14 axes: without y of j", left_out},
    {"axis_jz", "14 axes: without z of j", left_out},
    {"axis_xx", "14 axes: without x of i times x of j", left_out},
    {"axis_xy", "14 axes: without x of i times y of j", left_out},
    {"axis_xz", "14 axes: without x of i times z of j", left_out},
    {"axis_yx", "14 axes: without y of i times x of j", left_out},
    {"axis_yy", "14 axes: without y of i times y of j", left_out},
    {"axis_yz", "14 axes: without y of i times z of j", left_out},
    {"axis_zx", "14 axes: without z of i times x of j", left_out},
    {"axis_zy", "14 axes: without z of i times y of j", left_out},
    {"axis_zz", "14 axes: without z of i times z of j", left_out},
    {"faces_alone", "only the six axes of the boxes", "a quick test without the products of axes"},
    {"edges_alone", "only the nine products of axes", "an incomplete set of axes"},
    {"faces_of_i_alone", "only the three axes of i", "an incomplete set of faces"},
    {"first_above_one", "the first ratio above 1 instead of the largest",
     "the early exit of a test that needs only a label"},
    {"least_for_most", "the least ratio instead of the largest", "min instead of max"},
    {"parallel_not_skipped", "parallel edges give 0/0", "a division by the length of the product of axes"},
    {"threshold", "products of axes below 1e-9 are skipped", "an epsilon against division by zero"},
    {"padded", "1e-5 is added to the entries of the rotation", "ODE, Bullet: fudge2"},
    {"edges_in_double", "products of rounded axes", "cancellation where edges are nearly parallel"},
    {"distance_in_double", "d is rotated into the frame of i in plain double", "cancellation for elongated bodies",
     "a rounding of d exceeds 1024 u only where d cancels along a product of edges, in about one of 1,000 pairs",
     "needles"},
    {"sign_of_distance", "L.d instead of |L.d|", "a missing absolute value"},
    {"sign_of_reach", "L.e instead of |L.e| in the half-width along the axis of a face", "a missing absolute value"},
    {"reach_of_j_forgotten", "only the half-width of i along the axis of a face", "a missing term"},
    {"largest_for_sum", "the largest term instead of the sum in the half-width", "maximum norm instead of a sum"},
    {"not_normalised", "quaternions are assumed to have length 1", "LIGGGHTS: such quaternions scale space"},
    {"j_not_normalised", "the quaternion of j is assumed to have length 1", "only one of two normalised"},
    {"divided_by_length", "divided by |q| instead of |q|^2", "length and square exchanged"},
    {"transposed", "rotates from global to local instead of local to global", "direction of a rotation"},
    {"transposed_i", "rotates from global to local for i only", "direction of a rotation"},
    {"scalar_last", "read as x, y, z, w instead of w, x, y, z", "order of the components"},
    {"sum_of_positions", "c_j + c_i instead of c_j - c_i", "sign of a term"},
    {"global_distance", "d is in the global frame, the axes of i are not", "a missing rotation"},
    {"whole_lengths", "the semi-axes are doubled", "half and whole exchanged"},
    {"axes_exchanged", "b, a, c instead of a, b, c", "order of the semi-axes"},
    {"axes_of_i_twice", "the semi-axes of i instead of j", "copy and paste"},
    {"inflated_by_exponent", "c is increased by 1e-12/n2", "a margin that depends on the shape"},
    {"corners_cut", "semi-axes are multiplied by 1 - 1/n1", "a box that is smaller for round bodies"},
    {"squared", "the square of sigma_box", "a missing root"},
    {"sphere", "the growth distance of the boxes' bounding spheres", "another test"},
    {"label_reversed", "yes and no are exchanged", "inverted label"},
    {"label_with_tolerance", "separated only above 1 + 1e-9", "a tolerance wider than the budget"},
    {"label_of_spheres", "separated if distance^2 exceeds the sum of the squared half-diagonals",
     "a label of another test"},
    {"label_of_ellipsoids", "two ellipsoids are separated if their surfaces are", "another test for ellipsoids"},
    {"nearly_separated", "separated above 1 - 1e-11", "a tolerance around a threshold"},
    {"near_is_zero", "centres closer than 1e-10 m are treated as equal", "absolute thresholds"},
    {"subnormal_is_zero", "lengths below 2^-900 count as 0", "flush to zero"},
    {"far_positions_as_float", "positions beyond 100 semi-axes are rounded to float", "compressed coordinates"},
};
using Chosen = Choice<defects>;

using Triple = Vector3<Real>;

inline Real size_of(Real x) { return x < 0 ? -x : x; }
inline Real dot(Triple const& a, Triple const& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline Triple cross(Triple const& a, Triple const& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// The box of a body as a test with one defect reads it.
struct Box {
  Triple centre, half;
  std::array<Triple, 3> axis;
  Real length;  ///< length of each axis: 1 if the quaternion is normalised
};

inline Box box_of(Superquadric<double> const& body, Chosen const with, bool first) {
  auto const kept = [&](double x) -> Real {
    if (with("subnormal_is_zero")) return std::fabs(x) < 0x1p-900 ? 0 : x;
    return x;
  };
  Real q[4];
  for (Index m = 0; m < 4; ++m) {
    double const each = body.orientation[with("scalar_last") ? (m + 3) % 4 : m];
    q[m] = each;
  }
  Real const w = q[0], x = q[1], y = q[2], z = q[3], whole = w * w + x * x + y * y + z * z;
  Real square = whole;
  if (with("not_normalised") || (with("j_not_normalised") && !first)) square = 1;
  if (with("divided_by_length")) square = std::sqrt(static_cast<long double>(whole));
  Real R[3][3] = {{w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)},
                  {2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)},
                  {2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z}};
  bool const turned_back = with("transposed") || (with("transposed_i") && first);
  Box box;
  box.length = whole / square;
  for (std::size_t k = 0; k < 3; ++k) {
    auto const at = static_cast<Index>(k);
    for (std::size_t m = 0; m < 3; ++m) box.axis[k][static_cast<Index>(m)] = (turned_back ? R[k][m] : R[m][k]) / square;
    box.half[at] = kept(body.semi_axes[at]);
    box.centre[at] = kept(body.position[at]);
    if (with("far_positions_as_float") && std::fabs(body.position[at]) > 100 * body.semi_axes.maxCoeff())
      box.centre[at] = static_cast<float>(body.position[at]);
  }
  if (with("whole_lengths")) box.half *= static_cast<Real>(2);
  if (with("axes_exchanged")) std::swap(box.half[0], box.half[1]);
  if (with("corners_cut")) box.half *= static_cast<Real>(1 - 1 / body.n1);
  if (with("inflated_by_exponent")) box.half[2] *= static_cast<Real>(1 + 1e-12 / body.n2);
  return box;
}

inline bool are_ellipsoids(Case const& in) { return in.i.n1 == 2 && in.i.n2 == 2 && in.j.n1 == 2 && in.j.n2 == 2; }
/// Returns whether the ellipsoids inside the boxes are apart by more than about 1e-4. Evaluates the function of Perram
/// and Wertheim at 63 parameters: if one value exceeds 1, the ellipsoids are apart. A matrix is stored as three
/// columns.
inline bool ellipsoids_apart(Box const& i, Box const& j, Triple const& d) {
  auto const column = [](Box const& of, Index m) {
    Triple sum = Triple::Zero();
    for (std::size_t k = 0; k < 3; ++k) {
      Real const half = of.half[static_cast<Index>(k)];
      sum += (half * half * of.axis[k][m]) * of.axis[k];
    }
    return sum;
  };
  for (int place = 1; place < 64; ++place) {
    Real const share = place / 64.0L;
    std::array<Triple, 3> M;
    for (std::size_t k = 0; k < 3; ++k) {
      auto const m = static_cast<Index>(k);
      M[k] = (1 - share) * column(i, m) + share * column(j, m);
    }
    Triple const across = cross(M[1], M[2]);
    Triple const solution(dot(d, across), dot(M[0], cross(d, M[2])), dot(M[0], cross(M[1], d)));
    if (share * (1 - share) * dot(solution, d) > dot(M[0], across)) return true;
  }
  return false;
}

/// Returns the answer with its label. `spheres_apart` states whether the spheres around the boxes are apart.
inline Answer labelled(double sigma, bool spheres_apart, Chosen const with) {
  bool separated = sigma > 1;
  if (with("label_reversed")) separated = !separated;
  if (with("label_with_tolerance")) separated = sigma > 1 + 1e-9;
  if (with("nearly_separated")) separated = sigma > 1 - 1e-11;
  if (with("label_of_spheres")) separated = spheres_apart;
  return {sigma, separated ? Separated::yes : Separated::no};
}

inline Answer evaluate(Case const& in, Chosen const with) {
  Box const i = box_of(in.i, with, true);
  Box j = box_of(in.j, with, false);
  if (with("axes_of_i_twice")) j.half = i.half;
  Triple d;
  Real length2 = 0, largest_coordinate = 0;
  for (Index m = 0; m < 3; ++m) {
    d[m] = with("sum_of_positions") ? j.centre[m] + i.centre[m] : j.centre[m] - i.centre[m];
    length2 += d[m] * d[m];
    largest_coordinate = std::max(largest_coordinate, size_of(d[m]));
  }
  if (with("near_is_zero") && largest_coordinate < 1e-10) d = Triple::Zero();

  // The scalar products of the axes with each other and with d. An axis has the length 1 if its quaternion is
  // normalised.
  Real M[3][3], of_i[3], of_j[3];
  for (std::size_t k = 0; k < 3; ++k) {
    of_i[k] = dot(i.axis[k], d);
    of_j[k] = dot(j.axis[k], d);
    if (with("distance_in_double")) of_i[k] = static_cast<double>(of_i[k]);
    for (std::size_t l = 0; l < 3; ++l) M[k][l] = dot(i.axis[k], j.axis[l]);
  }

  Real most = 0;
  bool first = true, done = false;
  int number = 0;
  using Terms = std::array<Real, 3>;
  // Considers one of the 15 axes L. `distance` is L.d. `along_i` and `along_j` are the scalar products of L with the
  // axes of i and j.
  auto const consider = [&](Real distance, Terms const& along_i, Terms const& along_j, bool edges, bool parallel) {
    int const own = number++;
    if (done || with.places_after("axis_ix") == own) return;
    if (with("faces_alone") && edges) return;
    if (with("faces_of_i_alone") && own > 2) return;
    if (with("edges_alone") && !edges) return;
    if (!with("parallel_not_skipped") && parallel) return;
    Real reach = 0, longest = 0;
    auto const add = [&](Real half, Real along) {
      Real part = size_of(along);
      if (with("sign_of_reach") && !edges) part = along;
      if (edges && with("padded")) part += 1e-5;
      reach += half * part;
      longest = std::max(longest, half * part);
    };
    for (std::size_t m = 0; m < 3; ++m) add(i.half[static_cast<Index>(m)], along_i[m]);
    for (std::size_t m = 0; m < 3; ++m)
      if (!with("reach_of_j_forgotten") || edges) add(j.half[static_cast<Index>(m)], along_j[m]);
    if (with("largest_for_sum")) reach = longest;
    Real const ratio = (with("sign_of_distance") ? distance : size_of(distance)) / reach;
    if (first || (with("least_for_most") ? ratio < most : !(ratio <= most))) most = ratio;
    first = false;
    if (with("first_above_one") && most > 1) done = true;
  };
  for (std::size_t k = 0; k < 3; ++k) {
    Terms own{0, 0, 0};
    own[k] = dot(i.axis[k], i.axis[k]);
    consider(with("global_distance") ? d[static_cast<Index>(k)] : of_i[k], own, {M[k][0], M[k][1], M[k][2]}, false,
             false);
  }
  for (std::size_t l = 0; l < 3; ++l) {
    Terms own{0, 0, 0};
    own[l] = dot(j.axis[l], j.axis[l]);
    consider(of_j[l], {M[0][l], M[1][l], M[2][l]}, own, false, false);
  }
  // The cross product of axis k of i and axis l of j is perpendicular to these two axes. Its scalar product with
  // another axis of a body is, except for the sign, the length of the axes of this body times an element of M. A cross
  // product below 1e-25 consists of rounding errors.
  Real const square_i = dot(i.axis[0], i.axis[0]), square_j = dot(j.axis[0], j.axis[0]);
  Real const length_i = i.length, length_j = j.length;
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t l = 0; l < 3; ++l) {
      std::size_t const k1 = (k + 1) % 3, k2 = (k + 2) % 3, l1 = (l + 1) % 3, l2 = (l + 2) % 3;
      Terms along_i{0, 0, 0}, along_j{0, 0, 0};
      along_i[k1] = -length_i * M[k2][l];
      along_i[k2] = length_i * M[k1][l];
      along_j[l1] = length_j * M[k][l2];
      along_j[l2] = -length_j * M[k][l1];
      Real distance = (along_i[k1] * of_i[k1] + along_i[k2] * of_i[k2]) / square_i;
      if (with("edges_in_double")) {
        Triple a = i.axis[k], b = j.axis[l];
        for (Triple* of : {&a, &b})
          for (Real& each : *of) each = static_cast<double>(each);
        Triple const L = cross(a, b);
        for (std::size_t m = 0; m < 3; ++m) along_i[m] = dot(L, i.axis[m]), along_j[m] = dot(L, j.axis[m]);
        distance = dot(L, d);
      }
      Real const sine2 = (M[k1][l] * M[k1][l] + M[k2][l] * M[k2][l]) / (square_i * square_j);
      consider(distance, along_i, along_j, true, !(sine2 >= (with("threshold") ? 1e-18 : 1e-50)));
    }

  if (with("squared")) most *= most;
  if (with("sphere")) {
    auto const root = [](Real x) { return std::sqrt(static_cast<long double>(x)); };
    most = root(length2) / (root(dot(i.half, i.half)) + root(dot(j.half, j.half)));
  }
  Answer answer = labelled(static_cast<double>(most), length2 > dot(i.half, i.half) + dot(j.half, j.half), with);
  if (with("label_of_ellipsoids") && are_ellipsoids(in))
    answer.separated = ellipsoids_apart(i, j, d) ? Separated::yes : Separated::no;
  return answer;
}

inline Answer right(Case const& in) { return evaluate(in, {}); }

// ------------------------------------------------------------------------------------------------------ of batches

/// Decides from the first of four cases whether the quaternions of all four are normalised.
inline void normalised_by_the_first(std::span<Case const> in, std::span<Answer> out) {
  for (std::size_t i = 0; i < in.size(); ++i) {
    bool const unit = std::fabs(in[i / 4 * 4].i.orientation.norm() - 1) < 1e-9;
    out[i] = unit ? evaluate(in[i], "not_normalised") : right(in[i]);
  }
}

inline Mutants mutants() {
  std::vector<BatchDefect<Case, Answer>> const batches{
      {"normalised_by_the_first", "four pairs are normalised only if the first needs it", "a uniform branch in SIMD",
       normalised_by_the_first},
  };
  Distortions const distortions{.read_as_float = "i.orientation i.semi_axes", .just_over = "sigma_box"};
  return make_mutants<Contract>(evaluate, distortions, batches);
}

}  // namespace demeter::superquadric_box_test::mutants
