// Recorded answers as subjects: a file of JSON lines with inputs and outputs.
#include "base/files.hpp"
#include "kernels/json_lines.hpp"
#include "subjects/isolation/isolate.hpp"
#include "subjects/isolation/stop.hpp"
#include "subjects/outside/outside.hpp"

#include <simdjson.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <sstream>
#include <unordered_map>
#include <unordered_set>

namespace demeter {
namespace {

/// The answers of a file to one kernel.
struct Recording {
  Table cases;
  Answers answers;
  std::unordered_map<std::string, std::size_t> row_of;  ///< row of a case, by the bits of its input
  std::unordered_set<std::uint64_t> ids;
};

/// Returns the bits of a row, with the lengths of its lists.
std::string key_of(Schema const& schema, Table const& cases, std::size_t row) {
  std::string key;
  auto const put = [&](double value) {
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    key.append(bytes, sizeof bytes);
  };
  auto const walk = [&](auto const& self, Node const& node, std::size_t at) -> void {
    switch (node.kind) {
      case Node::Kind::record:
        for (auto const& child : node.children) self(self, child, at);
        break;
      case Node::Kind::list: {
        auto const begin = static_cast<std::size_t>(cases.columns[node.column][at]);
        auto const end = static_cast<std::size_t>(cases.columns[node.column][at + 1]);
        put(static_cast<double>(end - begin));
        for (std::size_t i = begin; i < end; ++i) self(self, node.children.front(), i);
        break;
      }
      default:
        for (std::size_t i = 0; i < node.columns; ++i) put(cases.columns[node.column + i][at]);
    }
  };
  walk(walk, schema.root, row);
  return key;
}

bool same_answer(Schema const& schema, Answers const& answers, std::size_t a, std::size_t b) {
  return answers.status[a] == answers.status[b] &&
         key_of(schema, answers.output, a) == key_of(schema, answers.output, b);
}

struct File {
  std::string path;
  std::vector<std::string> lines;         ///< each with spare bytes after its end, as LineReader needs them
  std::vector<std::string> kernel_names;  ///< kernel that each line names; empty if the line names none
  std::shared_ptr<Strays> strays;
  std::mutex mutex;
  std::map<std::string, std::unique_ptr<Recording>> recordings;  ///< the answers by kernel, read when first needed
};

/// Returns the value of "kernel" in a line, or "".
std::string named_kernel(simdjson::ondemand::parser& parser, std::string const& line) {
  std::string_view name;
  simdjson::ondemand::document document;
  if (parser.iterate(line.data(), line.size(), line.size() + LineReader::padding()).get(document)) return "";
  if (document["kernel"].get_string().get(name)) return "";
  return std::string(name);
}

void read_line(Kernel const& kernel, File const& file, std::size_t number, LineReader& reader, Recording& into) {
  std::string const& text = file.lines[number];
  std::string const where = "line " + std::to_string(number + 1) + ": ";
  auto const stray = [&](std::string const& what) { file.strays->add(where + what); };
  TableMark const before(into.cases), outputs_before(into.answers.output);
  Line line;
  auto wrong = reader.read(text, &into.cases, &into.answers.output, line);
  if (wrong) {
    // The case may be readable even if its answer is not.
    Line again;
    if (reader.read(text, &into.cases, nullptr, again) || !again.has_input) return stray(*wrong);
    line.answer = Line::Answer::none;
  } else if (!line.has_input) {
    return stray("missing key \"input\"");
  }
  if (line.id && !into.ids.insert(*line.id).second) stray("id " + std::to_string(*line.id) + " was answered before");
  std::size_t const row = into.cases.rows - 1;
  auto const leave = [&] {
    before.restore(into.cases);
    outputs_before.restore(into.answers.output);
  };
  if (auto const outside = kernel.domain_error(into.cases, row)) {
    leave();
    if (line.answer == Line::Answer::error) return;  // right: the case is outside the domain
    return stray("answers a case outside the domain: " + outside->field + ", expected " + outside->expected);
  }
  if (line.answer != Line::Answer::output) outputs_before.restore(into.answers.output);
  switch (line.answer) {
    case Line::Answer::output:
      into.answers.status.push_back(Status::answered);
      break;
    case Line::Answer::unsupported:
      append_without(kernel.output, into.answers, Status::unsupported, tidy(line.message));
      break;
    case Line::Answer::error:
      append_without(kernel.output, into.answers, Status::malformed,
                     where + "error for a valid case: " + tidy(line.message));
      break;
    case Line::Answer::none:
      append_without(kernel.output, into.answers, Status::malformed,
                     where + wrong.value_or("expected one of the keys output, unsupported, error"));
      break;
  }
  auto const [found, fresh] = into.row_of.emplace(key_of(kernel.input, into.cases, row), row);
  if (fresh) return;
  std::size_t const first = found->second;
  bool const same = same_answer(kernel.output, into.answers, first, row);
  leave();
  into.answers.status.pop_back();
  into.answers.message.erase(row);
  if (!same) stray("answers a case differently from an earlier line");
}

Recording const& recording(File& file, Kernel const& kernel) {
  std::lock_guard const lock(file.mutex);
  auto& found = file.recordings[kernel.name];
  if (found) return *found;
  found = std::make_unique<Recording>();
  found->cases.clear(kernel.input);
  found->answers.clear(kernel.output);
  LineReader reader(kernel);
  for (std::size_t i = 0; i < file.lines.size(); ++i)
    if (file.kernel_names[i].empty() || file.kernel_names[i] == kernel.name)
      if (file.lines[i].find_first_not_of(" \t\r") != std::string::npos) read_line(kernel, file, i, reader, *found);
  return *found;
}

Answering answer_recorded(std::shared_ptr<File> const& file, Kernel const& kernel) {
  Answering result;
  result.kernel = kernel.name;
  result.doc = "recorded in " + file->path;
  result.answer = [file, &kernel](Table const& cases, Answers& answers) {
    Recording const& known = recording(*file, kernel);
    for (std::size_t row = 0; row < cases.rows; ++row) {
      auto const found = known.row_of.find(key_of(kernel.input, cases, row));
      if (found == known.row_of.end()) {
        append_without(kernel.output, answers, Status::unsupported, "not among the cases of " + file->path);
        continue;
      }
      append_row(kernel.output, answers, known.answers, found->second);
    }
  };
  return result;
}

/// All open files of recorded answers. The key is the address of the subject's Strays, which is unique for each
/// subject.
struct Registry {
  std::mutex mutex;
  std::map<Strays const*, std::shared_ptr<File>> files;
  std::map<std::pair<Strays const*, std::string>, std::unique_ptr<Kernel>> kernels;
};
Registry& registry() {
  static Registry all;
  return all;
}

}  // namespace

Opened open_recorded(std::string const& path, SubjectOptions const& options, std::span<Kernel const> among) {
  int const number = open_to_read(path, isolation::stopping());
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> const in(number < 0 ? nullptr : ::fdopen(number, "r"), std::fclose);
  if (!in)
    return {std::nullopt, path + ": " + (errno == ETIMEDOUT ? "a pipe that nobody writes to" : std::strerror(errno))};
  auto const file = std::make_shared<File>();
  file->path = path;
  simdjson::ondemand::parser parser;
  bool unnamed = false;
  LineSource source(in.get());
  for (auto lines = source.next_block(); !lines.empty(); lines = source.next_block())
    for (std::string_view const text : lines) {
      std::string line;
      line.reserve(text.size() + LineReader::padding());
      line = text;
      bool const blank = line.find_first_not_of(" \t\r") == std::string::npos;
      file->kernel_names.push_back(blank ? "" : named_kernel(parser, line));
      unnamed = unnamed || (!blank && file->kernel_names.back().empty());
      file->lines.push_back(std::move(line));
    }
  if (source.failed()) return {std::nullopt, path + ": " + std::strerror(errno)};
  if (source.endless())
    return {std::nullopt, path + ": line " + std::to_string(file->lines.size() + 1) + ": more than " +
                              std::to_string(LineSource::longest >> 20) + " MiB, or without end"};
  Subject subject;
  subject.name = "file:" + path;
  subject.doc = "recorded answers";
  subject.origin = Origin::file;
  subject.binary32 = options.binary32;
  file->strays = subject.strays;
  for (auto const& kernel : among)
    if (unnamed ||
        std::find(file->kernel_names.begin(), file->kernel_names.end(), kernel.name) != file->kernel_names.end())
      subject.answers.push_back(answer_recorded(file, kernel));
  if (subject.answers.empty()) return {std::nullopt, path + ": has no answers to any kernel"};
  std::lock_guard const lock(registry().mutex);
  registry().files[subject.strays.get()] = file;
  return {std::move(subject), ""};
}

Kernel const* recorded_kernel(Kernel const& kernel, Subject const& subject, std::uint64_t& count) {
  std::lock_guard const lock(registry().mutex);
  auto const found = registry().files.find(subject.strays.get());
  if (found == registry().files.end() || subject.find(kernel.name) == nullptr) return nullptr;
  Recording const& known = recording(*found->second, kernel);
  count = known.cases.rows;
  if (count == 0) return nullptr;
  auto& made = registry().kernels[{subject.strays.get(), kernel.name}];
  if (!made) {
    made = std::make_unique<Kernel>(kernel);
    made->regimes = {{"recorded", "the cases of " + found->second->path + ", in their order"}};
    made->draw = [&known, &kernel](std::size_t, std::uint64_t, std::uint64_t id, Sizes const&, Table& into) {
      append_row(kernel.input, into, known.cases, static_cast<std::size_t>(id % known.cases.rows));
    };
  }
  return made.get();
}

}  // namespace demeter
