#include "cli/command.hpp"

#include "reports/describe.hpp"

#include <cerrno>
#include <cstring>
#include <map>

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
  /// The least id not seen.
  std::uint64_t first_missing() const {
    return intervals_.empty() || intervals_.begin()->first > 0 ? 0 : intervals_.begin()->second;
  }

 private:
  std::map<std::uint64_t, std::uint64_t> intervals_;
};

struct OutputTally {
  std::uint64_t judged = 0, failed = 0, undecided = 0;
  double max_error = 0, sum_error = 0;
  std::string worst;
};

struct Tally {
  std::uint64_t answers = 0, pass = 0, fail = 0, undecided = 0, unsupported = 0, errors = 0, malformed = 0, duplicated = 0,
                out_of_range = 0, missing = 0;
  std::vector<OutputTally> outputs;
};

}  // namespace

Run verify(CLI::App& app) {
  struct Options : Common {
    std::string cases, answers;
    bool all = false, allow_undecided = false;
    std::uint64_t limit = 20;
    bool counted = false;
  };
  auto* verb = app.add_subcommand("verify", "judges answers: JSON lines in, verdicts and a summary out");
  auto options = std::make_shared<Options>();
  verb->add_option("kernel", options->kernel, "the kernel")->required();
  verb->add_option("--answers", options->answers, "read this file instead of standard input");
  verb->add_option("--cases", options->cases, "the cases as a file: answers may leave out their input, and missing ones count");
  auto* count = verb->add_option("--count", options->count,
                                 "the cases are those of `generate` with this count, --seed and --regime");
  verb->add_option("--seed", options->seed, "with --count")->capture_default_str();
  verb->add_option("--regime", options->regime, "with --count");
  verb->add_option("--budget", options->budget, "multiply every budget by this")->check(CLI::PositiveNumber)->capture_default_str();
  verb->add_option("--limit", options->limit, "print at most this many failing answers")->capture_default_str();
  verb->add_flag("--all", options->all, "print every verdict, not only what did not pass");
  verb->add_flag("--allow-undecided", options->allow_undecided, "undecided is no failure");
  verb->add_flag("--json", options->json, "the summary as JSON");
  verb->footer("Example:\n  demeter generate segment_distance --count 1000 | demeter evaluate segment_distance "
               "--implementation fast | demeter verify segment_distance");
  return [options, count]() -> int {
    Kernel const* kernel = kernel_or_complain("verify", options->kernel);
    if (kernel == nullptr) return bad_usage;
    std::optional<std::size_t> regime;
    if (!options->regime.empty()) {
      regime = regime_or_complain("verify", *kernel, options->regime);
      if (!regime) return bad_usage;
    }
    bool const generated = count->count() > 0;
    if (generated && !options->cases.empty()) return complain(bad_usage, "verify", "--cases and --count exclude each other");

    // The cases, if they come from a file.
    Table known(kernel->input);
    std::map<std::uint64_t, std::size_t> row_of;
    LineReader reader(*kernel);
    if (!options->cases.empty()) {
      std::FILE* file = std::fopen(options->cases.c_str(), "r");
      if (file == nullptr) return complain(bad_usage, "verify", fmt::format("{}: {}", options->cases, std::strerror(errno)));
      LineSource source(file);
      std::uint64_t number = 0;
      for (;;) {
        auto const& block = source.next_block();
        if (block.empty()) break;
        for (auto const text : block) {
          ++number;
          if (text.find_first_not_of(" \t\r") == std::string_view::npos) continue;
          Line line;
          auto wrong = reader.read(text, &known, nullptr, line);
          if (!wrong && !line.has_input) wrong = "missing key \"input\"";
          std::uint64_t const id = line.id.value_or(number - 1);
          if (!wrong && !row_of.emplace(id, known.rows - 1).second) wrong = fmt::format("id: {} given twice", id);
          if (wrong) {
            std::fclose(file);
            return complain(bad_data, "verify", fmt::format("{}: line {}: {}", options->cases, number, *wrong));
          }
        }
      }
      std::fclose(file);
    }
    bool const from_file = !options->cases.empty();
    std::uint64_t const expected = generated ? options->count : from_file ? row_of.size() : 0;

    std::FILE* in = stdin;
    if (!options->answers.empty() && (in = std::fopen(options->answers.c_str(), "r")) == nullptr)
      return complain(bad_usage, "verify", fmt::format("{}: {}", options->answers, std::strerror(errno)));
    LineSource source(in);
    Output out;
    Tally tally;
    tally.outputs.resize(kernel->budgets.size());
    Seen seen;
    std::uint64_t number = 0, printed = 0, next_id = 0;
    std::string first_failure;
    auto const verdict_line = [&](std::optional<std::uint64_t> id, std::uint64_t line, std::string_view verdict,
                                  std::string_view reason, std::span<Judged const> judged) {
      bool const good = verdict == "pass" || verdict == "unsupported";
      if (!good && first_failure.empty())
        first_failure = fmt::format("line {}: {}{}{}", line, verdict, reason.empty() ? "" : ": ", reason);
      if (!options->all && (good || printed >= options->limit)) return;
      ++printed;
      if (id) {
        out.print("{{\"id\":{},\"verdict\":\"{}\"", *id, verdict);
      } else {
        out.print("{{\"line\":{},\"verdict\":\"{}\"", line, verdict);
      }
      if (!reason.empty()) {
        out.print(",\"reason\":");
        write_string(reason, out.buffer());
      }
      bool first = true;
      for (std::size_t k = 0; k < judged.size(); ++k) {
        if (!judged[k].computed) continue;
        auto const error = number_json(judged[k].error).dump();
        out.print("{}\"{}\":{}", std::exchange(first, false) ? ",\"error\":{" : ",", kernel->budgets[k].output, error);
      }
      out.print("{}}}\n", first ? "" : "}");
    };

    Table cases(kernel->input);
    Answers answers;
    struct Read {
      std::uint64_t id, number;
      std::string_view text;
    };
    std::vector<Read> rows;
    std::vector<Judged> judged(kernel->budgets.size());
    for (;;) {
      auto const& block = source.next_block();
      if (block.empty()) break;
      cases.clear(kernel->input);
      answers.clear(kernel->output);
      rows.clear();
      for (auto const text : block) {
        ++number;
        if (text.find_first_not_of(" \t\r") == std::string_view::npos) continue;
        ++tally.answers;
        Line line;
        TableMark const cases_before(cases), outputs_before(answers.output);
        if (auto wrong = reader.read(text, &cases, &answers.output, line)) {
          ++tally.malformed;
          verdict_line(std::nullopt, number, "malformed", *wrong, {});
          continue;
        }
        std::uint64_t const id = line.id.value_or(next_id);
        next_id = id + 1;
        // Rows of the two tables stay in step: an answer without outputs, and one that is refused, take no row.
        auto const refuse = [&](std::uint64_t& counter, std::string_view verdict, std::string_view reason) {
          ++counter;
          verdict_line(id, number, verdict, reason, {});
          cases_before.restore(cases);
          outputs_before.restore(answers.output);
        };
        if (line.answer == Line::Answer::none) {
          refuse(tally.malformed, "malformed", "expected one of the keys output, unsupported, error");
          continue;
        }
        bool const in_range = generated ? id < options->count : !from_file || row_of.contains(id);
        if (!in_range) {
          refuse(tally.out_of_range, "out of range", fmt::format("id {} is none of the {} cases", id, expected));
          continue;
        }
        if (!seen.insert(id)) {
          refuse(tally.duplicated, "duplicated", fmt::format("id {} was answered before", id));
          continue;
        }
        if (generated || from_file) {
          Table truth_case(kernel->input);
          if (generated) {
            kernel->generate(regime_of(*kernel, regime, id), options->seed, id, truth_case);
          } else {
            append_row(kernel->input, truth_case, known, row_of[id]);
          }
          if (line.has_input) {
            Buffer given, right;
            write_record(kernel->input, cases, cases.rows - 1, given);
            write_record(kernel->input, truth_case, 0, right);
            if (std::string_view(given.data(), given.size()) != std::string_view(right.data(), right.size())) {
              refuse(tally.malformed, "malformed", "its input is not that of the case");
              continue;
            }
          } else {
            append_row(kernel->input, cases, truth_case, 0);
          }
        } else if (!line.has_input) {
          refuse(tally.malformed, "malformed", "no input, and the cases are not known otherwise (--cases or --count)");
          continue;
        }
        auto const outside = kernel->domain_error(cases, cases.rows - 1);
        if (outside || line.answer != Line::Answer::output) {
          if (line.answer == Line::Answer::unsupported) {
            refuse(tally.unsupported, "unsupported", line.message);
          } else if (outside && line.answer == Line::Answer::error) {
            refuse(tally.pass, "pass", "rightly refused: " + domain_message(*kernel, cases, cases.rows - 1, *outside));
          } else if (outside) {
            refuse(tally.fail, "fail",
                   "answered an invalid case: " + domain_message(*kernel, cases, cases.rows - 1, *outside));
          } else {
            refuse(tally.errors, "error", line.message);
          }
          continue;
        }
        rows.push_back({id, number, text});
        answers.status.push_back(Status::answered);
      }
      Truths const truths = kernel->truths(cases);
      for (std::size_t row = 0; row < rows.size(); ++row) {
        kernel->judge(cases, truths, row, answers, row, options->budget, judged);
        bool any = false, fails = false, open = false;
        for (std::size_t k = 0; k < judged.size(); ++k) {
          if (!judged[k].computed) continue;
          any = true;
          auto& sum = tally.outputs[k];
          ++sum.judged;
          sum.sum_error += judged[k].error;
          if (judged[k].verdict == Verdict::fail) ++sum.failed, fails = true;
          if (judged[k].verdict == Verdict::undecided) ++sum.undecided, open = true;
          if (judged[k].error > sum.max_error || sum.worst.empty()) {
            sum.max_error = judged[k].error;
            sum.worst = fmt::format("id {}", rows[row].id);
          }
        }
        if (!any) {
          ++tally.malformed;
          verdict_line(rows[row].id, rows[row].number, "malformed", "no output that has a budget", {});
        } else if (fails) {
          ++tally.fail;
          verdict_line(rows[row].id, rows[row].number, "fail", "", judged);
        } else if (open) {
          ++tally.undecided;
          verdict_line(rows[row].id, rows[row].number, "undecided", "", judged);
        } else {
          ++tally.pass;
          verdict_line(rows[row].id, rows[row].number, "pass", "", judged);
        }
      }
      if (!out.flush()) return complain(broken, "verify", out.error());
    }
    if (source.failed()) return complain(broken, "verify", "reading the answers failed");
    if (expected > seen.count()) {
      tally.missing = expected - seen.count();
      if (first_failure.empty())
        first_failure = generated ? fmt::format("case {} has no answer", seen.first_missing())
                                  : fmt::format("{} cases have no answer", tally.missing);
    }

    std::uint64_t const bad = tally.fail + tally.errors + tally.malformed + tally.duplicated + tally.out_of_range +
                              tally.missing + (options->allow_undecided ? 0 : tally.undecided);
    std::uint64_t const unprinted = bad > printed && !options->all ? bad - std::min(printed, bad) - tally.missing : 0;
    if (options->json) {
      nlohmann::ordered_json summary{{"kernel", kernel->name},       {"answers", tally.answers},
                                     {"pass", tally.pass},           {"fail", tally.fail},
                                     {"undecided", tally.undecided}, {"unsupported", tally.unsupported},
                                     {"error", tally.errors},        {"malformed", tally.malformed},
                                     {"duplicated", tally.duplicated}, {"out_of_range", tally.out_of_range},
                                     {"missing", tally.missing}};
      for (std::size_t k = 0; k < kernel->budgets.size(); ++k) {
        auto const& sum = tally.outputs[k];
        if (sum.judged == 0) continue;
        auto const& budget = kernel->budgets[k];
        summary["outputs"][std::string(budget.output)] = {
            {"measure", labels(budget.measure)[static_cast<std::size_t>(budget.measure)]},
            {"budget", budget.units * options->budget},
            {"judged", sum.judged},
            {"failed", sum.failed},
            {"max_error", number_json(sum.max_error)},
            {"mean_error", number_json(sum.sum_error / static_cast<double>(sum.judged))},
            {"worst", sum.worst}};
      }
      out.print("{}\n", nlohmann::ordered_json{{"summary", summary}}.dump());
    } else {
      if (unprinted > 0) out.print("... and {} more that did not pass (--limit, --all)\n", unprinted);
      out.print("{}: {} answers, {} pass, {} fail", kernel->name, tally.answers, tally.pass, tally.fail);
      for (auto const& [name, value] :
           {std::pair{"undecided", tally.undecided}, {"unsupported", tally.unsupported}, {"error", tally.errors},
            {"malformed", tally.malformed}, {"duplicated", tally.duplicated}, {"out of range", tally.out_of_range},
            {"missing", tally.missing}})
        if (value > 0) out.print(", {} {}", value, name);
      out.print("\n");
      for (std::size_t k = 0; k < kernel->budgets.size(); ++k) {
        auto const& sum = tally.outputs[k];
        if (sum.judged == 0) continue;
        Budget budget = kernel->budgets[k];
        budget.units *= options->budget;
        out.print("  {:<16} max {:>9}  mean {:>9}  budget {}  worst {}\n", budget.output, brief(sum.max_error),
                  brief(sum.sum_error / static_cast<double>(sum.judged)), budget_text(budget), sum.worst);
      }
    }
    if (!out.flush()) return complain(broken, "verify", out.error());
    if (bad > 0)
      return complain(failed, "verify", fmt::format("{} of {} did not pass; the first: {}", bad,
                                                    std::max(tally.answers, expected), first_failure));
    return held;
  };
}

}  // namespace demeter::cli
