// The files of a run: observables, trajectory, contacts, pictures for ParaView. A checkpoint records their sizes and
// hashes, so that a run that was killed goes on from the checkpoint and leaves the same bytes.
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

/// The hash of Fowler, Noll and Vo (1a, 64 bits) of a text that comes in parts. Detects accidents, not forgery.
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

/// A file of a run that is not as it should be. `is_data`: another program changed the file; otherwise the system
/// refuses to read or write the file.
struct FileFault {
  std::string message;
  bool is_data = false;
};

/// A file that is appended to and can be cut back. Errors of writing are kept until `flush`.
class Growing {
 public:
  /// Creates the file (size 0), or cuts the file to the size of the mark. A link in its place is not followed. Refuses
  /// a file that is shorter or has another hash.
  std::optional<FileFault> open(std::filesystem::path const& path, FileMark const& mark);
  void write(std::string_view text);
  /// Everything written so far is on the disk. False with errno set if it is not.
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

/// A moment of which there are files for ParaView, and the hash of these files together.
struct Picture {
  std::uint64_t step;
  std::string time, hash;
};

/// Returns true if the text of a checkpoint is complete and unchanged.
bool is_whole_checkpoint(std::string const& text);
/// Returns the state in the text of a checkpoint; nothing if the text is not whole.
std::optional<std::string> state_in_checkpoint(std::string const& text);

class RunFiles {
 public:
  /// How many files grow: observables, trajectory, contacts.
  static constexpr std::size_t growing = 3;

  /// `columns` of observables.csv. Marks and pictures are those of a checkpoint; there are no marks for a new run.
  std::optional<FileFault> open(std::filesystem::path const& folder, simulator::Simulation const& simulation,
                                std::vector<std::string> columns, std::vector<FileMark> const& marks,
                                std::vector<Picture> const& pictures_so_far);
  void write_observables(Shown const& shown);
  void write_trajectory(simulator::Simulation const& simulation, Shown const& shown);
  void write_contacts(simulator::Simulation const& simulation, Shown const& shown);
  void write_picture(simulator::Simulation const& simulation, Shown const& shown);
  /// Everything written so far is in the files. Returns what is wrong.
  std::optional<std::string> settle();
  /// Of the files that grow, in a fixed order.
  std::vector<FileMark> marks() const;
  std::vector<Picture> pictures;

 private:
  std::filesystem::path folder_;
  std::vector<Observed> observed_;
  Growing observables_, trajectory_, contacts_;
  std::optional<std::string> wrong_;
};

}  // namespace demeter::simulations
