// Shared libraries as subjects.
#include "subjects/isolation/isolate.hpp"
#include "subjects/outside/outside.hpp"

#include "kernels/columns.hpp"
#include "subjects/demeter_subject.h"

#include <dlfcn.h>
#include <fenv.h>

#include <algorithm>
#include <cstring>
#include <sstream>
#include <stdexcept>

namespace demeter {
namespace {

using KernelFunction = int(std::size_t n, double const* const in[], double* const out[]);

/// The library in this process; only ever used in a child.
class Library {
 public:
  explicit Library(std::string const& path) : handle_(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (handle_ == nullptr) throw std::runtime_error(dlerror());
  }
  template <class Function>
  Function* find(std::string const& name) const {
    return reinterpret_cast<Function*>(dlsym(handle_, name.c_str()));
  }
  KernelFunction* kernel(std::string const& name) const { return find<KernelFunction>("demeter_" + name); }

 private:
  void* handle_;  // closed with the process: a destructor of the library's is no business of ours
};

/// What looking at a library finds, as lines of "key value".
std::string look(std::string const& path) {
  Library const library(path);
  std::ostringstream found;
  auto* const version = library.find<int()>("demeter_abi_version");
  if (version == nullptr) return "wrong has no function demeter_abi_version; see subjects/demeter_subject.h\n";
  if (int const number = version(); number != DEMETER_ABI_VERSION) {
    found << "wrong demeter_abi_version() is " << number << ", expected " << DEMETER_ABI_VERSION << '\n';
    return found.str();
  }
  if (auto* const name = library.find<char const*()>("demeter_subject_name")) {
    char const* const text = name();
    if (text != nullptr && *text != 0) found << "name " << tidy(text, 100) << '\n';
  }
  if (auto* const precision = library.find<int()>("demeter_subject_precision")) {
    int const bits = precision();
    if (bits != 24 && bits != 53) {
      found << "wrong demeter_subject_precision() is " << bits << ", expected 24 or 53\n";
      return found.str();
    }
    found << "precision " << bits << '\n';
  }
  for (auto const& kernel : kernels())
    if (library.kernel(kernel.name) != nullptr) found << "kernel " << kernel.name << '\n';
  return found.str();
}

/// Columns with cells around them that nobody may write to.
class GuardedColumns {
 public:
  double* add(std::size_t count) {
    std::size_t const bytes = (count + 2 * guard) * sizeof(double), rounded = (bytes + 63) / 64 * 64;
    auto* const start = static_cast<double*>(std::aligned_alloc(64, rounded));
    if (start == nullptr) throw std::bad_alloc();
    columns_.push_back({std::unique_ptr<double, Free>(start), count});
    std::fill_n(start, guard, mark());
    std::fill_n(start + guard + count, guard, mark());
    return start + guard;
  }
  /// The first column around which something was written.
  std::optional<std::size_t> damaged() const {
    for (std::size_t k = 0; k < columns_.size(); ++k) {
      double const* const start = columns_[k].start.get();
      for (std::size_t i = 0; i < guard; ++i)
        if (std::memcmp(start + i, &mark_bits, 8) != 0 ||
            std::memcmp(start + guard + columns_[k].count + i, &mark_bits, 8) != 0)
          return k;
    }
    return std::nullopt;
  }

 private:
  static constexpr std::size_t guard = 64;  // a multiple of 64 bytes, so that columns are aligned
  static constexpr std::uint64_t mark_bits = 0x7ff8'6761'7264'0001;
  static double mark() { return std::bit_cast<double>(mark_bits); }
  struct Free {
    void operator()(double* cells) const { std::free(cells); }
  };
  struct Column {
    std::unique_ptr<double, Free> start;
    std::size_t count;
  };
  std::vector<Column> columns_;
};

/// The control part of the floating-point environment.
std::pair<unsigned, unsigned> floating_point_mode() {
#if defined(__x86_64__)
  fenv_t now;
  fegetenv(&now);
  return {now.__control_word, now.__mxcsr & ~0x3fu};  // without the flags of what has happened
#else
  return {static_cast<unsigned>(fegetround()), 0};
#endif
}

struct Refusal {
  Status status;
  std::string message;
};

/// Asks for all cases in one batch; `answers` gets its rows only if nothing is wrong.
std::optional<Refusal> ask(KernelFunction* function, Schema const& output, Table const& cases, Answers& answers) {
  GuardedColumns in_columns, out_columns;
  std::vector<double const*> in;
  std::vector<double*> out;
  for (auto const& column : cases.columns) {
    double* const cells = in_columns.add(column.size());
    std::copy(column.begin(), column.end(), cells);
    in.push_back(cells);
  }
  for (std::size_t k = 0; k < output.columns.size(); ++k) {
    out.push_back(out_columns.add(cases.rows));
    std::fill_n(out.back(), cases.rows, not_computed());
  }
  auto const in_before = in;
  auto const out_before = out;
  fenv_t environment;
  fegetenv(&environment);
  auto const mode = floating_point_mode();
  int const code = function(cases.rows, in.data(), out.data());
  auto const mode_after = floating_point_mode();
  if (mode_after != mode) {
    fesetenv(&environment);
    return Refusal{Status::malformed, "returned with the rounding mode or flush-to-zero changed"};
  }
  auto const wrote = [&](std::string const& where) { return Refusal{Status::malformed, "wrote " + where}; };
  if (auto const k = out_columns.damaged()) return wrote("outside of the column out[" + std::to_string(*k) + "]");
  if (auto const k = in_columns.damaged()) return wrote("outside of the column in[" + std::to_string(*k) + "]");
  if (in != in_before || out != out_before) return wrote("to the array of columns");
  for (std::size_t k = 0; k < in.size(); ++k)
    if (!cases.columns[k].empty() &&
        std::memcmp(in[k], cases.columns[k].data(), cases.columns[k].size() * sizeof(double)) != 0)
      return wrote("to its input, in[" + std::to_string(k) + "]");
  if (code != 0) return Refusal{Status::unsupported, "returned " + std::to_string(code)};
  Table table(output);
  table.rows = cases.rows;
  for (std::size_t k = 0; k < out.size(); ++k) table.columns[k].assign(out[k], out[k] + cases.rows);
  if (auto wrong = flaw(output, table, cases.rows)) return Refusal{Status::malformed, *wrong};
  for (std::size_t k = 0; k < out.size(); ++k) {
    auto& column = answers.output.columns[k];
    column.insert(column.end(), table.columns[k].begin(), table.columns[k].end());
  }
  answers.output.rows += cases.rows;
  answers.status.insert(answers.status.end(), cases.rows, Status::answered);
  return std::nullopt;
}

/// Loaded at the first use in the child; the parent's copy stays empty.
struct InChild {
  std::string path, kernel;
  std::unique_ptr<Library> library;

  KernelFunction* function() {
    if (!library) library = std::make_unique<Library>(path);
    auto* const found = library->kernel(kernel);
    if (found == nullptr) throw std::runtime_error("demeter_" + kernel + " is gone");
    return found;
  }
};

Answering answer_library(std::string const& path, std::string const& doc, Kernel const& kernel) {
  Answering result;
  result.kernel = kernel.name;
  result.doc = doc;
  auto const here = std::make_shared<InChild>(InChild{path, kernel.name, nullptr});
  result.answer = [here, &kernel](Table const& cases, Answers& answers) {
    auto* const function = here->function();
    auto const refused = ask(function, kernel.output, cases, answers);
    if (!refused) return;
    if (cases.rows == 1) return append_without(kernel.output, answers, refused->status, refused->message);
    Table one(kernel.input);
    for (std::size_t row = 0; row < cases.rows; ++row) {
      one.clear(kernel.input);
      append_row(kernel.input, one, cases, row);
      if (auto const alone = ask(function, kernel.output, one, answers))
        append_without(kernel.output, answers, alone->status, alone->message);
    }
  };
  result.timed_columns = [here](Table const& cases, std::vector<bool> const& wanted) -> std::function<void()> {
    auto const columns = std::make_shared<bench::Columns>(cases, wanted);
    return [function = here->function(), columns] {
      function(columns->rows(), columns->in(), columns->out());
      asm volatile("" : : "g"(columns->out()) : "memory");
    };
  };
  result.timed = [timed = result.timed_columns, count = kernel.output.columns.size()](Table const& cases) {
    return timed(cases, std::vector<bool>(count, true));
  };
  return result;
}

bool has_lists(Schema const& schema) {
  return std::any_of(schema.columns.begin(), schema.columns.end(),
                     [](ColumnInfo const& column) { return column.kind == ColumnInfo::Kind::offsets; });
}

/// For a library that cannot be loaded without harm: the same for every case of every kernel.
Subject always(Subject subject, Status status, std::string const& message) {
  for (auto const& kernel : kernels()) {
    Answering answering;
    answering.kernel = kernel.name;
    answering.doc = message;
    answering.answer = [status, message, &kernel](Table const& cases, Answers& answers) {
      for (std::size_t row = 0; row < cases.rows; ++row) append_without(kernel.output, answers, status, message);
    };
    subject.answers.push_back(std::move(answering));
  }
  subject.separate = true;  // nothing of the library's is run
  return subject;
}

}  // namespace

Opened open_library(std::string const& given, SubjectOptions const& options) {
  // dlopen would look for a bare name among the system's libraries.
  std::string const path = given.find('/') == std::string::npos ? "./" + given : given;
  Subject subject;
  subject.name = "lib:" + given;
  subject.ours = false;
  subject.limits = options.limits();
  subject.binary32 = options.binary32;
  Isolated const looked = run_isolated(
      [&]() -> std::string {
        try {
          return look(path);
        } catch (std::runtime_error const& error) {
          return std::string("wrong ") + error.what() + "\n";
        }
      },
      subject.limits);
  if (looked.status != Status::answered)
    return {always(std::move(subject), looked.status, "while it is loaded: " + looked.message), ""};
  std::istringstream lines(looked.result);
  std::vector<std::string> names;
  for (std::string key, value; lines >> key && std::getline(lines >> std::ws, value);) {
    if (key == "wrong") return {std::nullopt, value.rfind(path, 0) == 0 ? value : given + ": " + value};
    if (key == "name") subject.doc = value;
    if (key == "precision" && value == "24") subject.binary32 = true;
    if (key == "kernel") names.push_back(value);
  }
  std::string expected;
  for (auto const& kernel : kernels()) {
    expected += (expected.empty() ? "demeter_" : ", demeter_") + kernel.name;
    if (std::find(names.begin(), names.end(), kernel.name) == names.end() || has_lists(kernel.output)) continue;
    subject.answers.push_back(answer_library(path, subject.doc, kernel));
  }
  if (subject.answers.empty())
    return {std::nullopt, given + ": has no function of a kernel; expected one of " + expected};
  return {std::move(subject), ""};
}

}  // namespace demeter
