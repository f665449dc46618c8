// Access to the numbers of a record, with the units and kinds of their fields. Also functions built on this access: the
// size of a case, conversion to other units, translation.
#pragma once

#include "reference/spec/core/fields.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

namespace demeter {

namespace detail {
template <class Value, class FieldOf, class Visit>
void visit_numbers(Value& value, FieldOf const& field, Visit const& visit) {
  using Plain = std::remove_const_t<Value>;
  if constexpr (nullable<Plain>) {
    if (value) visit_numbers(*value, field, visit);
  } else if constexpr (record<Plain>)
    for_each_field<Plain>([&](auto const& each) { visit_numbers(value.*each.member, each, visit); });
  else if constexpr (list<Plain>)
    for (auto& each : value) visit_numbers(each, field, visit);
  else if constexpr (!labelled<Plain>)
    visit(value, field);
}
struct NoField {};
}  // namespace detail

/// Calls `visit(numbers, field)` for each number and each vector of a record, including its nested records and lists.
template <class Record, class Visit>
void for_each_quantity(Record& value, Visit const& visit) {
  detail::visit_numbers(value, detail::NoField{}, visit);
}

/// Calls `visit(number)` for each number of a quantity.
template <class Value, class Visit>
void for_each_number(Value& quantity, Visit const& visit) {
  if constexpr (fixed_vector<std::remove_const_t<Value>>)
    for (auto& each : quantity) visit(each);
  else
    visit(quantity);
}

/// Calls `use(position)` for each 3D position of a record. A single coordinate along an axis is not visited.
template <class Record, class Use>
void for_each_position(Record& value, Use const& use) {
  for_each_quantity(value, [&](auto& quantity, auto const& field) {
    if constexpr (fixed_vector<std::remove_cvref_t<decltype(quantity)>>)
      if constexpr (std::remove_cvref_t<decltype(quantity)>::dimension == 3)
        if (field.kind == Kind::position) use(quantity);
  });
}

/// Returns the size of a case in metres: the largest of
/// - the lengths that are not positions,
/// - the coordinate differences between the positions and the first position,
/// - the radii of gyration of members that have a mass followed by moments of inertia.
/// A single point has size 0. A record without lengths has size NaN.
template <class Record>
double size_of_case(Record const& in) {
  double largest = 0, mass = 0;
  bool any = false;
  for_each_quantity(in, [&](auto const& quantity, auto const& field) {
    Dimension const of = field.dimension;
    double most = 0;
    for_each_number(quantity, [&](double x) { most = std::max(most, std::fabs(x)); });
    if (of == Dimension{0, 1, 0}) mass = most;
    if (of == Dimension{2, 1, 0} && mass > 0) largest = std::max(largest, std::sqrt(most / mass));
    any = any || of == Dimension{1, 0, 0};
    if (of == Dimension{1, 0, 0} && field.kind != Kind::position) largest = std::max(largest, most);
  });
  Vector3<double> const* first = nullptr;
  for_each_position(in, [&](Vector3<double> const& point) {
    if (first == nullptr) first = &point;
    for (Index i = 0; i < 3; ++i) largest = std::max(largest, std::fabs(point[i] - (*first)[i]));
  });
  return any ? largest : std::numeric_limits<double>::quiet_NaN();
}

/// Returns the size of a case. For a single point: its largest coordinate, or 1 if the point is the origin.
template <class Record>
double extent_of(Record const& in) {
  double extent = size_of_case(in);
  if (extent == 0)
    for_each_position(in,
                      [&](Vector3<double> const& point) { extent = std::max(extent, point.cwiseAbs().maxCoeff()); });
  return extent == 0 ? 1 : extent;
}

/// Returns the record with every number multiplied by metre^m kilogram^k second^s, where m, k and s are the exponents
/// of the unit of the number. The products are exact if the factors are powers of two. Densities do not change if
/// kilogram = metre^3.
template <class Record>
Record scaled_by(Record value, double metre, double kilogram = 1, double second = 1) {
  for_each_quantity(value, [&](auto& quantity, auto const& field) {
    Dimension const of = field.dimension;
    auto const apply = [&quantity](double unit, int power) {
      for (; power > 0; --power) for_each_number(quantity, [unit](double& x) { x *= unit; });
      for (; power < 0; ++power) for_each_number(quantity, [unit](double& x) { x /= unit; });
    };
    apply(metre, of.metre);
    apply(kilogram, of.kilogram);
    apply(second, of.second);
  });
  return value;
}

/// Returns the record with every 3D position moved by `shift`. A single coordinate along an axis (for example of a
/// wall) is not moved: the caller must move it.
template <class Record>
Record moved_by(Record value, Vector3<double> const& shift) {
  for_each_position(value, [&](Vector3<double>& point) {
    for (Index i = 0; i < 3; ++i) point[i] += shift[i];
  });
  return value;
}

}  // namespace demeter
