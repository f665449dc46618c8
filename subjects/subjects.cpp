#include "subjects/subjects.hpp"

#include "kernels/lists.hpp"
#include "subjects/isolation/process.hpp"
#include "subjects/isolation/stop.hpp"
#include "subjects/outside/programs.hpp"

#include <poll.h>

#include <algorithm>
#include <deque>
#include <mutex>

namespace demeter {

namespace {

/// Returns the subjects without peers.
std::vector<Subject> const& own_subjects() {
  static std::vector<Subject> const all = [] {
    std::vector<Subject> made;
    for (auto const& kernel : kernels()) {
      for (auto const& each : kernel.implementations) {
        auto const found =
            std::find_if(made.begin(), made.end(), [&](Subject const& subject) { return subject.name == each.name; });
        if (found == made.end()) {
          made.push_back(make_subject(each.name, each.answering, each.origin));
        } else {
          found->answers.push_back(each.answering);
        }
      }
    }
    for (auto& method : approximate_methods()) made.push_back(std::move(method));
    return made;
  }();
  return all;
}

}  // namespace

std::vector<Subject const*> const& subjects() {
  static std::vector<Subject const*> const all = [] {
    std::vector<Subject const*> found;
    for (auto const& subject : own_subjects()) found.push_back(&subject);
    for (auto const& peer : found_peers().subjects) found.push_back(find_peer(peer.name).subject);
    return found;
  }();
  return all;
}

std::vector<Subject const*> const& subjects_and_programs() {
  static std::vector<Subject const*> const all = [] {
    std::vector<Subject const*> found = subjects();
    for (auto const& program : found_programs().subjects) found.push_back(&program);
    return found;
  }();
  return all;
}

namespace {

/// Returns the subject "fast". It has a level for each kernel.
Subject const& fast_of_all_kernels() {
  static Subject const fast = [] {
    Subject made{
        .name = "fast", .doc = "Demeter's batch form at the highest level of this CPU", .origin = Origin::fast};
    for (auto const& kernel : kernels())
      if (auto const* answering = kernel.find(kernel.fast())) made.answers.push_back(*answering);
    return made;
  }();
  return fast;
}

/// Returns a subject by its name, or why it is not available. Does not open subjects from outside. If a program or peer
/// and a formula have the same name, the program or peer is returned. Looks for a program only if the name belongs to a
/// program, and loads a module only if the name belongs to a peer.
Found resolve(std::string_view what) {
  if (what == "fast") return {&fast_of_all_kernels(), ""};
  for (auto* const find : {&find_program, &find_peer}) {
    Found const found = find(what);
    if (found.subject != nullptr) return found;
    if (!found.wrong.empty()) return {nullptr, std::string(what) + ": " + found.wrong};
  }
  for (auto const& name : {std::string(what), std::string(what) + "@double"})
    for (auto const& subject : own_subjects())
      if (subject.name == name) return {&subject, ""};
  return {};
}

}  // namespace

Subject const* find_subject(std::string_view what) { return find_subject(what, {}).subject; }

Found find_subject(std::string_view what, SubjectOptions const& options) {
  Found const found = is_outside(what) ? Found{} : resolve(what);
  Subject const* const built_in = found.subject;
  if (built_in == nullptr ? !is_outside(what) : built_in->ours() || options == SubjectOptions{}) return found;

  struct Kept {
    std::string what;
    SubjectOptions options;
    Subject subject;
  };
  static std::mutex mutex;
  static std::deque<Kept> kept;  // elements of a deque do not move
  std::lock_guard const lock(mutex);
  for (auto const& each : kept)
    if (each.what == what && each.options == options) return {&each.subject, ""};
  if (built_in != nullptr) {
    // The limits of a program are set when its process starts, so the program is opened again.
    Subject limited = built_in->separate() ? *open_program(what, options) : *built_in;
    limited.limits = options.limits();
    limited.binary32 = options.binary32;
    limited.patience = std::make_shared<Patience>();
    kept.push_back({std::string(what), options, std::move(limited)});
  } else {
    Opened opened = open_outside(what, options);
    if (!opened.subject) return {nullptr, opened.wrong};
    kept.push_back({std::string(what), options, std::move(*opened.subject)});
  }
  return {&kept.back().subject, ""};
}

Subject const* subject_for(Kernel const& kernel, Subject const& subject) {
  if (subject.find(kernel.name) == nullptr) return nullptr;
  if (&subject != &fast_of_all_kernels()) return &subject;
  for (auto const& each : own_subjects())
    if (each.name == kernel.fast()) return &each;
  return nullptr;
}

bool is_formula_of_ours(Subject const& subject, std::string_view kernel) {
  Answering const* const answering = subject.find(kernel);
  return subject.ours() && answering != nullptr && !answering->columns;
}

std::vector<Subject const*> subjects_answering(Kernel const& kernel, std::vector<Subject const*> const& among) {
  std::vector<Subject const*> able;
  for (auto const* subject : among)
    if (auto const* const one = subject_for(kernel, *subject)) able.push_back(one);
  return able;
}

std::string why_not(Kernel const& kernel, Subject const& subject) {
  if (subject.origin != Origin::fast || &subject == &fast_of_all_kernels())
    return subject.name + " does not answer " + kernel.name;
  std::string levels;
  for (auto const& each : kernel.implementations)
    if (each.origin == Origin::fast) levels += (levels.empty() ? "" : ", ") + each.name;
  return kernel.name + " has no " + subject.name + "; expected " + levels + " or fast";
}

std::vector<Subject const*> subjects_answering(Kernel const& kernel) { return subjects_answering(kernel, subjects()); }

std::string subject_names() {
  std::string names = "fast";
  for (auto const* subject : subjects_and_programs()) names += ", " + subject->name;
  return names + ", lib:PATH, pipe:COMMAND or file:PATH";
}

namespace {

/// Asks a subject that is not ours. `child` is a child process that is kept for several calls, or null.
void answer_foreign(Asked const& asked, Table const& cases, Answers& answers, IsolatedAnswers* child) {
  auto const& [subject, kernel, answering] = asked;
  if (subject.separate()) {
    answering.answer(cases, answers);
  } else {
    isolation::require_list_of_children();
    if (child != nullptr) {
      (*child)(cases, answers);
    } else {
      answer_isolated(answering, kernel.input, kernel.output, cases, answers, subject.limits, subject.patience.get());
    }
  }
  for (std::size_t row = 0; row < cases.rows; ++row) {
    if (answers.status[row] != Status::answered) continue;
    auto wrong = list_flaw(kernel.input, kernel.output, cases, row, answers.output, row);
    if (!wrong && !is_computed(kernel.output.root, answers.output, row)) wrong = "no output";
    if (!wrong) continue;
    answers.status[row] = Status::malformed;
    answers.message[row] = std::move(*wrong);
  }
}

void answer_in_binary32(Asked const& asked, Table const& cases, Answers& answers, IsolatedAnswers* child) {
  Kernel const& kernel = asked.kernel;
  Table const rounded = rounded_to_binary32(kernel.input, cases);
  Table inside(kernel.input);
  std::vector<std::size_t> place(cases.rows, cases.rows);  // row of each case in `inside`
  for (std::size_t row = 0; row < cases.rows; ++row) {
    if (kernel.domain_error(rounded, row)) continue;
    place[row] = inside.rows;
    append_row(kernel.input, inside, rounded, row);
  }
  Answers some;
  some.clear(kernel.output);
  if (asked.subject.ours()) {
    asked.answering.answer(inside, some);
  } else {
    answer_foreign(asked, inside, some, child);
  }
  for (std::size_t row = 0; row < cases.rows; ++row) {
    if (place[row] == cases.rows) {
      append_without(kernel.output, answers, Status::not_representable,
                     "outside the domain after rounding to binary32");
      continue;
    }
    append_row(kernel.output, answers, some, place[row]);
  }
}

void answer_anyhow(Asked const& asked, Table const& cases, Answers& answers, IsolatedAnswers* child) {
  answers.clear(asked.kernel.output);
  if (asked.subject.binary32) return answer_in_binary32(asked, cases, answers, child);
  if (asked.subject.ours()) return asked.answering.answer(cases, answers);
  answer_foreign(asked, cases, answers, child);
}

}  // namespace

void answer(Subject const& subject, Kernel const& kernel, Table const& cases, Answers& answers) {
  answer_anyhow({subject, kernel}, cases, answers, nullptr);
}

std::optional<std::string> cannot_start(Subject const& subject, std::vector<Kernel const*> const& kernels) {
  if (subject.origin != Origin::pipe) return std::nullopt;
  constexpr std::size_t tries = 5;
  constexpr std::chrono::seconds long_enough{4};  // time for two slow starts
  auto const begin = std::chrono::steady_clock::now();
  std::string last_words;
  for (std::size_t i = 0; i < tries; ++i) {
    Kernel const& kernel = *kernels[i % kernels.size()];
    Table one(kernel.input);
    kernel.generate(i % kernel.regimes.size(), 1, i, one);
    Answers answers;
    answer(subject, kernel, one, answers);
    bool const ended = answers.status[0] == Status::crash || answers.status[0] == Status::missing;
    // If the program has written anything, usable or not, its answers are judged.
    if (!ended || subject.strays->lines() > 0 || isolation::stopping()) return std::nullopt;
    last_words = answers.message[0];
    if (i > 0 && std::chrono::steady_clock::now() - begin > long_enough) break;
  }
  // Starts the program without a case. If it waits for a case, it can start, and the cases above made it end.
  Process waiting(subject.name.substr(std::string_view("pipe:").size()), subject.limits);
  constexpr std::chrono::seconds start{2};
  auto const started = std::chrono::steady_clock::now();
  while (!waiting.has_ended()) {
    if (std::chrono::steady_clock::now() - started > start || isolation::stopping()) return std::nullopt;
    ::poll(nullptr, 0, 5);
  }
  return subject.name + " ends before its first answer: " + last_words;
}

Interview::Interview(Subject const& subject, Kernel const& kernel) : asked_(subject, kernel) {
  if (!subject.ours() && !subject.separate())
    child_ = std::make_unique<IsolatedAnswers>(asked_.answering, kernel.input, kernel.output, subject.limits,
                                               subject.patience.get());
}

void Interview::operator()(Table const& cases, Answers& answers) {
  answer_anyhow(asked_, cases, answers, child_.get());
}

}  // namespace demeter
