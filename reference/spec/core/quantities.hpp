// The numbers of a record with the units and kinds of their fields, and what follows from these alone: the size of a
// case, and the same case in other units or at another place.
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

/// Calls `visit(numbers, field)` for each number and each vector of a record, of its records and lists too.
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

/// Calls `use(position)` for each point of a record; a coordinate along some axis is none.
template <class Record, class Use>
void for_each_position(Record& value, Use const& use) {
  for_each_quantity(value, [&](auto& quantity, auto const& field) {
    if constexpr (fixed_vector<std::remove_cvref_t<decltype(quantity)>>)
      if constexpr (std::remove_cvref_t<decltype(quantity)>::dimension == 3)
        if (field.kind == Kind::position) use(quantity);
  });
}

/// In metres: the largest number among the lengths that are no positions, among the differences of the positions from
/// the first, coordinate by coordinate, and among the radii of gyration of members with a mass and, after it, moments
/// of inertia. 0 for a point, NaN for a record without lengths.
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

/// The size of a case; of a point its largest coordinate, and 1 of one at the origin.
template <class Record>
double extent_of(Record const& in) {
  double extent = size_of_case(in);
  if (extent == 0)
    for_each_position(in,
                      [&](Vector3<double> const& point) { extent = std::max(extent, point.cwiseAbs().maxCoeff()); });
  return extent == 0 ? 1 : extent;
}

/// Every number times metre^m kilogram^k second^s of its unit, exactly if these are powers of two. With kilogram =
/// metre^3 densities stay as they are.
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

/// Every point moved; a coordinate along some axis (a wall's) is the caller's to move.
template <class Record>
Record moved_by(Record value, Vector3<double> const& shift) {
  for_each_position(value, [&](Vector3<double>& point) {
    for (Index i = 0; i < 3; ++i) point[i] += shift[i];
  });
  return value;
}

}  // namespace demeter
