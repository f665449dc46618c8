// The structure of a record as plain data, derived from its fields(). JSON, columns, the C ABI and `demeter list` use
// it.
#pragma once

#include "reference/spec/core/columns.hpp"
#include "reference/spec/core/fields.hpp"

#include <string>

namespace demeter {

namespace detail {

/// Returns the number of columns of a type.
template <class T>
constexpr std::size_t column_count() {
  if constexpr (fixed_vector<T>) {
    return static_cast<std::size_t>(T::dimension);
  } else if constexpr (list<T>) {
    return 1 + column_count<typename T::value_type>();
  } else if constexpr (nullable<T>) {
    return 1 + column_count<typename T::value_type>();
  } else if constexpr (record<T>) {
    return std::apply(
        [](auto const&... each) {
          return (column_count<std::remove_cvref_t<decltype(std::declval<T>().*(each.member))>>() + ... +
                  std::size_t{0});
        },
        fields_of<T>);
  } else {
    return 1;
  }
}

template <class T>
Node make_node(std::string_view name, std::string_view unit, std::string_view doc, std::size_t column,
               demeter::Kind geometry = demeter::Kind::number) {
  Node node;
  node.geometry = geometry;
  node.name = name;
  node.unit = unit;
  node.doc = doc;
  node.column = column;
  node.columns = column_count<T>();
  if constexpr (fixed_vector<T>) {
    node.extent = static_cast<std::size_t>(T::dimension);
  } else if constexpr (list<T>) {
    node.kind = Node::Kind::list;
    node.children.push_back(make_node<typename T::value_type>("", "", "", column + 1));
  } else if constexpr (nullable<T>) {
    static_assert(!record<typename T::value_type> && !list<typename T::value_type>, "only numbers may be null");
    node.extent = make_node<typename T::value_type>("", "", "", column).extent;
    node.nullable = true;
  } else if constexpr (labelled<T>) {
    node.kind = Node::Kind::enumeration;
    for (auto label : labels(T{})) node.labels.push_back(label);
  } else if constexpr (record<T>) {
    node.kind = Node::Kind::record;
    for_each_field<T>([&](auto const& each) {
      using Member = std::remove_cvref_t<decltype(std::declval<T>().*(each.member))>;
      node.children.push_back(make_node<Member>(each.name, each.unit, each.doc, column, each.kind));
      node.children.back().length_of = each.length_of;
      node.children.back().infinite = each.infinite;
      column += column_count<Member>();
    });
  }
  return node;
}

inline void describe_columns(Node const& node, std::string const& path, std::size_t list,
                             std::vector<ColumnInfo>& out) {
  if (node.nullable) out.push_back({path + "?", ColumnInfo::Kind::presence, list});
  switch (node.kind) {
    case Node::Kind::number:
      if (node.extent == 0) out.push_back({path, ColumnInfo::Kind::number, list});
      for (std::size_t i = 0; i < node.extent; ++i)
        out.push_back({path + "[" + std::to_string(i) + "]", ColumnInfo::Kind::number, list});
      break;
    case Node::Kind::enumeration:
      out.push_back({path, ColumnInfo::Kind::label, list});
      break;
    case Node::Kind::record:
      for (auto const& child : node.children)
        describe_columns(child, path.empty() || child.name.empty() ? path + child.name : path + "." + child.name, list,
                         out);
      break;
    case Node::Kind::list:
      out.push_back({path, ColumnInfo::Kind::offsets, list});
      describe_columns(node.children.front(), path, node.column, out);
      break;
  }
}

}  // namespace detail

/// Returns the schema of a record type. It is the same for every scalar type.
template <record Record>
Schema schema_of() {
  Schema schema{detail::make_node<Record>("", "", "", 0), {}};
  detail::describe_columns(schema.root, "", Schema::top, schema.columns);
  return schema;
}

}  // namespace demeter
