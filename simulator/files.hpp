// The files of a run: observables, trajectory, contacts, pictures for ParaView. They only grow until a checkpoint says
// how long they are, so that a run that was killed goes on from there and leaves the same bytes.
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

/// A file that is appended to and can be cut back. Errors are kept until they are asked for.
class Growing {
 public:
  /// Cuts the file to `size`, or begins it anew. A link in its place is not followed. False if it cannot be opened or
  /// is shorter.
  bool open(std::filesystem::path const& path, std::uint64_t size);
  void write(std::string_view text);
  /// What was written is in the file.
  bool flush();
  std::uint64_t size() const { return size_; }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Close> file_;
  bool good_ = true;
  std::uint64_t size_ = 0;
};

/// A moment of which there are files for ParaView.
struct Picture {
  std::uint64_t step;
  std::string time;
};

/// How a message ends that says that a file of a run has lost some of what its checkpoint knows.
inline constexpr std::string_view shorter_than_said = ": shorter than its checkpoint says";

class RunFiles {
 public:
  /// `columns` of observables.csv. The sizes are those of a checkpoint, or none for a new run. Returns what is wrong.
  std::optional<std::string> open(std::filesystem::path const& folder, simulator::Simulation const& simulation,
                                  std::vector<std::string> columns, std::vector<std::uint64_t> const& sizes);
  void write_observables(Shown const& shown);
  void write_trajectory(simulator::Simulation const& simulation, Shown const& shown);
  void write_contacts(simulator::Simulation const& simulation, Shown const& shown);
  void write_picture(simulator::Simulation const& simulation, Shown const& shown);
  /// Everything written so far is in the files. Returns what is wrong.
  std::optional<std::string> settle();
  /// Sizes of the files that grow, in a fixed order.
  std::vector<std::uint64_t> sizes() const;
  std::vector<Picture> pictures;

 private:
  std::filesystem::path folder_;
  std::vector<std::string> columns_;
  std::vector<Observed> observed_;
  Growing observables_, trajectory_, contacts_;
  std::optional<std::string> wrong_;
};

}  // namespace demeter::simulations
