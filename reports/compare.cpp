#include "reports/compare.hpp"

#include "bench/core/mann_whitney.hpp"
#include "bench/core/median.hpp"
#include "kernels/json_lines.hpp"
#include "reports/format/describe.hpp"
#include "reports/format/members.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <tuple>

namespace demeter {
namespace {

using report::Json, report::Number;
using FindingKind = Finding::Kind;

bool is_baseline(report::Timing const& timing) { return timing.kind == "baseline"; }

// ---------------------------------------------------------------------------------------------------------- reading

void add_pair(Recorded& into, std::string const& kernel, std::string const& subject) {
  std::pair<std::string, std::string> pair(kernel, subject);
  if (std::find(into.pairs.begin(), into.pairs.end(), pair) == into.pairs.end()) into.pairs.push_back(std::move(pair));
}

/// Replaces an error that is NaN by infinity.
void nan_to_infinity(Number& error) {
  if (error && std::isnan(*error)) error = std::numeric_limits<double>::infinity();
}

void add_kernel(report::Kernel const& kernel, Recorded& into) {
  into.checked = true;
  into.kernels.push_back(kernel);
  for (auto const& subject : kernel.subjects) {
    add_pair(into, kernel.name, subject.name);
    for (report::Accuracy row : subject.accuracy) {
      row.failed += std::exchange(row.known, 0);
      nan_to_infinity(row.max_error);
      nan_to_infinity(row.mean_error);
      into.accuracy.push_back({kernel.name, subject.name, std::move(row)});
    }
    for (report::LawResult row : subject.laws) {
      row.broken += std::exchange(row.known, 0);
      nan_to_infinity(row.worst);
      into.laws.push_back({kernel.name, subject.name, std::move(row)});
    }
  }
  if (!kernel.speed.timings.empty()) into.reference_workload = kernel.speed.reference_workload;
  for (auto const& row : kernel.speed.timings) {
    if (!is_baseline(row)) add_pair(into, kernel.name, row.subject);
    into.timings.push_back({kernel.name, row.subject, row});
    into.timed = true;
  }
}

void add_run(report::CheckRun const& run, Recorded& into) {
  into.version = run.version;
  into.commit = run.commit;
  into.seed = std::to_string(run.seed);
  into.cpu = run.cpu;
  into.compiler = run.compiler;
  into.flags = run.flags;
  into.levels = run.levels;
}

/// Checks conditions that concern several fields: every kernel has subjects, and a timing has one time of the reference
/// workload for each sample.
void check_kernels(std::vector<report::Kernel> const& kernels, Json const& json, std::string const& path,
                   report::Mistakes& mistakes) {
  for (std::size_t k = 0; k < kernels.size() && mistakes.count == 0; ++k) {
    std::string const where = fmt::format("{}[{}]", path, k);
    if (!json[k].contains("subjects")) mistakes.add({where + ".subjects", "an array", ""});
    auto const& timings = kernels[k].speed.timings;
    for (std::size_t i = 0; i < timings.size(); ++i)
      if (!timings[i].reference_workload.empty() && timings[i].reference_workload.size() != timings[i].samples.size())
        mistakes.add({fmt::format("{}.speed.timings[{}].reference_workload", where, i), "as many values as samples",
                      std::to_string(timings[i].reference_workload.size())});
  }
}

// The parts of a JSON file of Google Benchmark that are read.

struct BenchmarkContext {
  std::string version, commit, seed, cpu, compiler, flags, reference_workload;

  static report::Members members() {
    using report::if_any;
    return {"benchmark_context",
            "the program and the machine of the timing",
            {if_any("demeter_version", &BenchmarkContext::version, "version of Demeter"),
             if_any("demeter_commit", &BenchmarkContext::commit, "commit of the build"),
             if_any("demeter_seed", &BenchmarkContext::seed, "seed of the cases"),
             if_any("demeter_cpu", &BenchmarkContext::cpu, "model of the CPU"),
             if_any("demeter_compiler", &BenchmarkContext::compiler, "compiler of Demeter"),
             if_any("demeter_flags", &BenchmarkContext::flags, "flags of the compiler"),
             if_any("demeter_reference_workload", &BenchmarkContext::reference_workload,
                    "version of the reference workload")}};
  }
};

struct BenchmarkRow {
  std::string name, run_type;
  bool failed = false;
  Number cases_per_second, reference_workload;

  static report::Members members() {
    using report::always, report::if_any;
    return {"benchmark_row",
            "one repetition",
            {always("name", &BenchmarkRow::name, "kernel/subject/setting/regime/outputs/min_time:0.05/repeats:9"),
             always("run_type", &BenchmarkRow::run_type, "iteration or aggregate"),
             if_any("error_occurred", &BenchmarkRow::failed, "whether there is no time"),
             if_any("items_per_second", &BenchmarkRow::cases_per_second, "cases per second"),
             if_any("reference_workload_nanoseconds", &BenchmarkRow::reference_workload,
                    "nanoseconds of the reference workload beside it")}};
  }
};

struct Benchmarks {
  BenchmarkContext context;
  std::vector<BenchmarkRow> rows;

  static report::Members members() {
    using report::always;
    return {"benchmarks",
            "output of demeter bench --json",
            {always("context", &Benchmarks::context, "context of the run"),
             always("benchmarks", &Benchmarks::rows, "repetitions in the order of measurement")}};
  }
};

/// Adds a mistake if a number of a repetition is not above 0. Rows of aggregates are not checked, because the standard
/// deviation of three equal times is 0.
void above_zero(Number const& value, std::string const& where, report::Mistakes& mistakes) {
  if (value && !(*value > 0 && std::isfinite(*value)))
    mistakes.add({where, "a number above 0", fmt::format("{}", *value)});
}

/// Returns a timing with the parts of "kernel/subject/setting/regime/outputs/min_time:0.05/repeats:9".
std::optional<Recorded::Of<report::Timing>> timing_of_name(std::string const& full) {
  std::string name = full.substr(0, full.find("/min_time:"));
  // Only the name of the subject may contain slashes. The kernel is therefore read from the beginning of the name, and
  // the other parts from its end.
  Recorded::Of<report::Timing> timing;
  for (std::string* part : {&timing.row.outputs, &timing.row.regime, &timing.row.setting}) {
    auto const slash = name.rfind('/');
    if (slash == std::string::npos) return std::nullopt;
    *part = name.substr(slash + 1);
    name.resize(slash);
  }
  auto const slash = name.find('/');
  if (slash == std::string::npos) return std::nullopt;
  timing.kernel = name.substr(0, slash);
  timing.subject = timing.row.subject = name.substr(slash + 1);
  // The JSON of Google Benchmark does not mark comparison routines. They are recognised by their names.
  auto const* const kernel = find_kernel(timing.kernel);
  bool baseline = timing.subject == "oracle";
  if (kernel != nullptr)
    for (auto const& each : kernel->baselines)
      baseline = baseline || timing.subject == std::string(each.name) + "@" + std::string(each.level);
  timing.row.kind = baseline ? "baseline" : "subject";
  return timing;
}

void add_benchmarks(Json const& json, Recorded& into, report::Mistakes& mistakes) {
  auto const all = report::read<Benchmarks>(json, mistakes);
  if (mistakes.count > 0) return;
  auto const& context = all.context;
  into.version = context.version;
  into.commit = context.commit;
  into.seed = context.seed;
  into.cpu = context.cpu;
  into.compiler = context.compiler;
  into.flags = context.flags;
  into.reference_workload = context.reference_workload;
  std::map<std::string, std::size_t> place;
  for (std::size_t i = 0; i < all.rows.size(); ++i) {
    auto const& row = all.rows[i];
    if (row.run_type != "iteration" || row.failed) continue;
    auto timing = timing_of_name(row.name);
    std::string const where = fmt::format("benchmarks[{}]", i);
    if (!timing)
      return mistakes.add({where + ".name", "kernel/subject/setting/regime/outputs", plain_text(row.name, 60)});
    if (!row.cases_per_second) return mistakes.add({where + ".items_per_second", "a number above 0", ""});
    above_zero(row.cases_per_second, where + ".items_per_second", mistakes);
    above_zero(row.reference_workload, where + ".reference_workload_nanoseconds", mistakes);
    if (mistakes.count > 0) return;
    auto const known = place.emplace(row.name, into.timings.size());
    if (known.second) {
      if (!is_baseline(timing->row)) add_pair(into, timing->kernel, timing->subject);
      into.timings.push_back(std::move(*timing));
    }
    report::Timing& of_name = into.timings[known.first->second].row;
    of_name.samples.push_back(1e9 / *row.cases_per_second);
    if (row.reference_workload) of_name.reference_workload.push_back(*row.reference_workload);
    into.timed = true;
  }
  for (auto& timing : into.timings)
    if (timing.row.reference_workload.size() != timing.row.samples.size()) timing.row.reference_workload.clear();
}

// -------------------------------------------------------------------------------------------------------- comparing

std::string brief(double value) {
  if (std::isinf(value)) return "inf";
  return fmt::format("{:.3g}", value);
}

std::string changed(std::int64_t before, std::int64_t after) { return fmt::format("{} -> {}", before, after); }

std::string accuracy_name(Recorded::Of<report::Accuracy> const& row) {
  return "accuracy " + row.row.regime + " " + row.row.output;
}
std::string law_name(Recorded::Of<report::LawResult> const& row) { return "law " + row.row.law; }
std::string timing_name(Recorded::Of<report::Timing> const& row) {
  return "speed " + row.row.setting + " " + row.row.regime + " " + row.row.outputs;
}

/// An index of rows by kernel, subject and name.
template <class Row, class Name>
struct Matched {
  using Key = std::tuple<std::string, std::string, std::string>;
  Matched(std::vector<Row> const& rows, Name name) {
    for (auto const& row : rows) by_key.emplace(Key{row.kernel, row.subject, name(row)}, &row);
  }
  Row const* find(Key const& key) const {
    auto const found = by_key.find(key);
    return found == by_key.end() ? nullptr : found->second;
  }
  std::map<Key, Row const*> by_key;
};

class Comparer {
 public:
  Comparer(Recorded const& old_run, Recorded const& new_run, CompareOptions const& options)
      : old_(old_run), new_(new_run), options_(options) {
    result_.are_subjects = options.are_subjects();
    result_.gone_counts = !options.allow_gone && !result_.are_subjects;
  }

  Comparison run() {
    for (auto const* run : {&old_, &new_})
      for (auto const& remark : run->remarks) note(remark);
    circumstances();
    pairs();
    if (old_.checked && new_.checked) {
      accuracy();
      laws();
    } else {
      if (old_.checked || new_.checked)
        note(fmt::format("{} has no checks: accuracy and laws are not compared", new_.checked ? "OLD" : "NEW"));
    }
    speed();
    std::stable_sort(result_.findings.begin(), result_.findings.end(),
                     [](Finding const& a, Finding const& b) { return a.kind < b.kind; });
    return std::move(result_);
  }

 private:
  void add(FindingKind kind, std::string const& kernel, std::string const& subject, std::string const& what,
           std::string text) {
    result_.findings.push_back({kind, kernel, subject, what, std::move(text)});
  }
  void note(std::string text) { add(FindingKind::note, "", "", "", std::move(text)); }

  void circumstances() {
    same_seed_ = !old_.seed.empty() && old_.seed == new_.seed;
    if (old_.checked && new_.checked && !same_seed_)
      note(old_.seed.empty() || new_.seed.empty()
               ? std::string("one run has no seed: only new failures are compared, not the sizes of errors")
               : fmt::format("different seeds ({}, {}): only new failures are compared, not the sizes of errors",
                             old_.seed, new_.seed));
    if (old_.cpu != new_.cpu)
      note(fmt::format("different CPUs ({}; {})", old_.cpu.empty() ? "not recorded" : old_.cpu,
                       new_.cpu.empty() ? "not recorded" : new_.cpu));
    if (old_.compiler != new_.compiler || old_.flags != new_.flags)
      note(fmt::format("different compilers or flags ({} {}; {} {})", old_.compiler, old_.flags, new_.compiler,
                       new_.flags));
  }

  /// Reports each kernel and each subject that only one run has, with one finding.
  void pairs() {
    auto const has_kernel = [](Recorded const& run, std::string const& kernel) {
      for (auto const& pair : run.pairs)
        if (pair.first == kernel) return true;
      return false;
    };
    auto const has_pair = [](Recorded const& run, auto const& pair) {
      return std::find(run.pairs.begin(), run.pairs.end(), pair) != run.pairs.end();
    };
    std::set<std::string> told;
    for (auto const& pair : old_.pairs) {
      if (has_pair(new_, pair)) continue;
      gone_.insert(pair);
      if (!has_kernel(new_, pair.first)) {
        if (told.insert(pair.first).second) add(FindingKind::gone, pair.first, "", "", "the kernel is not in NEW");
        continue;
      }
      auto const missing = new_.missing_peers.find(pair.second);
      if (missing != new_.missing_peers.end()) {
        add(FindingKind::gone, pair.first, pair.second, "", "the subject is not in NEW: " + missing->second);
      } else if (needs_missing_level(pair.second)) {
        add(FindingKind::note, pair.first, pair.second, "", "not in NEW, whose CPU has no such instructions");
      } else {
        add(FindingKind::gone, pair.first, pair.second, "", "the subject is not in NEW");
      }
    }
    for (auto const& pair : new_.pairs) {
      if (has_pair(old_, pair)) continue;
      added_.insert(pair);
      if (has_kernel(old_, pair.first)) {
        add(FindingKind::added, pair.first, pair.second, "", "the subject is not in OLD");
      } else if (told.insert(pair.first).second) {
        add(FindingKind::added, pair.first, "", "", "the kernel is not in OLD");
      }
    }
  }

  bool needs_missing_level(std::string const& subject) const {
    auto const at = subject.rfind('@');
    if (at == std::string::npos || new_.levels.empty()) return false;
    auto const level = subject.substr(at + 1);
    auto const has = [&](std::vector<std::string> const& levels) {
      return std::find(levels.begin(), levels.end(), level) != levels.end();
    };
    return has(old_.levels) && !has(new_.levels);
  }

  /// Calls visit(old, new, name) for every row that both runs have. Reports every row that only one run has. Skips
  /// kernels and subjects that only one run has.
  template <class Row, class Name, class Visit>
  void match(std::vector<Row> const& old_rows, std::vector<Row> const& new_rows, Name name, Visit visit) {
    Matched<Row, Name> const new_by_key(new_rows, name), old_by_key(old_rows, name);
    for (auto const& row : old_rows) {
      if (gone_.contains({row.kernel, row.subject})) continue;
      auto const what = name(row);
      if (Row const* const now = new_by_key.find({row.kernel, row.subject, what})) {
        result_.compared.push_back({row.kernel, row.subject, what});
        visit(row, *now, what);
      } else {
        add(FindingKind::gone, row.kernel, row.subject, what,
            options_.are_subjects() ? "only of " + options_.first : "no longer answered or no longer tested");
      }
    }
    for (auto const& row : new_rows) {
      auto const what = name(row);
      if (added_.contains({row.kernel, row.subject}) || old_by_key.find({row.kernel, row.subject, what})) continue;
      add(FindingKind::added, row.kernel, row.subject, what,
          options_.are_subjects() ? "only of " + options_.second : "not in OLD");
    }
  }

  void accuracy() {
    match(
        old_.accuracy, new_.accuracy, accuracy_name,
        [&](Recorded::Of<report::Accuracy> const& before, Recorded::Of<report::Accuracy> const& after,
            std::string const& what) {
          report::Accuracy const &was = before.row, &is = after.row;
          ++result_.accuracy;
          auto const tell = [&](FindingKind kind, std::string const& text) {
            add(kind, after.kernel, after.subject, what, text);
          };
          bool const same = same_seed_ && was.cases == is.cases;
          if (was.cases != is.cases) other_counts(was.cases, is.cases);
          if (was.budget != *is.budget && budgets_.insert(after.kernel + " " + is.output).second)
            note(options_.are_subjects()
                     ? fmt::format("{}: the budget of {} is {} u for {} and {} u for {}", after.kernel, is.output,
                                   *was.budget, options_.first, *is.budget, options_.second)
                     : fmt::format("{}: the budget of {} was {} u and is {} u", after.kernel, is.output, *was.budget,
                                   *is.budget));
          bool const newly = was.failed == 0 && is.failed > 0;
          if (newly) {
            tell(FindingKind::regression,
                 fmt::format("{}over budget: {} of {} failed, max {} u (budget {} u), {} {} u", newly_, is.failed,
                             is.judged, brief(*is.max_error), *is.budget, was_, brief(*was.max_error)));
          } else if (was.failed > 0 && is.failed == 0) {
            tell(FindingKind::improvement,
                 fmt::format("within budget: max {} u (budget {} u), {} {} u with {} failed", brief(*is.max_error),
                             *is.budget, was_, brief(*was.max_error), was.failed));
          } else if (same && is.failed > 10 && grew(static_cast<double>(was.failed), static_cast<double>(is.failed))) {
            tell(FindingKind::regression,
                 fmt::format("fails more often: {} of {}", changed(was.failed, is.failed), is.judged));
          } else if (same && was.failed > 10 && grew(static_cast<double>(is.failed), static_cast<double>(was.failed))) {
            tell(FindingKind::improvement,
                 fmt::format("fails less often: {} of {}", changed(was.failed, is.failed), is.judged));
          }
          counts(was.crash, is.crash, same, "crashes", tell);
          counts(was.timeout, is.timeout, same, "timeouts", tell);
          counts(was.missing, is.missing, same, "cases without an answer", tell);
          counts(was.malformed, is.malformed, same, "unreadable answers", tell);
          counts(was.undecided, is.undecided, same, "undecided", tell);
          if (!same) return;
          std::int64_t const answered_before = was.judged + was.lost(), answered = is.judged + is.lost();
          if (answered < answered_before)
            tell(FindingKind::regression, "answers fewer cases: " + changed(answered_before, answered));
          if (answered > answered_before)
            tell(FindingKind::improvement, "answers more cases: " + changed(answered_before, answered));
          sizes(was, is, newly, tell);
        });
  }

  template <class Tell>
  void counts(std::int64_t before, std::int64_t after, bool same, char const* name, Tell const& tell) {
    if (same ? after > before : before == 0 && after > 0)
      tell(FindingKind::regression, fmt::format("more {}: {}", name, changed(before, after)));
    if (same ? after < before : before > 0 && after == 0)
      tell(FindingKind::improvement, fmt::format("fewer {}: {}", name, changed(before, after)));
  }

  bool grew(double before, double after) const {
    return std::isinf(after) ? !std::isinf(before) : after > options_.error_factor * before;
  }

  template <class Tell>
  void sizes(report::Accuracy const& was, report::Accuracy const& is, bool newly_over, Tell const& tell) {
    struct Size {
      char const* name;
      double before, after, share;
    };
    // Between two subjects, the smaller budget decides which errors are small.
    double const budget = options_.are_subjects() ? std::min(*was.budget, *is.budget) : *is.budget;
    double const former_budget = options_.are_subjects() ? budget : *was.budget;
    for (auto const& size : {Size{"maximum", *was.max_error, *is.max_error, options_.maximum_share},
                             Size{"mean", *was.mean_error, *is.mean_error, options_.mean_share}}) {
      // Another finding already reports a maximum that has crossed the budget. It also covers a mean that became
      // infinite together with this maximum.
      bool const told = newly_over && (size.name == std::string_view("maximum") || std::isinf(size.after));
      if (!told && grew(size.before, size.after) && size.after > size.share * budget)
        tell(FindingKind::regression, fmt::format("{} error {} u -> {} u (budget {} u)", size.name, brief(size.before),
                                                  brief(size.after), *is.budget));
      if (grew(size.after, size.before) && size.before > size.share * former_budget)
        tell(FindingKind::improvement, fmt::format("{} error {} u -> {} u (budget {} u)", size.name, brief(size.before),
                                                   brief(size.after), *is.budget));
    }
  }

  void other_counts(std::int64_t before, std::int64_t after) {
    if (!std::exchange(counts_told_, true))
      note(fmt::format("different numbers of cases per regime ({}, {}): only new failures are compared there", before,
                       after));
  }

  void laws() {
    match(old_.laws, new_.laws, law_name,
          [&](Recorded::Of<report::LawResult> const& old_row, Recorded::Of<report::LawResult> const& new_row,
              std::string const& what) {
            report::LawResult const &was = old_row.row, &is = new_row.row;
            ++result_.laws;
            auto const tell = [&](FindingKind kind, std::string const& text) {
              add(kind, new_row.kernel, new_row.subject, what, text);
            };
            bool const same = same_seed_ && was.cases == is.cases;
            auto const before = static_cast<double>(was.broken), after = static_cast<double>(is.broken);
            if (was.broken == 0 && is.broken > 0) {
              tell(FindingKind::regression, fmt::format("{}broken in {} of {} cases (worst: {} tolerances)", newly_,
                                                        is.broken, is.applicable, brief(*is.worst)));
            } else if (was.broken > 0 && is.broken == 0) {
              tell(FindingKind::improvement,
                   fmt::format("passed in {} cases, {} broken in {} of {}", is.applicable,
                               options_.are_subjects() ? "for " + options_.first : was_, was.broken, was.applicable));
            } else if (same && is.broken > 10 && grew(before, after)) {
              tell(FindingKind::regression,
                   fmt::format("broken more often: {} of {}", changed(was.broken, is.broken), is.applicable));
            } else if (same && was.broken > 10 && grew(after, before)) {
              tell(FindingKind::improvement,
                   fmt::format("broken less often: {} of {}", changed(was.broken, is.broken), is.applicable));
            }
          });
  }

  struct Judged {
    Recorded::Of<report::Timing> const *was, *is;
    std::vector<double> before, after;
    std::string what;
  };

  void speed() {
    using Speed = CompareOptions::Speed;
    if (options_.speed == Speed::never || (!old_.timed && !new_.timed)) return;
    if (!old_.timed || !new_.timed)
      return note(fmt::format("{} has no timings: speed is not compared", new_.timed ? "OLD" : "NEW"));
    if (options_.speed == Speed::automatic && (old_.cpu.empty() || old_.cpu != new_.cpu) && !options_.interleaved)
      return note("speed is not compared across CPUs (--speed always does)");
    // Divides by the time of the reference workload only if both runs executed the same machine code of this workload.
    // Otherwise the quotient would depend on the compilers.
    bool const normal = !old_.reference_workload.empty() && old_.reference_workload == new_.reference_workload &&
                        (options_.interleaved || (old_.compiler == new_.compiler && old_.flags == new_.flags));
    if (!normal) note("timings are compared as measured: the runs have different reference workloads");

    Matched<Recorded::Of<report::Timing>, decltype(&timing_name)> const by_key(new_.timings, &timing_name);
    std::vector<Judged> judged;
    std::uint64_t few = 0, gone = 0, least_repetitions = options_.repetitions;
    std::string example;
    for (auto const& was : old_.timings) {
      auto const what = timing_name(was);
      auto const* const is = by_key.find({was.kernel, was.subject, what});
      if (is == nullptr) {
        if (gone++ == 0) example = was.kernel + " " + was.subject + " " + what;
        continue;
      }
      if (was.row.samples.size() < options_.repetitions || is->row.samples.size() < options_.repetitions) {
        ++few;
        least_repetitions = std::min({least_repetitions, was.row.samples.size(), is->row.samples.size()});
        continue;
      }
      Judged each{&was, is, was.row.samples, is->row.samples, what};
      if (normal && !was.row.reference_workload.empty() && !is->row.reference_workload.empty()) {
        for (std::size_t i = 0; i < each.before.size(); ++i) each.before[i] /= was.row.reference_workload[i];
        for (std::size_t i = 0; i < each.after.size(); ++i) each.after[i] /= is->row.reference_workload[i];
      }
      judged.push_back(std::move(each));
    }
    // Files contain timings in the random order of their measurement.
    std::stable_sort(judged.begin(), judged.end(), [](Judged const& a, Judged const& b) {
      return std::tie(a.was->kernel, a.was->subject, a.what) < std::tie(b.was->kernel, b.was->subject, b.what);
    });
    if (few > 0)
      note(fmt::format("speed of {} timings not judged: needs {} repetitions (has {})", few,
                       options_.repetitions == 9 ? "nine" : std::to_string(options_.repetitions), least_repetitions));
    if (gone > 0) note(fmt::format("{} timings of OLD are not in NEW, such as {}", gone, example));
    judge(judged);
  }

  void judge(std::vector<Judged> const& judged) {
    for (auto const& each : judged)
      if (!is_baseline(each.was->row)) ++result_.timings;
    // The significance level applies to all timings together (Bonferroni). The level of a single timing is never below
    // the smallest p that its number of repetitions can give. Samples that do not overlap are therefore always
    // significant.
    double const shared = options_.significance / static_cast<double>(std::max<std::uint64_t>(result_.timings, 1));
    result_.level = options_.significance;
    for (auto const& each : judged) {
      if (!is_baseline(each.was->row)) result_.compared.push_back({each.is->kernel, each.is->subject, each.what});
      double const ratio = bench::median(each.after) / bench::median(each.before);
      bool const slower = ratio > options_.slower, faster = 1 / ratio > options_.slower;
      double const level = std::max(shared, bench::least_p(each.after.size(), each.before.size()) * (1 + 1e-9));
      if (!is_baseline(each.was->row)) result_.level = std::min(result_.level, level);
      if (!slower && !faster) continue;
      auto const test =
          slower ? bench::mann_whitney(each.after, each.before) : bench::mann_whitney(each.before, each.after);
      if (!(test.p <= level)) continue;
      std::string const text =
          fmt::format("{:.0f} % {} ({:.4g} -> {:.4g} ns per case as measured, p = {:.1e})",
                      100 * (slower ? ratio - 1 : 1 - ratio), slower ? "slower" : "faster",
                      bench::median(each.was->row.samples), bench::median(each.is->row.samples), test.p);
      if (is_baseline(each.was->row)) {
        add(FindingKind::note, each.is->kernel, each.is->subject, each.what,
            text + ": comparison routine slowed down too: probably the machine, not your code");
      } else {
        add(slower ? FindingKind::regression : FindingKind::improvement, each.is->kernel, each.is->subject, each.what,
            text);
      }
    }
  }

  Recorded const& old_;
  Recorded const& new_;
  CompareOptions const& options_;
  std::string const newly_ = options_.are_subjects() ? "" : "newly ";
  std::string const was_ = options_.are_subjects() ? options_.first + " has" : "was";
  Comparison result_;
  std::set<std::pair<std::string, std::string>> gone_, added_;
  std::set<std::string> budgets_;
  bool same_seed_ = false, counts_told_ = false;
};

}  // namespace

std::optional<std::string> read_recorded(Json const& json, Recorded& into) {
  into = {};
  report::Mistakes mistakes;
  if (json.is_array() && !json.empty()) {
    auto const kernels = report::read<std::vector<report::Kernel>>(json, mistakes);
    if (mistakes.count == 0) check_kernels(kernels, json, "", mistakes);
    for (std::size_t k = 0; k < kernels.size() && mistakes.count == 0; ++k) {
      add_kernel(kernels[k], into);
      if (json[k].contains("run")) add_run(kernels[k].run, into);
    }
    into.checked = true;
  } else if (json.is_object() && json.contains("kernels")) {
    if (auto const why = report::other_schema(json)) return why;
    auto const results = report::read<report::Results>(json, mistakes);
    if (mistakes.count == 0) check_kernels(results.kernels, json["kernels"], "kernels", mistakes);
    add_run({results.run.version, results.run.commit, results.run.seed.value_or(0), results.machine.cpu,
             results.machine.compiler, results.machine.flags, results.machine.levels},
            into);
    for (auto const& peer : results.missing_peers) into.missing_peers[peer.name] = peer.why;
    for (auto const& kernel : results.kernels) add_kernel(kernel, into);
    into.checked = true;
  } else if (json.is_object() && json.contains("benchmarks")) {
    add_benchmarks(json, into, mistakes);
  } else {
    mistakes.add({"", "a results.json of demeter report, or the output of check --json or bench --json",
                  json.is_object()  ? "other keys"
                  : json.is_array() ? "an empty array"
                                    : json.type_name()});
  }
  if (mistakes.count > 0) return mistakes.first.front().text();
  return std::nullopt;
}

void append_samples(Recorded& into, Recorded const& more) {
  Matched<Recorded::Of<report::Timing>, decltype(&timing_name)> const by_key(more.timings, &timing_name);
  for (auto& timing : into.timings) {
    auto const* const other = by_key.find({timing.kernel, timing.subject, timing_name(timing)});
    if (other == nullptr) continue;
    bool const divided =
        timing.row.reference_workload.size() == timing.row.samples.size() && !other->row.reference_workload.empty();
    timing.row.samples.insert(timing.row.samples.end(), other->row.samples.begin(), other->row.samples.end());
    if (divided) {
      timing.row.reference_workload.insert(timing.row.reference_workload.end(), other->row.reference_workload.begin(),
                                           other->row.reference_workload.end());
    } else {
      timing.row.reference_workload.clear();
    }
  }
}

std::size_t Comparison::count(Finding::Kind kind) const {
  return static_cast<std::size_t>(
      std::count_if(findings.begin(), findings.end(), [&](Finding const& each) { return each.kind == kind; }));
}

std::size_t Comparison::regressions() const {
  return count(FindingKind::regression) + (gone_counts ? count(FindingKind::gone) : 0);
}

Comparison compare(Recorded const& old_run, Recorded const& new_run, CompareOptions const& options) {
  return Comparer(old_run, new_run, options).run();
}

}  // namespace demeter
