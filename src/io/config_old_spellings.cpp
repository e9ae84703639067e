// SPDX-License-Identifier: BSD-3-Clause
// Replaces old spellings of keys by the new ones, with a warning that names the line.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <optional>

#include "base/log.hpp"
#include "io/config.hpp"
#include "io/config_document.hpp"
#include "io/frequency.hpp"
#include "io/ranges.hpp"
#include "io/schema/old_spellings.hpp"
#include "io/schema/schema.hpp"

namespace curlew::io {
namespace {

using Parts = std::vector<std::string>;

bool is_index(const std::string& part) {
  return std::all_of(part.begin(), part.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

/// Paths, with indices of lists, of all values at a plain path below a node.
void find_all(const toml::node& node, const Parts& plain, std::size_t next, const std::string& path,
              std::vector<std::string>& found) {
  if (next == plain.size()) {
    found.push_back(path);
  } else if (const auto* array = node.as_array()) {
    for (std::size_t i = 0; i < array->size(); ++i)
      find_all((*array)[i], plain, next, join_path(path, std::to_string(i)), found);
  } else if (const auto* table = node.as_table()) {
    if (const auto* inner = table->get(plain[next]))
      find_all(*inner, plain, next + 1, join_path(path, plain[next]), found);
  }
}

/// The path of `now` in the same list entries as `path`, whose plain path is `old`.
std::string place_beside(const std::string& path, const Parts& old, const Parts& now) {
  const auto common =
      std::size_t(std::mismatch(old.begin(), old.end(), now.begin(), now.end()).first - old.begin());
  std::string place;
  std::size_t names = 0;
  for (const auto& part : split_path(path)) {
    if (!is_index(part) && names++ == common) break;
    place = join_path(place, part);
  }
  for (std::size_t i = common; i < now.size(); ++i) place = join_path(place, now[i]);
  return place;
}

/// (table, key) of a path.
std::pair<std::string, std::string> split_last(const std::string& path) {
  const auto end = path.rfind(path_separator);
  if (end == std::string::npos) return {"", path};
  return {path.substr(0, end), path.substr(end + 1)};
}

toml::table* table_at(toml::node& root, const std::string& path) {
  toml::node* node = &root;
  for (const auto& part : split_path(path)) {
    if (auto* array = node->as_array()) {
      node = array->get(std::size_t(std::stoul(part)));
    } else {
      auto* table = node->as_table();
      if (table == nullptr) return nullptr;
      if (table->get(part) == nullptr) table->insert(part, toml::table{});
      node = table->get(part);
    }
  }
  return node->as_table();
}

/// Paths of the tables, also of those in lists, at a plain path.
std::vector<std::string> tables_at(const toml::table& root, std::string_view plain) {
  std::vector<std::string> found, tables;
  find_all(root, split_path(plain, '.'), 0, "", found);
  for (const auto& path : found)
    if (const auto* list = find_node(root, path)->as_array()) {
      for (std::size_t i = 0; i < list->size(); ++i) tables.push_back(join_path(path, std::to_string(i)));
    } else {
      tables.push_back(path);
    }
  std::erase_if(tables, [&](const auto& path) { return !find_node(root, path)->is_table(); });
  return tables;
}

/// Sets an entry of a list, at most the first one behind its end.
void set_entry(toml::array& list, std::size_t at, const toml::node& value) {
  value.visit([&](const auto& one) {
    if (at < list.size())
      list.replace(list.cbegin() + std::ptrdiff_t(at), one);
    else
      list.push_back(one);
  });
}

/// Keys of the medium of a film or slab that its [[boundary]] has: they are now in the [[material]] of its
/// region.
std::vector<std::string> keys_of_medium(const toml::table& boundary) {
  if (!boundary.contains("region")) return {};
  const auto type = boundary["type"].value<std::string>();
  const bool is_wall = boundary.contains("surface_impedance") || boundary.contains("conductivity");
  if (type != "film" && (type != "impedance" || is_wall || !boundary.contains("thickness"))) return {};
  std::vector<std::string> keys = {"material", "epsilon_r", "loss_tangent", "conductivity", "model", "table"};
  std::erase_if(keys, [&](const auto& key) { return !boundary.contains(key); });
  return keys;
}

/// start + side, of numbers or expressions.
toml::array end_of_side(const toml::node& start, const toml::node& side, const std::string& unit) {
  toml::array end;
  const auto text = [&](const toml::node& node) {
    return node.is_number() ? fmt::format("{} {}", node.value_or(0.0), unit) : node.value_or(std::string());
  };
  const auto is_zero = [](const toml::node& node) { return node.is_number() && node.value_or(1.0) == 0; };
  const auto *a = start.as_array(), *b = side.as_array();
  for (std::size_t i = 0; a != nullptr && b != nullptr && i < std::min(a->size(), b->size()); ++i) {
    const toml::node &from = (*a)[i], &along = (*b)[i];
    if (from.is_number() && along.is_number())
      end.push_back(from.value_or(0.0) + along.value_or(0.0));
    else if (is_zero(from) || is_zero(along))  // the unit of an expression is not known here
      end.push_back((is_zero(from) ? along : from).value_or(std::string()));
    else
      end.push_back(fmt::format("({}) + ({})", text(from), text(along)));
  }
  return end;
}

/// The frequencies of a table of start, stop and points; [start, stop, points] where these are expressions.
toml::array frequencies_of(const toml::table& range) {
  toml::array list;
  const auto *start = range.get("start"), *stop = range.get("stop"), *points = range.get("points");
  const auto count = points->value_or(0.0);
  if (start->is_number() && stop->is_number() && count >= 1 && count <= 1e6) {
    auto all = linspace(start->value_or(0.0), stop->value_or(0.0), int(count));
    std::ranges::sort(all);  // three descending ones would be read as [start, stop, points]
    for (const double f : all) list.push_back(f);
    return list;
  }
  for (const auto* part : {start, stop, points}) part->visit([&](const auto& one) { list.push_back(one); });
  return list;
}

constexpr const char* leaves_soon = "will be removed in the next minor release";

}  // namespace

/// One document; a function for each kind of change.
class Config::Document::Spellings {
 public:
  explicit Spellings(const std::shared_ptr<Document>& document) : document_(document) {}
  void words();
  void media_of_layers();
  void names();
  void physics();
  void interpolation();
  void output_frequencies();
  void joined_keys();
  void near_fields();
  void touchstone();
  void matched_layers();
  void poles();
  void testing();

 private:
  Config at(const std::string& path) const { return {document_, path}; }
  toml::table& root() { return document_->root; }
  /// Copies a value; the caller erases the old one.
  void move(const std::string& path, const std::string& place);
  /// Errors at a place name the line or the option of the old path.
  void stands_for(const std::string& path, const std::string& place);
  /// Whether a key or an entry of it was set by an option.
  bool is_set(const std::string& path) const;
  /// Whether an old spelling counts beside the new one: that of an option does.
  /// @throws InputError if both are in the file or both are options
  bool replaces(const std::string& path, const std::string& place) const;
  /// The list at now[number] of the table at a path: first and second, or the entries there of both, in place
  /// of what it has; empty where it would lack an entry.
  toml::array joined(const std::string& path, const schema::JoinedKeys& keys, std::size_t number);

  std::shared_ptr<Document> document_;
};

void Config::Document::use_new_spellings(const std::shared_ptr<Document>& document) {
  Spellings spellings(document);
  spellings.words();
  spellings.media_of_layers();
  spellings.physics();
  spellings.interpolation();
  spellings.names();
  spellings.output_frequencies();
  spellings.joined_keys();
  spellings.near_fields();
  spellings.touchstone();
  spellings.matched_layers();
  spellings.poles();
  spellings.testing();
}

void Config::Document::Spellings::move(const std::string& path, const std::string& place) {
  const auto [new_table, new_key] = split_last(place);
  toml::table* target = table_at(root(), new_table);
  if ((target == nullptr || target->contains(new_key)) && !replaces(path, place)) return;
  document_->remember_lines();
  find_node(root(), path)->visit([&](const auto& value) { target->insert_or_assign(new_key, value); });
  stands_for(path, place);
}

void Config::Document::Spellings::stands_for(const std::string& path, const std::string& place) {
  if (document_->lines.count(path) != 0) document_->lines[place] = document_->lines[path];
  if (document_->origins.count(path) != 0) document_->origins[place] = document_->origins[path];
}

bool Config::Document::Spellings::is_set(const std::string& path) const {
  return std::ranges::any_of(document_->origins, [&](const auto& entry) {
    return entry.first == path || entry.first.starts_with(path + path_separator);
  });
}

bool Config::Document::Spellings::replaces(const std::string& path, const std::string& place) const {
  const auto [inside, key] = split_last(path);
  if (find_node(document_->root, place) == nullptr || is_set(path) == is_set(place))
    at(inside).error(key, fmt::format("{} is now called {}, which is also given: leave out one of them",
                                      schema::plain_path(path, path_separator),
                                      schema::plain_path(place, path_separator)));
  return is_set(path);
}

void Config::Document::Spellings::words() {
  for (const auto& old : schema::old_words()) {
    std::vector<std::string> found;
    find_all(root(), split_path(old.path, '.'), 0, "", found);
    for (const auto& path : found) {
      const auto [inside, key] = split_last(path);
      auto* word = table_at(root(), inside)->get(key)->as_string();
      if (word == nullptr || word->get() != old.word) continue;
      log::warn("{}: {} = \"{}\" is now \"{}\": {}", at(inside).where(key), old.path, old.word, old.now,
                old.why);
      document_->remember_lines();
      *word = std::string(old.now);
    }
  }
}

void Config::Document::Spellings::media_of_layers() {
  if (document_->program != "ie-solve") return;
  for (const auto& from : tables_at(root(), "boundary")) {
    const auto keys = keys_of_medium(*table_at(root(), from));
    if (keys.empty()) continue;
    if (const auto* one = root()["material"].as_table())
      root().insert_or_assign("material", toml::array{*one});
    if (!root().contains("material")) root().insert("material", toml::array{});
    auto* media = root()["material"].as_array();
    if (media == nullptr) continue;
    const Config boundary = at(from);
    const std::string where = boundary.where(keys[0]);
    const std::string to = join_path("material", std::to_string(media->size()));
    media->push_back(toml::table{});
    move(join_path(from, "region"), join_path(to, "region"));
    for (const auto& key : keys) {
      move(join_path(from, key), join_path(to, key));
      table_at(root(), from)->erase(key);
    }
    log::warn("{}: {} of a film or slab are now in the [[material]] of its region", where,
              fmt::join(keys, ", "));
  }
}

void Config::Document::Spellings::names() {
  for (const auto& old : schema::old_spellings()) {
    const Parts plain = split_path(schema::plain_path(old.path), '.'),
                now = split_path(schema::plain_path(old.now), '.');
    std::vector<std::string> found;
    find_all(root(), plain, 0, "", found);
    for (const auto& path : found) {
      const auto [inside, key] = split_last(path);
      const Config table = at(inside);
      const std::string where = table.where(key);
      if (old.now.empty()) {
        log::warn("{}: {} is no longer a key and has no effect: {}", where, old.path, old.why);
      } else {
        move(path, place_beside(path, plain, now));
        log::warn("{}: {} is now called {}; the old name {}", where, old.path, old.now, leaves_soon);
      }
      table_at(root(), inside)->erase(key);
    }
  }
}

/// Without a speed of sound a problem of sound would be solved as one of Maxwell's equations.
void Config::Document::Spellings::physics() {
  if (root()["physics"]["type"].value<std::string>() == "helmholtz" && !has_sound(at("")))
    at("physics").error("type", "sound needs a [[material]] with speed_of_sound and density");
}

void Config::Document::Spellings::interpolation() {
  auto* formulation = root()["formulation"].as_table();
  if (formulation == nullptr || !formulation->contains("interpolation")) return;
  const auto word = (*formulation)["interpolation"].value_or(std::string());
  const Config table = at("formulation");
  if (word != "cell" && word != "neighbours")
    table.error("interpolation", "is now integration: \"accurate\" or \"paper\"");
  log::warn("{}: formulation.interpolation = \"{}\" is now integration = \"{}\"; the old name {}",
            table.where("interpolation"), word, word == "cell" ? "paper" : "accurate", leaves_soon);
  document_->remember_lines();
  if (word == "cell" && (*formulation)["method"].value<std::string>() != "mom")
    formulation->insert_or_assign("integration", "paper");
  formulation->erase("interpolation");
}

void Config::Document::Spellings::output_frequencies() {
  const auto* node = find_node(root(), join_path("output", "frequencies"));
  if (node == nullptr || !node->is_table()) return;
  const Config output = at("output");
  for (const char* part : {"start", "stop", "points"})
    if (!node->as_table()->contains(part)) output.error("frequencies", "is a list, or [start, stop, points]");
  const std::string where = output.where("frequencies");
  document_->remember_lines();
  table_at(root(), "output")->insert_or_assign("frequencies", frequencies_of(*node->as_table()));
  log::warn("{}: output.frequencies is now a list or [start, stop, points]; the table {}", where,
            leaves_soon);
}

toml::array Config::Document::Spellings::joined(const std::string& path, const schema::JoinedKeys& keys,
                                                std::size_t number) {
  const toml::table& table = *table_at(root(), path);
  const auto now = keys.now[number];
  toml::array list;
  if (const auto* stated = table.get(now); stated != nullptr && stated->is_array())
    list = *stated->as_array();
  else if (stated != nullptr)
    set_entry(list, 0, *stated);
  const std::size_t num_stated = list.size();
  for (std::size_t i = 0; i < 2; ++i) {
    const auto key = i == 0 ? keys.first : keys.second;
    const auto fallback = i == 0 ? keys.first_default : keys.second_default;
    const auto* old = key == now ? nullptr : table.get(key);
    if (old == nullptr && i >= list.size() && fallback.empty()) return {};
    if (old == nullptr && i >= list.size())
      set_entry(list, i, *toml::parse(fmt::format("value = {}", fallback)).get("value"));
    if (old == nullptr || (i < num_stated && !replaces(join_path(path, key), join_path(path, now)))) continue;
    const bool is_one_of_several = keys.now.size() > 1 && old->is_array();
    const auto* value = is_one_of_several ? old->as_array()->get(number) : old;
    if (value != nullptr) set_entry(list, i, *value);
  }
  return list;
}

void Config::Document::Spellings::joined_keys() {
  for (const auto& keys : schema::joined_keys())
    for (const auto& path : tables_at(root(), schema::plain_path(keys.table))) {
      toml::table& table = *table_at(root(), path);
      const auto is_old = [&](std::string_view key) { return key != keys.now[0] && table.contains(key); };
      if (!is_old(keys.first) && !is_old(keys.second)) continue;
      const auto old = is_old(keys.first) ? keys.first : keys.second;
      const std::string where = at(path).where(old);
      document_->remember_lines();
      std::vector<toml::array> lists;
      for (std::size_t i = 0; i < keys.now.size(); ++i) lists.push_back(joined(path, keys, i));
      if (lists[0].empty()) continue;
      for (std::size_t i = 0; i < keys.now.size(); ++i) {
        table.insert_or_assign(keys.now[i], lists[i]);
        stands_for(join_path(path, old), join_path(path, keys.now[i]));
      }
      for (const auto key : {keys.first, keys.second})
        if (std::ranges::find(keys.now, key) == keys.now.end()) table.erase(key);
      log::warn("{}: {} and {} of {} are now called {}; the old names {}", where, keys.first, keys.second,
                keys.table, fmt::join(keys.now, ", "), leaves_soon);
    }
}

void Config::Document::Spellings::near_fields() {
  for (const auto& path : tables_at(root(), "output.near_field")) {
    toml::table& near = *table_at(root(), path);
    if (const auto* corner = near.get("corner"); corner != nullptr && !near.contains("start"))
      corner->visit([&](const auto& one) { near.insert("start", one); });
    const std::string now = join_path(path, "positions");
    toml::array positions;
    if (const auto* stated = near["positions"].as_array()) positions = *stated;
    const bool is_new = !positions.empty();
    std::string old;
    for (const auto& [key, place] : {std::pair{"start", 0U}, {"stop", 1U}, {"u", 1U}, {"v", 2U}}) {
      if (!near.contains(key) || (place > 0 && positions.empty())) continue;
      old = key;
      if (is_new && !replaces(join_path(path, key), now)) continue;
      const bool is_side = key[0] == 'u' || key[0] == 'v';
      if (is_side)
        set_entry(
            positions, place,
            end_of_side(positions[0], *near.get(key), root()["mesh"]["unit"].value_or(std::string("m"))));
      else
        set_entry(positions, place, *near.get(key));
    }
    if (old.empty()) continue;
    log::warn("{}: start, stop, u and v of a near field are now its positions; the old names {}",
              at(path).where(is_new ? old : "start"), leaves_soon);
    document_->remember_lines();
    stands_for(join_path(path, is_new ? old : "start"), now);
    near.insert_or_assign("positions", positions);
    for (const char* key : {"corner", "start", "stop", "u", "v"}) near.erase(key);
  }
}

void Config::Document::Spellings::touchstone() {
  auto* output = root()["output"].as_table();
  if (output == nullptr || !output->contains("touchstone")) return;
  const Config table = at("output");
  const auto version = (*output)["touchstone"].value_or(0);
  if (version != 1 && version != 2) table.error("touchstone", "is 1 or 2");
  log::warn(
      "{}: output.touchstone is now \"touchstone2\" in output.formats, or nothing for version 1; the "
      "old name {}",
      table.where("touchstone"), leaves_soon);
  document_->remember_lines();
  if (const auto* one = output->get("formats"); one != nullptr && one->is_string())
    output->insert_or_assign("formats", toml::array{*one->as_string()});
  if (!output->contains("formats")) output->insert("formats", toml::array{});
  if (auto* formats = (*output)["formats"].as_array()) {
    for (std::size_t i = formats->size(); i-- > 0;)
      if ((*formats)[i].value<std::string>() == "touchstone2")
        formats->erase(formats->begin() + std::ptrdiff_t(i));
    if (version == 2) formats->push_back("touchstone2");
  }
  output->erase("touchstone");
}

void Config::Document::Spellings::matched_layers() {
  for (const auto& path : tables_at(root(), "pml")) {
    toml::table& layer = *table_at(root(), path);
    if (!layer.contains("type")) continue;
    const auto type = layer["type"].value<std::string>();
    const char* const now = "is no longer a key: a layer with a center is spherical, else it is Cartesian";
    if (type != "spherical" && type != "cartesian") at(path).error("type", now);
    log::warn("{}: pml[].type {}", at(path).where("type"), now);
    document_->remember_lines();
    if (type == "cartesian")
      layer.erase("center");
    else if (!layer.contains("center"))
      layer.insert("center", toml::array{0.0, 0.0, 0.0});
    layer.erase("type");
  }
}

void Config::Document::Spellings::poles() {
  for (const auto& path : tables_at(root(), "material.model")) {
    toml::table& pole = *table_at(root(), path);
    if (!pole.contains("type")) continue;
    const auto type = pole["type"].value_or(std::string());
    const char* const now =
        "is no longer a key: plasma_frequency makes a Drude, resonance_frequency a Lorentz, and "
        "relaxation_time a "
        "Debye pole";
    bool is_known = false, has_another = false;
    for (const auto& [word, key] : {std::pair{"drude", "plasma_frequency"},
                                    {"lorentz", "resonance_frequency"},
                                    {"debye", "relaxation_time"}})
      (type == word ? is_known : has_another) |= type == word || pole.contains(key);
    if (!is_known || has_another) at(path).error("type", now);
    log::warn("{}: material[].model[].type {}", at(path).where("type"), now);
    document_->remember_lines();
    pole.erase("type");
  }
}

void Config::Document::Spellings::testing() {
  auto* formulation = root()["formulation"].as_table();
  if (formulation == nullptr || !formulation->contains("testing")) return;
  const Config table = at("formulation");
  const auto word = (*formulation)["testing"].value_or(std::string());
  auto equation = (*formulation)["equation"].value_or(std::string("auto"));
  if (word != "rwg" && word != "dual")
    table.error(
        "testing",
        fmt::format("testing = \"{}\" must be rwg or dual, as an ending of equation: \"cfie_dual\"", word));
  if (const auto* stated = formulation->get("equation"); stated != nullptr && !stated->is_string()) return;
  if (equation == "auto")
    table.error("testing", "equation = \"auto\" chooses the testing too: leave it out, or set the equation");
  if (equation.ends_with("_dual")) equation.resize(equation.size() - 5);
  if (word == "dual" && (equation == "mfie" || equation == "cfie")) equation += "_dual";
  log::warn("{}: formulation.testing is now a part of equation: \"{}\"; the old name {}",
            table.where("testing"), equation, leaves_soon);
  document_->remember_lines();
  formulation->insert_or_assign("equation", equation);
  formulation->erase("testing");
}

}  // namespace curlew::io
