// Tests that docs/check-your-code.md and docs/simulate.md work as printed. Saves the files of a page and runs its
// commands, in order, in one empty folder:
//
//   a block whose first line is a comment with a file name is saved as this file
//   ```sh   each command must exit with 0, or with N after a comment "# exits with N"
//   ```text its lines must be in the output of the previous commands, in this order
//   ```yaml its commands cc and demeter must exit with 0
//
// Other blocks are not checked.
#include "tests/core/command.hpp"
#include "tests/places.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <string>
#include <vector>

namespace demeter {
namespace page_test {

struct Block {
  std::string kind, text;
  int line = 0;
};

std::vector<Block> blocks_of(std::string const& page) {
  std::vector<Block> blocks;
  bool inside = false;
  int number = 0;
  for (auto const& line : lines_of(page)) {
    ++number;
    if (line.rfind("```", 0) == 0) {
      inside = !inside;
      if (inside) blocks.push_back({line.substr(3), "", number});
    } else if (inside) {
      blocks.back().text += line + "\n";
    }
  }
  EXPECT_FALSE(inside) << "a block is not closed";
  return blocks;
}

/// Returns the commands of a block. A line that ends with a backslash continues on the next line.
std::vector<std::string> commands_of(std::string const& text) {
  std::vector<std::string> commands;
  std::string command;
  for (auto const& line : lines_of(text)) {
    command += line;
    if (line.ends_with('\\')) {
      command += "\n";
    } else {
      if (!command.empty()) commands.push_back(command);
      command.clear();
    }
  }
  return commands;
}

class Page : public CommandTest {
 protected:
  void SetUp() override { fs::create_directory(folder / "work"); }

  /// Runs a command, appends its output to `printed`, and returns its exit code.
  int run(std::string const& command) {
    Ran const ran = CommandTest::run("cd work && { " + command + "\n} 2>&1");
    printed += ran.out;
    return ran.code;
  }

  void expect_run(std::string const& command, int line) {
    std::smatch exits;
    int const expected =
        std::regex_search(command, exits, std::regex("# exits with (\\d+)\\s*$")) ? std::stoi(exits[1]) : 0;
    std::size_t const before = printed.size();
    ASSERT_EQ(run(command), expected) << "line " << line << ": " << command << "\n" << printed.substr(before);
  }

  void expect_printed(Block const& block) {
    std::size_t at = 0;
    for (auto const& line : lines_of(block.text)) {
      at = printed.find(line, at);
      ASSERT_NE(at, std::string::npos) << "line " << block.line
                                       << " has, but the commands did not print (in this order)\n"
                                       << line << "\n-- they printed\n"
                                       << printed;
      at += line.size();
    }
  }

  /// The numbers of commands, files and texts of a page that were checked.
  struct Worked {
    int commands = 0, files = 0, texts = 0;
  };
  void work_through(std::string const& name, Worked& worked) {
    std::string const page = read_file(fs::path(DEMETER_SOURCE) / name);
    std::regex const file(R"(^(?:/\*|//|#) ([A-Za-z_][A-Za-z0-9_]*\.(?:c|cpp|h|py|toml))\b.*)");
    for (auto const& block : blocks_of(page)) {
      ASSERT_FALSE(lines_of(block.text).empty()) << "line " << block.line;
      std::string const first = lines_of(block.text).front();
      std::smatch found;
      if (block.kind == "sh") {
        printed.clear();
        for (auto const& command : commands_of(block.text)) {
          expect_run(command, block.line);
          if (HasFatalFailure()) return;
          ++worked.commands;
        }
      } else if (block.kind == "text") {
        expect_printed(block);
        if (HasFatalFailure()) return;
        ++worked.texts;
      } else if (block.kind == "yaml") {
        printed.clear();
        for (auto const& line : lines_of(block.text)) {
          std::regex const step(R"(^ *(?:- )?(?:run: )?((?:cc|demeter) .*)$)");
          if (!std::regex_match(line, found, step)) continue;
          expect_run(found[1], block.line);
          if (HasFatalFailure()) return;
          ++worked.commands;
        }
      } else if (std::regex_match(first, found, file)) {
        std::ofstream(folder / "work" / found[1].str()) << block.text;
        ++worked.files;
      }
    }
  }

  std::string printed;
};

// Each test requires a minimum number of blocks. Otherwise a page whose blocks are not recognised would pass.
TEST_F(Page, CheckYourCodePageWorksAsPrinted_long) {
  Worked worked;
  work_through("docs/check-your-code.md", worked);
  EXPECT_GE(worked.commands, 15);
  EXPECT_GE(worked.files, 2);
  EXPECT_GE(worked.texts, 4);
}

TEST_F(Page, SimulatePageWorksAsPrinted_long) {
  Worked worked;
  work_through("docs/simulate.md", worked);
  EXPECT_GE(worked.commands, 18);
  EXPECT_EQ(worked.files, 2);
  EXPECT_GE(worked.texts, 10);
}

TEST_F(Page, SimulatePageListsEveryKeyAndObservable) {
  std::string const page = read_file(fs::path(DEMETER_SOURCE) / "docs/simulate.md");
  EXPECT_TRUE(page.ends_with(holds("demeter simulate --keys").out))
      << "what it prints is the end of the page: demeter simulate --keys";
}

TEST_F(Page, LinksAndNamesOnThePagesExist) {
  for (auto const* file : {"README.md", "docs/check-your-code.md", "docs/how-to-read.md", "docs/simulate.md",
                           "docs/mathematics/simulator.md", "CONTRIBUTING.md"}) {
    fs::path const path = fs::path(DEMETER_SOURCE) / file;
    std::string const text = read_file(path);
    ASSERT_NE(text, "") << file;
    std::regex const link(R"(\]\(([^)#]*)(#[^)]*)?\))");
    for (std::sregex_iterator each(text.begin(), text.end(), link), end; each != end; ++each) {
      std::string const target = (*each)[1].str(), anchor = (*each)[2].str();
      if (target.rfind("http", 0) == 0) continue;
      fs::path const there = target.empty() ? path : path.parent_path() / target;
      EXPECT_TRUE(fs::exists(there)) << file << ": " << (*each)[0];
      if (anchor.empty()) continue;
      // Makes the anchor of a heading as GitHub does: lower case, blanks become hyphens, punctuation is removed.
      bool met = false;
      for (auto const& line : lines_of(read_file(there))) {
        if (line.rfind("#", 0) != 0) continue;
        std::string made = "#";
        for (char const c : line.substr(std::min(line.find_first_not_of("# "), line.size())))
          if (std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-' || c == ' ')
            made += c == ' ' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        met = met || made == anchor;
      }
      EXPECT_TRUE(met) << file << ": " << (*each)[0];
    }
  }
}

}  // namespace page_test
}  // namespace demeter
