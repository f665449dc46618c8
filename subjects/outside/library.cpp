// Shared libraries as subjects.
#include "subjects/columns.hpp"
#include "subjects/isolation/isolate.hpp"
#include "subjects/outside/outside.hpp"

#include "kernels/lists.hpp"
#include "kernels/timed_columns.hpp"
#include "subjects/demeter_subject.h"

#include <dlfcn.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <stdexcept>

namespace demeter {
namespace {

using KernelFunction = int(std::size_t n, double const* const in[], double* const out[], std::size_t room);

/// Time limit for loading a library.
constexpr std::chrono::milliseconds longest_load{8'000};

/// The library, loaded into this process. Used only in child processes.
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
  void* handle_;  // not closed, because its destructors need not run
};

/// Returns the path, with "./" before it if it has no folder. Without a folder, dlopen would search the folders of the
/// system.
std::string path_of(std::string const& given) { return given.find('/') == std::string::npos ? "./" + given : given; }

/// Returns the name, precision, kernels and formulas of a library, or an error, as lines "key value".
std::string look(std::string const& path, std::span<Kernel const> among) {
  Library const library(path);
  std::ostringstream found;
  auto* const version = library.find<int()>("demeter_abi_version");
  if (version == nullptr) return "wrong has no function demeter_abi_version; see subjects/demeter_subject.h\n";
  int const number = version();
  if (number != DEMETER_ABI_VERSION) {
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
  auto* const formula = library.find<char const*(char const*)>("demeter_formula");
  for (auto const& kernel : among) {
    if (library.kernel(kernel.name) == nullptr) continue;
    found << "kernel " << kernel.name << '\n';
    char const* const name = formula != nullptr ? formula(kernel.name.c_str()) : nullptr;
    if (name == nullptr) continue;
    if (FoundFormula const known = kernel.formulas.find(name); !known.index) {
      found << "wrong demeter_formula(\"" << kernel.name << "\") is \"" << tidy(name, 100) << "\"; " << known.wrong
            << ", or NULL\n";
      return found.str();
    }
    found << "formula " << kernel.name << ' ' << name << '\n';
  }
  return found.str();
}

/// A library that is loaded on first use in the child. In the parent it is never loaded.
struct InChild {
  std::string path, kernel;
  std::unique_ptr<Library> library;

  KernelFunction* function() {
    if (!library) library = std::make_unique<Library>(path);
    KernelFunction* const found = library->kernel(kernel);
    if (found == nullptr) throw std::runtime_error("demeter_" + kernel + " cannot be found again");
    return found;
  }
};

Answering answer_library(std::string const& path, std::string const& doc, Kernel const& kernel) {
  Answering result;
  result.kernel = kernel.name;
  result.doc = doc;
  auto const here = std::make_shared<InChild>(InChild{path, kernel.name, nullptr});
  result.answer = [here, &kernel](Table const& cases, Answers& answers) {
    KernelFunction* const function = here->function();
    auto const refused = call_columns(function, kernel, cases, answers);
    if (!refused) return;
    if (cases.rows == 1) return append_without(kernel.output, answers, refused->status, refused->message);
    Table one(kernel.input);
    for (std::size_t row = 0; row < cases.rows; ++row) {
      one.clear(kernel.input);
      append_row(kernel.input, one, cases, row);
      if (auto const alone = call_columns(function, kernel, one, answers))
        append_without(kernel.output, answers, alone->status, alone->message);
    }
  };
  result.timed_columns = [here, &kernel](Table const& cases, std::vector<bool> const& wanted) -> std::function<void()> {
    KernelFunction* const function = here->function();
    std::size_t room = has_free_lists(kernel.output) ? first_room(cases) : 0;
    auto const columns_with = [&] {
      return std::make_shared<bench::Columns>(cases, blank_outputs(kernel.input, kernel.output, cases, room), wanted);
    };
    auto columns = columns_with();
    while (room > 0 && room < most_room_of_lists &&
           function(columns->rows(), columns->in(), columns->out(), room) == DEMETER_MORE_ROOM) {
      room = more_room(room);
      columns = columns_with();
    }
    return [function, columns, room] {
      function(columns->rows(), columns->in(), columns->out(), room);
      asm volatile("" : : "g"(columns->out()) : "memory");
    };
  };
  result.timed = [timed = result.timed_columns, count = kernel.output.columns.size()](Table const& cases) {
    return timed(cases, std::vector<bool>(count, true));
  };
  return result;
}

}  // namespace

ColumnFunction library_function(Subject const& subject, Kernel const& kernel) {
  if (subject.origin != Origin::library || subject.find(kernel.name) == nullptr) return nullptr;
  std::string const given = subject.name.substr(std::string_view("lib:").size());
  auto const here = std::make_shared<InChild>(InChild{path_of(given), kernel.name, nullptr});
  return [here](std::size_t n, double const* const in[], double* const out[], std::size_t room) {
    return here->function()(n, in, out, room);
  };
}

Opened open_library(std::string const& given, SubjectOptions const& options, std::span<Kernel const> among) {
  std::string const path = path_of(given);
  Subject subject;
  subject.name = "lib:" + given;
  subject.origin = Origin::library;
  subject.limits = options.limits();
  subject.binary32 = options.binary32;
  // Loading has a shorter time limit than answers. So the check of a library that hangs on loading ends soon.
  Limits loading = subject.limits;
  loading.time_per_chunk = std::min(loading.time_per_chunk, longest_load);
  Isolated const looked = run_isolated(
      [&]() -> std::string {
        try {
          return look(path, among);
        } catch (std::runtime_error const& error) {
          return std::string("wrong ") + error.what() + "\n";
        }
      },
      loading);
  if (looked.status != Status::answered) return {std::nullopt, given + ": cannot be loaded: " + looked.message};
  std::istringstream lines(looked.result);
  std::vector<std::string> names;
  std::map<std::string, std::string> formulas;  // formula of each kernel
  for (std::string key, value; lines >> key && std::getline(lines >> std::ws, value);) {
    if (key == "wrong") return {std::nullopt, value.rfind(path, 0) == 0 ? value : given + ": " + value};
    if (key == "name") subject.doc = value;
    if (key == "precision" && value == "24") subject.binary32 = true;
    if (key == "kernel") names.push_back(value);
    if (key == "formula") formulas[value.substr(0, value.find(' '))] = value.substr(value.find(' ') + 1);
  }
  std::string expected;
  for (auto const& kernel : among) {
    expected += (expected.empty() ? "demeter_" : ", demeter_") + kernel.name;
    if (std::find(names.begin(), names.end(), kernel.name) == names.end()) continue;
    subject.answers.push_back(answer_library(path, subject.doc, kernel));
    subject.answers.back().formula = formulas[kernel.name];
  }
  if (subject.answers.empty())
    return {std::nullopt, given + ": has no function of a kernel; expected one of " + expected};
  return {std::move(subject), ""};
}

}  // namespace demeter
