#include "kernels/lists.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace demeter {
namespace {

/// Returns the offsets of the input list that gives the length of an output list.
std::vector<double> const& offsets_of(Schema const& input, Table const& cases, std::string const& list) {
  auto const found = std::find_if(input.root.children.begin(), input.root.children.end(),
                                  [&](Node const& child) { return child.name == list; });
  return cases.columns[found->column];  // the list exists: make_kernel asserts lengths_are_known
}

/// Fills the columns of a node with `cells` elements that are marked "not computed": see blank_outputs().
void make_blank(Node const& node, Schema const& input, Table const& cases, std::size_t cells, std::size_t room,
                Table& answers) {
  switch (node.kind) {
    case Node::Kind::record:
      for (auto const& child : node.children) make_blank(child, input, cases, cells, room, answers);
      return;
    case Node::Kind::list: {
      auto& offsets = answers.columns[node.column];
      std::size_t elements = room;
      if (node.length_of.empty()) {
        offsets.assign(cells + 1, not_computed());
      } else {
        offsets = offsets_of(input, cases, node.length_of);
        elements = static_cast<std::size_t>(offsets.back());
      }
      return make_blank(node.children.front(), input, cases, elements, room, answers);
    }
    default:
      if (node.nullable) answers.columns[node.column].assign(cells, 1);
      for (std::size_t i = node.values(); i < node.column + node.columns; ++i)
        answers.columns[i].assign(cells, not_computed());
  }
}

std::string wrong_length(Node const& node, double length, std::size_t expected) {
  return fmt::format("{}: a list of {}, expected {}, as long as {}", node.name, length, expected, node.length_of);
}

/// Checks the lists of a node with `cells` elements, and shortens its columns to the elements that were written.
class Settling {
 public:
  Settling(Schema const& input, Schema const& output, Table const& cases, std::size_t room, Table& answers)
      : input_(input), output_(output), cases_(cases), room_(room), answers_(answers) {}

  std::optional<std::string> operator()(Node const& node, std::size_t cells) {
    switch (node.kind) {
      case Node::Kind::record:
        for (auto const& child : node.children)
          if (auto wrong = (*this)(child, cells)) return wrong;
        return std::nullopt;
      case Node::Kind::list:
        return node.length_of.empty() ? settle_free(node, cells) : settle_given(node);
      default:
        for (std::size_t i = 0; i < node.columns; ++i) answers_.columns[node.column + i].resize(cells);
        return std::nullopt;
    }
  }

 private:
  std::optional<std::string> settle_given(Node const& node) {
    auto const& expected = offsets_of(input_, cases_, node.length_of);
    auto const& offsets = answers_.columns[node.column];
    for (std::size_t i = 0; i + 1 < expected.size(); ++i)
      if (double const length = offsets[i + 1] - offsets[i]; !(length == expected[i + 1] - expected[i]))
        return wrong_length(node, length, static_cast<std::size_t>(expected[i + 1] - expected[i]));
    if (offsets.front() != 0) return fmt::format("{}: expected the offsets that were given", node.name);
    return (*this)(node.children.front(), static_cast<std::size_t>(expected.back()));
  }

  std::optional<std::string> settle_free(Node const& node, std::size_t cells) {
    auto& offsets = answers_.columns[node.column];
    offsets.resize(cells + 1);
    if (std::all_of(offsets.begin(), offsets.end(), is_not_computed)) {
      for (std::size_t i = node.column + 1; i < node.column + node.columns; ++i) {
        answers_.columns[i].clear();
        if (output_.columns[i].kind == ColumnInfo::Kind::offsets) answers_.columns[i].push_back(0);
      }
      offsets.assign(1, 0);
      for (std::size_t i = 0; i < cells; ++i) append_not_computed(node, answers_);
      return std::nullopt;
    }
    double last = 0;
    for (std::size_t i = 0; i <= cells; ++i) {
      double const here = offsets[i];
      if (here >= last && here <= static_cast<double>(room_) &&
          here == static_cast<double>(static_cast<std::size_t>(here)) && (i > 0 || here == 0)) {
        last = here;
        continue;
      }
      return fmt::format("out[{}], the offsets of {}: {} at {}, expected {}", node.column,
                         output_.columns[node.column].path, is_not_computed(here) ? "nothing" : fmt::format("{}", here),
                         i, i == 0 ? "0" : fmt::format("a whole number from {} to {}, the room", last, room_));
    }
    return (*this)(node.children.front(), static_cast<std::size_t>(last));
  }

  Schema const& input_;
  Schema const& output_;
  Table const& cases_;
  std::size_t room_;
  Table& answers_;
};

}  // namespace

bool has_free_lists(Schema const& output) {
  auto const found = [](auto const& self, Node const& node) -> bool {
    if (node.kind == Node::Kind::list && node.length_of.empty()) return true;
    return std::any_of(node.children.begin(), node.children.end(),
                       [&](Node const& child) { return self(self, child); });
  };
  return found(found, output.root);
}

Table blank_outputs(Schema const& input, Schema const& output, Table const& cases, std::size_t room) {
  Table answers(output);
  answers.rows = cases.rows;
  make_blank(output.root, input, cases, cases.rows, room, answers);
  return answers;
}

std::optional<std::string> settle_outputs(Schema const& input, Schema const& output, Table const& cases,
                                          std::size_t room, Table& answers) {
  return Settling(input, output, cases, room, answers)(output.root, cases.rows);
}

std::optional<std::string> list_flaw(Schema const& input, Schema const& output, Table const& cases, std::size_t row,
                                     Table const& answers, std::size_t answer_row) {
  auto const walk = [&](auto const& self, Node const& node, std::string const& path,
                        std::size_t at) -> std::optional<std::string> {
    if (node.kind == Node::Kind::record) {
      for (auto const& child : node.children)
        if (auto wrong = self(self, child, path.empty() ? child.name : path + "." + child.name, at)) return wrong;
    }
    if (node.kind != Node::Kind::list || !is_computed(node, answers, at)) return std::nullopt;
    auto const& offsets = answers.columns[node.column];
    auto const begin = static_cast<std::size_t>(offsets[at]), end = static_cast<std::size_t>(offsets[at + 1]);
    if (!node.length_of.empty()) {
      auto const& of = offsets_of(input, cases, node.length_of);
      if (of[row + 1] - of[row] != offsets[at + 1] - offsets[at])
        return wrong_length(node, offsets[at + 1] - offsets[at], static_cast<std::size_t>(of[row + 1] - of[row]));
    }
    for (std::size_t i = begin; i < end; ++i) {
      if (!is_computed(node.children.front(), answers, i))
        return fmt::format("{}[{}]: left out, expected the whole list or nothing of it", path, i - begin);
      if (auto wrong = self(self, node.children.front(), fmt::format("{}[{}]", path, i - begin), i)) return wrong;
    }
    return std::nullopt;
  };
  return walk(walk, output.root, "", answer_row);
}

void copy_row(Schema const& schema, Table& answers, std::size_t to, std::size_t from) {
  auto const copy = [&](auto const& self, Node const& node, std::size_t at, std::size_t of) -> void {
    switch (node.kind) {
      case Node::Kind::record:
        for (auto const& child : node.children) self(self, child, at, of);
        return;
      case Node::Kind::list: {
        auto const& offsets = answers.columns[node.column];
        auto const begin = [&](std::size_t row) { return static_cast<std::size_t>(offsets[row]); };
        std::size_t const length = std::min(begin(at + 1) - begin(at), begin(of + 1) - begin(of));
        for (std::size_t i = 0; i < length; ++i) self(self, node.children.front(), begin(at) + i, begin(of) + i);
        return;
      }
      default:
        for (std::size_t k = node.column; k < node.column + node.columns; ++k)
          answers.columns[k][at] = answers.columns[k][of];
    }
  };
  copy(copy, schema.root, to, from);
}

}  // namespace demeter
