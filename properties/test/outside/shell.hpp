// A folder of its own for a test, and lines of shell in it with the command on the PATH.
#pragma once

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace demeter {

namespace fs = std::filesystem;

inline std::string read_file(fs::path const& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

inline bool contains(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }

/// The rest of the line that begins with `start`.
inline std::string line_after(std::string const& text, std::string const& start) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    line.erase(0, line.find_first_not_of(' '));
    if (line.rfind(start, 0) == 0) return line;
  }
  return "";
}

class OutsideCommand : public testing::Test {
 protected:
  void SetUp() override {
    auto pattern = (fs::temp_directory_path() / "demeter-outside-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder = pattern;
  }
  void TearDown() override {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  }

  /// A line of shell in a folder of its own; what it prints is in `out` and `err`.
  int run(std::string const& line) {
    std::string const script = "cd '" + folder.string() + "' && PATH='" +
                               fs::path(DEMETER_COMMAND).parent_path().string() + "':\"$PATH\" && { " + line +
                               "\n} </dev/null >out 2>err";
    std::ofstream(folder / "script") << script;
    int const status = std::system(("bash " + (folder / "script").string()).c_str());
    out = read_file(folder / "out");
    err = read_file(folder / "err");
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  fs::path folder;
  std::string out, err;
};

}  // namespace demeter
