#include "subjects/core/subjects.hpp"

#include "fast/core/level.hpp"
#include "peers.hpp"

#include <mutex>

namespace demeter {

Peers const& found_peers() {
  static Peers const found = all_peers();
  return found;
}

std::vector<Subject> const& subjects() {
  static std::vector<Subject> const all = [] {
    std::vector<Subject> made;
    for (auto const& kernel : kernels()) {
      for (auto const& implementation : kernel.implementations) {
        std::string const& name = implementation.first;  // clang 14 captures no structured bindings
        Answering const& answering = implementation.second;
        auto found = std::find_if(made.begin(), made.end(), [&](Subject const& each) { return each.name == name; });
        if (found == made.end()) {
          made.push_back({name, answering.doc, "", true, {}});
          found = made.end() - 1;
        }
        found->answers.push_back(answering);
      }
    }
    for (auto const& peer : found_peers().subjects) made.push_back(peer);
    return made;
  }();
  return all;
}

Subject const* find_subject(std::string_view what) {
  std::string const usual = what == "fast"
                                ? "fast@" + std::string(labels(Level{})[static_cast<std::size_t>(best_level())])
                                : std::string(what) + "@double";
  for (auto const& wanted : {std::string(what), usual})
    for (auto const& subject : subjects())
      if (subject.name == wanted) return &subject;
  return nullptr;
}

std::string subject_names() {
  std::string names = "fast";
  for (auto const& subject : subjects()) names += ", " + subject.name;
  return names;
}

void answer(Subject const& subject, Answering const& answering, Schema const& output, Table const& cases,
            Answers& answers) {
  answers.clear(output);
  if (subject.ours) return answering.answer(cases, answers);
  // Forking is for one thread at a time.
  static std::mutex one;
  std::lock_guard const lock(one);
  answer_isolated(answering, find_kernel(answering.kernel)->input, output, cases, answers);
}

}  // namespace demeter
