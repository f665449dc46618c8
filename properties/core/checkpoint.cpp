#include "properties/core/checkpoint.hpp"

#include "kernels/files.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <stdexcept>

namespace demeter {
namespace {

using Json = nlohmann::json;

/// Every bit survives, NaN and infinities too.
Json exact(double x) { return fmt::format("{:a}", x); }
double read_exact(Json const& json) { return std::strtod(json.get_ref<std::string const&>().c_str(), nullptr); }

// Members are listed once, for both directions.
struct Write {
  Json& json;
  template <class Count>
  void count(char const* key, Count const& value) const {
    json[key] = value;
  }
  void real(char const* key, double const& value) const { json[key] = exact(value); }
};
struct Read {
  Json const& json;
  template <class Count>
  void count(char const* key, Count& value) const {
    value = json.at(key).get<Count>();
  }
  void real(char const* key, double& value) const { value = read_exact(json.at(key)); }
};

template <class Visitor, class Cell>
void accuracy_members(Visitor const& visit, Cell& cell) {
  visit.count("cases", cell.cases);
  visit.count("judged", cell.judged);
  visit.count("unsupported", cell.unsupported);
  visit.count("not_representable", cell.not_representable);
  visit.count("not_asked", cell.not_asked);
  visit.count("missing", cell.missing);
  visit.count("malformed", cell.malformed);
  visit.count("crash", cell.crash);
  visit.count("timeout", cell.timeout);
  visit.count("failed", cell.failed);
  visit.count("undecided", cell.undecided);
  visit.count("refined", cell.refined);
  visit.count("known", cell.known);
  visit.count("given", cell.given);
  visit.count("left_out", cell.left_out);
  visit.count("not_a_number", cell.not_a_number);
  visit.count("not_finite", cell.not_finite);
  visit.count("labels", cell.labels);
  visit.count("infinite", cell.errors.infinite);
  visit.count("bins", cell.errors.bins);
  visit.count("model_cases", cell.model_cases);
  visit.real("model_distance", cell.model_distance);
  visit.real("max_error", cell.max_error);
  visit.real("max_relative", cell.max_relative);
  visit.real("max_condition", cell.max_condition);
}
template <class Visitor, class Breach>
void breach_members(Visitor const& visit, Breach& breach) {
  visit.count("applicable", breach.applicable);
  visit.count("broken", breach.broken);
  visit.count("known", breach.known);
  visit.count("by_formula", breach.by_formula);
  visit.real("worst", breach.worst);
}
template <class Visitor, class Law>
void law_members(Visitor const& visit, Law& law) {
  visit.count("cases", law.cases);
  breach_members(visit, law);
}

Json write_sums(ErrorTally const& errors) {
  Json sums = Json::array();
  for (auto const& [exponent, sum] : errors.sums) sums.push_back({exponent, sum.high, sum.low});
  return sums;
}
void read_sums(Json const& json, ErrorTally& errors) {
  for (auto const& sum : json)
    errors.sums[sum.at(0).get<int>()] = {sum.at(1).get<std::uint64_t>(), sum.at(2).get<std::uint64_t>()};
}

Json write_sizing(Sizing const& sizing) {
  Json bins = Json::array();
  for (auto const& bin : sizing) bins.push_back({bin.judged, bin.failed, exact(bin.max_error)});
  return bins;
}
Sizing read_sizing(Json const& json) {
  Sizing sizing;
  for (auto const& bin : json)
    sizing.push_back({bin.at(0).get<std::uint64_t>(), bin.at(1).get<std::uint64_t>(), read_exact(bin.at(2))});
  if (!sizing.empty() && sizing.size() != size_bins) throw std::runtime_error("sizes");
  return sizing;
}

Json write_table(Table const& table) {
  Json columns = Json::array();
  for (auto const& column : table.columns) {
    columns.push_back(Json::array());
    for (double const cell : column) columns.back().push_back(exact(cell));
  }
  return {{"rows", table.rows}, {"columns", std::move(columns)}};
}
/// Whether lists begin at 0, never shrink and are as long as their offsets say, and each column has its cells.
bool is_sound(Node const& node, Table const& table, std::size_t rows) {
  auto const& columns = table.columns;
  if (node.nullable && columns[node.column].size() != rows) return false;
  if (node.kind == Node::Kind::record)
    return std::all_of(node.children.begin(), node.children.end(),
                       [&](Node const& child) { return is_sound(child, table, rows); });
  if (node.kind != Node::Kind::list) {
    for (std::size_t i = 0; i < node.columns; ++i)
      if (columns[node.column + i].size() != rows) return false;
    return true;
  }
  auto const& offsets = columns[node.column];
  if (offsets.size() != rows + 1 || offsets.front() != 0) return false;
  for (std::size_t i = 0; i < rows; ++i)
    if (!(offsets[i] <= offsets[i + 1]) || offsets[i + 1] != std::floor(offsets[i + 1]) || offsets[i + 1] > 1e9)
      return false;
  return is_sound(node.children.front(), table, static_cast<std::size_t>(offsets.back()));
}

Table read_table(Json const& json, Schema const& schema) {
  Table table(schema);
  table.rows = json.at("rows").get<std::size_t>();
  if (json.at("columns").size() != table.columns.size()) throw std::runtime_error("columns");
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    table.columns[i].clear();
    for (auto const& cell : json.at("columns")[i]) table.columns[i].push_back(read_exact(cell));
  }
  // The answer of a law's example is not kept.
  if (table.rows == 0) return Table(schema);
  if (table.rows != 1 || !is_sound(schema.root, table, table.rows)) throw std::runtime_error("cells");
  return table;
}

Json write_example(std::optional<Example> const& example) {
  if (!example) return nullptr;
  return {{"input", write_table(example->input)},
          {"answer", write_table(example->answer)},
          {"id", example->id},
          {"regime", example->regime},
          {"error", exact(example->error)}};
}
std::optional<Example> read_example(Json const& json, Kernel const& kernel) {
  if (json.is_null()) return std::nullopt;
  auto const regime = json.at("regime").get<std::size_t>();
  if (regime >= kernel.regimes.size()) throw std::runtime_error("regime");
  if (json.at("input").at("rows") != 1) throw std::runtime_error("rows");
  return Example{read_table(json.at("input"), kernel.input), read_table(json.at("answer"), kernel.output),
                 json.at("id").get<std::uint64_t>(), regime, read_exact(json.at("error"))};
}

/// What stands before the state.
constexpr std::size_t seal_size = 17;
std::string seal_of(std::string_view state) {
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  for (char const c : state) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return fmt::format("{:016x}\n", hash);
}

/// What tells this check from any other.
std::string identity_of(Kernel const& kernel, CheckOptions const& options, std::size_t blocks,
                        std::vector<SubjectCheck> const& results) {
  Json identity{{"kernel", kernel.name},
                {"program", options.identity},
                {"seed", options.seed},
                {"cases", options.cases},
                {"law_cases", options.law_cases},
                {"regimes", options.regimes},
                {"sizes", {exact(options.sizes.low_exponent), exact(options.sizes.high_exponent)}},
                {"blocks", blocks}};
  if (options.held) {
    identity["held"] = {tolerance_text(*options.held), exact(options.held->factor)};
    for (auto const& [output, units] : options.held->units) identity["held"].push_back({output, exact(units)});
  }
  for (auto const& result : results) {
    identity["subjects"].push_back(result.subject);
    identity["formulas"].push_back(result.formula);
  }
  return identity.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string sealed(std::string const& state) { return seal_of(state) + state; }

Checkpoint::Checkpoint(Kernel const& kernel, CheckOptions const& options, std::size_t blocks,
                       std::vector<SubjectCheck>& results, std::vector<std::vector<LawTally>>& laws)
    : kernel_(kernel), results_(results), laws_(laws), done_(blocks, false) {
  if (options.unfinished.empty()) return;
  identity_ = identity_of(kernel, options, blocks, results);
  // A hash, since the text is too long for a name; the text itself is compared too.
  file_ = options.unfinished / (kernel.name + "-" + file_name_of("/" + identity_).substr(61) + ".json");
  if (!options.resume) return;
  auto const text = read_whole(file_);
  if (!text || !text->starts_with(seal_of(std::string_view(*text).substr(std::min(text->size(), seal_size))))) return;
  auto before_results = results;
  auto before_laws = laws;
  try {
    Json const json = Json::parse(text->begin() + static_cast<std::ptrdiff_t>(seal_size), text->end());
    if (json.at("identity") != identity_) return;
    for (std::size_t s = 0; s < results.size(); ++s) {
      Json const& subject = json.at("subjects").at(s);
      results[s].recorded_before = subject.at("recorded_before").get<std::uint64_t>();
      for (std::size_t i = 0; i < results[s].accuracy.size(); ++i) {
        Json const& cell = subject.at("accuracy").at(i);
        accuracy_members(Read{cell}, results[s].accuracy[i]);
        read_sums(cell.at("sums"), results[s].accuracy[i].errors);
        results[s].accuracy[i].worst = read_example(cell.at("worst"), kernel);
        results[s].accuracy[i].worst_failure = read_example(cell.at("worst_failure"), kernel);
        results[s].accuracy[i].first_left_out = read_example(cell.at("first_left_out"), kernel);
        results[s].accuracy[i].worst_finite = read_example(cell.at("worst_finite"), kernel);
      }
      for (std::size_t i = 0; i < results[s].sizes.size(); ++i)
        results[s].sizes[i] = read_sizing(subject.at("sizes").at(i));
      for (std::size_t i = 0; i < results[s].laws.size(); ++i) {
        Json const& law = subject.at("laws").at(i);
        law_members(Read{law}, results[s].laws[i]);
        for (std::size_t k = 0; k < results[s].laws[i].regimes.size(); ++k) {
          breach_members(Read{law.at("regimes").at(k)}, results[s].laws[i].regimes[k]);
        }
        laws[s][i].example = read_example(law.at("example"), kernel);
      }
    }
    for (auto const& block : json.at("done")) done_.at(block.get<std::size_t>()) = true;
    for (auto& result : results) result.taken_up = done();
  } catch (std::exception const&) {
    // Not ours, or damaged: begin anew.
    results = before_results;
    laws = before_laws;
    done_.assign(blocks, false);
  }
}

std::size_t Checkpoint::done() const { return static_cast<std::size_t>(std::count(done_.begin(), done_.end(), true)); }

void Checkpoint::finished(std::size_t block) {
  done_[block] = true;
  if (!file_.empty() && std::chrono::steady_clock::now() - saved_ > std::chrono::seconds(1)) save();
}

void Checkpoint::save() {
  if (file_.empty()) return;
  Json json{{"identity", identity_}, {"done", Json::array()}, {"subjects", Json::array()}};
  for (std::size_t block = 0; block < done_.size(); ++block)
    if (done_[block]) json["done"].push_back(block);
  for (std::size_t s = 0; s < results_.size(); ++s) {
    Json subject{{"accuracy", Json::array()}, {"laws", Json::array()}, {"sizes", Json::array()}};
    subject["recorded_before"] = results_[s].recorded_before.value_or(0);
    for (auto const& sizing : results_[s].sizes) subject["sizes"].push_back(write_sizing(sizing));
    for (auto const& accuracy : results_[s].accuracy) {
      Json cell;
      accuracy_members(Write{cell}, accuracy);
      cell["sums"] = write_sums(accuracy.errors);
      cell["worst"] = write_example(accuracy.worst);
      cell["worst_failure"] = write_example(accuracy.worst_failure);
      cell["first_left_out"] = write_example(accuracy.first_left_out);
      cell["worst_finite"] = write_example(accuracy.worst_finite);
      subject["accuracy"].push_back(std::move(cell));
    }
    for (std::size_t i = 0; i < results_[s].laws.size(); ++i) {
      Json law;
      law_members(Write{law}, results_[s].laws[i]);
      for (auto const& breach : results_[s].laws[i].regimes) {
        Json regime;
        breach_members(Write{regime}, breach);
        law["regimes"].push_back(std::move(regime));
      }
      law["example"] = write_example(laws_[s][i].example);
      subject["laws"].push_back(std::move(law));
    }
    json["subjects"].push_back(std::move(subject));
  }
  // A folder that cannot be written costs the resumption, not the check.
  std::string const state = json.dump();
  if (!make_folder(file_.parent_path())) write_whole(file_, sealed(state), Links::replaced);
  saved_ = std::chrono::steady_clock::now();
}

void Checkpoint::remove() {
  std::error_code error;
  if (!file_.empty()) std::filesystem::remove(file_, error);
}

}  // namespace demeter
