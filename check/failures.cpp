#include "check/failures.hpp"

#include "base/files.hpp"
#include "kernels/json_lines.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <sstream>

namespace demeter {
namespace {

std::string line_of(Kernel const& kernel, std::string const& subject, RecordedFailure const& failure) {
  nlohmann::ordered_json head{{"kernel", kernel.name}, {"subject", subject}, {"regime", failure.regime}};
  if (!failure.output.empty()) head["exceeds"] = failure.output;
  if (!failure.law.empty()) head["law"] = failure.law;
  if (failure.salt > 0) head["salt"] = failure.salt;
  if (!failure.call.empty()) head["call"] = failure.call;
  Buffer input;
  write_record(kernel.input, failure.input, 0, input);
  std::string line = head.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  line.pop_back();
  return line + ",\"input\":" + fmt::to_string(input) + "}\n";
}

}  // namespace

std::string file_name_of(std::string const& text) {
  std::string name;
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  bool plain = text.size() <= 80;
  for (char const c : text) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    bool const keep = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '@' ||
                      c == '_' || c == '-' || (c == '.' && !name.empty());
    plain = plain && keep;
    if (name.size() < 60) name += keep ? c : '-';
  }
  return plain && !name.empty() ? name : fmt::format("{}-{:08x}", name, hash & 0xffffffff);
}

std::filesystem::path FailureDatabase::file(Kernel const& kernel, std::string const& subject) const {
  return folder_ / kernel.name / (file_name_of(subject) + ".jsonl");
}

std::optional<std::string> FailureDatabase::load(Kernel const& kernel, std::string const& subject,
                                                 std::vector<RecordedFailure>& recorded) const {
  auto const path = file(kernel, subject);
  std::error_code error;
  if (!std::filesystem::exists(path, error) && !error) return std::nullopt;  // nothing recorded yet
  auto const all = read_whole(path);
  if (!all) return path.string() + ": cannot be read; expected a file of recorded failures";
  std::istringstream in(*all);
  std::string text;
  for (std::uint64_t number = 1; std::getline(in, text); ++number) {
    if (text.find_first_not_of(" \t\r") == std::string::npos) continue;
    auto const wrong = [&](std::string const& what) { return fmt::format("{}:{}: {}", path.string(), number, what); };
    if (json_depth(text) > 100) return wrong("nested too deeply; expected a JSON object");
    auto const head = nlohmann::json::parse(text, nullptr, false);
    if (head.is_discarded() || !head.is_object()) return wrong("expected a JSON object");
    RecordedFailure failure;
    failure.input = Table(kernel.input);
    auto const name = [&](char const* key) {
      return head.contains(key) && head[key].is_string() ? head[key].get<std::string>() : std::string{};
    };
    failure.regime = name("regime");
    failure.output = name("exceeds");
    failure.law = name("law");
    failure.call = name("call");
    if (head.contains("salt") && head["salt"].is_number_unsigned()) failure.salt = head["salt"].get<std::uint64_t>();
    if (!head.contains("input")) return wrong("missing key \"input\"");
    if (auto const error = read_case(kernel, text, failure.input)) return wrong(*error);
    if (auto const outside = kernel.domain_error(failure.input, 0))
      return wrong(fmt::format("{}: expected {}", outside->field, outside->expected));
    recorded.push_back(std::move(failure));
  }
  return std::nullopt;
}

std::optional<std::string> FailureDatabase::add(Kernel const& kernel, std::string const& subject,
                                                RecordedFailure const& failure) {
  auto const path = file(kernel, subject);
  std::string line = line_of(kernel, subject, failure);
  if (auto wrong = make_folder(path.parent_path())) return wrong;
  // On file systems without locks, two checks at the same time may store a failure twice.
  FolderLock const lock(path.parent_path());
  std::error_code error;
  if (std::filesystem::exists(path, error) || error) {
    auto const all = read_whole(path);
    if (!all) return path.string() + ": cannot be read; expected a file of recorded failures";
    std::istringstream in(*all);
    for (std::string there; std::getline(in, there);) {
      if (!there.empty() && there.back() == '\r') there.pop_back();
      if (there + "\n" == line) return std::nullopt;
    }
    // If another program wrote the file, its last line may have no newline.
    if (!all->empty() && all->back() != '\n') line.insert(0, 1, '\n');
  }
  return append_whole(path, line);
}

}  // namespace demeter
