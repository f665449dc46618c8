#include "cli/check.hpp"

#include "base/json_text.hpp"
#include "check/tolerance.hpp"
#include "check/trial.hpp"
#include "cli/core/baseline.hpp"
#include "cli/core/formula.hpp"
#include "cli/core/selection.hpp"
#include "cli/core/tolerance.hpp"
#include "kernels/lists.hpp"
#include "reports/format/describe.hpp"
#include "reports/format/difference.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

namespace demeter::cli {
namespace {

/// The set of ids that were answered so far. The ids are stored as intervals, so that answers in order need constant
/// memory.
class Seen {
 public:
  /// Adds an id. Returns false if the set had it.
  bool insert(std::uint64_t id) {
    auto next = intervals_.upper_bound(id);
    if (next != intervals_.begin()) {
      auto before = std::prev(next);
      if (id < before->second) return false;
      if (id == before->second) {
        ++before->second;
        if (next != intervals_.end() && next->first == before->second) {
          before->second = next->second;
          intervals_.erase(next);
        }
        return true;
      }
    }
    if (next != intervals_.end() && next->first == id + 1) {
      auto const end = next->second;
      intervals_.erase(next);
      intervals_[id] = end;
    } else {
      intervals_[id] = id + 1;
    }
    return true;
  }
  std::uint64_t count() const {
    std::uint64_t sum = 0;
    for (auto const& [begin, end] : intervals_) sum += end - begin;
    return sum;
  }
  bool contains(std::uint64_t id) const {
    auto const next = intervals_.upper_bound(id);
    return next != intervals_.begin() && id < std::prev(next)->second;
  }

 private:
  std::map<std::uint64_t, std::uint64_t> intervals_;
};

/// The cases to answer. They come from a generator, from a file, or from the lines of the answers themselves.
struct KnownCases {
  enum class From { answers, generator, file };

  Kernel const& kernel;
  From from = From::answers;
  std::uint64_t seed = 1, count = 0;  ///< seed and number of the generated cases
  Selected selected = {};             ///< regimes and sizes of the generated cases
  Table table = {};                   ///< cases of the file
  std::map<std::uint64_t, std::size_t> row_of = {};

  std::uint64_t size() const { return from == From::generator ? count : row_of.size(); }
  bool contains(std::uint64_t id) const {
    return from == From::answers || (from == From::generator ? id < count : row_of.contains(id));
  }
  void append_to(Table& cases, std::uint64_t id) const {
    if (from == From::generator) {
      kernel.generate(selected.regime_of(id), seed, id, cases, selected.sizes);
    } else {
      append_row(kernel.input, cases, table, row_of.at(id));
    }
  }
  /// Returns the smallest id that is missing in `seen`. There must be one.
  std::uint64_t first_missing(Seen const& seen) const {
    if (from == From::file) {
      for (auto const& [id, row] : row_of)
        if (!seen.contains(id)) return id;
    }
    std::uint64_t id = 0;
    while (seen.contains(id)) ++id;
    return id;
  }
};

/// Reads `known` from a file of cases. Returns `held` (success), or the exit code after an error message.
int read_cases(KnownCases& known, std::string const& path) {
  InputFile file;
  if (!file.open_or_complain("verify", path)) return bad_usage;
  known.from = KnownCases::From::file;
  known.table.clear(known.kernel.input);
  LineReader reader(known.kernel);
  Lines source(file);
  for (;;) {
    auto const& block = source.next_block();
    if (block.empty()) break;
    for (auto const& [text, number] : block) {
      Line line;
      auto wrong = reader.read(text, &known.table, nullptr, line);
      if (!wrong && !line.has_input) wrong = "missing key \"input\"";
      std::uint64_t const id = line.id.value_or(known.row_of.empty() ? 0 : known.row_of.rbegin()->first + 1);
      if (!wrong && !known.row_of.emplace(id, known.table.rows - 1).second)
        wrong = fmt::format("id: {} given twice", id);
      if (wrong) return complain(bad_data, "verify", fmt::format("{}: line {}: {}", path, number, *wrong));
    }
  }
  if (source.error()) return complain(broken, "verify", *source.error());
  return held;
}

/// Counts of the lines by result. The cells of a `SubjectCheck` count the errors and failures of single outputs.
struct Tally {
  std::uint64_t answers = 0, pass = 0, fail = 0, known = 0, undecided = 0, unsupported = 0, errors = 0, malformed = 0,
                duplicated = 0, out_of_range = 0, missing = 0;
  std::uint64_t left_out = 0;  ///< outputs that are missing in an answer although other answers contain them
  std::uint64_t invalid = 0;   ///< part of `fail`: answers to cases outside the domain

  std::uint64_t bad(bool allow_undecided) const {
    return fail + left_out + errors + malformed + duplicated + out_of_range + missing +
           (allow_undecided ? 0 : undecided);
  }
};

/// A count in the summary: `word` is its name in text, `key` its name in JSON. The list has the order of the summary.
struct Counted {
  std::uint64_t Tally::*count;
  std::string_view word, key;
};
constexpr std::array<Counted, 12> counted{{{&Tally::answers, "answers", "answers"},
                                           {&Tally::pass, "pass", "pass"},
                                           {&Tally::fail, "fail", "fail"},
                                           {&Tally::known, "known", "known"},
                                           {&Tally::undecided, "undecided", "undecided"},
                                           {&Tally::unsupported, "unsupported", "unsupported"},
                                           {&Tally::errors, "error", "error"},
                                           {&Tally::malformed, "malformed", "malformed"},
                                           {&Tally::duplicated, "duplicated", "duplicated"},
                                           {&Tally::out_of_range, "out of range", "out_of_range"},
                                           {&Tally::missing, "missing", "missing"},
                                           {&Tally::left_out, "outputs left out", "left_out"}}};

struct VerifyArguments : Common {
  Selection selection;
  bool count_given = false;
  InputPath cases, answers;
  std::string called = "answers", formula;
  BaselineOptions baseline;
  std::optional<Held> held_to;
  Declining declining;
  bool all = false, allow_undecided = false;
  std::uint64_t limit = 20;
};

/// Writes verdicts as JSON lines: all, or the first few that are not a pass.
class Verdicts {
 public:
  Verdicts(Output& out, Kernel const& kernel, VerifyArguments const& options)
      : out_(out), kernel_(kernel), options_(options) {}

  /// Returns true if a verdict other than "pass" needs a reason now. It needs a reason if it will be written in full,
  /// or if it is the first such verdict.
  bool wants_reason() const { return options_.all || printed_ < options_.limit || first_failure_.empty(); }

  void write(std::optional<std::uint64_t> id, std::uint64_t line, std::string_view verdict, std::string_view reason,
             std::span<Judged const> judged) {
    bool const undecided = verdict == "undecided";
    bool const good =
        verdict == "pass" || verdict == "known" || verdict == "unsupported" || (undecided && options_.allow_undecided);
    if (!good && first_failure_.empty())
      first_failure_ = fmt::format("line {}: {}{}{}", line, verdict, reason.empty() ? "" : ": ", reason);
    if (!options_.all) {
      if (good && !undecided) return;
      if (printed_ >= options_.limit) {
        ++unprinted_;
        return;
      }
    }
    ++printed_;
    if (id) {
      out_.print("{{\"id\":{},\"verdict\":\"{}\"", *id, verdict);
    } else {
      out_.print("{{\"line\":{},\"verdict\":\"{}\"", line, verdict);
    }
    if (!reason.empty()) {
      out_.print(",\"reason\":");
      write_string(reason, out_.buffer());
    }
    bool first = true;
    for (std::size_t k = 0; k < judged.size(); ++k) {
      if (!judged[k].computed) continue;
      auto const error = number_json(judged[k].error).dump();
      out_.print("{}\"{}\":{}", std::exchange(first, false) ? ",\"error\":{" : ",", kernel_.budgets[k].output, error);
    }
    out_.print("{}}}\n", first ? "" : "}");
  }

  /// Returns the number of verdicts that are not written because of the limit.
  std::uint64_t unprinted() const { return unprinted_; }
  std::string const& first_failure() const { return first_failure_; }

 private:
  Output& out_;
  Kernel const& kernel_;
  VerifyArguments const& options_;
  std::uint64_t printed_ = 0, unprinted_ = 0;
  std::string first_failure_;
};

/// Returns the kernel with an additional regime "recorded", for answers that do not name a regime of the kernel.
Kernel with_recorded(Kernel const& kernel) {
  Kernel result = kernel;
  result.regimes.push_back({"recorded", "answers that name no regime"});
  return result;
}

/// Returns a subject that represents the recorded answers, because a check needs a subject. The program that gave the
/// answers cannot be asked again. Therefore the name of the subject is "fast": the command that is printed for a
/// failure then shows the answer of the fast form.
Subject subject_of_answers(Kernel const& kernel, VerifyArguments const& options) {
  Subject subject;
  subject.name = "fast";
  subject.origin = Origin::file;
  subject.binary32 = options.binary32;
  Answering& answering = subject.answers.emplace_back();
  answering.kernel = kernel.name;
  answering.formula = options.formula;
  return subject;
}

CheckOptions options_of_answers(VerifyArguments const& options) {
  CheckOptions result;
  result.held = options.held_to;
  result.stop = &stop_requested();
  return result;
}

/// Judges answers block by block. A line without an answer to judge gets its verdict at once. The other lines are
/// judged and counted as in `check`.
class Verification {
 public:
  Verification(Kernel const& kernel, KnownCases const& known, KnownFailures const& accepted,
               VerifyArguments const& options, Output& out)
      : kernel_(with_recorded(kernel)),
        subject_(subject_of_answers(kernel, options)),
        check_options_(options_of_answers(options)),
        known_(known),
        options_(options),
        verdicts_(out, kernel_, options),
        reader_(kernel_),
        cases_(kernel.input),
        judged_(kernel.budgets.size()),
        described_(describe(kernel_)),
        trial_(trial_of(kernel_, subjects_, check_options_)) {
    if (!accepted.entries().empty())
      check_options_.known = [this, &accepted](FailingCase const& failing) {
        return accepted.accepts({kernel_,
                                 {options_.called},
                                 kernel_.regimes[failing.regime].name,
                                 kernel_.budgets[*failing.budget].output,
                                 "",
                                 failing.cases,
                                 failing.row,
                                 failing.error});
      };
    check_.subject = options.called;
    check_.formula = options.formula;
    check_.sizes.resize(kernel_.regimes.size());
    for (std::size_t regime = 0; regime < kernel_.regimes.size(); ++regime) {
      regime_named_.emplace(kernel_.regimes[regime].name, regime);
      for (std::size_t k = 0; k < kernel_.budgets.size(); ++k)
        check_.accuracy.emplace_back(nothing_judged(regime, k)).errors.has_quantiles = false;
    }
  }
  Verification(Verification const&) = delete;
  Verification& operator=(Verification const&) = delete;

  void block(std::vector<Lines::Numbered> const& lines) {
    cases_.clear(kernel_.input);
    answers_.clear(kernel_.output);
    rows_.clear();
    for (auto const& line : lines) read(line);
    if (options_.binary32) cases_ = judged_in_binary32(kernel_, cases_);
    Truths const truths = trial_.models.front().truths(cases_, &stop_requested());
    for (std::size_t row = 0; row < rows_.size() && !stop_requested(); ++row) {
      Row const& at = rows_[row];
      settle(at, row, truths,
             judge_and_count(trial_, 0, {cases_, truths, answers_, row, at.id}, cells(at.regime),
                             check_.sizes[at.regime], judged_));
    }
  }

  /// Counts results that are only known after the last answer. These are cases without an answer (unless reading was
  /// stopped), missing outputs, and failures that occur more often than a baseline accepts. Returns the failures that
  /// occur too often.
  std::vector<MoreOften> finish(KnownFailures const& accepted, bool stopped) {
    if (!stopped && known_.size() > seen_.count()) tally_.missing = known_.size() - seen_.count();
    settle_left_out(kernel_, check_);
    for (auto const& cell : check_.accuracy) tally_.left_out += cell.malformed;
    return unaccept_more_often(accepted, kernel_, {options_.called}, check_);
  }

  Kernel const& kernel() const { return kernel_; }
  Subject const& subject() const { return subject_; }
  CheckOptions const& check_options() const { return check_options_; }
  SubjectCheck const& check() const { return check_; }
  Tolerance const& tolerance() const { return trial_.tolerances.front(); }
  Tally const& tally() const { return tally_; }
  std::uint64_t unprinted() const { return verdicts_.unprinted(); }
  std::string first_failure() const {
    if (!verdicts_.first_failure().empty()) return verdicts_.first_failure();
    if (!check_.left_out.empty() || tally_.missing == 0) return check_.left_out;
    return fmt::format("case {} has no answer", known_.first_missing(seen_));
  }

 private:
  struct Row {
    std::uint64_t id, line;
    std::size_t regime;
  };

  std::span<AccuracyCell> cells(std::size_t regime) {
    return std::span(check_.accuracy).subspan(regime * kernel_.budgets.size(), kernel_.budgets.size());
  }

  std::size_t regime_of(std::uint64_t id, Line const& line) const {
    if (known_.from == KnownCases::From::generator) return known_.selected.regime_of(id);
    auto const found = regime_named_.find(line.regime);
    return found == regime_named_.end() ? kernel_.regimes.size() - 1 : found->second;
  }

  /// Stores the case and the outputs of a line in the tables for block(). If the line is malformed or is not judged,
  /// writes its verdict instead.
  void read(Lines::Numbered const& from) {
    ++tally_.answers;
    Line line;
    TableMark const cases_before(cases_), outputs_before(answers_.output);
    if (auto const wrong = reader_.read(from.text, &cases_, &answers_.output, line)) {
      ++tally_.malformed;
      // The answer counts as malformed and therefore not also as missing.
      if (line.id && known_.contains(*line.id)) seen_.insert(*line.id);
      next_id_ = line.id.value_or(next_id_) + 1;
      return verdicts_.write(line.id, from.number, "malformed", *wrong, {});
    }
    std::uint64_t const id = line.id.value_or(next_id_);
    next_id_ = id + 1;
    if (!sort_out(id, line, from.number, cases_before)) {
      // An answer that is not judged gets no row in either table. So equal row numbers belong to the same line.
      cases_before.restore(cases_);
      outputs_before.restore(answers_.output);
      return;
    }
    rows_.push_back({id, from.number, regime_of(id, line)});
    answers_.status.push_back(Status::answered);
  }

  /// Returns true if the line is an answer to judge. Otherwise writes its verdict.
  bool sort_out(std::uint64_t id, Line const& line, std::uint64_t number, TableMark const& before) {
    auto const settle = [&](std::uint64_t& counter, std::string_view verdict, std::string_view reason) {
      ++counter;
      verdicts_.write(id, number, verdict, reason, {});
      return false;
    };
    if (!known_.contains(id))
      return settle(tally_.out_of_range, "out of range",
                    fmt::format("id: got {}, expected one of the {} cases", id, known_.size()));
    if (!seen_.insert(id)) return settle(tally_.duplicated, "duplicated", fmt::format("id: {} answered twice", id));
    if (line.answer == Line::Answer::none)
      return settle(tally_.malformed, "malformed", "expected one of the keys output, unsupported, error");
    if (known_.from != KnownCases::From::answers) {
      if (!take_known_case(id, line, before))
        return settle(tally_.malformed, "malformed", "input: differs from the input of the case");
    } else if (!line.has_input) {
      return settle(tally_.malformed, "malformed", "input: missing, expected an input, --cases or --count");
    }
    if (line.answer == Line::Answer::unsupported) {
      for (AccuracyCell& cell : cells(regime_of(id, line))) ++cell.cases, ++cell.unsupported;
      return settle(tally_.unsupported, "unsupported", line.message);
    }
    auto const outside = kernel_.domain_error(cases_, cases_.rows - 1);
    if (!outside && line.answer == Line::Answer::output) {
      auto const wrong =
          list_flaw(kernel_.input, kernel_.output, cases_, cases_.rows - 1, answers_.output, answers_.output.rows - 1);
      return !wrong || settle(tally_.malformed, "malformed", *wrong);
    }
    if (!outside) return settle(tally_.errors, "error", line.message);
    auto const why = domain_message(kernel_, cases_, cases_.rows - 1, *outside);
    if (line.answer == Line::Answer::error) return settle(tally_.pass, "pass", "correctly refused: " + why);
    ++tally_.invalid;
    return settle(tally_.fail, "fail", "answered an invalid case: " + why);
  }

  /// Replaces the case of the line by the known case. Returns false if the two cases differ. Compares the numbers and
  /// not their texts: a program that has read "0.1" may write another text for the same number.
  bool take_known_case(std::uint64_t id, Line const& line, TableMark const& before) {
    right_.clear(kernel_.input);
    known_.append_to(right_, id);
    if (line.has_input) {
      given_.clear(kernel_.input);
      append_row(kernel_.input, given_, cases_, cases_.rows - 1);
      auto const same = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
      for (std::size_t i = 0; i < given_.columns.size(); ++i)
        if (!std::ranges::equal(given_.columns[i], right_.columns[i], same)) return false;
      before.restore(cases_);
    }
    append_row(kernel_.input, cases_, right_, 0);
    return true;
  }

  /// Counts a judged answer and writes its verdict.
  void settle(Row const& row, std::size_t at, Truths const& truths, CaseOutcome const& outcome) {
    std::string reason;
    auto const as = [&](std::uint64_t& counter, std::string_view verdict) {
      ++counter;
      verdicts_.write(row.id, row.line, verdict, reason, judged_);
    };
    if (!outcome.judged) {
      reason = "output: expected at least one output with a budget";
      as(tally_.malformed, "malformed");
    } else if (outcome.failed) {
      if (verdicts_.wants_reason()) reason = failure_text(at, truths, *outcome.failed);
      as(tally_.fail, "fail");
    } else if (outcome.undecided) {
      as(tally_.undecided, "undecided");
    } else {
      outcome.known ? as(tally_.known, "known") : as(tally_.pass, "pass");
    }
  }

  /// Returns the failure as text: "distance 1.5 instead of 0.5 (9.01e+15 u, budget 1024 u S, contract: 8)".
  std::string failure_text(std::size_t at, Truths const& truths, std::size_t k) const {
    report::Failure failure;
    failure.output = kernel_.budgets[k].output;
    failure.example.answer = record_json(kernel_.output, answers_.output, at);
    failure.example.truth = truth_json(kernel_, truths, at);
    failure.example.error = judged_[k].error;
    return fmt::format("{} ({} u, budget {})",
                       report::what_is_wrong(described_, failure, options_.binary32 ? 0x1p-24 : 0x1p-53),
                       brief(judged_[k].error), tolerance_text(kernel_, k, tolerance()));
  }

  Kernel kernel_;
  Subject subject_;
  std::vector<Subject const*> subjects_{&subject_};
  CheckOptions check_options_;
  KnownCases const& known_;
  VerifyArguments const& options_;
  Verdicts verdicts_;
  LineReader reader_;
  SubjectCheck check_;
  Tally tally_;
  Seen seen_;
  std::map<std::string, std::size_t, std::less<>> regime_named_;
  std::uint64_t next_id_ = 0;  ///< the id of the next answer if it has no id: the previous id plus 1
  Table cases_, given_, right_;
  Answers answers_;
  std::vector<Row> rows_;
  std::vector<Judged> judged_;
  report::Kernel described_;
  Trial trial_;
};

/// Merges all regimes of each output. Outputs without a judged case are left out.
std::vector<AccuracyCell> by_output(Kernel const& kernel, SubjectCheck const& check) {
  std::vector<AccuracyCell> outputs;
  for (std::size_t k = 0; k < kernel.budgets.size(); ++k) outputs.push_back(nothing_judged(0, k));
  for (AccuracyCell const& cell : check.accuracy) merge(outputs[cell.budget], cell);
  std::erase_if(outputs, [](AccuracyCell const& cell) { return cell.judged == 0; });
  return outputs;
}

void print_summary(Output& out, Verification const& verification) {
  Kernel const& kernel = verification.kernel();
  out.print("{}:", kernel.name);
  for (Counted const& each : counted) {
    std::uint64_t const count = verification.tally().*each.count;
    bool const always = &each < &counted[3];
    if (always || count > 0) out.print("{} {} {}", &each == &counted[0] ? "" : ",", count, each.word);
  }
  out.print("\n");
  auto const outputs = by_output(kernel, verification.check());
  SubjectCheck check = verification.check();
  for (AccuracyCell& cell : check.accuracy)
    cell.worst.reset();  // otherwise describe() would compute the truth of the worst case again
  report::Kernel const of_kernel = describe(kernel);
  auto const contender = describe(kernel, verification.subject(), check, verification.check_options());
  print_verdict(out, {kernel, verification.subject(), check, verification.check_options(), of_kernel, contender,
                      report::verdict(of_kernel, contender)});
  for (AccuracyCell const& cell : outputs)
    out.print("  {:<16} {}, budget {}\n", kernel.budgets[cell.budget].output, accuracy_text(cell),
              tolerance_text(kernel, cell.budget, verification.tolerance()));
}

void print_json_summary(Output& out, Verification const& verification, std::string_view formula) {
  Kernel const& kernel = verification.kernel();
  nlohmann::ordered_json summary{{"kernel", kernel.name}, {"certainty", certainty_word(kernel.certainty)}};
  for (Counted const& each : counted) {
    std::uint64_t const count = verification.tally().*each.count;
    if (each.count != &Tally::left_out || count > 0) summary[std::string(each.key)] = count;
  }
  if (!formula.empty()) summary["formula"] = formula;
  for (AccuracyCell const& cell : by_output(kernel, verification.check())) {
    Budget const budget = tolerated(kernel, cell.budget, verification.tolerance());
    summary["outputs"][std::string(budget.output)] = {
        {"measure", measure_name(budget.measure)},
        {"budget", budget.units},
        {"judged", cell.judged},
        {"failed", cell.failed},
        {"max_error", number_json(rounded_beside(budget.units, cell.max_error))},
        {"mean_error", number_json(rounded(cell.errors.mean(), 4))},
        {"worst", fmt::format("id {}", cell.worst ? cell.worst->id : 0)}};
  }
  out.print("{}\n", json_text(nlohmann::ordered_json{{"summary", summary}}));
}

/// Returns the JUnit suite that `check` would write, with an additional test case for answers that could not be judged.
junit::Suite suite_of(Verification const& verification, VerifyArguments const& options, std::string const& stopped) {
  Kernel const& kernel = verification.kernel();
  Tally const& tally = verification.tally();
  auto suite = junit::suite(kernel, verification.subject(), verification.check(), verification.check_options(),
                            options.allow_undecided);
  suite.name = kernel.name + " x " + options.called;
  suite.group = kernel.name + "." + options.called;
  junit::Case rest;
  rest.name = "every case answered";
  std::uint64_t const unjudged = tally.errors + tally.malformed + tally.duplicated + tally.out_of_range + tally.missing;
  // These answers failed without being judged. Answers to cases outside the domain (tally.invalid) failed in the same
  // way.
  if (unjudged > 0) {
    rest.outcome = junit::Case::Outcome::failed;
    rest.message = fmt::format("{} errors, {} malformed, {} duplicated, {} out of range, {} missing", tally.errors,
                               tally.malformed, tally.duplicated, tally.out_of_range, tally.missing);
  }
  if (tally.invalid > 0) {
    rest.outcome = junit::Case::Outcome::failed;
    rest.message += fmt::format("{}{} invalid cases answered", rest.message.empty() ? "" : ", ", tally.invalid);
  }
  if (!stopped.empty()) {
    rest.outcome = junit::Case::Outcome::error;
    rest.message = stopped;
  }
  suite.cases.push_back(std::move(rest));
  return suite;
}

/// Returns the baseline entries of these answers that no longer fail: at least one judged case could match the entry,
/// and no failure matched it. Entries with an input are left out.
std::vector<KnownFailure const*> no_longer_failing(Verification const& verification, VerifyArguments const& options,
                                                   KnownFailures const& accepted) {
  Kernel const& kernel = verification.kernel();
  std::vector<KnownFailure const*> fixed;
  for (std::size_t i = 0; i < accepted.entries().size(); ++i) {
    KnownFailure const& entry = accepted.entries()[i];
    if (accepted.met(i) || entry.input || !is_about(entry, kernel, {options.called})) continue;
    if (std::ranges::any_of(verification.check().accuracy, [&](AccuracyCell const& cell) {
          return cell.judged > 0 &&
                 covers(entry, kernel.regimes[cell.regime].name, kernel.budgets[cell.budget].output, {});
        }))
      fixed.push_back(&entry);
  }
  return fixed;
}

int run_verify(VerifyArguments const& options, KnownCases& known) {
  Kernel const& kernel = known.kernel;
  if (!options.cases.empty())
    if (int const code = read_cases(known, options.cases); code != held) return code;
  InputFile in;
  if (!in.open_or_complain("verify", options.answers)) return bad_usage;
  Lines source(in);
  KnownFailures accepted;
  if (int const code = open_baseline("verify", options.baseline, accepted); code != held) return code;
  Output out;
  Verification verification(kernel, known, accepted, options, out);
  auto const write_files = [&](std::string const& stopped) {
    return write_baseline("verify", options.baseline, accepted,
                          new_failures(verification.kernel(), options.called, verification.check()),
                          {suite_of(verification, options, stopped)}, stopped.empty());
  };
  while (!stop_requested()) {
    auto const& block = source.next_block();
    if (block.empty()) break;
    verification.block(block);
    if (!out.flush()) {
      write_files(out.error());
      return complain(broken, "verify", out.error());
    }
  }
  if (source.error()) {
    write_files(*source.error());
    return complain(broken, "verify", *source.error());
  }
  bool const stopped = stop_requested();
  auto const more_often = verification.finish(accepted, stopped);
  if (int const code = write_files(stopped ? "stopped before the end" : ""); code != held) return code;

  Tally const& tally = verification.tally();
  if (!options.json && !stopped)
    for (auto const* entry : no_longer_failing(verification, options, accepted))
      out.print("no longer fails: {} ({} line {})\n", known_name(*entry), options.baseline.known, entry->line);
  if (options.json) {
    print_json_summary(out, verification, options.formula);
  } else {
    if (verification.unprinted() > 0)
      out.print("... and {} more that did not pass (--limit, --all)\n", verification.unprinted());
    print_summary(out, verification);
  }
  if (!out.flush()) return complain(broken, "verify", out.error());
  if (stopped) return complain(failed, "verify", "stopped: printed results are partial");
  std::uint64_t const bad = tally.bad(options.allow_undecided);
  if (bad == 0 && !more_often.empty()) return complain(failed, "verify", more_often_text(more_often.front()));
  if (bad == 0) {
    auto const why = too_little_judged(options.declining, tally.answers, tally.unsupported,
                                       tally.pass + tally.known + tally.undecided);
    return why ? complain(failed, "verify", *why) : held;
  }
  return complain(failed, "verify",
                  fmt::format("{} of {} did not pass; the first: {}", bad, tally.answers + tally.missing,
                              verification.first_failure()));
}

}  // namespace

Verb verify() {
  Verb verb{"verify", "judges answers: reads JSON lines, prints verdicts and a summary"};
  auto options = std::make_shared<VerifyArguments>();
  verb.option("kernel", options->kernel, "the kernel").required();
  verb.option("--answers", options->answers, "read this file instead of standard input");
  verb.option("--cases", options->cases,
              "file of the cases; answers may omit their input, and missing answers are failures");
  verb.option("--count", options->count, "the cases are the output of `generate` with this count, --seed and --regime")
      .check(number_of_cases(0))
      .notes(options->count_given);
  verb.exclusive({"--cases", "--count"});
  verb.option("--seed", options->seed, "with --count: seed of the cases")
      .check(whole_number())
      .needs({"--count"})
      .shows_default();
  add_selection(verb, options->selection, "with --count: regimes that were given to generate");
  for (auto& option : verb.options)
    if (option.name == "--regime" || option.name == "--profile" || option.name == "--sizes") option.needs({"--count"});
  verb.flag("--binary32", options->binary32,
            "the answers are in single precision; they are judged for inputs rounded to float, in units of 2^-24");
  add_tolerance(verb, *options);
  add_formula(verb, options->formula);
  verb.option("--subject", options->called, "name of the subject in --known and --junit")
      .needs({"--known", "--write-known", "--junit"})
      .shows_default();
  add_baseline(verb, options->baseline);
  verb.option("--limit", options->limit, "print at most this many failing answers")
      .check(whole_number())
      .shows_default();
  verb.flag("--all", options->all, "print every verdict, also pass");
  verb.flag("--allow-undecided", options->allow_undecided, "do not count undecided answers as failures");
  verb.exclusive({"--all", "--limit"});
  add_declining(verb, options->declining);
  verb.flag("--json", options->json, "print the summary as JSON");
  verb.example =
      "demeter generate segment_distance --count 1000 | demeter evaluate segment_distance "
      "--implementation fast | demeter verify segment_distance";
  verb.run = [options]() -> int {
    Kernel const* kernel = kernel_or_complain("verify", options->kernel);
    if (kernel == nullptr) return bad_usage;
    if (!held_or_complain("verify", *options, {kernel}, options->held_to)) return bad_usage;
    if (!formula_or_complain("verify", options->formula, {kernel})) return bad_usage;
    KnownCases known{*kernel};
    auto const selected = select_or_complain("verify", *kernel, options->selection);
    if (!selected) return bad_usage;
    known.selected = *selected;
    if (options->count_given) {
      known.from = KnownCases::From::generator;
      known.seed = options->seed;
      known.count = options->count;
    }
    return run_verify(*options, known);
  };
  return verb;
}

}  // namespace demeter::cli
