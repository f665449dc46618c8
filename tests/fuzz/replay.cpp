// Runs a fuzz target over files or the files of folders, without libFuzzer.
#include "tests/fuzz/expect.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>

int main(int count, char** arguments) {
  namespace fs = std::filesystem;
  std::vector<fs::path> files;
  for (int i = 1; i < count; ++i) {
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
    // A block of exactly this size, so that reading beyond it is seen.
    std::vector<unsigned char> const bytes{std::istreambuf_iterator<char>(stream), {}};
    std::fprintf(stderr, "%s\n", file.c_str());
    LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
  }
  std::printf("%zu inputs held\n", files.size());
}
