#include "properties/core/check.hpp"

#include "properties/core/checkpoint.hpp"
#include "properties/core/shrink.hpp"
#include "properties/core/threads.hpp"
#include "properties/core/tolerance.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <deque>
#include <mutex>
#include <set>

namespace demeter {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t histogram_bins = 2048;
constexpr std::uint64_t law_salts = 64;
using Clock = std::chrono::steady_clock;

std::size_t histogram_bin(double error) {
  if (!(error > 0)) return 0;
  double const position = (std::log2(error) + 16) * 16 + 1;
  if (!(position > 1)) return 1;
  return position >= histogram_bins - 1 ? histogram_bins - 1 : static_cast<std::size_t>(position);
}

/// The outputs a law looks at.
std::vector<Node const*> used_outputs(Kernel const& kernel, LawInfo const& law) {
  std::vector<Node const*> outputs;
  for (auto const& child : kernel.output.root.children)
    for (auto const* named : {&law.uses, &law.compares})
      if (std::find(named->begin(), named->end(), child.name) != named->end()) outputs.push_back(&child);
  return outputs;
}

/// The violation on rows first..first+count of answers; nothing if one is not answered. A subject in binary32 breaks a
/// law only where the inputs the law compares are binary32 too and the answers inside its range: the laws know the
/// range of doubles.
std::optional<double> violation_of(Kernel const& kernel, Subject const& subject, Tolerance const& held, std::size_t law,
                                   std::vector<Node const*> const& outputs, Table const& inputs, Answers const& answers,
                                   std::size_t first, std::size_t count) {
  for (std::size_t row = first; row < first + count; ++row) {
    if (answers.status[row] == Status::crash || answers.status[row] == Status::timeout) return infinity;
    if (answers.status[row] != Status::answered) return std::nullopt;
    for (Node const* const output : outputs) {
      if (output->kind == Node::Kind::list || output->kind == Node::Kind::enumeration) continue;
      auto const& cells = answers.output.columns[output->values()];
      if (subject.binary32 && !(std::fabs(cells[row]) >= 0x1p-126 && std::fabs(cells[row]) < 0x1p128) &&
          !std::isnan(cells[row]))
        return std::nullopt;
    }
  }
  if (subject.binary32)
    for (std::size_t row = first; row < first + count; ++row)
      if (!is_binary32(kernel, inputs, row)) return std::nullopt;
  auto result = kernel.violation(law, inputs, answers, first, count, held);
  if (result && std::isnan(*result)) result = infinity;
  return result;
}

/// `law_violation` with the answers of `ask`, a function of a table of cases.
template <class Ask>
std::optional<double> violation_when_asked(Ask&& ask, Kernel const& kernel, Subject const& subject,
                                           Tolerance const& held, std::size_t law, Table const& cases, std::size_t row,
                                           std::uint64_t salt, Table& inputs, Answers& answers) {
  inputs.clear(kernel.input);
  std::size_t const count = kernel.derive(law, cases, row, law_random(law, salt), inputs);
  if (count == 0) return std::nullopt;
  ask(inputs, answers);
  return violation_of(kernel, subject, held, law, used_outputs(kernel, kernel.laws[law]), inputs, answers, 0, count);
}

void merge(Accuracy& into, Accuracy const& from) {
  into.cases += from.cases;
  into.judged += from.judged;
  into.unsupported += from.unsupported;
  into.crash += from.crash;
  into.timeout += from.timeout;
  into.failed += from.failed;
  into.known += from.known;
  into.undecided += from.undecided;
  into.refined += from.refined;
  into.sum_error += from.sum_error;
  into.max_relative = std::max(into.max_relative, from.max_relative);
  into.max_condition = std::max(into.max_condition, from.max_condition);
  for (std::size_t i = 0; i < histogram_bins; ++i) into.histogram[i] += from.histogram[i];
  // Ties go to the smaller id, so that the result does not depend on which thread was first.
  auto const keep_worse = [](std::optional<Example>& best, std::optional<Example> const& other) {
    if (other && (!best || other->error > best->error || (other->error == best->error && other->id < best->id)))
      best = other;
  };
  keep_worse(into.worst, from.worst);
  keep_worse(into.worst_failure, from.worst_failure);
  keep_worse(into.worst_finite, from.worst_finite);
  into.max_error = std::max(into.max_error, from.max_error);
}

/// The earlier regime (they go from ordinary to extreme), a finite violation before an infinite one, the larger
/// violation, the smaller id: an order, so that threads do not change the choice.
bool tells_more(Example const& a, Example const& b) {
  if (std::isfinite(a.error) != std::isfinite(b.error)) return std::isfinite(a.error);
  if (a.regime != b.regime) return a.regime < b.regime;
  if (a.error != b.error) return a.error > b.error;
  return a.id < b.id;
}

struct Block {
  std::vector<std::vector<Accuracy>> accuracy;  ///< [subject][budget]
  std::vector<std::vector<LawTally>> laws;      ///< [subject][law]
};

/// How bad a simplified case must still be: a gross failure must not shrink to one that only just fails, nor an
/// ordinary one to an overflow.
double as_bad_as(double violation) { return violation / 1000; }

/// How long counterexamples of a subject may be shrunk, all together, if time is limited: what has been found by then
/// is shown.
class Patient {
 public:
  explicit Patient(double seconds) : left_(seconds) {}
  bool over() const { return left_.load() <= 0; }
  /// Counts what `work` takes.
  template <class Work>
  auto operator()(Work const& work) {
    auto const begin = Clock::now();
    auto result = work();
    left_ -= std::chrono::duration<double>(Clock::now() - begin).count();
    return result;
  }

 private:
  std::atomic<double> left_;
};

/// What a subject may take of the time of a check, on all threads; infinite if that is not limited.
double allowance(CheckOptions const& options, std::size_t subjects) {
  if (options.seconds == 0) return infinity;
  return options.seconds * options.jobs / static_cast<double>(std::min<std::size_t>(subjects, 4));
}

class Checker {
 public:
  Checker(Kernel const& kernel, std::vector<Subject const*> const& subjects, CheckOptions const& options)
      : kernel_(kernel), subjects_(subjects), options_(options) {
    for (auto const* subject : subjects) {
      tolerances_.push_back(tolerance_of(kernel, *subject, options.held));
      patience_.emplace_back(allowance(options, subjects.size()));
    }
    for (auto const& law : kernel.laws) used_.push_back(used_outputs(kernel, law));
  }

  /// `spent[s]`: seconds that subject s has taken, to which its time here is added; `asked[s]`: whether it is.
  Block block(std::size_t regime, std::uint64_t first, std::uint64_t count, std::uint64_t law_count,
              std::vector<bool> const& asked, std::vector<double>& spent) const {
    Block result;
    result.accuracy.resize(subjects_.size());
    result.laws.resize(subjects_.size());
    Table cases(kernel_.input);
    for (std::uint64_t id = first; id < first + count; ++id) kernel_.generate(regime, options_.seed, id, cases);
    Truths const truths = kernel_.truths(cases);
    std::vector<Judged> judged(kernel_.budgets.size());
    for (std::size_t s = 0; s < subjects_.size(); ++s) {
      if (!asked[s]) continue;
      Clock::time_point const begin = Clock::now();
      if (subjects_[s]->binary32) {
        Table const rounded = judged_cases(kernel_, *subjects_[s], cases);
        judge_block(s, regime, first, law_count, rounded, kernel_.truths(rounded), judged, result);
      } else {
        judge_block(s, regime, first, law_count, cases, truths, judged, result);
      }
      spent[s] += std::chrono::duration<double>(Clock::now() - begin).count();
    }
    return result;
  }

  /// The shrunk counterexample of a broken law.
  std::optional<LawCheck::Counterexample> shrink_law(std::size_t s, std::size_t law, Example const& example) const {
    // A fixed salt makes the transformation a function of the case alone; try a few until the failure shows.
    Interview ask(*subjects_[s], kernel_);
    for (std::uint64_t salt = 0; salt < law_salts; ++salt) {
      LawCheck::Counterexample found;
      Answers answers;
      auto violation = violation_when_asked(ask, kernel_, *subjects_[s], tolerances_[s], law, example.input, 0, salt,
                                            found.inputs, answers);
      if (!violation || !(*violation > 1)) continue;
      Table small = example.input;
      if (options_.shrink) {
        small = shrink(kernel_.input, example.input, 0, [&](Table const& candidates) {
          return piece_by_piece(s, candidates, [&](Table const& some) {
            return law_fails(ask, s, law, some, salt, as_bad_as(*violation));
          });
        });
      }
      violation =
          violation_when_asked(ask, kernel_, *subjects_[s], tolerances_[s], law, small, 0, salt, found.inputs, answers);
      found.outputs = answers.output;
      found.salt = salt;
      found.violation = violation.value_or(infinity);
      return found;
    }
    return std::nullopt;
  }

  /// Whether a recorded failure fails again, and is none of those that are accepted.
  bool still_fails(std::size_t s, RecordedFailure const& failure) const {
    if (accepted(s, failure)) return false;
    Answers answers;
    for (std::size_t law = 0; law < kernel_.laws.size(); ++law) {
      if (kernel_.laws[law].name != failure.law) continue;
      Table inputs(kernel_.input);
      auto const violation =
          law_violation(kernel_, *subjects_[s], law, failure.input, 0, failure.salt, inputs, answers, options_.held);
      return violation && *violation > 1;
    }
    Table const input = judged_cases(kernel_, *subjects_[s], failure.input);
    answer(*subjects_[s], kernel_, input, answers);
    if (answers.status[0] == Status::unsupported || answers.status[0] == Status::invalid) return false;
    if (answers.status[0] != Status::answered) return true;
    std::vector<Judged> judged(kernel_.budgets.size());
    kernel_.judge(input, kernel_.truths(input), 0, answers, 0, tolerances_[s], judged);
    return std::any_of(judged.begin(), judged.end(),
                       [](Judged const& each) { return each.computed && each.verdict == Verdict::fail; });
  }

  Example shrink_failure(std::size_t s, std::size_t budget, Example const& example) const {
    Interview ask(*subjects_[s], kernel_);
    auto const fails = [&](Table const& simpler) {
      Table const candidates = judged_cases(kernel_, *subjects_[s], simpler);
      std::vector<bool> result(candidates.rows, false);
      Table valid(kernel_.input);
      std::vector<std::size_t> rows;
      for (std::size_t row = 0; row < candidates.rows; ++row) {
        if (kernel_.domain_error(candidates, row)) continue;
        append_row(kernel_.input, valid, candidates, row);
        rows.push_back(row);
      }
      Truths const truths = kernel_.truths(valid);
      Answers answers;
      ask(valid, answers);
      std::vector<Judged> judged(kernel_.budgets.size());
      for (std::size_t i = 0; i < rows.size(); ++i) {
        if (answers.status[i] == Status::answered) {
          kernel_.judge(valid, truths, i, answers, i, tolerances_[s], judged);
          result[rows[i]] = judged[budget].computed && judged[budget].verdict == Verdict::fail &&
                            judged[budget].error >= as_bad_as(example.error) &&
                            std::isinf(judged[budget].error) == std::isinf(example.error);
        } else {
          result[rows[i]] = answers.status[i] == Status::crash || answers.status[i] == Status::timeout;
        }
      }
      return result;
    };
    Example small = example;
    if (options_.shrink)
      small.input = shrink(kernel_.input, example.input, 0,
                           [&](Table const& simpler) { return piece_by_piece(s, simpler, fails); });
    small.input = judged_cases(kernel_, *subjects_[s], small.input);
    Answers answers;
    ask(small.input, answers);
    small.answer = answers.output;
    std::vector<Judged> judged(kernel_.budgets.size());
    if (answers.status[0] == Status::answered)
      kernel_.judge(small.input, kernel_.truths(small.input), 0, answers, 0, tolerances_[s], judged);
    small.error = answers.status[0] == Status::answered ? judged[budget].error : infinity;
    return small;
  }

 private:
  /// `fails` of a table's rows, as long as the subject's patience lasts; nothing fails after that.
  template <class Fails>
  std::vector<bool> piece_by_piece(std::size_t s, Table const& candidates, Fails const& fails) const {
    constexpr std::size_t piece = 64;
    if (options_.seconds == 0 || candidates.rows <= piece)
      return patience_[s].over() ? std::vector<bool>(candidates.rows, false)
                                 : patience_[s]([&] { return fails(candidates); });
    std::vector<bool> result(candidates.rows, false);
    Table some(kernel_.input);
    for (std::size_t first = 0; first < candidates.rows && !patience_[s].over(); first += piece) {
      some.clear(kernel_.input);
      for (std::size_t row = first; row < std::min(first + piece, candidates.rows); ++row)
        append_row(kernel_.input, some, candidates, row);
      auto const found = patience_[s]([&] { return fails(some); });
      std::copy(found.begin(), found.end(), result.begin() + static_cast<std::ptrdiff_t>(first));
    }
    return result;
  }

  /// Whether a baseline accepts failures of this regime and output, or of this law. How large they may be is for the
  /// drawn cases to say: a recorded one may have grown when it was shrunk.
  bool accepted(std::size_t s, RecordedFailure const& failure) const {
    if (!options_.known) return false;
    auto const index = [](auto const& list, auto const& is_it) -> std::optional<std::size_t> {
      auto const found = std::find_if(list.begin(), list.end(), is_it);
      if (found == list.end()) return std::nullopt;
      return static_cast<std::size_t>(found - list.begin());
    };
    auto const regime = index(kernel_.regimes, [&](RegimeInfo const& each) { return each.name == failure.regime; });
    auto const budget = index(kernel_.budgets, [&](Budget const& each) { return each.output == failure.output; });
    auto const law = index(kernel_.laws, [&](LawInfo const& each) { return each.name == failure.law; });
    return (budget || law) &&
           options_.known({s, regime.value_or(0), law ? std::nullopt : budget, law, failure.input, 0, 0});
  }

  void count_one(std::size_t s, Accuracy& cell, Status status, Judged const& judged, Table const& cases,
                 Answers const& answers, std::size_t row, std::uint64_t id) const {
    ++cell.cases;
    double error = 0;
    std::uint64_t* failure = nullptr;
    switch (status) {
      case Status::answered:
        if (!judged.computed) return;
        ++cell.judged;
        error = judged.error;
        if (judged.verdict == Verdict::fail) failure = &cell.failed;
        if (judged.verdict == Verdict::undecided) ++cell.undecided;
        if (judged.refined) ++cell.refined;
        if (judged.relative > cell.max_relative) cell.max_relative = judged.relative;
        if (judged.condition > cell.max_condition) cell.max_condition = judged.condition;
        break;
      case Status::unsupported:
      case Status::invalid:
        ++cell.unsupported;
        return;
      case Status::timeout:
        failure = &cell.timeout;
        error = infinity;
        break;
      default:
        failure = &cell.crash;
        error = infinity;
    }
    bool const known = failure != nullptr && options_.known &&
                       options_.known({s, cell.regime, cell.budget, std::nullopt, cases, row, error});
    if (failure != nullptr) ++(known ? cell.known : *failure);
    cell.sum_error += error;
    ++cell.histogram[histogram_bin(error)];
    auto const keep = [&](std::optional<Example>& best) {
      if (best && error <= best->error) return;
      Example example{Table(kernel_.input), Table(kernel_.output), id, cell.regime, error};
      append_row(kernel_.input, example.input, cases, row);
      append_row(kernel_.output, example.answer, answers.output, row);
      best = std::move(example);
    };
    keep(cell.worst);
    if (failure != nullptr && !known) {
      keep(cell.worst_failure);
      if (std::isfinite(error)) keep(cell.worst_finite);
    }
    cell.max_error = std::max(cell.max_error, error);
  }

  /// The answers of one subject to the cases of a block.
  void judge_block(std::size_t s, std::size_t regime, std::uint64_t first, std::uint64_t law_count, Table const& cases,
                   Truths const& truths, std::vector<Judged>& judged, Block& result) const {
    auto& accuracy = result.accuracy[s];
    accuracy.resize(kernel_.budgets.size());
    for (std::size_t k = 0; k < accuracy.size(); ++k) {
      accuracy[k].regime = regime;
      accuracy[k].budget = k;
      accuracy[k].histogram.assign(histogram_bins, 0);
    }
    Answers answers;
    answer(*subjects_[s], kernel_, cases, answers);
    for (std::size_t row = 0; row < cases.rows; ++row) {
      bool const answered = answers.status[row] == Status::answered;
      if (answered) kernel_.judge(cases, truths, row, answers, row, tolerances_[s], judged);
      for (std::size_t k = 0; k < accuracy.size(); ++k)
        count_one(s, accuracy[k], answers.status[row], judged[k], cases, answers, row, first + row);
    }
    laws(regime, first, std::min<std::uint64_t>(law_count, cases.rows), cases, s, result.laws[s]);
  }

  void laws(std::size_t regime, std::uint64_t first, std::uint64_t count, Table const& cases, std::size_t s,
            std::vector<LawTally>& tallies) const {
    tallies.resize(kernel_.laws.size());
    if (count == 0) return;
    for (std::size_t law = 0; law < kernel_.laws.size(); ++law) {
      Table inputs(kernel_.input);
      std::vector<std::size_t> counts;
      for (std::size_t row = 0; row < count; ++row)
        counts.push_back(kernel_.derive(law, cases, row, law_random(law, (first + row) % law_salts), inputs));
      Answers answers;
      answer(*subjects_[s], kernel_, inputs, answers);
      LawTally& tally = tallies[law];
      std::size_t at = 0;
      for (std::size_t row = 0; row < count; ++row) {
        ++tally.cases;
        if (counts[row] == 0) continue;
        auto const violation =
            violation_of(kernel_, *subjects_[s], tolerances_[s], law, used_[law], inputs, answers, at, counts[row]);
        at += counts[row];
        if (!violation) continue;
        ++tally.applicable;
        if (*violation > 1 && options_.known &&
            options_.known({s, regime, std::nullopt, law, cases, row, *violation})) {
          ++tally.known;
        } else if (*violation > 1) {
          ++tally.broken;
          Example example{Table(kernel_.input), Table(kernel_.output), first + row, regime, *violation};
          if (!tally.example || tells_more(example, *tally.example)) {
            append_row(kernel_.input, example.input, cases, row);
            tally.example = std::move(example);
          }
        }
        tally.worst = std::max(tally.worst, *violation);
      }
    }
  }

  std::vector<bool> law_fails(Interview& ask, std::size_t s, std::size_t law, Table const& candidates,
                              std::uint64_t salt, double least) const {
    std::vector<bool> result(candidates.rows, false);
    Table inputs(kernel_.input);
    std::vector<std::size_t> counts(candidates.rows, 0);
    for (std::size_t row = 0; row < candidates.rows; ++row)
      if (!kernel_.domain_error(candidates, row))
        counts[row] = kernel_.derive(law, candidates, row, law_random(law, salt), inputs);
    Answers answers;
    ask(inputs, answers);
    std::size_t at = 0;
    for (std::size_t row = 0; row < candidates.rows; ++row) {
      if (counts[row] == 0) continue;
      auto const violation =
          violation_of(kernel_, *subjects_[s], tolerances_[s], law, used_[law], inputs, answers, at, counts[row]);
      at += counts[row];
      result[row] = violation && *violation > 1 && *violation >= least;
    }
    return result;
  }

  Kernel const& kernel_;
  std::vector<Subject const*> const& subjects_;
  CheckOptions const& options_;
  std::vector<Tolerance> tolerances_;
  std::vector<std::vector<Node const*>> used_;
  mutable std::deque<Patient> patience_;  ///< of a subject, shared by the threads that shrink
};

/// Keeps failures in the database as they are found: one a regime and output, one a law.
class Recorder {
 public:
  Recorder(Kernel const& kernel, std::vector<Subject const*> const& subjects, CheckOptions const& options,
           std::vector<SubjectCheck>& results)
      : kernel_(kernel), subjects_(subjects), database_(options.failures), results_(results), seen_(subjects.size()) {}

  void replay(Checker const& checker) {
    if (database_ == nullptr) return;
    for (std::size_t s = 0; s < subjects_.size(); ++s) {
      std::vector<RecordedFailure> recorded;
      if (auto const error = database_->load(kernel_, subjects_[s]->name, recorded))
        results_[s].notes.push_back(*error);
      results_[s].recorded = recorded.size();
      for (auto& failure : recorded)
        if (checker.still_fails(s, failure)) results_[s].still_failing.push_back(std::move(failure));
    }
  }

  void look(std::size_t s, Accuracy const& cell) {
    if (database_ == nullptr || cell.failed + cell.crash + cell.timeout == 0) return;
    auto const& example = cell.worst_finite ? cell.worst_finite : cell.worst_failure;
    if (example && seen_[s].emplace(cell.regime, cell.budget).second) keep(s, cell.budget, *example);
  }
  void look(std::size_t s, std::size_t law, Example const& example) {
    // The salt is found when the case is shrunk; the raw case is a start for that.
    if (database_ != nullptr && seen_[s].emplace(kernel_.regimes.size(), law).second)
      keep(s,
           {example.input, kernel_.regimes[example.regime].name, "", kernel_.laws[law].name, example.id % law_salts});
  }
  void shrunk(std::size_t s, std::size_t budget, Example const& example) {
    if (database_ != nullptr) keep(s, budget, example);
  }
  void shrunk(std::size_t s, std::size_t law, std::size_t regime, LawCheck::Counterexample const& found) {
    if (database_ == nullptr) return;
    RecordedFailure failure{Table(kernel_.input), kernel_.regimes[regime].name, "", kernel_.laws[law].name, found.salt};
    append_row(kernel_.input, failure.input, found.inputs, 0);
    keep(s, failure);
  }

 private:
  void keep(std::size_t s, std::size_t budget, Example const& example) {
    keep(s, {example.input, kernel_.regimes[example.regime].name, std::string(kernel_.budgets[budget].output), "", 0});
  }
  void keep(std::size_t s, RecordedFailure const& failure) {
    auto const error = database_->add(kernel_, subjects_[s]->name, failure);
    if (!error) return;
    results_[s].notes.push_back(*error);
    database_ = nullptr;  // said once
  }

  Kernel const& kernel_;
  std::vector<Subject const*> const& subjects_;
  FailureDatabase* database_;
  std::vector<SubjectCheck>& results_;
  std::vector<std::set<std::pair<std::size_t, std::size_t>>> seen_;
};

constexpr double ordinary_numbers = 128;

double numbers_a_case(Kernel const& kernel, std::size_t regime, std::uint64_t seed) {
  constexpr std::uint64_t drawn = 32;
  Table cases(kernel.input);
  for (std::uint64_t id = 0; id < drawn; ++id) kernel.generate(regime, seed, id, cases);
  std::size_t numbers = 0;
  for (auto const& column : cases.columns) numbers += column.size();
  return static_cast<double>(numbers) / static_cast<double>(drawn);
}

}  // namespace

CheckOptions affordable(Subject const& subject, CheckOptions options) {
  if (subject.cases == 0) return options;
  options.cases = std::min(options.cases, subject.cases);
  options.law_cases = 0;
  options.shrink = false;  // it takes hundreds of answers
  return options;
}

double Accuracy::quantile(double share) const {
  if (judged == 0 || histogram.empty()) return 0;
  auto const wanted = static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(judged)));
  std::uint64_t sum = 0;
  for (std::size_t bin = 0; bin < histogram.size(); ++bin) {
    sum += histogram[bin];
    if (sum < std::max<std::uint64_t>(wanted, 1)) continue;
    if (bin == 0) return 0;
    return std::min(std::exp2((static_cast<double>(bin) - 0.5) / 16 - 16), max_error);
  }
  return max_error;
}

bool SubjectCheck::passed() const {
  for (auto const& cell : accuracy)
    if (cell.failed + cell.crash + cell.timeout > 0) return false;
  for (auto const& law : laws)
    if (law.broken > 0) return false;
  return still_failing.empty();
}

std::uint64_t SubjectCheck::undecided() const {
  std::uint64_t sum = 0;
  for (auto const& cell : accuracy) sum += cell.undecided;
  return sum;
}

bool SubjectCheck::answered_nothing() const {
  return passed() &&
         std::all_of(accuracy.begin(), accuracy.end(), [](Accuracy const& cell) { return cell.judged == 0; });
}

Random law_random(std::size_t law, std::uint64_t salt) { return Random(0x1a35, law, salt); }

std::optional<double> law_violation(Kernel const& kernel, Subject const& subject, std::size_t law, Table const& cases,
                                    std::size_t row, std::uint64_t salt, Table& inputs, Answers& answers,
                                    std::optional<Held> const& held) {
  auto const ask = [&](Table const& asked, Answers& to) { answer(subject, kernel, asked, to); };
  return violation_when_asked(ask, kernel, subject, tolerance_of(kernel, subject, held), law, cases, row, salt, inputs,
                              answers);
}

std::vector<SubjectCheck> check(Kernel const& kernel, std::vector<Subject const*> const& subjects,
                                CheckOptions const& options) {
  Checker const checker(kernel, subjects, options);
  std::vector<std::size_t> regimes = options.regimes;
  if (regimes.empty())
    for (std::size_t i = 0; i < kernel.regimes.size(); ++i) regimes.push_back(i);

  // Blocks are independent and merged in an order-free way, so that threads do not change the result.
  struct Task {
    std::size_t regime;
    std::uint64_t first, count, law_count;
    std::size_t round;  ///< one after the other, if time is limited
  };
  std::vector<Task> tasks;
  for (std::size_t const regime : regimes) {
    // Long lists make few cases do the work of many: a regime gets as many as have the numbers of `cases` ordinary
    // ones.
    double const share =
        options.every_case ? 1 : std::min(1.0, ordinary_numbers / numbers_a_case(kernel, regime, options.seed));
    auto const scaled = [share](std::uint64_t count) {
      if (count == 0) return count;
      return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(static_cast<double>(count) * share));
    };
    std::uint64_t const size = kernel.regimes[regime].size;
    std::uint64_t const cases = size > 0 ? std::min(size, options.cases) : scaled(options.cases),
                        law_cases = std::min(scaled(options.law_cases), cases),
                        block_size = scaled(options.seconds > 0 ? std::min<std::uint64_t>(options.cases, 8192) : 8192);
    std::size_t round = 0;
    for (std::uint64_t first = 0; first < cases; ++round) {
      // Where time is limited, blocks that grow eightfold come before the whole ones.
      std::uint64_t const part = options.seconds > 0 ? std::uint64_t{2048} >> std::min<std::size_t>(3 * round, 11) : 1;
      std::uint64_t const size = std::max<std::uint64_t>(block_size / part, 1);
      std::uint64_t const count = std::min(size, cases - first);
      // The laws' share is spread over the blocks.
      std::uint64_t const laws = law_cases * (first + count) / cases - law_cases * first / cases;
      tasks.push_back({regime, first, count, laws, round});
      first += count;
    }
  }

  // What is recorded comes first: it is known to be hard.
  std::stable_partition(tasks.begin(), tasks.end(),
                        [&](Task const& task) { return kernel.regimes[task.regime].size > 0; });
  if (options.seconds > 0)
    std::stable_sort(tasks.begin(), tasks.end(), [](Task const& a, Task const& b) { return a.round < b.round; });

  std::vector<SubjectCheck> results(subjects.size());
  std::vector<std::vector<LawTally>> law_totals(subjects.size());
  for (std::size_t s = 0; s < subjects.size(); ++s) {
    results[s].subject = subjects[s]->name;
    for (std::size_t const regime : regimes) {
      for (std::size_t k = 0; k < kernel.budgets.size(); ++k) {
        Accuracy cell;
        cell.regime = regime;
        cell.budget = k;
        cell.histogram.assign(histogram_bins, 0);
        results[s].accuracy.push_back(std::move(cell));
      }
    }
    for (std::size_t law = 0; law < kernel.laws.size(); ++law) {
      results[s].laws.push_back({});
      results[s].laws.back().law = law;
      for (std::size_t const regime : regimes) results[s].laws.back().regimes.push_back({regime, 0, 0});
    }
    law_totals[s].resize(kernel.laws.size());
  }

  Recorder recorder(kernel, subjects, options, results);
  recorder.replay(checker);
  Checkpoint checkpoint(kernel, options, tasks.size(), results, law_totals);

  std::mutex mutex;
  std::size_t next = 0, finished = checkpoint.done();
  auto const begin = Clock::now();
  auto const elapsed = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
  std::vector<double> spent(subjects.size());
  double const share = allowance(options, subjects.size());
  auto const work = [&] {
    for (;;) {
      std::size_t index;
      std::vector<bool> asked(subjects.size(), true);
      {
        std::lock_guard const lock(mutex);
        while (next < tasks.size() && checkpoint.done(next)) ++next;
        if (next == tasks.size() || (options.stop != nullptr && options.stop->load())) return;
        if (options.seconds > 0 && tasks[next].round > 0) {
          if (elapsed() > options.seconds) return;
          for (std::size_t s = 0; s < subjects.size(); ++s) asked[s] = spent[s] < share;
        }
        index = next++;
      }
      Task const& task = tasks[index];
      std::vector<double> taken(subjects.size());
      Block const block = checker.block(task.regime, task.first, task.count, task.law_count, asked, taken);
      std::lock_guard const lock(mutex);
      auto const at =
          static_cast<std::size_t>(std::find(regimes.begin(), regimes.end(), task.regime) - regimes.begin());
      for (std::size_t s = 0; s < subjects.size(); ++s) {
        if (!asked[s]) continue;
        spent[s] += taken[s];
        for (std::size_t k = 0; k < kernel.budgets.size(); ++k) {
          merge(results[s].accuracy[at * kernel.budgets.size() + k], block.accuracy[s][k]);
          recorder.look(s, block.accuracy[s][k]);
        }
        for (std::size_t law = 0; law < kernel.laws.size(); ++law) {
          LawTally const& from = block.laws[s][law];
          LawCheck& into = results[s].laws[law];
          LawTally& total = law_totals[s][law];
          into.cases += from.cases;
          into.applicable += from.applicable;
          into.broken += from.broken;
          into.known += from.known;
          into.worst = std::max(into.worst, from.worst);
          into.regimes[at].broken += from.broken;
          into.regimes[at].worst = std::max(into.regimes[at].worst, from.worst);
          if (from.example && (!total.example || tells_more(*from.example, *total.example)))
            total.example = from.example;
          if (from.example) recorder.look(s, law, *from.example);
        }
      }
      checkpoint.finished(index);
      ++finished;
      double const of_time = options.seconds > 0 ? elapsed() / options.seconds : 0;
      if (options.progress)
        options.progress(
            std::min(1.0, std::max(static_cast<double>(finished) / static_cast<double>(tasks.size()), of_time)),
            kernel.name + " " + kernel.regimes[task.regime].name);
    }
  };
  in_threads(options.jobs, work);
  if (finished < tasks.size()) checkpoint.save();

  // What is shown of a failure is shrunk: a search of its own for each of them, in order of the list, so that threads
  // do not change what is recorded.
  struct Search {
    std::size_t subject, regime;
    std::optional<std::size_t> law, budget;
    Example const* example;
    std::optional<LawCheck::Counterexample> counterexample{};
    std::optional<Example> failure{};
  };
  std::vector<Search> searches;
  for (std::size_t s = 0; s < subjects.size(); ++s) {
    for (std::size_t law = 0; law < kernel.laws.size(); ++law)
      if (auto const& example = law_totals[s][law].example)
        searches.push_back({s, example->regime, law, std::nullopt, &*example});
    // One example a regime: regimes break for different reasons. Of its outputs the first that fails.
    for (std::size_t const regime : regimes) {
      for (auto const& cell : results[s].accuracy) {
        if (cell.regime != regime || cell.failed + cell.crash + cell.timeout == 0) continue;
        auto const& example = cell.worst_finite ? cell.worst_finite : cell.worst_failure;
        if (example) searches.push_back({s, regime, std::nullopt, cell.budget, &*example});
        break;
      }
    }
  }
  for_each_in_threads(options.jobs, searches.size(), nullptr, [&](std::size_t index) {
    Search& search = searches[index];
    if (search.law) {
      search.counterexample = checker.shrink_law(search.subject, *search.law, *search.example);
    } else {
      search.failure = checker.shrink_failure(search.subject, *search.budget, *search.example);
    }
  });
  for (auto& search : searches) {
    SubjectCheck& result = results[search.subject];
    if (search.counterexample) {
      auto const& shrunk = result.laws[*search.law].counterexample = std::move(search.counterexample);
      recorder.shrunk(search.subject, *search.law, search.regime, *shrunk);
    } else if (search.failure) {
      result.failures.push_back({*search.budget, std::move(*search.failure)});
      recorder.shrunk(search.subject, *search.budget, result.failures.back().example);
    }
  }
  if (finished == tasks.size()) checkpoint.remove();
  return results;
}

}  // namespace demeter
