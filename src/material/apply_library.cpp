// SPDX-License-Identifier: BSD-3-Clause
// material = "copper" in a config becomes the keys of copper.

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "base/hertz.hpp"
#include "base/log.hpp"
#include "io/frequency.hpp"
#include "io/schema/schema.hpp"
#include "material/library.hpp"

namespace curlew::material {
namespace {

using Kind = LibraryEntry::Kind;

/// [Hz] lowest and highest frequency of a config; nothing if it states none. Read from a copy, so that these
/// keys do not count as read by the program.
std::optional<std::pair<double, double>> frequencies_of(const io::Config& config) {
  const io::Config copy = config.clone();
  const auto values = io::stated_frequencies(copy);
  if (values.empty()) return std::nullopt;
  return std::pair{values.front(), values.back()};
}

/// Warns outside the frequencies of data sheets and refuses frequencies outside the range of validity.
void check_range(const io::Config& table, const LibraryEntry& entry,
                 const std::optional<std::pair<double, double>>& frequencies) {
  if (!frequencies) return;
  const auto [lowest, highest] = *frequencies;
  if (entry.high > 0 && (lowest < entry.low || highest > entry.high))
    table.error("material", fmt::format("{} is known from {} to {}, not at {}: give its constants yourself",
                                        entry.name, hertz(entry.low, 4), hertz(entry.high, 4),
                                        hertz(highest > entry.high ? highest : lowest, 4)));
  constexpr double decade = 10;
  if (entry.frequency == 0 || (lowest >= entry.frequency / decade && highest <= entry.frequency * decade))
    return;
  static std::set<std::string> said;  // warned once: points of a sweep share a config
  const auto text =
      fmt::format("{}: {} is that of {}; its permittivity at {} to {} may differ", table.where("material"),
                  entry.name, hertz(entry.frequency, 4), hertz(lowest, 4), hertz(highest, 4));
  if (said.insert(text).second) log::warn("{}", text);
}

/// Adds the keys that a table does not have.
class Filler {
 public:
  Filler(io::Config table, const LibraryEntry& entry)
      : table_(std::move(table)),
        origin_(fmt::format("{} (material \"{}\")", table_.where("material"), entry.name)) {}

  bool has(const char* key) const { return table_.has(key); }
  void number(const char* key, double value) { text(key, fmt::format("{}", value)); }
  void text(const char* key, const std::string& toml) {
    if (!table_.has(key)) table_.fill(key, toml, origin_);
  }

 private:
  io::Config table_;
  std::string origin_;
};

void fill_medium(Filler& filler, const LibraryEntry& entry) {
  const bool by_table = filler.has("table");
  if (entry.kind == Kind::optical) {
    filler.text("table", fmt::format("'{}{}'", library_prefix, entry.name));
    return;
  }
  if (!by_table) filler.number("epsilon_r", entry.epsilon_r);
  if (entry.kind == Kind::conductor) filler.number("conductivity", entry.conductivity);
  if (entry.kind == Kind::dielectric && !by_table && entry.loss_tangent > 0)
    filler.number("loss_tangent", entry.loss_tangent);
  if (entry.kind == Kind::debye)
    filler.text("model", fmt::format("{{ delta_epsilon = {}, relaxation_time = {} }}", entry.delta_epsilon,
                                     entry.relaxation_time));
}

void fill_boundary(const io::Config& table, const LibraryEntry& entry) {
  const auto type = table.get<std::string>("type");
  table.require(type == "impedance" || type == "sheet", "material",
                fmt::format("type = \"{}\" has no material: a wall of metal is type = \"impedance\", and a "
                            "film has a [[material]] with its region",
                            type));
  table.require(
      entry.kind == Kind::conductor, "material",
      fmt::format("{} is not a conductor: a wall takes copper, silver, ... (all: --materials)", entry.name));
  table.require(!table.has("surface_impedance"), "material", "give material or surface_impedance, not both");
  Filler(table, entry).number("conductivity", entry.conductivity);
}

}  // namespace

void apply_library(const io::Config& config, const std::string& program) {
  if (!io::schema::knows_program(program)) return;
  const auto named = [&](const char* list) {
    auto tables = config.tables(list);
    std::erase_if(tables, [](const io::Config& table) { return !table.has("material"); });
    return tables;
  };
  const auto media = named("material"), walls = named("boundary");
  if (media.empty() && walls.empty()) return;
  const auto frequencies = frequencies_of(config);
  for (const auto& table : media) {
    const auto& entry = require_material(table);
    check_range(table, entry, frequencies);
    Filler filler(table, entry);
    fill_medium(filler, entry);
  }
  for (const auto& table : walls) {
    const auto& entry = require_material(table);
    check_range(table, entry, frequencies);
    fill_boundary(table, entry);
  }
}

}  // namespace curlew::material
