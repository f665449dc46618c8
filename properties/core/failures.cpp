#include "properties/core/failures.hpp"

#include "kernels/json_lines.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

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

/// Writes all of it and waits until it is on the disk.
bool append_durably(std::filesystem::path const& path, std::string const& text) {
  int const file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file < 0) return false;
  // One write, so that two checks at a time do not mix their lines.
  bool const written = ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  bool const kept = written && ::fsync(file) == 0;
  int const error = errno;
  ::close(file);
  errno = error;
  return kept;
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
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;  // nothing recorded yet
  std::string text;
  for (std::uint64_t number = 1; std::getline(in, text); ++number) {
    if (text.find_first_not_of(" \t\r") == std::string::npos) continue;
    auto const wrong = [&](std::string const& what) { return fmt::format("{}:{}: {}", path.string(), number, what); };
    // A run that was killed while it wrote leaves half a line at the end, and nothing else.
    bool const torn = in.eof();
    auto const head = nlohmann::json::parse(text, nullptr, false);
    if (head.is_discarded() || !head.is_object()) {
      if (torn) break;
      return wrong("expected a failure as a JSON object");
    }
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
    if (!head.contains("input")) return wrong("expected an \"input\"");
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
  std::string const line = line_of(kernel, subject, failure);
  std::error_code error;
  {
    std::ifstream in(path, std::ios::binary);
    std::string there;
    std::uintmax_t whole = 0;
    while (std::getline(in, there)) {
      if (there + "\n" == line) return std::nullopt;
      if (in.eof()) {
        std::filesystem::resize_file(path, whole, error);  // half a line, of a run that was killed
      } else {
        whole += there.size() + 1;
      }
    }
  }
  std::filesystem::create_directories(path.parent_path(), error);
  if (!append_durably(path, line)) return fmt::format("{}: {}", path.string(), std::strerror(errno));
  return std::nullopt;
}

}  // namespace demeter
