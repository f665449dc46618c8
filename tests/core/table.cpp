#include "reference/spec/core/table.hpp"
#include "reference/spec/core/contract.hpp"

#include <gtest/gtest.h>

#include <array>

namespace demeter {
namespace table_test {

enum class Colour { red, green, blue };
constexpr std::array<std::string_view, 3> labels(Colour) { return {"red", "green", "blue"}; }

template <class Scalar>
struct Leaf {
  Scalar size;
  std::optional<Scalar> weight;
  static constexpr auto fields() {
    return std::tuple{field("size", &Leaf::size, unit::metre, "how large"),
                      field("weight", &Leaf::weight, "kg", "or null")};
  }
};

template <class Scalar>
struct Branch {
  Leaf<Scalar> leaf;
  std::vector<Scalar> rings;
  static constexpr auto fields() {
    return std::tuple{field("leaf", &Branch::leaf, "", ""), field("rings", &Branch::rings, "", "")};
  }
};

template <class Scalar>
struct Tree {
  Scalar height;
  Colour colour;
  Leaf<Scalar> top;
  Vector<Scalar, 2> place;
  std::optional<Vector3<Scalar>> wind;
  std::vector<Branch<Scalar>> branches;
  std::vector<Vector3<Scalar>> seeds;
  static constexpr auto fields() {
    return std::tuple{field("height", &Tree::height, unit::metre, "of the top"),
                      field("colour", &Tree::colour, "", "in autumn"),
                      field("top", &Tree::top, "", ""),
                      field("place", &Tree::place, unit::metre, ""),
                      field("wind", &Tree::wind, "", ""),
                      field("branches", &Tree::branches, "", ""),
                      field("seeds", &Tree::seeds, "", "")};
  }
};

template <class Scalar>
bool operator==(Leaf<Scalar> const& a, Leaf<Scalar> const& b) {
  return a.size == b.size && a.weight == b.weight;
}
template <class Scalar>
bool operator==(Branch<Scalar> const& a, Branch<Scalar> const& b) {
  return a.leaf == b.leaf && a.rings == b.rings;
}
template <class Scalar>
bool operator==(Tree<Scalar> const& a, Tree<Scalar> const& b) {
  return a.height == b.height && a.colour == b.colour && a.top == b.top && a.place == b.place && a.wind == b.wind &&
         a.branches == b.branches && a.seeds == b.seeds;
}

Schema const schema = schema_of<Tree<double>>();

std::vector<Tree<double>> trees() {
  return {
      {1,
       Colour::red,
       {2, 3.0},
       {4, 5},
       Vector3<double>(6, 7, 8),
       {{{9, std::nullopt}, {10, 11}}, {{12, 13.0}, {}}},
       {}},
      {-0.0, Colour::blue, {0x1p-1074, std::nullopt}, {1e308, -1}, std::nullopt, {}, {{1, 2, 3}, {4, 5, 6}}},
      {2.5, Colour::green, {1, 1.0}, {0, 0}, std::nullopt, {{{1, 1.0}, {1, 2, 3}}}, {{7, 8, 9}}},
  };
}

Table planted() {
  Table table(schema);
  for (auto const& tree : trees()) append(table, tree);
  return table;
}

TEST(Schema, ColumnsAreInTheOrderOfTheFields) {
  std::vector<std::string> paths;
  for (auto const& column : schema.columns) paths.push_back(column.path);
  EXPECT_EQ(paths, (std::vector<std::string>{"height",
                                             "colour",
                                             "top.size",
                                             "top.weight?",
                                             "top.weight",
                                             "place[0]",
                                             "place[1]",
                                             "wind?",
                                             "wind[0]",
                                             "wind[1]",
                                             "wind[2]",
                                             "branches",
                                             "branches.leaf.size",
                                             "branches.leaf.weight?",
                                             "branches.leaf.weight",
                                             "branches.rings",
                                             "branches.rings",
                                             "seeds",
                                             "seeds[0]",
                                             "seeds[1]",
                                             "seeds[2]"}));
  EXPECT_EQ(schema.columns.size(), detail::column_count<Tree<double>>());
}

TEST(Schema, EachColumnHasTheKindAndListOfItsField) {
  using Kind = ColumnInfo::Kind;
  auto const kind = [](std::size_t i) { return schema.columns[i].kind; };
  EXPECT_EQ(kind(0), Kind::number);
  EXPECT_EQ(kind(1), Kind::label);
  EXPECT_EQ(kind(3), Kind::presence);
  EXPECT_EQ(kind(7), Kind::presence);
  EXPECT_EQ(kind(11), Kind::offsets);
  EXPECT_EQ(kind(15), Kind::offsets);
  EXPECT_EQ(schema.columns[0].list, Schema::top);
  EXPECT_EQ(schema.columns[11].list, Schema::top);
  EXPECT_EQ(schema.columns[12].list, 11u);
  EXPECT_EQ(schema.columns[15].list, 11u);
  EXPECT_EQ(schema.columns[16].list, 15u) << "a list in a list";
  EXPECT_EQ(schema.columns[18].list, 17u);
}

TEST(Schema, NodesDescribeTheirColumns) {
  auto const& children = schema.root.children;
  ASSERT_EQ(children.size(), 7u);
  EXPECT_EQ(children[0].unit, "m");
  EXPECT_EQ(children[0].doc, "of the top");
  EXPECT_EQ(children[1].kind, Node::Kind::enumeration);
  EXPECT_EQ(children[1].labels, (std::vector<std::string_view>{"red", "green", "blue"}));
  EXPECT_EQ(children[3].extent, 2u);
  EXPECT_TRUE(children[4].nullable);
  EXPECT_EQ(children[4].extent, 3u);
  EXPECT_EQ(children[4].values(), 8u);
  EXPECT_EQ(children[5].kind, Node::Kind::list);
  EXPECT_EQ(children[5].column, 11u);
  EXPECT_EQ(children[5].columns, 6u);
  EXPECT_EQ(children[6].children.front().extent, 3u);
  std::size_t next = 0;
  for (auto const& child : children) {
    EXPECT_EQ(child.column, next);
    next += child.columns;
  }
  EXPECT_EQ(next, schema.columns.size());
}

TEST(Schema, DoesNotDependOnTheScalarType) {
  Schema const other = schema_of<Tree<long double>>();
  ASSERT_EQ(other.columns.size(), schema.columns.size());
  for (std::size_t i = 0; i < other.columns.size(); ++i) EXPECT_EQ(other.columns[i].path, schema.columns[i].path);
}

TEST(Table, RecordsOfEveryShapeAreReadBack) {
  Table const table = planted();
  EXPECT_EQ(table.rows, 3u);
  for (std::size_t row = 0; row < 3; ++row) EXPECT_TRUE(load<Tree<double>>(table, row) == trees()[row]) << row;
  EXPECT_TRUE(std::signbit(load<Tree<double>>(table, 1).height)) << "-0 stays -0";
}

TEST(Table, EachColumnHasTheDocumentedCells) {
  Table const table = planted();
  EXPECT_EQ(table.columns[0], (std::vector<double>{1, 0, 2.5}));
  EXPECT_EQ(table.columns[1], (std::vector<double>{0, 2, 1}));
  EXPECT_EQ(table.columns[3], (std::vector<double>{1, 0, 1}));
  EXPECT_EQ(table.columns[7], (std::vector<double>{1, 0, 0}));
  EXPECT_EQ(table.columns[11], (std::vector<double>{0, 2, 2, 3})) << "n + 1 offsets";
  EXPECT_EQ(table.columns[12], (std::vector<double>{9, 12, 1}));
  EXPECT_EQ(table.columns[13], (std::vector<double>{0, 1, 1}));
  EXPECT_EQ(table.columns[15], (std::vector<double>{0, 2, 2, 5}));
  EXPECT_EQ(table.columns[16], (std::vector<double>{10, 11, 1, 2, 3}));
  EXPECT_EQ(table.columns[17], (std::vector<double>{0, 0, 2, 3}));
  EXPECT_EQ(table.columns[19], (std::vector<double>{2, 5, 8}));
}

TEST(Table, RecordsLoadInOtherScalarsAndReplaceOldContents) {
  Table const table = planted();
  auto const wide = load<Tree<long double>>(table, 0);
  EXPECT_EQ(wide.branches[0].rings[1], 11.0L);
  Tree<double> reused = trees()[0];
  load(reused, table, 1);
  EXPECT_TRUE(reused == trees()[1]) << "nothing of the former content stays";
  auto const back = cast<Tree<double>>(wide);
  EXPECT_TRUE(back == trees()[0]);
}

TEST(Table, RowsAreCopiedWithTheirLists) {
  Table const from = planted();
  Table to(schema);
  std::vector<std::size_t> const order{2, 0, 1, 0};
  for (std::size_t const row : order) append_row(schema, to, from, row);
  EXPECT_EQ(to.rows, 4u);
  for (std::size_t i = 0; i < order.size(); ++i) EXPECT_TRUE(load<Tree<double>>(to, i) == trees()[order[i]]) << i;
  Table direct(schema);
  for (std::size_t const row : order) append(direct, trees()[row]);
  EXPECT_EQ(to.columns, direct.columns);
}

TEST(Table, ExactTextsMoveWithTheirCells) {
  Table from = planted();
  from.exact[{0, 2}] = "5/2";   // height of the last tree
  from.exact[{16, 3}] = "6/3";  // the second ring of its branch
  from.exact[{12, 0}] = "9.0";  // size of the leaf of the first branch of the first tree
  Table to(schema);
  append_row(schema, to, from, 2);
  append_row(schema, to, from, 0);
  append_row(schema, to, from, 2);
  std::map<std::pair<std::size_t, std::size_t>, std::string> const expected{
      {{0, 0}, "5/2"}, {{0, 2}, "5/2"}, {{12, 1}, "9.0"}, {{16, 1}, "6/3"}, {{16, 6}, "6/3"}};
  EXPECT_EQ(to.exact, expected);
}

TEST(Table, RestoringAMarkRemovesEverythingAddedSince) {
  Table table = planted();
  table.exact[{0, 1}] = "-0.0";
  Table const before = table;
  TableMark const mark(table);
  append(table, trees()[0]);
  table.columns[0].push_back(7);  // only one cell of a row
  table.exact[{0, 3}] = "1/3";
  table.exact[{16, 5}] = "10";
  mark.restore(table);
  EXPECT_EQ(table.rows, before.rows);
  EXPECT_EQ(table.columns, before.columns);
  EXPECT_EQ(table.exact, before.exact);
}

TEST(Table, AClearedTableHasNoRowsAndCanBeFilledAgain) {
  Table table = planted();
  table.exact[{0, 0}] = "1";
  table.clear(schema);
  EXPECT_EQ(table.rows, 0u);
  EXPECT_TRUE(table.exact.empty());
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    bool const offsets = schema.columns[i].kind == ColumnInfo::Kind::offsets;
    EXPECT_EQ(table.columns[i].size(), offsets ? 1u : 0u);
  }
  append(table, trees()[1]);
  EXPECT_TRUE(load<Tree<double>>(table, 0) == trees()[1]);
}

TEST(Table, NotComputedIsANaNDifferentFromOthers) {
  EXPECT_TRUE(is_not_computed(not_computed()));
  EXPECT_TRUE(std::isnan(not_computed()));
  EXPECT_FALSE(is_not_computed(std::numeric_limits<double>::quiet_NaN()));
  EXPECT_FALSE(is_not_computed(-not_computed()));
  EXPECT_FALSE(is_not_computed(0));
}

}  // namespace table_test
}  // namespace demeter
