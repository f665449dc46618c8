#include "subjects/outside/programs.hpp"

#include "base/shell.hpp"
#include "subjects/isolation/process.hpp"

#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <mutex>
#include <set>
#include <sstream>

namespace demeter {
namespace {

constexpr std::chrono::seconds patience{20};  // time limit per answer: a program may start slowly

/// A Python program that runs the text of an adapter like a file. The adapter can import the module that all adapters
/// share.
constexpr std::string_view start =
    "import sys, types\n"
    "for name in ('core', 'core.adapter'): sys.modules[name] = types.ModuleType(name)\n"
    "shared, text, *sys.argv = sys.argv[1:]\n"
    "exec(compile(shared, 'adapter.py', 'exec'), sys.modules['core.adapter'].__dict__)\n"
    "exec(compile(text, sys.argv[0], 'exec'))\n";

std::string python() {
  // Prefers the Python of the system, because the wrapper of a version manager starts slowly.
  return ::access("/usr/bin/python3", X_OK) == 0 ? "/usr/bin/python3" : on_path("python3") ? "python3" : "";
}

std::string command_of(ProgramAdapter const& adapter, std::string const& variant) {
  return "exec " + python() + " -c " + sh_quoted(start) + " " + sh_quoted(programs::common_text()) + " " +
         sh_quoted(adapter.text) + " " + adapter.name + ".py " + variant;
}

/// Returns the first line that a shell command prints.
std::string printed_by(std::string const& command) {
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return "";
  char text[200] = "";
  char const* const line = std::fgets(text, sizeof text, pipe);
  std::string result = line == nullptr ? "" : line;
  while (std::fgets(text, sizeof text, pipe) != nullptr) {
  }
  ::pclose(pipe);
  while (!result.empty() && std::isspace(static_cast<unsigned char>(result.back())) != 0) result.pop_back();
  return tidy(result, 80);
}

/// Returns the first line that a shell command prints. Runs the command in a temporary folder, because some programs
/// write a log even if asked for their version. `$PYTHON` is the Python of the adapters, which still finds the user's
/// own modules. The other variables are settings of Open MPI and its library hwloc. Without them, Open MPI reads
/// settings in the user's home and looks for X displays and for a server on this machine.
std::string first_line(std::string const& command) {
  return printed_by(
      "folder=$(mktemp -d) && cd \"$folder\" && export PYTHONUSERBASE=\"${PYTHONUSERBASE:-${HOME:-/}/.local}\" "
      "HOME=\"$folder\" HWLOC_COMPONENTS=-gl "
      "OMPI_MCA_ess_singleton_isolated=1 OMPI_MCA_pml=ob1 OMPI_MCA_btl=self PYTHON=" +
      python() + " && timeout 20 /bin/sh -c " + sh_quoted(command) + " 2>/dev/null; cd / && rm -rf \"$folder\"");
}

/// Returns the Python modules that adapters need and that are installed. Starts Python once for all adapters (20 ms).
std::set<std::string> const& found_modules() {
  static std::set<std::string> const found = [] {
    std::string wanted;
    for (auto const& adapter : program_adapters())
      if (!adapter.module.empty()) wanted += " " + adapter.module;
    std::istringstream line(printed_by("exec " + python() +
                                       " -c 'import importlib.util, sys\n"
                                       "print(*(name for name in sys.argv[1:] if importlib.util.find_spec(name)))'" +
                                       wanted + " 2>/dev/null"));
    return std::set<std::string>(std::istream_iterator<std::string>(line), {});
  }();
  return found;
}

/// Returns why a program cannot be asked, or "".
std::string missing(ProgramAdapter const& adapter) {
  std::string const absent = "not installed (Debian: " + adapter.package + ")";
  if (!on_path(adapter.program)) return absent;
  if (python().empty()) return "its adapter needs python3 (Debian: python3)";
  return adapter.module.empty() || found_modules().contains(adapter.module) ? "" : absent;
}

/// Returns the names of the adapter's subjects. Each name has the argument with which the adapter is called.
std::vector<std::pair<std::string, std::string>> subjects_of(ProgramAdapter const& adapter) {
  if (adapter.variants.empty()) return {{adapter.name, ""}};
  std::vector<std::pair<std::string, std::string>> all;
  for (auto const& each : adapter.variants) all.emplace_back(adapter.name + "_" + each.first, each.first);
  return all;
}

/// Reads "outputs | approximation | source".
Declared read_declaration(std::string_view text, Kernel const& kernel) {
  auto const next = [&](std::string_view separator) {
    std::string_view const part = text.substr(0, text.find(separator));
    text.remove_prefix(std::min(part.size() + separator.size(), text.size()));
    return part;
  };
  std::string const outputs = ", " + std::string(next(" | ")) + ", ";
  Declared declared{std::string(next(" | ")), {}, std::string(text)};
  for (Node const& output : kernel.output.root.children)
    if (outputs == ", all, " || outputs.find(", " + std::string(output.name) + ", ") != outputs.npos)
      declared.outputs.emplace_back(output.name);
  return declared;
}

}  // namespace

ProgramAdapter read_adapter(std::string_view name, std::string_view text) {
  ProgramAdapter result;
  result.name = name;
  result.text = text;
  auto const set = [&](std::string_view key, std::string_view value) {
    constexpr std::string_view answers = "answers ";
    if (key.starts_with(answers)) result.answers.emplace_back(key.substr(answers.size()), value);
    constexpr std::string_view formula = "formula ", variant = "variant ", declares = "declares ";
    if (key.starts_with(declares)) result.declared.emplace_back(key.substr(declares.size()), value);
    if (key.starts_with(formula)) result.formulas.emplace_back(key.substr(formula.size()), value);
    if (key.starts_with(variant)) result.variants.emplace_back(key.substr(variant.size()), value);
    if (key == "program") result.program = value;
    if (key == "package") result.package = value;
    if (key == "module") result.module = value;
    if (key == "version") result.version = value;
    if (key == "home") result.home = value;
    if (key == "cases") std::from_chars(value.data(), value.data() + value.size(), result.cases);
  };
  for (std::string_view rest = text; !rest.empty();) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    constexpr std::string_view quotes = "\"\"\"", comment = "# ", colon = ": ";
    if (line.starts_with(quotes) && result.doc.empty()) {
      line.remove_prefix(quotes.size());
      result.doc = line.substr(0, line.find(quotes));
    } else if (auto const at = line.find(colon); line.starts_with(comment) && at != line.npos) {
      set(line.substr(comment.size(), at - comment.size()), line.substr(at + colon.size()));
    } else if (!line.starts_with(comment)) {
      break;
    }
  }
  for (auto const& [key, found] :
       {std::pair("a docstring", !result.doc.empty()), std::pair("program", !result.program.empty()),
        std::pair("package", !result.package.empty()), std::pair("version", !result.version.empty()),
        std::pair("cases", result.cases > 0), std::pair("answers", !result.answers.empty())})
    if (!found && result.wrong.empty()) result.wrong = result.name + ".py: expected " + key + " in its first lines";
  return result;
}

std::vector<ProgramAdapter> const& program_adapters() {
  static std::vector<ProgramAdapter> const all = [] {
    std::vector<ProgramAdapter> made;
    for (auto const& [name, text] : programs::texts()) made.push_back(read_adapter(name, text));
    return made;
  }();
  return all;
}

Peers const& found_programs() {
  static Peers const found = [] {
    Peers made;
    for (auto const& adapter : program_adapters()) {
      if (std::string why = missing(adapter); !why.empty()) {
        made.missing.push_back({adapter.name, std::move(why)});
      } else {
        for (auto const& each : subjects_of(adapter)) made.subjects.push_back(*open_program(each.first, {}));
      }
    }
    return made;
  }();
  return found;
}

ProgramAdapter const* find_adapter(std::string_view subject) {
  for (auto const& adapter : program_adapters()) {
    if (adapter.name == subject) return &adapter;
    for (auto const& each : subjects_of(adapter))
      if (each.first == subject) return &adapter;
  }
  return nullptr;
}

Found find_program(std::string_view name) {
  ProgramAdapter const* const adapter = find_adapter(name);
  if (adapter == nullptr) return {};
  for (auto const& missing : found_programs().missing)
    if (missing.name == adapter->name) return {nullptr, missing.why};
  for (auto const& subject : found_programs().subjects)
    if (subject.name == name) return {&subject, ""};
  return {};
}

std::optional<Subject> open_program(std::string_view name, SubjectOptions const& options) {
  ProgramAdapter const* const adapter = find_adapter(name);
  if (adapter == nullptr || !missing(*adapter).empty()) return std::nullopt;
  std::string variant;
  for (auto const& each : subjects_of(*adapter))
    if (each.first == name) variant = each.second;
  SubjectOptions patient = options;
  if (!patient.time) patient.time = patience;
  Opened opened = open_pipe(command_of(*adapter, variant), patient, kernels());
  if (!opened.subject) return std::nullopt;
  Subject subject = std::move(*opened.subject);
  subject.name = name;
  subject.origin = Origin::program;
  subject.doc = adapter->doc;
  subject.home = adapter->home;
  for (auto const& [of, doc] : adapter->variants)
    if (of == variant) subject.doc = doc;
  subject.cases = adapter->cases;
  std::erase_if(subject.answers, [&](Answering& each) {
    for (auto const& [kernel, doc] : adapter->answers) {
      if (kernel != each.kernel) continue;
      each.doc = doc;
      for (auto const& [of, formula] : adapter->formulas)
        if (of == kernel) each.formula = formula;
      for (auto const& [of, text] : adapter->declared)
        if (of == kernel) each.declared.push_back(read_declaration(text, *find_kernel(kernel)));
      each.timed = nullptr;  // not timed: the start of a process takes most of the time
      return false;
    }
    return true;
  });
  return subject;
}

std::string version_of(Subject const& subject) {
  ProgramAdapter const* const adapter = subject.origin == Origin::program ? find_adapter(subject.name) : nullptr;
  if (adapter == nullptr) return subject.version;
  static std::mutex mutex;
  static std::map<std::string, std::string> asked;
  std::lock_guard const lock(mutex);
  auto const [at, is_new] = asked.try_emplace(adapter->name);
  if (is_new) at->second = first_line(adapter->version);
  return at->second;
}

bool on_path(std::string const& program) {
  char const* const path = std::getenv("PATH");
  std::string_view rest = path == nullptr ? "" : path;
  while (!rest.empty()) {
    std::string const folder(rest.substr(0, rest.find(':')));
    rest.remove_prefix(std::min(folder.size() + 1, rest.size()));
    if (::access((folder + "/" + program).c_str(), X_OK) == 0) return true;
  }
  return false;
}

}  // namespace demeter
