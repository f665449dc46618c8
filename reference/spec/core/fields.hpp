// The fields of records. The data of a kernel are declared only once: a record lists its fields. JSON, columns, the
// argument order of the C ABI, generators, shrinking, scalar casts and the documentation are derived from this list.
#pragma once

#include "reference/spec/core/kind.hpp"
#include "reference/spec/core/matrix.hpp"
#include "reference/spec/core/unit.hpp"

#include <concepts>
#include <cstddef>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace demeter {

template <class Scalar>
using Vector3 = Vector<Scalar, 3>;
template <class Scalar>
using Matrix3 = Matrix<Scalar, 3, 3>;
/// A quaternion in the order w, x, y, z.
template <class Scalar>
using Quaternion = Vector<Scalar, 4>;

/// One field of a record: its name in all formats, the member, the SI unit ("" for a pure number), its kind, and one
/// line of documentation for users (frame, sign, range).
template <class Record, class Member>
struct Field {
  std::string_view name;
  Member Record::*member;
  std::string_view unit;
  Kind kind;
  std::string_view doc;
  std::string_view length_of;  ///< for a list in an output: the input list of the same length, or empty
  bool infinite = false;       ///< for a number in an input: infinity is allowed
  Dimension dimension = dimension_of(unit).value_or(Dimension{});  ///< all exponents are 0 if the unit is not known
};

/// The result of `as_long_as`: the name of the input list that has the same length as an output list.
struct Length {
  std::string_view of = {};
};
/// Declares that a list in an output has the same length as a list in the input. It is the last argument of `field`:
/// `field("velocities", &Output::velocities, unit::metre, "...", as_long_as("masses"))`. Without this declaration, an
/// output list may have any length, and each answer contains its length.
constexpr Length as_long_as(std::string_view input_list) { return {input_list}; }

/// The last argument of `field` for a number of the input that may be infinity ("inf"), such as the mass of a wall.
struct MayBeInfinite {};
inline constexpr MayBeInfinite may_be_infinite{};

template <class Record, class Member>
constexpr Field<Record, Member> field(std::string_view name, Member Record::*member, std::string_view unit,
                                      std::string_view doc, MayBeInfinite) {
  return {name, member, unit, Kind::number, doc, {}, true};
}
template <class Record, class Member>
constexpr Field<Record, Member> field(std::string_view name, Member Record::*member, std::string_view unit,
                                      std::string_view doc, Length length = {}) {
  return {name, member, unit, Kind::number, doc, length.of};
}
template <class Record, class Member>
constexpr Field<Record, Member> field(std::string_view name, Member Record::*member, std::string_view unit, Kind kind,
                                      std::string_view doc, Length length = {}) {
  return {name, member, unit, kind, doc, length.of};
}

/// A type with `static constexpr auto fields()` that returns a tuple of `Field`.
template <class T>
concept record = requires {
  T::fields();
};

/// An enumeration with a function `labels(E)`, found by argument-dependent lookup, that returns the JSON names in index
/// order.
template <class T>
concept labelled = std::is_enum_v<T> && requires(T value) {
  labels(value);
};

namespace detail {
template <class T>
struct is_vector3 : std::false_type {};
template <class Scalar, int Rows>
struct is_vector3<Vector<Scalar, Rows>> : std::bool_constant<(Rows > 0)> {};
template <class T>
struct is_list : std::false_type {};
template <class Member>
struct is_list<std::vector<Member>> : std::true_type {};
template <class T>
struct is_nullable : std::false_type {};
template <class Value>
struct is_nullable<std::optional<Value>> : std::true_type {};
}  // namespace detail

/// A fixed-size vector of scalars: `Vector3<Scalar>`, or any `Vector<Scalar, N>`.
template <class T>
concept fixed_vector = detail::is_vector3<T>::value;
template <class T>
concept list = detail::is_list<T>::value;
template <class T>
concept nullable = detail::is_nullable<T>::value;

/// The fields of a record type as one constant. Laws visit the fields for every case, and the constant avoids a new
/// tuple for each visit.
template <record Record>
inline constexpr auto fields_of = Record::fields();

/// Calls `visit(field)` for each field of a record type, in order.
template <record Record, class Visitor>
constexpr void for_each_field(Visitor&& visit) {
  std::apply([&](auto const&... each) { (visit(each), ...); }, fields_of<Record>);
}

namespace detail {
template <class T>
constexpr bool declares_lengths() {
  if constexpr (list<T> || nullable<T>) {
    return declares_lengths<typename T::value_type>();
  } else if constexpr (record<T>) {
    bool found = false;
    for_each_field<T>([&](auto const& each) {
      using Member = std::remove_cvref_t<decltype(std::declval<T>().*(each.member))>;
      found = found || !each.length_of.empty() || declares_lengths<Member>();
    });
    return found;
  } else {
    return false;
  }
}
}  // namespace detail

/// Returns whether `as_long_as` is used correctly: only on lists that are direct fields of the output, and only with
/// the name of a list that is a direct field of the input.
template <record Input, record Output>
constexpr bool lengths_are_known() {
  bool known = !detail::declares_lengths<Input>();
  for_each_field<Output>([&](auto const& each) {
    using Member = std::remove_cvref_t<decltype(std::declval<Output>().*(each.member))>;
    bool found = each.length_of.empty();
    for_each_field<Input>([&](auto const& of) {
      using Other = std::remove_cvref_t<decltype(std::declval<Input>().*(of.member))>;
      found = found || (list<Member> && list<Other> && of.name == each.length_of);
    });
    known = known && found && !detail::declares_lengths<Member>();
  });
  return known;
}

/// Converts one scalar. Scalars for which `static_cast` does not work specialise this template beside their definition.
template <class To, class From>
struct ScalarCast {
  static To apply(From const& value) { return static_cast<To>(value); }
};

namespace detail {
template <class To, class From>
void cast_into(To& to, From const& from) {
  if constexpr (fixed_vector<To>) {
    for (Index i = 0; i < to.size(); ++i) cast_into(to[i], from[i]);
  } else if constexpr (list<To>) {
    to.resize(from.size());
    for (std::size_t i = 0; i < from.size(); ++i) cast_into(to[i], from[i]);
  } else if constexpr (nullable<To>) {
    if (from) {
      to.emplace();
      cast_into(*to, *from);
    } else {
      to.reset();
    }
  } else if constexpr (labelled<To>) {
    to = from;
  } else if constexpr (record<To>) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (cast_into(to.*(std::get<I>(fields_of<To>).member), from.*(std::get<I>(fields_of<From>).member)), ...);
    }
    (std::make_index_sequence<std::tuple_size_v<decltype(To::fields())>>{});
  } else {
    to = ScalarCast<To, From>::apply(from);
  }
}
}  // namespace detail

/// Returns the same record with another scalar type, e.g. `cast<Input<long double>>(input)`.
template <class To, class From>
To cast(From const& from) {
  To to{};
  detail::cast_into(to, from);
  return to;
}

}  // namespace demeter
