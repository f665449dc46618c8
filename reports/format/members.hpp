// Records that are written as JSON. A record is a struct whose function `members()` lists each member with a
// description. The writer, the reader with its error messages, and the JSON schema all use this list.
//
//   struct Term {
//     std::string name, doc;
//     static Members members() {
//       return {"term", "a name and its meaning",
//               {always("name", &Term::name, "name used in commands"), always("doc", &Term::doc, "one sentence")}};
//     }
//   };
//
// A member has one of these types: text (std::string), a flag (bool), a count (std::int64_t), an unsigned integer
// (std::uint64_t: seeds, ids), a number (double), a case of a kernel (KernelJson), or another record. It may also be a
// std::optional, std::vector or ByName of one of these types. NaN and infinities are written as the texts "nan", "inf"
// and "-inf".
#pragma once

#include "reports/format/values.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace demeter::report {

struct Shape;

struct Member {
  enum class Presence {
    always,     ///< always written
    or_null,    ///< null if it has no value
    if_any,     ///< omitted if it is empty: no value, "", 0, false, or a record of empty members
    inline_,    ///< the fields of the inner record are written as fields of the outer record
    other_keys  ///< a ByName that contains all keys of the object that are not fields
  };
  std::string_view name;
  Presence presence;
  Shape const& (*shape)();
  void* (*place)(Member const&, void* record);
  std::array<std::byte, sizeof(int Member::*)> pointer;  ///< pointer to the member, for `place`
  std::string_view doc;
  std::vector<std::string_view> choices{};  ///< allowed values of a text; empty: any
  enum class Least { any, zero, above_zero };
  Least least = Least::any;  ///< lower limit of every number in this member; `above_zero` also rejects NaN and infinity

  void* in(void* record) const { return place(*this, record); }
  void const* in(void const* record) const { return place(*this, const_cast<void*>(record)); }
};

struct Members {
  std::string_view name;  ///< name of the record in the schema
  std::string_view doc;
  std::vector<Member> list;
};

/// A type as seen by the writer, the reader and the schema.
struct Shape {
  enum class Kind { text, flag, count, whole, number, of_kernel, record, optional, list, by_name };
  Kind kind;
  Members members{};               ///< members of a record
  Shape const* element = nullptr;  ///< element type of an optional, a list or a ByName
  std::size_t (*size)(void const*) = nullptr;
  void* (*at)(void*, std::size_t) = nullptr;
  void* (*append)(void*) = nullptr;
  void (*drop_last)(void*) = nullptr;
  std::string* (*name_at)(void*, std::size_t) = nullptr;  ///< name of an element; only for a ByName
};

template <class Value>
Shape const& shape_of();

namespace shapes {

template <class>
struct Of;  // not defined for types that no field can have

template <Shape::Kind kind>
struct Plain {
  static Shape make() { return {kind}; }
};
template <>
struct Of<std::string> : Plain<Shape::Kind::text> {};
template <>
struct Of<bool> : Plain<Shape::Kind::flag> {};
template <>
struct Of<std::int64_t> : Plain<Shape::Kind::count> {};
template <>
struct Of<std::uint64_t> : Plain<Shape::Kind::whole> {};
template <>
struct Of<double> : Plain<Shape::Kind::number> {};
template <>
struct Of<KernelJson> : Plain<Shape::Kind::of_kernel> {};

template <class Value>
requires requires { Value::members(); }
struct Of<Value> {
  static Shape make() { return {Shape::Kind::record, Value::members()}; }
};

template <class Value>
struct Of<std::optional<Value>> {
  using Held = std::optional<Value>;
  static Shape make() {
    Shape shape{Shape::Kind::optional, {}, &shape_of<Value>()};
    shape.size = [](void const* held) -> std::size_t { return static_cast<Held const*>(held)->has_value() ? 1 : 0; };
    shape.at = [](void* held, std::size_t) -> void* { return &**static_cast<Held*>(held); };
    shape.append = [](void* held) -> void* { return &static_cast<Held*>(held)->emplace(); };
    shape.drop_last = [](void* held) { static_cast<Held*>(held)->reset(); };
    return shape;
  }
};

template <class Value>
struct Of<std::vector<Value>> {
  using Held = std::vector<Value>;
  static Shape make() {
    Shape shape{Shape::Kind::list, {}, &shape_of<Value>()};
    shape.size = [](void const* held) { return static_cast<Held const*>(held)->size(); };
    shape.at = [](void* held, std::size_t i) -> void* { return &(*static_cast<Held*>(held))[i]; };
    shape.append = [](void* held) -> void* { return &static_cast<Held*>(held)->emplace_back(); };
    shape.drop_last = [](void* held) { static_cast<Held*>(held)->pop_back(); };
    return shape;
  }
};

template <class Value>
struct Of<ByName<Value>> {
  using Held = ByName<Value>;
  static Shape make() {
    Shape shape{Shape::Kind::by_name, {}, &shape_of<Value>()};
    shape.size = [](void const* held) { return static_cast<Held const*>(held)->entries.size(); };
    shape.at = [](void* held, std::size_t i) -> void* { return &static_cast<Held*>(held)->entries[i].second; };
    shape.append = [](void* held) -> void* { return &static_cast<Held*>(held)->entries.emplace_back().second; };
    shape.drop_last = [](void* held) { static_cast<Held*>(held)->entries.pop_back(); };
    shape.name_at = [](void* held, std::size_t i) { return &static_cast<Held*>(held)->entries[i].first; };
    return shape;
  }
};

template <class Record, class Value>
Member member(Member::Presence presence, std::string_view name, Value Record::*pointer, std::string_view doc) {
  Member member{name, presence, &shape_of<Value>, nullptr, {}, doc};
  static_assert(sizeof pointer == sizeof member.pointer);
  std::memcpy(member.pointer.data(), &pointer, sizeof pointer);
  member.place = [](Member const& self, void* record) -> void* {
    Value Record::*to = nullptr;
    std::memcpy(&to, self.pointer.data(), sizeof to);
    return &(static_cast<Record*>(record)->*to);
  };
  return member;
}

}  // namespace shapes

template <class Value>
Shape const& shape_of() {
  static Shape const shape = shapes::Of<Value>::make();
  return shape;
}

template <class Record, class Value>
Member always(std::string_view name, Value Record::*pointer, std::string_view doc) {
  return shapes::member(Member::Presence::always, name, pointer, doc);
}
template <class Record, class Value>
Member or_null(std::string_view name, std::optional<Value> Record::*pointer, std::string_view doc) {
  return shapes::member(Member::Presence::or_null, name, pointer, doc);
}
template <class Record, class Value>
Member if_any(std::string_view name, Value Record::*pointer, std::string_view doc) {
  return shapes::member(Member::Presence::if_any, name, pointer, doc);
}
template <class Record, class Value>
Member inlined(Value Record::*pointer) {
  return shapes::member(Member::Presence::inline_, "", pointer, "");
}
template <class Record, class Value>
Member other_keys(ByName<Value> Record::*pointer, std::string_view doc) {
  return shapes::member(Member::Presence::other_keys, "", pointer, doc);
}
inline Member one_of(std::vector<std::string_view> choices, Member member) {
  member.choices = std::move(choices);
  return member;
}
inline Member not_negative(Member member) {
  member.least = Member::Least::zero;
  return member;
}
inline Member above_zero(Member member) {
  member.least = Member::Least::above_zero;
  return member;
}

/// A mistake in a document: where it is and what was expected.
struct Mistake {
  std::string where;     ///< the place, such as "kernels[0].subjects[2].name"; empty: the document
  std::string expected;  ///< "a count"
  std::string found;     ///< the value that was found, such as "\"many\""; empty if the key is missing

  /// Returns the mistake in one line.
  std::string text() const;
};

/// The mistakes of a document. Only the first mistakes are stored, because the mistakes of a file of another kind could
/// fill the memory.
struct Mistakes {
  static constexpr std::size_t most = 100;
  std::vector<Mistake> first;  ///< the first `most` mistakes
  std::size_t count = 0;

  void add(Mistake mistake);
};

Json write(Shape const& shape, void const* value);
void read(Shape const& shape, Json const& json, void* into, std::string const& where, Mistakes& mistakes);

template <class Value>
Json write(Value const& value) {
  return write(shape_of<Value>(), &value);
}

/// Reads every correct part of `json`. Other parts keep the default value and are added to `mistakes`. A strict caller
/// rejects a document with mistakes, and a lenient caller continues. Unknown keys are ignored, because a later version
/// may add keys.
template <class Value>
Value read(Json const& json, Mistakes& mistakes, std::string const& where = "") {
  Value value{};
  read(shape_of<Value>(), json, &value, where, mistakes);
  return value;
}

/// Adds the definitions ("$defs") of a record and of all records in it.
void add_definitions(Shape const& shape, Json& definitions);
/// Returns a reference to a definition, or the schema itself for a type without a name.
Json schema_of(Shape const& shape);

}  // namespace demeter::report
