// States of unfinished checks: whatever stands in one, the check that takes it up judges its cases.
#include "properties/core/checkpoint.hpp"
#include "subjects/subjects.hpp"
#include "tests/fuzz/expect.hpp"

#include <nlohmann/json.hpp>

#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <map>

namespace demeter::fuzz::checkpoints {
namespace {

namespace fs = std::filesystem;

/// A folder of this process, gone with it.
struct Folder {
  fs::path path;
  Folder() {
    std::string pattern = (fs::temp_directory_path() / "demeter-fuzz-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) std::abort();
    path = pattern;
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
};

/// A check of one kernel that is stopped as soon as it has begun, or taken up.
std::vector<SubjectCheck> check_of(Kernel const& kernel, fs::path const& folder, bool resume, bool stopped) {
  CheckOptions options;
  options.cases = 2;
  options.law_cases = 1;
  options.regimes = {0};
  options.jobs = 1;
  options.shrink = false;
  options.unfinished = folder;
  options.resume = resume;
  options.identity = "fuzz";
  std::atomic<bool> const stop = stopped;
  options.stop = &stop;
  return check(kernel, {find_subject("fast")}, options);
}

/// Where the state of that check is, and what it says whose it is: `"identity":"?"` of an input becomes that.
struct Place {
  fs::path file;
  std::string identity;
};
Place place_of(Kernel const& kernel, fs::path const& folder) {
  check_of(kernel, folder, false, true);
  for (auto const& entry : fs::directory_iterator(folder)) {
    std::ifstream in(entry.path());
    std::string hash;
    std::getline(in, hash);
    return {entry.path(), "\"identity\":" + nlohmann::json::parse(in).at("identity").dump()};
  }
  std::abort();
}

void check_state(std::string const& state) {
  static Folder const folder;
  // A kernel with lists and one without.
  static std::map<std::string, Place> places;
  for (std::string const name : {"clump_force_torque", "capsule_contact"}) {
    Kernel const& kernel = *find_kernel(name);
    fs::path const own = folder.path / name;
    Place& place = places[name];
    if (place.file.empty()) place = place_of(kernel, own);
    static constexpr std::string_view nobody = "\"identity\":\"?\"";
    std::string text = state;
    if (auto const at = text.find(nobody); at != std::string::npos) text.replace(at, nobody.size(), place.identity);
    std::ofstream(place.file, std::ios::binary) << sealed(text);
    auto const taken = check_of(kernel, own, true, false);
    expect(taken.size() == 1, "a check of one subject has one result", state);
    if (taken.front().taken_up > 0) continue;
    auto const fresh = check_of(kernel, own, false, false);
    for (std::size_t i = 0; i < fresh.front().accuracy.size(); ++i)
      expect(taken.front().accuracy[i].cases == fresh.front().accuracy[i].cases &&
                 taken.front().accuracy[i].failed == fresh.front().accuracy[i].failed,
             "what is refused leaves nothing behind", state);
  }
}

}  // namespace

void hold(std::string_view text) { check_state(std::string(text)); }

}  // namespace demeter::fuzz::checkpoints
