#include "subjects/outside/outside.hpp"

#include "base/shell.hpp"
#include "subjects/isolation/keeper.hpp"

#include <filesystem>
#include <sstream>

namespace demeter {
namespace {

constexpr std::string_view library = "lib:", pipe = "pipe:", recorded = "file:";

}  // namespace

Limits SubjectOptions::limits() const {
  Limits result;
  result.timeouts = timeouts;
  if (time) result.time_per_chunk = *time;
  if (memory) result.memory = *memory;
  return result;
}

bool is_outside(std::string_view what) {
  return what.starts_with(library) || what.starts_with(pipe) || what.starts_with(recorded);
}

bool is_outside(Subject const& subject) {
  return subject.origin == Origin::library || subject.origin == Origin::pipe || subject.origin == Origin::file;
}

std::string from_anywhere(std::string_view what) {
  std::string const rest(what.substr(std::min(what.find(':') + 1, what.size())));
  std::error_code error;
  auto const here = std::filesystem::current_path(error);
  if (!is_outside(what) || rest.empty() || error) return std::string(what);
  if (!what.starts_with(pipe))
    return std::string(what.substr(0, what.find(':') + 1)) + (here / rest).lexically_normal().string();
  std::istringstream words(rest);
  for (std::string word; words >> word;) {
    bool const relative = word.front() != '/' && word.front() != '-' && word.front() != '.';
    if (word.starts_with("./") || word.starts_with("../") || (relative && std::filesystem::exists(here / word, error)))
      return std::string(pipe) + "cd " + sh_quoted(here.string()) + " && " + rest;
  }
  return std::string(what);
}

Opened open_outside(std::string_view what, SubjectOptions const& options, std::span<Kernel const> among) {
  std::string const rest(what.substr(std::min(what.find(':') + 1, what.size())));
  if (!what.starts_with(recorded)) isolation::require_list_of_children();
  if (what.starts_with(pipe)) return open_pipe(rest, options, among);
  if (rest.empty()) return {std::nullopt, "expected a path after " + std::string(what)};
  if (what.starts_with(library)) return open_library(rest, options, among);
  if (what.starts_with(recorded)) return open_recorded(rest, options, among);
  return {std::nullopt, "expected lib:PATH, pipe:COMMAND or file:PATH"};
}

Table rounded_to_binary32(Schema const& input, Table const& cases) {
  Table result = cases;
  for (std::size_t k = 0; k < input.columns.size(); ++k)
    if (input.columns[k].kind == ColumnInfo::Kind::number)
      for (double& cell : result.columns[k]) cell = static_cast<double>(static_cast<float>(cell));
  result.exact.clear();
  return result;
}

Table judged_in_binary32(Kernel const& kernel, Table const& cases) {
  Table const rounded = rounded_to_binary32(kernel.input, cases);
  Table result(kernel.input);
  for (std::size_t row = 0; row < cases.rows; ++row)
    append_row(kernel.input, result, kernel.domain_error(rounded, row) ? cases : rounded, row);
  return result;
}

bool is_binary32(Kernel const& kernel, Table const& cases, std::size_t row) {
  Table one(kernel.input);
  append_row(kernel.input, one, cases, row);
  return rounded_to_binary32(kernel.input, one).columns == one.columns;
}

}  // namespace demeter
