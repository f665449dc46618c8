// What a long check has done so far, kept in a file, so that it can be taken up where it was ended by whatever ended
// it.
#pragma once

#include "properties/core/check_types.hpp"

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace demeter {

/// What a file of a state holds: a hash of it, so that what is damaged is known before it is read, and the state.
std::string sealed(std::string const& state);

/// The state of a check in a file of its own, written at most once a second, whole or not at all. Belongs to
/// the check that made it: another seed, count, subject, kernel or program has another file.
class Checkpoint {
 public:
  /// Takes up what an earlier check left, if that is asked for and there is any: `results` and `laws` are then what it
  /// had.
  Checkpoint(Kernel const& kernel, CheckOptions const& options, std::size_t blocks, std::vector<SubjectCheck>& results,
             std::vector<std::vector<LawTally>>& laws);

  bool done(std::size_t block) const { return done_[block]; }
  /// How many blocks.
  std::size_t done() const;

  /// A block is in the results now.
  void finished(std::size_t block);
  void save();
  void remove();
  std::filesystem::path const& file() const { return file_; }

 private:
  Kernel const& kernel_;
  std::vector<SubjectCheck>& results_;
  std::vector<std::vector<LawTally>>& laws_;
  std::vector<bool> done_;
  std::filesystem::path file_;
  std::string identity_;
  std::chrono::steady_clock::time_point saved_ = std::chrono::steady_clock::now();
};

}  // namespace demeter
