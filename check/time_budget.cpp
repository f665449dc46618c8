#include "check/time_budget.hpp"

#include "subjects/isolation/patience.hpp"

#include <algorithm>
#include <cmath>

namespace demeter {

TimeBudget::TimeBudget(std::vector<Subject const*> const& subjects, double share, double hard_seconds)
    : subjects_(subjects),
      share_(share),
      hard_seconds_(hard_seconds),
      spent_(subjects.size()),
      asked_since_(subjects.size()) {
  bool const any = std::any_of(subjects.begin(), subjects.end(), [](Subject const* each) { return !each->ours(); });
  if (any && (hard_seconds > 0 || std::isfinite(share))) watcher_ = std::thread([this] { watch(); });
}

TimeBudget::~TimeBudget() {
  {
    std::lock_guard const lock(mutex_);
    over_ = true;
  }
  wake_.notify_all();
  if (watcher_.joinable()) watcher_.join();
  for (auto const* subject : subjects_) isolation::give_time_back(*subject->patience);
}

void TimeBudget::begin(std::size_t subject, Clock::time_point when) {
  std::lock_guard const lock(mutex_);
  asked_since_[subject].push_back(when);
}

void TimeBudget::end(std::size_t subject, Clock::time_point when) {
  std::lock_guard const lock(mutex_);
  auto& since = asked_since_[subject];
  if (auto const at = std::find(since.begin(), since.end(), when); at != since.end()) since.erase(at);
  spent_[subject] += std::chrono::duration<double>(Clock::now() - when).count();
}

void TimeBudget::watch() {
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, std::chrono::milliseconds(50), [this] { return over_; })) {
    auto const now = Clock::now();
    bool const all_over = hard_seconds_ > 0 && std::chrono::duration<double>(now - begin_).count() > hard_seconds_;
    for (std::size_t s = 0; s < subjects_.size(); ++s) {
      if (subjects_[s]->ours()) continue;
      double taken = spent_[s];
      for (auto const since : asked_since_[s]) taken += std::chrono::duration<double>(now - since).count();
      bool const has_hung = subjects_[s]->patience->timeouts > 0;
      if (all_over || (has_hung && taken > share_)) isolation::end_time(*subjects_[s]->patience);
    }
  }
}

}  // namespace demeter
