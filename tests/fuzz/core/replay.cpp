// Runs a fuzz target without libFuzzer. The inputs are files, or all files of folders.
#include "tests/fuzz/targets.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <vector>

int main(int count, char** arguments) {
  namespace fs = std::filesystem;
  auto const& targets = demeter::fuzz::targets;
  auto const* const target =
      std::ranges::find(targets, count > 1 ? std::string_view(arguments[1]) : "", &demeter::fuzz::Target::name);
  if (target == std::end(targets)) {
    std::fprintf(stderr, "replay: \"%s\" is no target; expected one of:", count > 1 ? arguments[1] : "");
    for (auto const& each : targets) std::fprintf(stderr, " %s", each.name.data());
    std::fprintf(stderr, "\n");
    return 2;
  }
  std::vector<fs::path> files;
  for (int i = 2; i < count; ++i) {
    if (!fs::is_directory(arguments[i])) {
      files.emplace_back(arguments[i]);
    } else {
      for (auto const& entry : fs::directory_iterator(arguments[i])) files.push_back(entry.path());
    }
  }
  std::ranges::sort(files);
  if (files.empty()) {
    std::fprintf(stderr, "replay: no input; expected files or folders of them\n");
    return 2;
  }
  for (auto const& file : files) {
    std::ifstream stream(file, std::ios::binary);
    if (!stream) {
      std::fprintf(stderr, "replay: cannot read %s\n", file.c_str());
      return 2;
    }
    // The block has exactly this size, so that the address sanitizer detects reads beyond it.
    std::vector<char> const bytes{std::istreambuf_iterator<char>(stream), {}};
    std::fprintf(stderr, "%s\n", file.c_str());
    target->hold({bytes.data(), bytes.size()});
  }
  std::printf("%zu inputs held\n", files.size());
}
