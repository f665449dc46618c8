#include "properties/core/calling.hpp"

#include "kernels/random.hpp"
#include "subjects/calls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <numeric>

namespace demeter {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/// About vectors of 2, 4, 8, 16 and blocks of 64 numbers, and beyond what codes have on their stacks.
constexpr std::array<std::size_t, 11> small_sizes{1, 2, 3, 7, 8, 9, 16, 17, 63, 64, 65};
constexpr std::array<std::size_t, 4> large_sizes{1000, 1025, 4097, 8192};
/// Numbers that the cases of one call have at most.
constexpr std::size_t most_cells = std::size_t{1} << 19;
/// What one case alone may take: a trial is not the place to wait for one that hangs.
constexpr milliseconds longest_alone{2'000};
constexpr std::size_t most_runs = 60;  ///< processes that a search for the smallest batch may take
constexpr Surroundings watched{true, true, true};

std::string rows_text(std::size_t rows) { return rows == 1 ? "1 row" : fmt::format("{} rows", rows); }

bool same_cell(double a, double b) {
  if (std::isnan(a) && std::isnan(b)) return is_not_computed(a) == is_not_computed(b);
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

std::string cell_text(Node const& node, double cell) {
  if (is_not_computed(cell)) return "nothing";
  if (node.kind == Node::Kind::enumeration && cell >= 0 && cell < static_cast<double>(node.labels.size()))
    return std::string(node.labels[static_cast<std::size_t>(cell)]);
  return fmt::format("{}", cell);
}

/// "distance 2 for 1": the first part in which an answer is not the one that was expected.
std::optional<std::string> difference(Schema const& schema, Node const& node, Table const& answer, std::size_t at,
                                      Table const& expected, std::size_t expected_at) {
  auto const differ = [&](std::size_t column, std::string const& a, std::string const& b) {
    return fmt::format("{} {} for {}", schema.columns[column].path, a, b);
  };
  if (node.nullable) {
    bool const null = answer.columns[node.column][at] == 0,
               expected_null = expected.columns[node.column][expected_at] == 0;
    if (null && expected_null) return std::nullopt;
    if (null != expected_null) return differ(node.values(), null ? "null" : "a value", null ? "a value" : "null");
  }
  switch (node.kind) {
    case Node::Kind::record:
      for (auto const& child : node.children)
        if (auto found = difference(schema, child, answer, at, expected, expected_at)) return found;
      return std::nullopt;
    case Node::Kind::list: {
      auto const begin = [&](Table const& table, std::size_t row) {
        return static_cast<std::size_t>(table.columns[node.column][row]);
      };
      std::size_t const first = begin(answer, at), length = begin(answer, at + 1) - first;
      std::size_t const expected_first = begin(expected, expected_at),
                        expected_length = begin(expected, expected_at + 1) - expected_first;
      if (length != expected_length)
        return differ(node.column, fmt::format("of {} elements", length), fmt::format("of {}", expected_length));
      for (std::size_t i = 0; i < length; ++i)
        if (auto found = difference(schema, node.children.front(), answer, first + i, expected, expected_first + i))
          return found;
      return std::nullopt;
    }
    default:
      for (std::size_t column = node.values(); column < node.column + node.columns; ++column) {
        double const a = answer.columns[column][at], b = expected.columns[column][expected_at];
        if (!same_cell(a, b)) return differ(column, cell_text(node, a), cell_text(node, b));
      }
      return std::nullopt;
  }
}

/// What is wrong with one call.
struct Trouble {
  Status status = Status::answered;  ///< `answered`: an answer is otherwise than it should be
  std::size_t place = 0;             ///< among the rows of the call, if so
  std::string text;
};

class WaysOfCalling {
 public:
  WaysOfCalling(Kernel const& kernel, Subject const& subject, Table const& cases, CallOptions const& options)
      : kernel_(kernel),
        subject_(subject),
        cases_(cases),
        options_(options),
        caller_(subject, kernel),
        alone_(kernel.output),
        usable_(cases.rows, false) {}

  CallCheck operator()() {
    if (caller_.keeps_its_process()) {
      try_program();
    } else {
      try_function();
    }
    return std::move(result_);
  }

 private:
  // ------------------------------------------------------------------------------------------------------ the steps

  void try_function() {
    std::vector<Way> ways{Way::again, Way::batch};
    if (caller_.over_columns()) ways.insert(ways.end(), {Way::no_rows, Way::unwanted, Way::memory});
    if (!answer_alone()) {
      result_.not_tried = ways;
      return;
    }
    ask_again();
    if (caller_.over_columns()) ask_for_none();
    if (caller_.over_columns()) leave_out();
    if (caller_.over_columns() && goes_on()) tried(Way::memory);
    ask_in_batches();
    ask_after_others();
    for (Way const way : ways)
      if (std::find(result_.tried.begin(), result_.tried.end(), way) == result_.tried.end())
        result_.not_tried.push_back(way);
  }

  /// Every case alone, in one process as long as it lives, in memory in which much is forgiven.
  bool answer_alone() {
    auto const begin = Clock::now();
    std::size_t deaths = 0;
    for (std::size_t next = 0; next < cases_.rows;) {
      std::vector<Call> calls;
      for (std::size_t row = next; row < cases_.rows; ++row) calls.push_back({{row}, {}, {}});
      auto const made = ask(calls, std::min(subject_.limits.time_per_chunk, longest_alone));
      for (Called const& each : made) {
        bool const answered = each.status == Status::answered && each.answers.status[0] == Status::answered;
        usable_[next++] = answered;
        if (answered) {
          append_row(kernel_.output, alone_, each.answers.output, 0);
        } else {
          Answers none;
          none.clear(kernel_.output);
          append_without(kernel_.output, none, Status::missing, "");
          append_row(kernel_.output, alone_, none.output, 0);
        }
      }
      bool const died = !made.empty() && dead(made.back());
      if (died && (made.back().status == Status::timeout || ++deaths > 3)) return false;
      if (made.empty()) return false;
    }
    result_.cases = static_cast<std::uint64_t>(std::count(usable_.begin(), usable_.end(), true));
    seconds_a_row_ = std::chrono::duration<double>(Clock::now() - begin).count() /
                     static_cast<double>(std::max<std::size_t>(cases_.rows, 1));
    for (std::size_t row = 0; row < cases_.rows; ++row)
      if (usable_[row]) by_size_.push_back(row);
    for (std::size_t row = 0; row < cases_.rows; ++row) cells_.push_back(cells_of(row));
    std::stable_sort(by_size_.begin(), by_size_.end(),
                     [&](std::size_t a, std::size_t b) { return cells_[a] < cells_[b]; });
    return !by_size_.empty();
  }

  /// The same again in a new process, backwards and then forwards.
  void ask_again() {
    if (!goes_on()) return;
    tried(Way::again);
    std::vector<Call> script;
    for (std::size_t i = cases_.rows; i-- > 0;)
      if (usable_[i]) script.push_back({{i}, {}, {}});
    for (std::size_t i = 0; i < cases_.rows; ++i)
      if (usable_[i]) script.push_back({{i}, {}, {}});
    auto const made = ask(script, time());
    std::optional<std::size_t> first;
    for (std::size_t i = 0; i < made.size() && !first; ++i)
      if (trouble(script[i], made[i])) first = i;
    if (!first) return;
    if (options_.shrink)
      add_again(script, *first);
    else
      add({Way::again, "a case asked again is answered otherwise", inputs_of({script[*first]}), 1, 0});
    // Answers that change tell nothing of batches any more; that a call is survived still does.
    comparable_ = false;
  }

  void ask_for_none() {
    if (!goes_on()) return;
    tried(Way::no_rows);
    std::vector<Call> const script{{{}, {}, watched}, {rows(3, 0), {}, {}}};
    auto const made = ask(script, time());
    for (std::size_t i = 0; i < made.size(); ++i) {
      auto const found = trouble(script[i], made[i]);
      if (!found) continue;
      CallFinding finding{Way::no_rows, "", Table(kernel_.input), i + 1, std::nullopt};
      if (i > 0) {
        // Not if it is so without that call.
        if (trouble_in_new_process(script[1])) return;
        finding.inputs = inputs_of({script[1]});
        finding.row = found->place;
        finding.text = "after a call for 0 rows " + otherwise_text(*found, script[1].rows.size());
      } else {
        finding.text = fmt::format("{} when asked for 0 rows", deed(script[0], *found));
      }
      return add(std::move(finding));
    }
  }

  void ask_in_batches() {
    if (!goes_on() || by_size_.empty()) return;
    tried(Way::batch);
    Surroundings around = caller_.over_columns() ? watched : Surroundings{};
    std::vector<Call> script;
    auto const both_ways = [&](std::size_t size) {
      script.push_back({rows(size, 0), {}, around});
      if (size == 1) return;
      script.push_back(script.back());
      std::reverse(script.back().rows.begin(), script.back().rows.end());
    };
    for (std::size_t const size : small_sizes) both_ways(size);
    for (std::size_t part = 0; part <= large_sizes.size(); ++part) {
      if (part > 0) {
        std::size_t const size = large_sizes[part - 1];
        bool const affordable =
            seconds_a_row_ * 2 * static_cast<double>(size) < options_.seconds - elapsed() && fits(size);
        if (!affordable || !goes_on()) return;
        script.clear();
        both_ways(size);
      }
      for (std::size_t first = 0; first < script.size();) {
        std::vector<Call> const rest(script.begin() + static_cast<std::ptrdiff_t>(first), script.end());
        double const asked_at = elapsed();
        auto const made = ask(rest, time());
        if (made.empty()) return;
        std::size_t done = made.size();
        // Of one case alone most of the time is the call's.
        std::size_t asked = 0;
        for (std::size_t i = 0; i < made.size(); ++i) asked += rest[i].rows.size();
        seconds_a_row_ = std::min(seconds_a_row_, (elapsed() - asked_at) / static_cast<double>(asked));
        for (std::size_t i = 0; i < made.size(); ++i) {
          auto const found = trouble(rest[i], made[i]);
          if (!found || (found->status != Status::timeout && !trouble_in_new_process(rest[i]))) continue;
          add_batch(rest[i], *found);
          if (has(Way::batch) || !goes_on()) return;
          if (has(Way::memory) && !around.plain()) {
            // The rest of the trial is about answers, from this call on.
            around = {};
            for (Call& each : script) each.around = around;
            done = i;
            break;
          }
        }
        first += done;
      }
    }
  }

  /// Many calls of mixed sizes in one process.
  void ask_after_others() {
    if (!goes_on() || !comparable_ || by_size_.empty() || has(Way::again)) return;
    std::vector<Call> script;
    constexpr std::array<std::size_t, 15> sizes{17, 1, 64, 8, 3, 65, 1, 9, 1000, 7, 1, 2, 16, 63, 1};
    for (std::size_t round = 1; round <= 3; ++round)
      for (std::size_t const size : sizes)
        if (size < 1000 || (round == 1 && fits(size) && seconds_a_row_ * 1000 < options_.seconds - elapsed()))
          script.push_back({rows(size, 100 + 16 * round + size), {}, {}});
    auto const made = ask(script, time());
    for (std::size_t i = 0; i < made.size(); ++i) {
      auto const found = trouble(script[i], made[i]);
      if (!found) continue;
      if (trouble_in_new_process(script[i])) {
        if (!has(Way::batch)) add_batch(script[i], *found);
        continue;
      }
      return add_again(script, i);
    }
  }

  /// Each output alone, all but each, and none.
  void leave_out() {
    if (!goes_on() || by_size_.empty()) return;
    tried(Way::unwanted);
    std::size_t const fields = kernel_.output.root.children.size();
    Call const whole{rows(std::min<std::size_t>(17, by_size_.size()), 7), {}, {}};
    if (trouble_in_new_process(whole)) return;  // a matter of the batch
    std::vector<Call> script;
    std::vector<std::string> without;
    auto const put = [&](std::vector<bool> left_out, std::string text) {
      script.push_back({whole.rows, std::move(left_out), {}});
      without.push_back(std::move(text));
    };
    for (std::size_t k = 0; k < fields && fields > 1; ++k) {
      std::vector<bool> one(fields, false), others(fields, true);
      one[k] = true;
      others[k] = false;
      put(one, fmt::format("if {} is not wanted (its columns of out are NULL)", kernel_.output.root.children[k].name));
      put(others,
          fmt::format("if only {} is wanted (the others of out are NULL)", kernel_.output.root.children[k].name));
    }
    put(std::vector<bool>(fields, true), "if no output is wanted (all of out is NULL)");
    for (std::size_t first = 0; first < script.size();) {
      std::vector<Call> const rest(script.begin() + static_cast<std::ptrdiff_t>(first), script.end());
      auto const made = ask(rest, time());
      if (made.empty()) return;
      for (std::size_t i = 0; i < made.size(); ++i) {
        auto const found = trouble(rest[i], made[i]);
        if (!found) continue;
        auto const small = smallest(rest[i], *found);
        CallFinding finding{Way::unwanted, "", inputs_of({small.call}), 1, std::nullopt};
        finding.text = small.trouble.status == Status::answered
                           ? otherwise_text(small.trouble, small.call.rows.size())
                           : fmt::format("{} when asked for {}", deed(small.call, small.trouble),
                                         rows_text(small.call.rows.size()));
        finding.text += " " + without[first + i];
        if (small.trouble.status == Status::answered) finding.row = small.trouble.place;
        return add(std::move(finding));
      }
      first += made.size();
    }
  }

  /// A process that stays is asked all cases, the same again, and in another order; then some alone.
  void try_program() {
    std::size_t const most = std::min<std::size_t>(cases_.rows, 32);
    auto const begin = Clock::now();
    Call first{{0}, {}, {}};
    if (cases_.rows == 0) return;
    ask({first}, time());
    double const a_row = std::chrono::duration<double>(Clock::now() - begin).count();
    auto const affordable = static_cast<std::size_t>(options_.seconds / (4 * std::max(a_row, 1e-6)));
    Call all{{}, {}, {}};
    for (std::size_t row = 0; row < std::min(most, affordable); ++row) all.rows.push_back(row);
    if (all.rows.size() < 2) {
      result_.not_tried = {Way::again, Way::batch};
      return;
    }
    auto const made = ask({all}, time());
    if (stopped()) {
      result_.not_tried = {Way::again, Way::batch};
      return;
    }
    alone_ = made[0].answers.output;
    for (std::size_t const row : all.rows) usable_[row] = made[0].answers.status[row] == Status::answered;
    result_.cases = static_cast<std::uint64_t>(std::count(usable_.begin(), usable_.end(), true));
    if (result_.cases == 0) {
      result_.not_tried = {Way::again, Way::batch};
      return;
    }
    tried(Way::again);
    Call backwards = all;
    std::reverse(backwards.rows.begin(), backwards.rows.end());
    for (Call const& each : {all, backwards}) {
      if (!goes_on()) return;
      auto const found = trouble(each, ask({each}, time())[0]);
      if (!found) continue;
      std::string const how = each.rows == all.rows ? "a second time" : "a second time, in another order,";
      CallFinding finding{Way::again, "", inputs_of({each}), 2, found->place};
      finding.text = fmt::format("row {} of {} asked {} {}", found->place + 1, each.rows.size(), how, told(*found));
      // Often one case asked twice shows it.
      Call const one{{each.rows[found->place]}, {}, {}};
      auto const once = ask({one}, time()), twice = ask({one}, time());
      if (auto const differs = options_.shrink ? difference_of(one, once[0], twice[0]) : std::nullopt) {
        finding.inputs = inputs_of({one});
        finding.row = 0;
        finding.text = fmt::format("a case asked twice is answered otherwise the second time: {}", *differs);
      }
      return add(std::move(finding));
    }
    tried(Way::batch);
    for (std::size_t i = 0, asked = 0; i < all.rows.size() && asked < 8; ++i) {
      if (!goes_on()) return;
      std::size_t const row = all.rows[all.rows.size() - 1 - i];
      if (!usable_[row]) continue;
      ++asked;
      Call const one{{row}, {}, {}};
      auto const found = trouble(one, ask({one}, time())[0]);
      if (!found) continue;
      return add({Way::batch, fmt::format("a case asked alone after {} together {}", all.rows.size(), told(*found)),
                  inputs_of({one}), 1, 0});
    }
  }

  // --------------------------------------------------------------------------------------------- what is asked

  std::vector<Called> ask(std::vector<Call> const& calls, milliseconds time) {
    // Every call is a process to begin and to end, which is felt by who waits for the stop.
    if (stopped()) return std::vector<Called>(calls.size(), Called{Status::not_asked, "stopped", {}});
    result_.calls += calls.size();
    return caller_(cases_, calls, time);
  }

  /// As for the chunks of an ordinary check.
  milliseconds time() const { return subject_.limits.time_per_chunk; }
  double elapsed() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }
  bool goes_on() const {
    return elapsed() < options_.seconds && !over_ && !(options_.first_only && !result_.findings.empty()) && !stopped();
  }
  bool stopped() const { return options_.stop != nullptr && options_.stop->load(); }
  void tried(Way way) { result_.tried.push_back(way); }
  bool has(Way way) const {
    return std::any_of(result_.findings.begin(), result_.findings.end(),
                       [&](CallFinding const& each) { return each.way == way; });
  }
  void add(CallFinding finding) {
    if (stopped()) return;  // what it rests on may have been cut short
    if (!has(finding.way)) result_.findings.push_back(std::move(finding));
  }

  std::size_t cells_of(std::size_t row) const {
    Table one(kernel_.input);
    append_row(kernel_.input, one, cases_, row);
    std::size_t cells = 0;
    for (auto const& column : one.columns) cells += column.size();
    return cells;
  }
  bool fits(std::size_t size) const { return size * cells_[by_size_.front()] <= most_cells; }

  /// So many rows in an order of their own; small cases only, where they are many.
  std::vector<std::size_t> rows(std::size_t size, std::uint64_t salt) const {
    std::vector<std::size_t> among, result;
    for (std::size_t const row : by_size_)
      if (among.empty() || size * cells_[row] <= most_cells) among.push_back(row);
    Random random(options_.seed, size, salt);
    while (result.size() < size && !among.empty()) {
      for (std::size_t i = among.size() - 1; i > 0; --i)
        std::swap(among[i], among[static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(i)))]);
      result.insert(result.end(), among.begin(),
                    among.begin() + static_cast<std::ptrdiff_t>(std::min(among.size(), size - result.size())));
    }
    return result;
  }

  Table inputs_of(std::vector<Call> const& calls) const {
    Table inputs(kernel_.input);
    for (Call const& call : calls)
      for (std::size_t const row : call.rows) append_row(kernel_.input, inputs, cases_, row);
    return inputs;
  }

  // --------------------------------------------------------------------------------------------- what was answered

  static bool dead(Called const& called) { return called.status == Status::crash || called.status == Status::timeout; }

  std::optional<std::string> difference_of(Call const& call, Table const& answer, std::size_t at, Table const& expected,
                                           std::size_t expected_at) const {
    auto const& fields = kernel_.output.root.children;
    for (std::size_t k = 0; k < fields.size(); ++k) {
      if (!call.left_out.empty() && call.left_out[k]) continue;
      if (auto found = difference(kernel_.output, fields[k], answer, at, expected, expected_at)) return found;
    }
    return std::nullopt;
  }

  /// Of two calls for the same rows.
  std::optional<std::string> difference_of(Call const& call, Called const& before, Called const& after) const {
    if (after.status != Status::answered || before.status != Status::answered)
      return after.status == before.status ? std::nullopt : std::optional(after.message);
    for (std::size_t place = 0; place < call.rows.size(); ++place) {
      if (after.answers.status[place] != before.answers.status[place]) return why_not(after.answers, place);
      if (after.answers.status[place] != Status::answered) continue;
      if (auto found = difference_of(call, after.answers.output, place, before.answers.output, place)) return found;
    }
    return std::nullopt;
  }

  static std::string why_not(Answers const& answers, std::size_t place) {
    auto const found = answers.message.find(place);
    return fmt::format("{}{}", labels(Status{})[static_cast<std::size_t>(answers.status[place])],
                       found == answers.message.end() ? "" : ": " + found->second);
  }

  /// What is wrong with a call, by what each of its rows is answered alone. To decline a batch is allowed.
  std::optional<Trouble> trouble(Call const& call, Called const& called) const {
    if (called.status == Status::unsupported) return std::nullopt;
    if (called.status != Status::answered) return Trouble{called.status, 0, called.message};
    if (!comparable_) return std::nullopt;
    for (std::size_t place = 0; place < call.rows.size(); ++place) {
      std::size_t const row = call.rows[place];
      if (!usable_[row]) continue;
      if (called.answers.status[place] != Status::answered)
        return Trouble{Status::answered, place, why_not(called.answers, place)};
      if (auto found = difference_of(call, called.answers.output, place, alone_, row))
        return Trouble{Status::answered, place, std::move(*found)};
    }
    return std::nullopt;
  }

  std::optional<Trouble> trouble_in_new_process(Call const& call) {
    auto const made = ask({call}, time());
    return made.empty() ? std::nullopt : trouble(call, made[0]);
  }

  // ------------------------------------------------------------------------------------------------- what is told

  static std::string told(Trouble const& trouble) { return "is answered otherwise: " + trouble.text; }
  std::string otherwise_text(Trouble const& trouble, std::size_t rows) const {
    return fmt::format("row {} of {} is answered otherwise than alone: {}", trouble.place + 1, rows, trouble.text);
  }

  /// "writes to its inputs (in[0])", "dies (signal 11 (SIGSEGV))": what a call does that gives no answers.
  std::string deed(Call const& call, Trouble const& trouble) {
    over_ = over_ || trouble.status == Status::timeout;
    if (trouble.status == Status::timeout) return fmt::format("hangs ({})", trouble.text);
    if (trouble.status == Status::malformed)
      return trouble.text.starts_with("wrote ") ? "writes" + trouble.text.substr(5)
                                                : fmt::format("answers what cannot be read ({})", trouble.text);
    std::string const dies = fmt::format("dies ({})", trouble.text);
    if (call.around.plain()) return dies;
    auto const with = [&](Surroundings const& around) {
      Call other = call;
      other.around = around;
      return trouble_in_new_process(other);
    };
    auto const fatal = [](std::optional<Trouble> const& found) { return found && found->status == Status::crash; };
    auto const wrote = [](std::optional<Trouble> const& found) {
      return found && found->status == Status::malformed && found->text.starts_with("wrote ");
    };
    auto const forgiven = with({});
    if (fatal(forgiven)) return dies;
    if (wrote(forgiven)) return "writes" + forgiven->text.substr(5);
    if (!fatal(with({false, true, true}))) return "writes to its inputs";
    if (!fatal(with({false, true, false}))) return "touches what is beyond the ends of its outputs";
    return "reads beyond the ends of its inputs";
  }

  struct Small {
    Call call;
    Trouble trouble;
  };

  /// The same trouble with fewer rows: first without those at the end, then without those at the beginning.
  Small smallest(Call const& call, Trouble const& trouble) {
    Small best{call, trouble};
    // A hang takes its whole time every time.
    if (!options_.shrink || trouble.status == Status::timeout) return best;
    std::size_t runs = 0;
    auto const fails = [&](std::size_t first, std::size_t last) {
      if (++runs > most_runs) return false;
      Call some = call;
      some.rows.assign(call.rows.begin() + static_cast<std::ptrdiff_t>(first),
                       call.rows.begin() + static_cast<std::ptrdiff_t>(last));
      auto const found = trouble_in_new_process(some);
      if (!found || found->status != trouble.status) return false;
      best = {std::move(some), *found};
      return true;
    };
    std::size_t fine = 0, last = call.rows.size();
    while (last - fine > 1) {
      std::size_t const middle = fine + (last - fine) / 2;
      (fails(0, middle) ? last : fine) = middle;
    }
    std::size_t first = 0;
    fine = last;
    while (fine - first > 1) {
      std::size_t const middle = first + (fine - first) / 2;
      (fails(middle, last) ? first : fine) = middle;
    }
    return best;
  }

  void add_batch(Call const& call, Trouble const& found) {
    auto const small = smallest(call, found);
    std::size_t const size = small.call.rows.size();
    CallFinding finding{Way::batch, "", inputs_of({small.call}), 1, std::nullopt};
    if (small.trouble.status == Status::answered) {
      finding.row = small.trouble.place;
      finding.text = otherwise_text(small.trouble, size);
      return add(std::move(finding));
    }
    std::string const what = deed(small.call, small.trouble);
    if (what.starts_with("writes") || what.starts_with("reads") || what.starts_with("touches")) {
      finding.way = Way::memory;
      finding.text = fmt::format("{} when asked for {}", what, rows_text(size));
      over_ = !what.starts_with("reads");
    } else {
      finding.text = fmt::format("{} when asked for {}{}", what, rows_text(size),
                                 size > 1 ? ", each of which alone is answered" : "");
    }
    add(std::move(finding));
  }

  /// The call at `at` is answered otherwise than when the process begins with it.
  void add_again(std::vector<Call> const& script, std::size_t at) {
    Call const& last = script[at];
    auto const fresh = ask({last}, time()), fresh_again = ask({last}, time());
    if (fresh.empty() || fresh_again.empty()) return;
    if (auto const differs = difference_of(last, fresh[0], fresh_again[0]))
      return add({Way::again, "answers differ from one process to the next: " + *differs, inputs_of({last}), 1, 0});
    std::size_t runs = 0;
    std::string differs;
    auto const otherwise = [&](std::vector<Call> const& calls) {
      if (++runs > most_runs) return false;
      auto const made = ask(calls, time());
      if (made.empty() || made.size() < calls.size()) return false;
      auto found = difference_of(last, fresh[0], made.back());
      if (!found) return false;
      differs = std::move(*found);
      return true;
    };
    std::vector<Call> before(script.begin(), script.begin() + static_cast<std::ptrdiff_t>(at));
    // Or it was the first pass in which it was so.
    std::vector<Call> first_pass;
    for (std::size_t row = 0; last.rows.size() == 1 && row < last.rows[0]; ++row) first_pass.push_back({{row}, {}, {}});
    for (auto* calls : {&before, &first_pass}) {
      auto const from = [&](std::size_t begin) {
        std::vector<Call> some(calls->begin() + static_cast<std::ptrdiff_t>(begin), calls->end());
        some.push_back(last);
        return some;
      };
      if (calls->empty() || !otherwise(from(0))) continue;
      // The last few first: what comes back every so many calls is not found by halves.
      constexpr std::size_t few = 16;
      std::size_t begin = 0, fine = calls->size();
      for (std::size_t i = 1; options_.shrink && i <= std::min(few, calls->size()) && begin == 0; ++i)
        if (otherwise(from(calls->size() - i))) begin = fine = calls->size() - i;
      while (options_.shrink && fine > begin + 1) {
        std::size_t const middle = begin + (fine - begin) / 2;
        (otherwise(from(middle)) ? begin : fine) = middle;
      }
      auto small = from(begin);
      if (small.size() > 2 && otherwise({small.front(), last})) small = {small.front(), last};
      // The other row first, then this one: what is shown is what is told.
      if (!otherwise(small)) continue;
      CallFinding finding{Way::again, "", inputs_of(small), small.size(), std::nullopt};
      finding.row = finding.inputs.rows - 1;
      std::size_t const calls_before = small.size() - 1;
      finding.text = fmt::format("{} answered otherwise after {} than in a new process: {}",
                                 last.rows.size() == 1 ? "a case asked alone is" : rows_text(last.rows.size()) + " are",
                                 calls_before == 1 ? "another call for " + rows_text(small.front().rows.size())
                                                   : fmt::format("{} other calls", calls_before),
                                 differs);
      return add(std::move(finding));
    }
    add({Way::again, "a case asked again is answered otherwise, and not in a way that comes back", inputs_of({last}), 1,
         0});
  }

  Kernel const& kernel_;
  Subject const& subject_;
  Table const& cases_;
  CallOptions const& options_;
  Caller caller_;
  CallCheck result_;
  Table alone_;                       ///< the answers that the others are compared with, row by row
  std::vector<bool> usable_;          ///< the cases that have one, which stays the same
  std::vector<std::size_t> by_size_;  ///< these, those with the fewest numbers first
  std::vector<std::size_t> cells_;    ///< numbers that each case has
  bool comparable_ = true;
  bool over_ = false;  ///< a hang has cost its time, or memory is no longer what it was: no more is to be learnt
  double seconds_a_row_ = 0;
  Clock::time_point begin_ = Clock::now();
};

}  // namespace

bool can_be_called(Subject const& subject, std::string_view kernel) {
  if (subject.cases > 0 || subject.approximate || subject.name.starts_with("file:")) return false;
  return subject.find(kernel) != nullptr && !is_formula_of_ours(subject, kernel);
}

Table cases_to_call_with(Kernel const& kernel, std::vector<std::size_t> const& regimes, std::uint64_t seed,
                         Sizes const& sizes) {
  constexpr std::uint64_t about = 96;
  Table cases(kernel.input);
  std::uint64_t const each = std::max<std::uint64_t>(about / std::max<std::size_t>(regimes.size(), 1), 2);
  // Round by round, so that cases of one regime do not stand together.
  for (std::uint64_t id = 0; id < each; ++id)
    for (std::size_t const regime : regimes)
      if (std::uint64_t const size = kernel.regimes[regime].size; size == 0 || id < size)
        kernel.generate(regime, seed, id, cases, sizes);
  return cases;
}

CallCheck call_in_every_way(Kernel const& kernel, Subject const& subject, Table const& cases,
                            CallOptions const& options) {
  return WaysOfCalling(kernel, subject, cases, options)();
}

}  // namespace demeter
