#include "check/call_mutants.hpp"

#include "kernels/lists.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <stdexcept>

namespace demeter {
namespace {

/// Copies columns into a table of cases.
Table read_columns(Schema const& schema, std::size_t n, double const* const in[]) {
  Table table(schema);
  table.rows = n;
  for (std::size_t k = 0; k < schema.columns.size(); ++k) {
    // The column of a list's offsets is before the columns of its elements, so the offsets are already copied.
    std::size_t const list = schema.columns[k].list;
    std::size_t const cells = (list == Schema::top ? n : static_cast<std::size_t>(table.columns[list].back())) +
                              (schema.columns[k].kind == ColumnInfo::Kind::offsets ? 1 : 0);
    table.columns[k].assign(in[k], in[k] + cells);
  }
  return table;
}

/// Marks the outputs of a row as not computed.
void leave_alone(Schema const& schema, Table& answers, std::size_t row) {
  auto const leave = [&](auto const& self, Node const& node, std::size_t at) -> void {
    switch (node.kind) {
      case Node::Kind::record:
        for (auto const& child : node.children) self(self, child, at);
        return;
      case Node::Kind::list:
        for (auto i = static_cast<std::size_t>(answers.columns[node.column][at]);
             i < static_cast<std::size_t>(answers.columns[node.column][at + 1]); ++i)
          self(self, node.children.front(), i);
        return;
      default:
        if (node.nullable) answers.columns[node.column][at] = 1;
        for (std::size_t k = node.values(); k < node.column + node.columns; ++k)
          answers.columns[k][at] = not_computed();
    }
  };
  leave(leave, schema.root, row);
}

/// The data of a call, for a function that inserts a defect. `answers` are the right answers. The function changes them
/// before they are written to `out`.
struct Spoilt {
  Schema const& output;
  std::size_t n;
  Table const& cases;
  Table& answers;
  double const* const* in;
  double* const* out;
};
using Spoil = std::function<void(Spoilt const&)>;

Subject subject_of(std::string const& name, std::string const& doc, Answering const& right, Kernel const& kernel,
                   Spoil const& spoil) {
  Answering answering;
  answering.kernel = kernel.name;
  answering.doc = doc;
  answering.answer = right.answer;
  answering.columns = [right, &kernel, spoil](std::size_t n, double const* const in[], double* const out[]) {
    Answers answers;
    answers.clear(kernel.output);
    Table const cases = read_columns(kernel.input, n, in);
    right.answer(cases, answers);
    if (spoil) spoil({kernel.output, n, cases, answers.output, in, out});
    for (std::size_t k = 0; k < answers.output.columns.size(); ++k)
      if (out[k] != nullptr) std::copy(answers.output.columns[k].begin(), answers.output.columns[k].end(), out[k]);
  };
  return make_subject(name, std::move(answering));
}

/// Returns a defect: row `row` gets the answer of the row before it, in calls with more than `row` rows.
Spoil as_its_neighbour(std::size_t row) {
  return [row](Spoilt const& call) {
    if (call.n > row) copy_row(call.output, call.answers, row, row - 1);
  };
}

/// The first answer of the previous call, for mutants that keep a state.
struct Kept {
  Table answers;
  std::size_t calls = 0;
};

/// Answers row 0 with the answer kept from the previous call, if there is one. Keeps the right answer for the next
/// call.
void exchange_first(Spoilt const& call, Kept& kept) {
  Table now(call.output);
  append_row(call.output, now, call.answers, 0);
  if (kept.calls++ > 0) {
    Table both(call.output);
    append_row(call.output, both, kept.answers, 0);
    for (std::size_t row = 0; row < call.n; ++row) append_row(call.output, both, call.answers, row);
    copy_row(call.output, both, 1, 0);
    Table spoilt(call.output);
    for (std::size_t row = 1; row <= call.n; ++row) append_row(call.output, spoilt, both, row);
    call.answers = std::move(spoilt);
  }
  kept.answers = std::move(now);
}

}  // namespace

ColumnFunction over_columns(Answering const& answering, Kernel const& kernel) {
  auto const columns = subject_of("", "", answering, kernel, nullptr).answers.front().columns;
  return [columns](std::size_t n, double const* const in[], double* const out[], std::size_t) {
    columns(n, in, out);
    return 0;
  };
}

Subject right_over_columns(Mutants const& mutants, Kernel const& kernel) {
  return subject_of("unmutated", mutants.right.doc, *mutants.right.find(kernel.name), kernel, nullptr);
}

std::vector<Mutants::Each> call_mutants(Mutants const& mutants, Kernel const& kernel) {
  Answering const& right = *mutants.right.find(kernel.name);
  std::vector<Mutants::Each> list;
  auto const add = [&](std::string const& name, std::string const& change, std::string const& source,
                       Spoil const& spoil) {
    list.push_back({name, change, source, subject_of("mutant:" + name, change, right, kernel, spoil)});
  };
  add("call_last_row_left", "the last row of a batch is not written", "a loop that ends one row too early",
      [](Spoilt const& call) {
        if (call.n > 1) leave_alone(call.output, call.answers, call.n - 1);
      });
  for (std::size_t const row : std::array<std::size_t, 5>{7, 8, 15, 16, 63})
    add("call_row_" + std::to_string(row),
        "row " + std::to_string(row) + " of a batch gets the answer of the row before",
        "a wrong lane at the end of a SIMD vector or a block", as_its_neighbour(row));
  add("call_odd_tail", "the last row of an odd number gets the answer of the row before", "a loop unrolled by two",
      [](Spoilt const& call) {
        if (call.n > 1 && call.n % 2 == 1) copy_row(call.output, call.answers, call.n - 1, call.n - 2);
      });
  add("call_large_batch", "in a batch of more than 1,000 rows, the first row gets the answer of the second",
      "a buffer of fixed size", [](Spoilt const& call) {
        if (call.n > 1000) copy_row(call.output, call.answers, 0, 1);
      });
  add("call_previous_answer", "a single case gets the answer of the case before", "a result that is read too early",
      [kept = std::make_shared<Kept>()](Spoilt const& call) {
        if (call.n == 1) exchange_first(call, *kept);
      });
  add("call_state_kept", "the first row of a call gets the first answer of the call before",
      "a static buffer that is not cleared", [kept = std::make_shared<Kept>()](Spoilt const& call) {
        if (call.n > 0) exchange_first(call, *kept);
      });
  add("call_tenth", "every tenth call does not write its first row", "a counter that overflows",
      [calls = std::make_shared<std::size_t>(0)](Spoilt const& call) {
        if (++*calls % 10 == 0 && call.n > 0) leave_alone(call.output, call.answers, 0);
      });
  add("call_late", "the first row is not written from the 300th call on", "a table that is full",
      [calls = std::make_shared<std::size_t>(0)](Spoilt const& call) {
        if (++*calls >= 300 && call.n > 0) leave_alone(call.output, call.answers, 0);
      });
  for (std::size_t const nth : std::array<std::size_t, 3>{2, 5, 11})
    add(fmt::format("call_dies_{}", nth), fmt::format("call {} of a process ends the process", nth),
        "a buffer that is released twice", [nth, calls = std::make_shared<std::size_t>(0)](Spoilt const&) {
          if (++*calls == nth) std::abort();
        });
  for (std::size_t const rest : std::array<std::size_t, 3>{4, 5, 6})
    add(fmt::format("call_rest_{}", rest),
        fmt::format("the last of 8 k + {} rows, k > 0, gets the answer of the row before", rest),
        "the remainder of a vector loop with a wrong mask", [rest](Spoilt const& call) {
          if (call.n > 8 && call.n % 8 == rest) copy_row(call.output, call.answers, call.n - 1, call.n - 2);
        });
  add("call_rest_unrolled", "the last of 8 k + 7 rows, k > 11, gets the answer of the row before",
      "the remainder of an unrolled loop", [](Spoilt const& call) {
        if (call.n > 100 && call.n % 8 == 7) copy_row(call.output, call.answers, call.n - 1, call.n - 2);
      });
  add("call_aligned", "columns at addresses that are not multiples of 16 bytes end the process",
      "an aligned vector load", [](Spoilt const& call) {
        auto const at = reinterpret_cast<std::uintptr_t>(call.in[0]);
        if (call.n > 1 && at % 16 != 0) std::abort();
      });
  add("call_none_asked", "row 0 is written in a call for 0 rows", "a loop that tests at its end",
      [](Spoilt const& call) {
        for (std::size_t k = 0; k < call.output.columns.size() && call.n == 0; ++k)
          if (call.output.columns[k].kind != ColumnInfo::Kind::offsets && call.out[k] != nullptr) call.out[k][0] = 0;
      });
  add("call_unwanted_written", "the last output is written even if its pointer is NULL", "a pointer that is not tested",
      [](Spoilt const& call) {
        // Volatile: otherwise the compiler could assume that this pointer is not null.
        double volatile* volatile const cell = call.out[call.output.columns.size() - 1];
        if (call.n > 0) *cell = 0;
      });
  add("call_unwanted_first", "if the first output is not wanted, the others are not written",
      "an output from which others are computed", [](Spoilt const& call) {
        Node const& first = call.output.root.children.front();
        bool const others = std::any_of(call.out + first.column + first.columns, call.out + call.output.columns.size(),
                                        [](double* out) { return out != nullptr; });
        if (call.out[first.column] == nullptr && others)
          for (std::size_t row = 0; row < call.n; ++row) leave_alone(call.output, call.answers, row);
      });
  add("call_input_used", "inputs are changed during the call and restored", "a const that is cast away",
      [](Spoilt const& call) {
        if (call.n == 0) return;
        double volatile* const cell = const_cast<double*>(call.in[0]);
        double const before = *cell;
        *cell = 0;
        *cell = before;
      });
  add("call_beyond_the_end", "a call for several rows writes one number too many", "a SIMD tail without a mask",
      [](Spoilt const& call) {
        if (call.n > 1 && call.out[0] != nullptr) call.out[0][call.answers.columns[0].size()] = 0;
      });
  add("call_reads_beyond", "the row after the last is read", "a prefetch without a limit", [](Spoilt const& call) {
    double const volatile* const cells = call.in[0];
    std::size_t const count = call.cases.columns[0].size();
    if (count % 8 == 0) static_cast<void>(cells[count] + 0);
  });
  if (kernel.output.root.children.size() < 2)
    std::erase_if(list, [](auto const& each) { return each.name == "call_unwanted_first"; });
  return list;
}

}  // namespace demeter
