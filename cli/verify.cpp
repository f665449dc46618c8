#include "cli/core/baseline.hpp"
#include "cli/core/command.hpp"
#include "cli/core/declining.hpp"
#include "cli/core/formula.hpp"
#include "cli/core/selection.hpp"
#include "cli/core/tolerance.hpp"
#include "kernels/json_text.hpp"

#include "kernels/lists.hpp"
#include "properties/core/accuracy.hpp"
#include "properties/core/model.hpp"
#include "properties/core/tolerance.hpp"
#include "reports/format/describe.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

namespace demeter::cli {
namespace {

/// Ids seen, as intervals: constant memory for answers in order.
class Seen {
 public:
  /// False if it was there already.
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

/// The cases that are asked for, where they are known without the answers' own lines.
struct KnownCases {
  enum class From { answers, generator, file };

  Kernel const& kernel;
  From from = From::answers;
  std::uint64_t seed = 1, count = 0;  ///< of the generator
  Selected selected = {};             ///< of the generator
  Table table = {};                   ///< of the file
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
  /// The least id that `seen` does not have; there is one.
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

/// Reads `known` from a file of cases; `held`, or what a complaint returned.
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

struct OutputTally {
  std::uint64_t judged = 0, failed = 0, undecided = 0;
  double max_error = 0, sum_error = 0;
  std::string worst;
  std::uint64_t given = 0, left_out = 0;  ///< answers with the whole of it, and without a part
  std::string first_left_out;
};

/// What became of one output of one regime, for --junit and --write-known.
struct RegimeTally {
  std::uint64_t judged = 0, failed = 0, known = 0, undecided = 0;
  double max_error = 0;
  double worst_error = -1;          ///< of the worst new failure
  std::string worst, worst_detail;  ///< "id 3", and its case with the command to look at it
};

struct Tally {
  std::uint64_t answers = 0, pass = 0, fail = 0, known = 0, undecided = 0, unsupported = 0, errors = 0, malformed = 0,
                duplicated = 0, out_of_range = 0, missing = 0;
  std::uint64_t left_out = 0;  ///< outputs left out though others of the answers give them
  std::uint64_t invalid = 0;   ///< of `fail`: answers to cases outside the domain
  std::vector<OutputTally> outputs;
  std::map<std::string, std::vector<RegimeTally>> regimes;  ///< by name, "" where it is not known

  std::uint64_t bad(bool allow_undecided) const {
    return fail + left_out + errors + malformed + duplicated + out_of_range + missing +
           (allow_undecided ? 0 : undecided);
  }
};

struct VerifyArguments : Common {
  Selection selection;
  bool count_given = false;
  std::string cases, answers, called = "answers", formula;
  BaselineOptions baseline;
  Tolerance held_to;
  Declining declining;
  bool all = false, allow_undecided = false;
  std::uint64_t limit = 20;
};

/// Verdicts as JSON lines: all of them, or the first few that are no pass.
class Verdicts {
 public:
  Verdicts(Output& out, Kernel const& kernel, VerifyArguments const& options)
      : out_(out), kernel_(kernel), options_(options) {}

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

  /// Verdicts that were left out because of the limit.
  std::uint64_t unprinted() const { return unprinted_; }
  std::string const& first_failure() const { return first_failure_; }

 private:
  Output& out_;
  Kernel const& kernel_;
  VerifyArguments const& options_;
  std::uint64_t printed_ = 0, unprinted_ = 0;
  std::string first_failure_;
};

/// Judges answers block by block: the lines are sorted out one by one, and what is left is judged together.
class Verification {
 public:
  Verification(Kernel const& kernel, KnownCases const& known, KnownFailures const& accepted,
               VerifyArguments const& options, Output& out)
      : kernel_(kernel),
        model_(options.formula.empty() ? Model(kernel) : Model(kernel, *find_formula(kernel, options.formula))),
        known_(known),
        accepted_(accepted),
        options_(options),
        verdicts_(out, kernel, options),
        reader_(kernel),
        cases_(kernel.input),
        judged_(kernel.budgets.size()),
        tolerance_(options.held_to) {
    tally_.outputs.resize(kernel.budgets.size());
  }

  void block(std::vector<Lines::Numbered> const& lines) {
    cases_.clear(kernel_.input);
    answers_.clear(kernel_.output);
    rows_.clear();
    for (auto const& line : lines) read(line);
    if (options_.binary32) cases_ = judged_in_binary32(kernel_, cases_);
    Truths const truths = model_.truths(cases_, &stop_requested());
    for (std::size_t row = 0; row < rows_.size() && !stop_requested(); ++row) {
      model_.judge(cases_, truths, row, answers_, row, tolerance_, judged_);
      count(rows_[row], row);
    }
  }

  void count_missing() {
    if (known_.size() > seen_.count()) tally_.missing = known_.size() - seen_.count();
    for (std::size_t k = 0; k < tally_.outputs.size(); ++k) {
      auto const& sum = tally_.outputs[k];
      if (sum.given == 0 || sum.left_out == 0) continue;
      tally_.left_out += sum.left_out;
      if (first_left_out_.empty())
        first_left_out_ =
            left_out_text(kernel_.budgets[k].output, sum.left_out, sum.given + sum.left_out, sum.first_left_out);
    }
  }

  Tally const& tally() const { return tally_; }
  Tally& tally() { return tally_; }
  std::uint64_t unprinted() const { return verdicts_.unprinted(); }
  std::string first_failure() const {
    if (!verdicts_.first_failure().empty()) return verdicts_.first_failure();
    if (!first_left_out_.empty() || tally_.missing == 0) return first_left_out_;
    return fmt::format("case {} has no answer", known_.first_missing(seen_));
  }

 private:
  struct Row {
    std::uint64_t id, line;
    std::string regime;
  };

  /// Tells the line's verdict, or leaves its case and its outputs in the tables for block() to judge.
  void read(Lines::Numbered const& from) {
    ++tally_.answers;
    Line line;
    TableMark const cases_before(cases_), outputs_before(answers_.output);
    if (auto const wrong = reader_.read(from.text, &cases_, &answers_.output, line)) {
      ++tally_.malformed;
      if (line.id && known_.contains(*line.id)) seen_.insert(*line.id);  // malformed, and not missing besides
      next_id_ = line.id.value_or(next_id_) + 1;
      return verdicts_.write(line.id, from.number, "malformed", *wrong, {});
    }
    std::uint64_t const id = line.id.value_or(next_id_);
    next_id_ = id + 1;
    if (!sort_out(id, line, from.number, cases_before)) {
      // Rows of the two tables stay in step: an answer that is not judged takes none.
      cases_before.restore(cases_);
      outputs_before.restore(answers_.output);
      return;
    }
    rows_.push_back({id, from.number,
                     known_.from == KnownCases::From::generator ? kernel_.regimes[known_.selected.regime_of(id)].name
                                                                : line.regime});
    answers_.status.push_back(Status::answered);
  }

  /// True if the line is an answer to judge; otherwise its verdict is told here.
  bool sort_out(std::uint64_t id, Line const& line, std::uint64_t number, TableMark const& before) {
    auto const settle = [&](std::uint64_t& counter, std::string_view verdict, std::string_view reason) {
      ++counter;
      verdicts_.write(id, number, verdict, reason, {});
      return false;
    };
    if (!known_.contains(id))
      return settle(tally_.out_of_range, "out of range",
                    fmt::format("id {} is none of the {} cases", id, known_.size()));
    if (!seen_.insert(id)) return settle(tally_.duplicated, "duplicated", fmt::format("id {} was answered before", id));
    if (line.answer == Line::Answer::none)
      return settle(tally_.malformed, "malformed", "expected one of the keys output, unsupported, error");
    if (known_.from != KnownCases::From::answers) {
      if (!take_known_case(id, line, before))
        return settle(tally_.malformed, "malformed", "its input is not that of the case");
    } else if (!line.has_input) {
      return settle(tally_.malformed, "malformed",
                    "no input, and the cases are not known otherwise (--cases or --count)");
    }
    if (line.answer == Line::Answer::unsupported) return settle(tally_.unsupported, "unsupported", line.message);
    auto const outside = kernel_.domain_error(cases_, cases_.rows - 1);
    if (!outside && line.answer == Line::Answer::output) {
      auto const wrong =
          list_flaw(kernel_.input, kernel_.output, cases_, cases_.rows - 1, answers_.output, answers_.output.rows - 1);
      return !wrong || settle(tally_.malformed, "malformed", *wrong);
    }
    if (!outside) return settle(tally_.errors, "error", line.message);
    auto const why = domain_message(kernel_, cases_, cases_.rows - 1, *outside);
    if (line.answer == Line::Answer::error) return settle(tally_.pass, "pass", "rightly refused: " + why);
    ++tally_.invalid;
    return settle(tally_.fail, "fail", "answered an invalid case: " + why);
  }

  /// Puts the case itself in place of what the line gave; false if they differ. They are compared as numbers: who read
  /// "0.1" may write 0.1.
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

  void count(Row const& row, std::size_t at) {
    bool any = false, fails = false, accepted = false, open = false;
    std::string reason;
    auto& of_regime = tally_.regimes[row.regime];
    of_regime.resize(judged_.size());
    for (std::size_t k = 0; k < judged_.size(); ++k) {
      Node const& node = kernel_.output.root.children[kernel_.budgeted[k]];
      auto& sum = tally_.outputs[k];
      if (!is_left_out(node, answers_.output, at, judged_[k].computed)) {
        ++sum.given;
      } else if (!says_separated(kernel_.output, answers_.output, at)) {
        if (sum.left_out++ == 0) sum.first_left_out = fmt::format("id {}", row.id);
      }
      if (!judged_[k].computed) continue;
      any = true;
      ++sum.judged;
      sum.sum_error += judged_[k].error;
      auto& cell = of_regime[k];
      ++cell.judged;
      cell.max_error = std::max(cell.max_error, judged_[k].error);
      if (judged_[k].verdict == Verdict::undecided) ++sum.undecided, ++cell.undecided, open = true;
      if (judged_[k].verdict == Verdict::fail) {
        ++sum.failed;
        if (accepted_.accepts({kernel_,
                               {options_.called},
                               row.regime,
                               kernel_.budgets[k].output,
                               "",
                               cases_,
                               at,
                               judged_[k].error})) {
          accepted = true;
          ++cell.known;
        } else {
          ++cell.failed;
          if (judged_[k].error > cell.worst_error) keep_worst(cell, row, at, judged_[k].error);
          if (!std::exchange(fails, true)) reason = failure_text(k);
        }
      }
      if (judged_[k].error > sum.max_error || sum.worst.empty()) {
        sum.max_error = judged_[k].error;
        sum.worst = fmt::format("id {}", row.id);
      }
    }
    auto const settle = [&](std::uint64_t& counter, std::string_view verdict) {
      ++counter;
      verdicts_.write(row.id, row.line, verdict, reason, judged_);
    };
    if (!any) {
      reason = "no output that has a budget";
      settle(tally_.malformed, "malformed");
    } else if (fails) {
      settle(tally_.fail, "fail");
    } else if (open) {
      settle(tally_.undecided, "undecided");
    } else if (accepted) {
      settle(tally_.known, "known");
    } else {
      settle(tally_.pass, "pass");
    }
  }

  void keep_worst(RegimeTally& cell, Row const& row, std::size_t at, double error) const {
    cell.worst_error = error;
    cell.worst = fmt::format("id {}", row.id);
    cell.worst_detail = fmt::format("{}\nanswer: {}\n{}\n", record_json(kernel_.input, cases_, at).dump(),
                                    record_json(kernel_.output, answers_.output, at).dump(),
                                    explain_command(kernel_, cases_, at, "fast"));
  }

  std::string failure_text(std::size_t k) const {
    return fmt::format("{} is off by {} u, budget {}", kernel_.budgets[k].output, brief(judged_[k].error),
                       tolerance_text(kernel_, k, options_.held_to));
  }

  Kernel const& kernel_;
  Model model_;
  KnownCases const& known_;
  KnownFailures const& accepted_;
  VerifyArguments const& options_;
  Verdicts verdicts_;
  LineReader reader_;
  Tally tally_;
  Seen seen_;
  std::uint64_t next_id_ = 0;  ///< of an answer that names none: in order
  Table cases_, given_, right_;
  Answers answers_;
  std::vector<Row> rows_;
  std::vector<Judged> judged_;
  Tolerance tolerance_;
  std::string first_left_out_;
};

void print_summary(Output& out, Kernel const& kernel, Tally const& tally, Tolerance const& tolerance,
                   std::string_view formula) {
  out.print("{}: {} answers, {} pass, {} fail", kernel.name, tally.answers, tally.pass, tally.fail);
  for (auto const& [name, value] : {std::pair{"known", tally.known},
                                    {"undecided", tally.undecided},
                                    {"unsupported", tally.unsupported},
                                    {"error", tally.errors},
                                    {"malformed", tally.malformed},
                                    {"duplicated", tally.duplicated},
                                    {"out of range", tally.out_of_range},
                                    {"missing", tally.missing},
                                    {"outputs left out", tally.left_out}})
    if (value > 0) out.print(", {} {}", value, name);
  out.print("\n");
  if (!kernel.certainty.bounded() || !formula.empty()) out.print("  truth: {}\n", truth_words(kernel, formula));
  for (std::size_t k = 0; k < kernel.budgets.size(); ++k) {
    auto const& sum = tally.outputs[k];
    if (sum.judged == 0) continue;
    out.print("  {:<16} max {:>9}  mean {:>9}  budget {}  worst {}\n", kernel.budgets[k].output, brief(sum.max_error),
              brief(sum.sum_error / static_cast<double>(sum.judged)), tolerance_text(kernel, k, tolerance), sum.worst);
  }
}

void print_json_summary(Output& out, Kernel const& kernel, Tally const& tally, Tolerance const& tolerance,
                        std::string_view formula) {
  nlohmann::ordered_json summary{{"kernel", kernel.name},
                                 {"certainty", certainty_word(kernel.certainty)},
                                 {"answers", tally.answers},
                                 {"pass", tally.pass},
                                 {"fail", tally.fail},
                                 {"known", tally.known},
                                 {"undecided", tally.undecided},
                                 {"unsupported", tally.unsupported},
                                 {"error", tally.errors},
                                 {"malformed", tally.malformed},
                                 {"duplicated", tally.duplicated},
                                 {"out_of_range", tally.out_of_range},
                                 {"missing", tally.missing}};
  if (tally.left_out > 0) summary["left_out"] = tally.left_out;
  if (!formula.empty()) summary["formula"] = formula;
  for (std::size_t k = 0; k < kernel.budgets.size(); ++k) {
    auto const& sum = tally.outputs[k];
    if (sum.judged == 0) continue;
    auto const& budget = kernel.budgets[k];
    summary["outputs"][std::string(budget.output)] = {
        {"measure", labels(budget.measure)[static_cast<std::size_t>(budget.measure)]},
        {"budget", tolerated(kernel, k, tolerance).units},
        {"judged", sum.judged},
        {"failed", sum.failed},
        {"max_error", number_json(sum.max_error)},
        {"mean_error", number_json(sum.sum_error / static_cast<double>(sum.judged))},
        {"worst", sum.worst}};
  }
  out.print("{}\n", json_text(nlohmann::ordered_json{{"summary", summary}}));
}

/// The verdicts as a suite: a case each regime and output, and one for answers that could not be judged.
junit::Suite suite_of(Kernel const& kernel, VerifyArguments const& options, Tally const& tally,
                      std::string const& stopped) {
  junit::Suite suite{kernel.name + " x " + options.called, kernel.name + "." + options.called, {}};
  for (auto const& [regime, cells] : tally.regimes) {
    for (std::size_t k = 0; k < cells.size(); ++k) {
      auto const& cell = cells[k];
      if (cell.judged == 0) continue;
      std::string const largest =
          fmt::format("max {} u, budget {}", brief(cell.max_error), tolerance_text(kernel, k, options.held_to));
      junit::Case each;
      each.name = fmt::format("{}{}{}", regime, regime.empty() ? "" : " ", kernel.budgets[k].output);
      if (cell.failed > 0) {
        each.outcome = junit::Case::Outcome::failed;
        each.message = fmt::format("{} of {} failed, worst {}: {}", cell.failed, cell.judged, cell.worst, largest);
        each.detail = cell.worst_detail;
      } else if (cell.undecided > 0 && !options.allow_undecided) {
        each.outcome = junit::Case::Outcome::error;
        each.message = fmt::format("{} of {} undecided: {}", cell.undecided, cell.judged, largest);
      } else {
        each.detail = fmt::format("{} judged: {}\n", cell.judged, largest);
      }
      if (cell.known > 0) each.detail += fmt::format("{} known failures, accepted\n", cell.known);
      suite.cases.push_back(std::move(each));
    }
  }
  junit::Case rest;
  rest.name = "every case answered";
  std::uint64_t const unjudged = tally.errors + tally.malformed + tally.duplicated + tally.out_of_range + tally.missing;
  // An answer to a case outside the domain fails without being judged.
  if (unjudged > 0) {
    rest.outcome = junit::Case::Outcome::failed;
    rest.message = fmt::format("{} errors, {} malformed, {} duplicated, {} out of range, {} missing", tally.errors,
                               tally.malformed, tally.duplicated, tally.out_of_range, tally.missing);
  }
  if (tally.invalid > 0) {
    rest.outcome = junit::Case::Outcome::failed;
    rest.message += fmt::format("{}{} invalid cases answered", rest.message.empty() ? "" : ", ", tally.invalid);
  }
  if (tally.left_out > 0) {
    rest.outcome = junit::Case::Outcome::failed;
    rest.message += fmt::format("{}{} outputs left out", rest.message.empty() ? "" : ", ", tally.left_out);
  }
  if (!stopped.empty()) {
    rest.outcome = junit::Case::Outcome::error;
    rest.message = stopped;
  }
  suite.cases.push_back(std::move(rest));
  return suite;
}

std::vector<KnownFailure> new_failures(Kernel const& kernel, VerifyArguments const& options, Tally const& tally) {
  std::vector<KnownFailure> found;
  for (auto const& [regime, cells] : tally.regimes) {
    for (std::size_t k = 0; k < cells.size(); ++k) {
      if (cells[k].failed == 0) continue;
      KnownFailure entry;
      entry.kernel = kernel.name;
      entry.subject = options.called;
      bool const named = std::any_of(kernel.regimes.begin(), kernel.regimes.end(),
                                     [&name = regime](RegimeInfo const& each) { return each.name == name; });
      entry.regime = named ? regime : "*";
      entry.output = kernel.budgets[k].output;
      entry.max_error = cells[k].max_error;
      entry.count = {cells[k].failed, cells[k].judged};
      found.push_back(std::move(entry));
    }
  }
  return found;
}

/// What fails more often than its entry says counts as failed again.
std::vector<MoreOften> unaccept_more_often(KnownFailures const& accepted, Kernel const& kernel,
                                           VerifyArguments const& options, Tally& tally) {
  std::vector<AcceptedCount> counts;
  for (auto const& [regime, cells] : tally.regimes)
    for (std::size_t k = 0; k < cells.size(); ++k)
      counts.push_back({regime, std::string(kernel.budgets[k].output), {}, {cells[k].known, cells[k].judged}});
  auto const found = more_often_than_known(accepted, kernel, {options.called}, counts);
  for (MoreOften const& each : found)
    for (auto& [regime, cells] : tally.regimes)
      for (std::size_t k = 0; k < cells.size(); ++k)
        if (covers(*each.entry, regime, kernel.budgets[k].output, {}))
          cells[k].failed += std::exchange(cells[k].known, 0);
  return found;
}

/// Entries about these answers that no failure met, where a case that they could be about was judged.
std::vector<KnownFailure const*> no_longer_failing(Kernel const& kernel, VerifyArguments const& options,
                                                   KnownFailures const& accepted, Tally const& tally) {
  std::vector<KnownFailure const*> fixed;
  for (std::size_t i = 0; i < accepted.entries().size(); ++i) {
    KnownFailure const& entry = accepted.entries()[i];
    if (accepted.met(i) || entry.input || !entry.law.empty() || !is_about(entry, kernel, {options.called})) continue;
    bool looked = false;
    for (auto const& [regime, cells] : tally.regimes)
      for (std::size_t k = 0; k < cells.size(); ++k)
        looked = looked || (cells[k].judged > 0 && (entry.regime == "*" || entry.regime == regime) &&
                            (entry.output == "*" || entry.output == kernel.budgets[k].output));
    if (looked) fixed.push_back(&entry);
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
    Tally const& tally = verification.tally();
    return write_baseline("verify", options.baseline, accepted, new_failures(kernel, options, tally),
                          {suite_of(kernel, options, tally, stopped)}, stopped.empty());
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
  if (stop_requested()) {
    write_files("stopped before the end");
    return complain(failed, "verify", "stopped before the end");
  }
  verification.count_missing();
  auto const more_often = unaccept_more_often(accepted, kernel, options, verification.tally());
  if (int const code = write_files(""); code != held) return code;

  Tally const& tally = verification.tally();
  if (!options.json)
    for (auto const* entry : no_longer_failing(kernel, options, accepted, tally))
      out.print("no longer fails: {} ({} line {})\n", known_name(*entry), options.baseline.known, entry->line);
  if (options.json) {
    print_json_summary(out, kernel, tally, options.held_to, options.formula);
  } else {
    if (verification.unprinted() > 0)
      out.print("... and {} more that did not pass (--limit, --all)\n", verification.unprinted());
    print_summary(out, kernel, tally, options.held_to, options.formula);
  }
  if (!out.flush()) return complain(broken, "verify", out.error());
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
  Verb verb{"verify", "judges answers: JSON lines in, verdicts and a summary out"};
  auto options = std::make_shared<VerifyArguments>();
  verb.option("kernel", options->kernel, "the kernel").required();
  verb.option("--answers", options->answers, "read this file instead of standard input");
  verb.option("--cases", options->cases,
              "the cases as a file: answers may leave out their input, and missing ones count");
  verb.option("--count", options->count, "the cases are those of `generate` with this count, --seed and --regime")
      .check(number_of_cases(0))
      .notes(options->count_given);
  verb.exclusive({"--cases", "--count"});
  verb.option("--seed", options->seed, "with --count").check(whole_number()).needs("--count").shows_default();
  add_selection(verb, options->selection, "with --count, as generate had them");
  for (auto& option : verb.options)
    if (option.name == "--regime" || option.name == "--profile" || option.name == "--sizes") option.needs("--count");
  verb.flag("--binary32", options->binary32,
            "the answers are in single precision: judged at the inputs rounded to it, in units of 2^-24");
  add_tolerance(verb, *options);
  add_formula(verb, options->formula);
  verb.option("--subject", options->called, "what --known and --junit call the answers").shows_default();
  add_baseline(verb, options->baseline);
  verb.option("--limit", options->limit, "print at most this many failing answers")
      .check(whole_number())
      .shows_default();
  verb.flag("--all", options->all, "print every verdict, not only what did not pass");
  verb.flag("--allow-undecided", options->allow_undecided, "undecided is no failure");
  add_declining(verb, options->declining);
  verb.flag("--json", options->json, "the summary as JSON");
  verb.example =
      "demeter generate segment_distance --count 1000 | demeter evaluate segment_distance "
      "--implementation fast | demeter verify segment_distance";
  verb.run = [options]() -> int {
    Kernel const* kernel = kernel_or_complain("verify", options->kernel);
    if (kernel == nullptr) return bad_usage;
    std::optional<Held> own;
    if (!held_or_complain("verify", *options, {kernel}, own)) return bad_usage;
    if (!formula_or_complain("verify", options->formula, {kernel})) return bad_usage;
    Subject answers;
    answers.origin = Origin::file;
    answers.binary32 = options->binary32;
    options->held_to = tolerance_of(*kernel, answers, own);
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
