// The files of a run: observables, trajectory, contacts and pictures for ParaView. A checkpoint records their sizes and
// hashes. A run that was killed therefore continues from the checkpoint and leaves the same bytes.
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

/// A file of a run that is missing, changed or not accessible. `is_data`: another program changed the file. Otherwise
/// the system refuses to read or write the file.
struct FileFault {
  std::string message;
  bool is_data = false;
};

/// A file that is appended to and can be cut back. Errors of writing are kept until `flush`.
class Growing {
 public:
  /// Creates the file (size 0), or cuts the file to the size of the mark. Does not follow a link of this name. Returns
  /// a fault if the file is shorter or has another hash.
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

/// A point in time for which files for ParaView exist, and the common hash of these files.
struct Picture {
  std::uint64_t step;
  std::string time, hash;
};

/// Returns whether the text of a checkpoint is complete and unchanged.
bool is_whole_checkpoint(std::string const& text);
/// Returns the state in the text of a checkpoint, or nothing if the text is not complete.
std::optional<std::string> state_in_checkpoint(std::string const& text);

class RunFiles {
 public:
  /// Number of files that grow: observables, trajectory, contacts.
  static constexpr std::size_t growing = 3;

  /// Opens the files. `columns` are the columns of observables.csv. Marks and pictures are those of a checkpoint; a new
  /// run has no marks.
  std::optional<FileFault> open(std::filesystem::path const& folder, simulator::Simulation const& simulation,
                                std::vector<std::string> columns, std::vector<FileMark> const& marks,
                                std::vector<Picture> const& pictures_so_far);
  void write_observables(Shown const& shown);
  void write_trajectory(simulator::Simulation const& simulation, Shown const& shown);
  void write_contacts(simulator::Simulation const& simulation, Shown const& shown);
  void write_picture(simulator::Simulation const& simulation, Shown const& shown);
  /// Writes everything to the disk. Returns what is wrong, or nothing.
  std::optional<std::string> settle();
  /// Returns the marks of the files that grow, in a fixed order.
  std::vector<FileMark> marks() const;
  std::vector<Picture> pictures;

 private:
  std::filesystem::path folder_;
  std::vector<Observed> observed_;
  Growing observables_, trajectory_, contacts_;
  std::optional<std::string> wrong_;
};

}  // namespace demeter::simulations
