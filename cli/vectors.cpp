#include "cli/core/command.hpp"

#include "base/files.hpp"
#include "check/search.hpp"
#include "kernels/vectors.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>

namespace demeter::cli {
namespace {

struct VectorsArguments : Common {
  std::vector<std::string> flags;
  std::string source, comment, directory, search, output;
  bool check = false, add = false, list = false, explain_flags = false, hard_to_round = false;
  std::uint64_t rounds = 400;
};

constexpr char const* default_directory = "oracles/vectors";

std::string path_of(std::string const& directory, Kernel const& kernel) {
  return directory + "/" + kernel.name + ".jsonl";
}

/// Returns the text of the file, or nothing after an error message.
std::optional<std::string> read_or_complain(std::string const& path) {
  InputFile file;
  std::string text;
  if (!file.open_or_complain("vectors", path) || !file.read_or_complain("vectors", text)) return std::nullopt;
  return text;
}

bool known_flag(std::string const& name) {
  auto const& flags = vector_flags();
  return std::any_of(flags.begin(), flags.end(), [&](VectorFlag const& flag) { return flag.name == name; });
}

bool flags_or_complain(std::vector<std::string> const& names) {
  for (auto const& name : names) {
    if (known_flag(name)) continue;
    complain(bad_usage, "vectors", fmt::format("unknown flag \"{}\"; demeter vectors --flags lists them", name));
    return false;
  }
  return true;
}

// ----------------------------------------------------------------------------------------------------------------
// print

int print_vectors(VectorsArguments const& options, std::vector<Kernel const*> const& chosen) {
  if (!flags_or_complain(options.flags)) return bad_usage;
  Output out;
  bool regime_known = options.regime.empty();
  for (auto const* kernel : chosen) {
    auto const& vectors = vectors_of(*kernel);
    std::string_view text = vectors_text(*kernel);
    for (auto const& regime : kernel->regimes) regime_known = regime_known || regime.name == options.regime;
    for (auto const& notes : vectors.notes) {
      std::size_t const end = text.find('\n');
      bool wanted = options.regime.empty() || kernel->regimes[notes.regime].name == options.regime;
      for (auto const& flag : options.flags)
        wanted = wanted && std::find(notes.flags.begin(), notes.flags.end(), flag) != notes.flags.end();
      if (wanted) out.print("{}\n", text.substr(0, end));
      text.remove_prefix(std::min(end, text.size() - 1) + 1);
    }
  }
  if (!regime_known)
    return complain(bad_usage, "vectors", fmt::format("unknown regime \"{}\"; see demeter list", options.regime));
  if (!out.flush()) return complain(broken, "vectors", out.error());
  return held;
}

int print_summary(std::vector<Kernel const*> const& chosen) {
  Output out;
  std::size_t total = 0;
  for (auto const* kernel : chosen) {
    auto const& notes = vectors_of(*kernel).notes;
    total += notes.size();
    out.print("{}: {} vectors\n", kernel->name, notes.size());
    std::vector<std::size_t> of_regime(kernel->regimes.size());
    std::map<std::string, std::size_t> of_flag;
    for (auto const& each : notes) {
      ++of_regime[each.regime];
      for (auto const& flag : each.flags) ++of_flag[flag];
    }
    for (std::size_t i = 0; i < of_regime.size(); ++i)
      if (of_regime[i] > 0) out.print("  regime {:<24} {:>4}\n", kernel->regimes[i].name, of_regime[i]);
    for (auto const& flag : vector_flags())
      if (of_flag.count(flag.name) > 0) out.print("  flag   {:<24} {:>4}\n", flag.name, of_flag[flag.name]);
  }
  out.print("{} in all\n", total);
  if (!out.flush()) return complain(broken, "vectors", out.error());
  return held;
}

int print_flags() {
  Output out;
  for (auto const& flag : vector_flags())
    out.print("{}{}\n  {}\n  A code that fails: {}.\n", flag.name, flag.derived ? " (set by the tool)" : "",
              flag.description, flag.failing_means);
  if (!out.flush()) return complain(broken, "vectors", out.error());
  return held;
}

// ----------------------------------------------------------------------------------------------------------------
// check

int check_files(VectorsArguments const& options, std::vector<Kernel const*> const& chosen) {
  Output out;
  std::uint64_t wrong = 0;
  std::string first;
  for (auto const* kernel : chosen) {
    std::string name = kernel->name + ".jsonl (built in)", text(vectors_text(*kernel));
    if (!options.directory.empty()) {
      name = path_of(options.directory, *kernel);
      auto const read = read_or_complain(name);
      if (!read) return bad_usage;
      text = *read;
    }
    auto const problems = check_vectors(*kernel, text);
    for (auto const& problem : problems) out.print("{}: {}\n", name, problem);
    if (!problems.empty() && std::exchange(wrong, wrong + problems.size()) == 0)
      first = fmt::format("{}: {}", name, problems.front());
    if (problems.empty())
      out.print("{}: {} vectors; the oracle and the reference confirm every expected value\n", name,
                std::count(text.begin(), text.end(), '\n'));
    if (!out.flush()) return complain(broken, "vectors", out.error());
    if (stop_requested()) return complain(failed, "vectors", "stopped: printed results are partial");
  }
  if (wrong == 0) return held;
  return complain(failed, "vectors", wrong == 1 ? first : fmt::format("{} mistakes; the first: {}", wrong, first));
}

// ------------------------------------------------------------------------------------------------------------------
// add

/// Reads the notes of one line of cases. Values in the line take precedence over the options.
std::optional<std::string> read_notes(Kernel const& kernel, std::string_view text, Line const& line,
                                      VectorsArguments const& options, VectorNotes& notes) {
  auto const json = nlohmann::ordered_json::parse(text, nullptr, false);
  if (!json.is_object()) return "expected a JSON object";
  notes = {};
  notes.source = options.source;
  notes.comment = options.comment;
  notes.flags = options.flags;
  for (auto const& [key, value] : {std::pair{"source", &notes.source}, std::pair{"comment", &notes.comment}}) {
    if (!json.contains(key)) continue;
    if (!json[key].is_string()) return fmt::format("{}: expected a string", key);
    *value = json[key].get<std::string>();
  }
  if (json.contains("flags")) {
    notes.flags.clear();
    if (!json["flags"].is_array()) return "flags: expected an array of names";
    for (auto const& flag : json["flags"]) {
      if (!flag.is_string() || !known_flag(flag.get<std::string>()))
        return fmt::format("flags: unknown flag {}; demeter vectors --flags lists them", flag.dump());
      notes.flags.push_back(flag.get<std::string>());
    }
  }
  if (notes.source.empty()) return "source: missing, expected --source or a \"source\" in the line";
  std::string const& regime = line.regime.empty() ? options.regime : line.regime;
  std::string names;
  for (std::size_t i = 0; i < kernel.regimes.size(); ++i) {
    names += (names.empty() ? "" : ", ") + kernel.regimes[i].name;
    if (kernel.regimes[i].name != regime) continue;
    notes.regime = i;
    return std::nullopt;
  }
  if (regime.empty()) return "regime: missing, expected --regime or a \"regime\" in the line";
  return fmt::format("unknown regime \"{}\" of {}; expected {}", regime, kernel.name, names);
}

std::string input_text(Kernel const& kernel, Table const& cases, std::size_t row) {
  Buffer buffer;
  write_record(kernel.input, cases, row, buffer);
  return fmt::to_string(buffer);
}

/// The current content of a kernel's file.
struct VectorsFile {
  std::string text;
  Vectors vectors;
};

/// Reads the file. Returns `held` (success), or the exit code after an error message.
int read_vectors_file(std::string const& path, Kernel const& kernel, VectorsFile& into) {
  auto const text = read_or_complain(path);
  if (!text) return bad_usage;
  into = {*text, {}};
  if (auto const wrong = read_vectors(kernel, into.text, into.vectors))
    return complain(bad_data, "vectors", fmt::format("{}: {}", path, *wrong));
  if (!into.text.empty() && into.text.back() != '\n') into.text += '\n';
  return held;
}

/// A case from standard input that is added to the vectors.
struct GivenVector {
  Table input;
  VectorNotes notes;
  std::uint64_t line;
};

/// Reads the cases of standard input. Returns `held` (success), or the exit code after an error message.
int read_given(VectorsArguments const& options, Kernel const& kernel, std::vector<GivenVector>& given) {
  InputFile in;
  Lines source(in);
  LineReader reader(kernel);
  for (;;) {
    auto const& block = source.next_block();
    if (block.empty()) break;
    for (auto const& [text, number] : block) {
      Line line;
      GivenVector each{Table(kernel.input), {}, number};
      auto wrong = reader.read(text, &each.input, nullptr, line);
      if (!wrong && !line.has_input) wrong = "missing key \"input\"";
      if (!wrong) {
        each.input.exact.clear();  // the input of a vector is binary64
        if (auto const outside = kernel.domain_error(each.input, 0))
          wrong = domain_message(kernel, each.input, 0, *outside);
      }
      if (!wrong) wrong = read_notes(kernel, text, line, options, each.notes);
      if (wrong) return complain(bad_data, "vectors", fmt::format("line {}: {}; nothing was added", number, *wrong));
      given.push_back(std::move(each));
    }
  }
  if (source.error()) return complain(broken, "vectors", *source.error());
  return given.empty() ? complain(bad_data, "vectors", "no cases on standard input") : static_cast<int>(held);
}

int add_vectors(VectorsArguments const& options, Kernel const& kernel) {
  if (!flags_or_complain(options.flags)) return bad_usage;
  std::string const path = path_of(options.directory.empty() ? default_directory : options.directory, kernel);
  VectorsFile recorded;
  if (int const code = read_vectors_file(path, kernel, recorded); code != held) return code;
  std::vector<GivenVector> given;
  if (int const code = read_given(options, kernel, given); code != held) return code;

  // Reads the file again under the lock: another process may have added vectors in between.
  FolderLock const lock(std::filesystem::path(path).parent_path());
  if (lock.error()) return complain(bad_usage, "vectors", *lock.error());
  if (int const code = read_vectors_file(path, kernel, recorded); code != held) return code;
  Vectors const& before = recorded.vectors;
  std::map<std::string, std::uint64_t> known;
  for (std::size_t row = 0; row < before.notes.size(); ++row)
    known[input_text(kernel, before.cases, row)] = before.notes[row].id;
  std::uint64_t id = before.notes.empty() ? 0 : before.notes.back().id;
  for (auto& each : given) {
    each.notes.id = ++id;
    auto const [at, fresh] = known.emplace(input_text(kernel, each.input, 0), id);
    std::string wrong;
    if (!fresh) {
      wrong = fmt::format("the same input as vector {}", at->second);
    } else if (auto const made = vector_line(kernel, each.input, 0, each.notes, wrong)) {
      recorded.text += *made + '\n';
    }
    if (!wrong.empty())
      return complain(bad_data, "vectors", fmt::format("line {}: {}; nothing was added", each.line, wrong));
  }
  if (auto const wrong = write_whole(path, recorded.text)) return complain(broken, "vectors", *wrong);
  Output out;
  out.print("{}: {} added, {} in all\n", path, given.size(), before.notes.size() + given.size());
  if (!out.flush()) return complain(broken, "vectors", out.error());
  return held;
}

// ---------------------------------------------------------------------------------------------------------------
// search

/// Prints a found case as a line that --add accepts.
void print_found(Output& out, Kernel const& kernel, HardCase const& found, std::string_view flag,
                 std::string const& source, std::string const& comment) {
  out.print("{{\"kernel\":\"{}\",\"regime\":\"{}\",\"input\":", kernel.name, kernel.regimes[found.regime].name);
  write_record(kernel.input, found.input, 0, out.buffer());
  out.print(",\"flags\":[\"{}\"],\"source\":", flag);
  write_string(source, out.buffer());
  out.print(",\"comment\":");
  write_string(comment, out.buffer());
  out.print("}}\n");
}

int search_vectors(VectorsArguments const& options, Kernel const& kernel) {
  SearchOptions how;
  how.seed = options.seed;
  how.cases = options.count;
  how.rounds = options.rounds;
  how.output = options.output;
  watch_signals();
  how.stop = &stop_requested();
  std::optional<std::size_t> regime;
  if (!regime_or_complain("vectors", kernel, options.regime, regime)) return bad_usage;
  if (regime) how.regimes = {*regime};
  Output out;
  if (options.hard_to_round) {
    for (auto const& found : search_hard_to_round(kernel, how))
      print_found(
          out, kernel, found, "HardToRound",
          fmt::format("search: closest to a midpoint of {} cases, seed {}", options.count, options.seed),
          fmt::format("{} is 2^{:.1f} ulp from the midpoint of two doubles", found.output, std::log2(found.measure)));
  } else {
    Subject const* subject = subject_or_complain("vectors", options.search);
    if (subject == nullptr) return bad_usage;
    if (subject->find(kernel.name) == nullptr)
      return complain(bad_usage, "vectors", fmt::format("{} does not answer {}", subject->name, kernel.name));
    std::string outputs;
    bool known = options.output.empty();
    for (auto const& budget : kernel.budgets) {
      outputs += (outputs.empty() ? "" : ", ") + std::string(budget.output);
      known = known || budget.output == options.output;
    }
    if (!known)
      return complain(bad_usage, "vectors",
                      fmt::format("unknown output \"{}\" of {}; expected {}", options.output, kernel.name, outputs));
    std::string const whose = subject->name + (subject->version.empty() ? "" : " " + subject->version);
    for (auto const& found : search_worst(kernel, *subject, how))
      print_found(out, kernel, found, "WorstCase",
                  fmt::format("search: largest error of {}, seed {}, {} cases, {} rounds", whose, options.seed,
                              options.count, options.rounds),
                  fmt::format("{} errs by {} {}, {} budgets", found.output, brief(found.measure),
                              kernel.budgets[found.budget].measure == Measure::relative ? "u" : "u S",
                              brief(found.budgets_exceeded)));
  }
  if (!out.flush()) return complain(broken, "vectors", out.error());
  if (stop_requested()) return complain(failed, "vectors", "stopped: printed results are partial");
  return held;
}

}  // namespace

Verb vectors() {
  Verb verb{"vectors", "prints, checks and adds recorded cases with their truth"};
  auto options = std::make_shared<VectorsArguments>();
  verb.option("kernel", options->kernels, "the kernels; all if none is given");
  verb.flag(
      "--check", options->check,
      "derive every expected value again with the oracle and the reference, and check every line against the schema");
  verb.flag("--add", options->add, "add the cases on standard input to the file of one kernel");
  verb.flag("--list", options->list, "show the number of vectors by regime and flag");
  verb.flag("--flags", options->explain_flags, "show what the flags mean");
  verb.option(
      "--search", options->search,
      "search for the largest error of this subject in each regime of one kernel; print the cases as input for --add");
  verb.flag("--hard-to-round", options->hard_to_round, "search for the results closest to the midpoint of two doubles");
  verb.option("--count", options->count, "for a search: cases drawn per regime")
      .check(whole_number(1))
      .needs({"--search", "--hard-to-round"})
      .shows_default();
  verb.option("--rounds", options->rounds, "for --search: rounds of local improvement")
      .check(whole_number())
      .needs({"--search"})
      .shows_default();
  verb.option("--seed", options->seed, "seed of a search")
      .check(whole_number())
      .needs({"--search", "--hard-to-round"})
      .shows_default();
  verb.option("--output", options->output, "for --search: only the error of this output").needs({"--search"});
  verb.option("--regime", options->regime, "print only this regime; with --add: regime of the lines that name none");
  verb.list("--flag", options->flags,
            "print only vectors with this flag; with --add: flag of the lines that name none");
  verb.option("--source", options->source, "with --add: source of the cases, for lines that name none")
      .needs({"--add"});
  verb.option("--comment", options->comment, "with --add: comment on the cases").needs({"--add"});
  verb.option("--directory", options->directory,
              "folder of the files to check (if not given: the built-in vectors) or of the file to add to (if not "
              "given: oracles/vectors)")
      .needs({"--check", "--add"});
  verb.only_with("--check", {"--directory"});
  verb.only_with("--add", {"--regime", "--flag", "--source", "--comment", "--directory"});
  verb.only_with("--list", {});
  verb.only_with("--flags", {}, false);
  verb.only_with("--search", {"--count", "--rounds", "--seed", "--output", "--regime"});
  verb.only_with("--hard-to-round", {"--count", "--seed", "--regime"});
  verb.example =
      "demeter vectors segment_distance | demeter evaluate segment_distance --implementation fast | "
      "demeter verify segment_distance";
  verb.run = [options]() -> int {
    if (options->explain_flags) return print_flags();
    auto const chosen = kernels_or_complain("vectors", options->kernels);
    if (chosen.empty()) return bad_usage;
    if (options->check) return check_files(*options, chosen);
    if (options->list) return print_summary(chosen);
    bool const searching = options->hard_to_round || !options->search.empty();
    if (!options->add && !searching) return print_vectors(*options, chosen);
    if (options->kernels.size() != 1)
      return complain(bad_usage, "vectors", "--add, --search, --hard-to-round: expected exactly one kernel");
    if (searching) return search_vectors(*options, *chosen.front());
    return add_vectors(*options, *chosen.front());
  };
  return verb;
}

}  // namespace demeter::cli
