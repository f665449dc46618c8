// The files of a run: observables, trajectory, contacts and pictures for ParaView. A checkpoint records the sizes and
// hashes of these files. A run that was killed can continue from the checkpoint. Its complete files then have the same
// bytes as without the interruption.
#pragma once

#include "base/files.hpp"
#include "simulator/observed.hpp"

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace demeter::simulations {

/// The 64-bit FNV-1a hash (Fowler, Noll, Vo) of a text that arrives in parts. Detects accidental changes, not forgery.
class Hash {
 public:
  Hash& add(std::string_view text) {
    for (char const c : text) value_ = (value_ ^ static_cast<unsigned char>(c)) * 1099511628211U;
    return *this;
  }
  std::string text() const;  ///< 16 hexadecimal digits

 private:
  std::uint64_t value_ = 14695981039346656037U;
};

/// The size and hash of a file.
struct FileMark {
  std::uint64_t size = 0;
  std::string hash = {};
};

/// A fault of a file of a run. With `is_data`, another program changed the file. Without `is_data`, the system refuses
/// to read or write the file.
struct FileFault {
  std::string message;
  bool is_data = false;
};

/// A file to which text is appended. The file can be shortened to an earlier size. `write` does not report errors:
/// `flush` reports them.
class Growing {
 public:
  /// Opens the file. If the size of the mark is 0, creates the file. Otherwise cuts the file to this size. Does not
  /// follow a link of this name. Returns a fault if the file is shorter than the mark or has another hash.
  std::optional<FileFault> open(std::filesystem::path const& path, FileMark const& mark);
  void write(std::string_view text);
  /// Writes everything to the disk. Returns false and sets errno if that fails.
  bool flush();
  FileMark mark() const { return {size_, hash_.text()}; }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Close> file_;
  int error_ = 0;  ///< errno of the first write that failed
  std::uint64_t size_ = 0;
  Hash hash_;
};

/// A point in time for which picture files for ParaView exist. `hash` is the common hash of these files.
struct Picture {
  std::uint64_t step;
  std::string time, hash;
};

/// Returns whether the text of a checkpoint is complete and unchanged.
bool is_whole_checkpoint(std::string const& text);
/// Returns the part of a checkpoint that contains the state, or nothing if the text is not complete.
std::optional<std::string> state_in_checkpoint(std::string const& text);

class RunFiles {
 public:
  /// Number of files to which a run appends: observables, trajectory, contacts.
  static constexpr std::size_t growing = 3;

  /// Opens the files. `columns` are the columns of observables.csv. `marks` and `pictures_so_far` come from the
  /// checkpoint; both are empty for a new run.
  std::optional<FileFault> open(std::filesystem::path const& folder, simulator::Simulation const& simulation,
                                std::vector<std::string> columns, std::vector<FileMark> const& marks,
                                std::vector<Picture> const& pictures_so_far);
  void write_observables(Shown const& shown);
  void write_trajectory(simulator::Simulation const& simulation, Shown const& shown);
  void write_contacts(simulator::Simulation const& simulation, Shown const& shown);
  void write_picture(simulator::Simulation const& simulation, Shown const& shown);
  /// Writes everything to the disk. Returns what is wrong, or nothing.
  std::optional<std::string> settle();
  /// Returns the marks of observables, trajectory and contacts, in this order.
  std::vector<FileMark> marks() const;
  std::vector<Picture> pictures;

 private:
  std::filesystem::path folder_;
  std::vector<Observed> observed_;
  Growing observables_, trajectory_, contacts_;
  std::optional<std::string> wrong_;
};

}  // namespace demeter::simulations
