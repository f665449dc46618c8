// A subject: anything under test, as a function from a table of cases to a table of answers.
#pragma once

#include "kernels/limits.hpp"
#include "reference/spec/core/table.hpp"

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace demeter {

/// The outcome of one case.
enum class Status : unsigned char {
  answered,
  unsupported,        ///< the subject reports that it cannot answer this case
  invalid,            ///< the case is outside the kernel's domain
  not_representable,  ///< the case is outside the range of the subject's number format, or outside the domain after
                      ///< rounding to this format
  not_asked,          ///< the run stopped before this case
  missing,            ///< the subject was asked, but gave no answer
  malformed,
  crash,
  timeout,
};
constexpr std::array<std::string_view, 9> labels(Status) {
  return {"answered",  "unsupported", "invalid", "not_representable", "not_asked", "missing",
          "malformed", "crash",       "timeout"};
}
/// Returns true if the subject was asked and must answer. Such a status is a failure.
constexpr bool owed(Status status) {
  return status == Status::missing || status == Status::malformed || status == Status::crash ||
         status == Status::timeout;
}

/// The answers to a table of cases. Every case has a row, also a case without an answer. Outputs that were not computed
/// contain `not_computed()`.
struct Answers {
  Table output;
  std::vector<Status> status;
  std::map<std::size_t, std::string> message;

  void clear(Schema const& schema) {
    output.clear(schema);
    status.clear();
    message.clear();
  }
  /// Appends a row without outputs.
  template <class Output>
  void append_without(Status why, std::string text);
};

/// Returns an output in which every field is marked as not computed.
template <record Output>
Output nothing_computed() {
  Output out;
  fill_not_computed(out);
  return out;
}

template <class Output>
void Answers::append_without(Status why, std::string text) {
  message[status.size()] = std::move(text);
  status.push_back(why);
  append(output, nothing_computed<Output>());
}

/// An approximation that the authors of a code declare. Its errors are shown, and are not counted as defects.
struct Declared {
  std::string what;                  ///< the approximation: "the inertia of the bounding box"
  std::vector<std::string> outputs;  ///< the outputs that the approximation affects
  std::string source;                ///< where the authors declare the approximation
};

/// The answers of a subject to one kernel.
struct Answering {
  std::string kernel;
  std::string doc;            ///< the function of the subject that answers, and the conversions that were needed
  std::string settings = {};  ///< settings of the subject that influence the answer, such as margins and tolerances
  std::vector<Declared> declared = {};
  /// The formula of the kernel that the subject implements and is judged by; empty: the recommended formula.
  std::string formula{};
  /// Appends one row per input row to `answers`, which the caller has cleared.
  std::function<void(Table const& cases, Answers& answers)> answer;
  /// Prepares a timed run over all cases and returns a function. Each call of this function answers all cases. The
  /// inputs are converted to the data types of the subject before the timing. The function writes only the outputs of
  /// the subject.
  std::function<std::function<void()>(Table const& cases)> timed;
  /// Prepares a timed run of a batch form that can skip outputs. `wanted` has one entry per output column. Null for
  /// subjects that cannot skip outputs.
  std::function<std::function<void()>(Table const& cases, std::vector<bool> const& wanted)> timed_columns;
  /// The batch form itself, as a function over columns. It answers n rows and does not write output columns that are
  /// null. Null for other subjects.
  std::function<void(std::size_t n, double const* const* in, double* const* out)> columns;
};

/// Where the code of a subject comes from. Determines the process in which the subject answers, its default tolerance,
/// and its description in reports.
enum class Origin : unsigned char {
  fast,               ///< Demeter's batch form, at one instruction-set level or at the best one
  correctly_rounded,  ///< Demeter's form in which every output is the double nearest to the truth
  reference,          ///< the recommended formula in double
  printed,            ///< a printed formula in double
  method,             ///< an intended approximation, for example sampling
  mutant,             ///< a mutant, or a subject made by a test
  peer,               ///< a peer library: a module that the command loads
  program,            ///< an installed program behind an adapter
  library,            ///< a shared library of the user: "lib:PATH"
  pipe,               ///< a command that reads cases and writes answers: "pipe:COMMAND"
  file,               ///< a file of recorded answers: "file:PATH"
};

struct Subject {
  std::string name;  ///< the name for --subject: "fast@avx512", "bullet"
  std::string doc;
  std::string version = {};  ///< version of a peer; empty for Demeter's own subjects
  std::string home = {};     ///< address of a peer's home page, "https://..."
  Origin origin = Origin::mutant;
  std::vector<Answering> answers = {};
  /// True if the subject answers in binary32. It gets inputs rounded to float and is judged at these inputs.
  bool binary32 = false;
  Limits limits = {};
  /// Number of cases per regime for a subject whose answers are slow. Laws are then not tested. The user may set other
  /// numbers. 0: as for other subjects.
  std::uint64_t cases = 0;
  std::shared_ptr<Patience> patience = std::make_shared<Patience>();
  std::shared_ptr<Strays> strays = std::make_shared<Strays>();

  /// Returns true if the code is part of Demeter and answers in this process. Other code runs in a child process with
  /// limits.
  bool ours() const {
    switch (origin) {
      case Origin::fast:
      case Origin::correctly_rounded:
      case Origin::reference:
      case Origin::printed:
      case Origin::method:
      case Origin::mutant:
        return true;
      default:
        return false;
    }
  }
  /// Returns true if the answers are intended approximations. They are judged and timed, but their errors are not
  /// defects.
  bool approximate() const { return origin == Origin::method; }
  /// Returns true if `answer` and `timed` need no child process, because they talk to a running program or read
  /// recorded answers.
  bool separate() const { return origin == Origin::program || origin == Origin::pipe || origin == Origin::file; }
  /// Returns true for a formula of the kernel in double: "reference@double", "documented@double".
  bool formula_in_double() const { return origin == Origin::reference || origin == Origin::printed; }
  /// Returns the name without the arithmetic: "documented" for "documented@double".
  std::string_view name_of_formula() const { return std::string_view(name).substr(0, name.find('@')); }

  Answering const* find(std::string_view kernel) const {
    for (auto const& each : answers)
      if (each.kernel == kernel) return &each;
    return nullptr;
  }
};

/// Returns a subject that answers one kernel in this process, for mutants and tests.
inline Subject make_subject(std::string name, Answering answering, Origin origin = Origin::mutant) {
  Subject made{.name = std::move(name), .doc = answering.doc, .origin = origin};
  made.answers.push_back(std::move(answering));
  return made;
}

/// Returns `answering` without the output of this name: the output is never computed.
template <class Contract>
Answering without_output(Answering answering, std::string_view output) {
  Schema const schema = schema_of<typename Contract::template Output<double>>();
  for (Node const& child : schema.root.children) {
    if (child.name != output) continue;
    answering.answer = [whole = answering.answer, column = child.column](Table const& cases, Answers& answers) {
      whole(cases, answers);
      for (double& cell : answers.output.columns[column]) cell = not_computed();
    };
  }
  return answering;
}

/// Returns a timed pass over scalar calls. Each pass runs every case once, in a new order. With a fixed order the
/// branch predictor would learn the outcomes of a few thousand cases, and code with branches would look too fast.
template <class Native, class Output, class Call>
std::function<void()> timed_pass(std::shared_ptr<std::vector<Native>> natives,
                                 std::shared_ptr<std::vector<Output>> outputs, Call call) {
  return [natives, outputs, call, pass = std::uint64_t{0}]() mutable {
    std::size_t const count = natives->size();
    std::size_t power = 1;
    while (power < count) power *= 2;
    // The map i -> odd * i + pass, modulo a power of two, is a permutation. Results that are not the index of a case
    // are skipped.
    std::uint64_t const odd = 2 * (++pass * 0x9e3779b97f4a7c15 >> 20) + 1;
    for (std::size_t i = 0; i < power; ++i) {
      std::size_t const at = (odd * i + pass) & (power - 1);
      if (at >= count) continue;
      char const* const unsupported = call(std::as_const((*natives)[at]), (*outputs)[at]);
      // Forces the compiler to compute the answer, although nothing reads it.
      asm volatile("" : : "g"(&(*outputs)[at]), "g"(unsupported) : "memory");
    }
  };
}

/// Returns an `Answering` from a function of one case. `function(input, output)` writes its results to `output`; other
/// outputs stay "not computed". It returns null, or the reason why the case is unsupported.
template <class Contract, class Function>
Answering answer_with(std::string doc, Function function) {
  using Input = typename Contract::template Input<double>;
  using Output = typename Contract::template Output<double>;
  Answering result;
  result.kernel = Contract::name;
  result.doc = std::move(doc);
  result.answer = [function](Table const& cases, Answers& answers) {
    Input input;
    for (std::size_t row = 0; row < cases.rows; ++row) {
      load(input, cases, row);
      Output output = nothing_computed<Output>();
      char const* const unsupported = function(std::as_const(input), output);
      if (unsupported != nullptr) {
        answers.append_without<Output>(Status::unsupported, unsupported);
      } else {
        answers.status.push_back(Status::answered);
        append(answers.output, output);
      }
    }
  };
  result.timed = [function](Table const& cases) -> std::function<void()> {
    auto inputs = std::make_shared<std::vector<Input>>();
    for (std::size_t row = 0; row < cases.rows; ++row) inputs->push_back(load<Input>(cases, row));
    auto outputs = std::make_shared<std::vector<Output>>(inputs->size(), nothing_computed<Output>());
    return timed_pass(inputs, outputs, function);
  };
  return result;
}

}  // namespace demeter
