// SPDX-License-Identifier: BSD-3-Clause
#include "material/library.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <iterator>

#include "base/constants.hpp"
#include "base/hertz.hpp"
#include "io/nearest.hpp"
#include "io/schema/json_text.hpp"

namespace curlew::material {
namespace {

/// "RT/duroid 5880" and "rt-duroid5880" are one name.
std::string plain_name(std::string_view name) {
  std::string plain;
  for (const char c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      plain += char(std::tolower(static_cast<unsigned char>(c)));
  return plain;
}

std::vector<std::string> names_of(const LibraryEntry& entry) {
  std::vector<std::string> names{std::string(entry.name)};
  for (std::string_view rest = entry.aliases; !rest.empty();) {
    const auto end = std::min(rest.find(" | "), rest.size());
    names.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 3, rest.size()));
  }
  return names;
}

/// The three names that are spelt most alike.
std::vector<std::string> nearest_names(std::string_view name) {
  const std::string wanted = plain_name(name);
  std::string digits;  // makers' numbers: "RO5880" is known as RT/duroid 5880
  std::copy_if(wanted.begin(), wanted.end(), std::back_inserter(digits),
               [](unsigned char c) { return std::isdigit(c); });
  std::vector<std::pair<int, std::string>> found;
  for (const auto& entry : library()) {
    int distance = 1000;
    for (const auto& known : names_of(entry)) {
      const std::string plain = plain_name(known);
      const bool holds = (wanted.size() > 1 && plain.find(wanted) != std::string::npos) ||
                         (digits.size() > 2 && plain.find(digits) != std::string::npos);
      distance = std::min(distance, holds ? 0 : io::edit_distance(wanted, plain));
    }
    found.emplace_back(distance, entry.name);
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min<std::size_t>(3, found.size()); ++i) names.push_back(found[i].second);
  return names;
}

std::string values_of(const LibraryEntry& entry) {
  switch (entry.kind) {
    case LibraryEntry::Kind::conductor:
      return fmt::format("conductivity {:.4g} S/m", entry.conductivity);
    case LibraryEntry::Kind::optical:
      return fmt::format("table of {} rows, {:.4g} to {:.4g} um", entry.rows.size(),
                         entry.rows.front().wavelength_um, entry.rows.back().wavelength_um);
    case LibraryEntry::Kind::debye:
      return fmt::format("epsilon_r {:.4g} + {:.4g} / (1 + j omega {:.4g} s)", entry.epsilon_r,
                         entry.delta_epsilon, entry.relaxation_time);
    case LibraryEntry::Kind::dielectric:
      break;
  }
  return entry.loss_tangent == 0
             ? fmt::format("epsilon_r {:.4g}", entry.epsilon_r)
             : fmt::format("epsilon_r {:.4g}, loss_tangent {:.4g}", entry.epsilon_r, entry.loss_tangent);
}

std::string range_of(const LibraryEntry& entry) {
  if (entry.high > 0)
    return fmt::format("{} to {}", entry.low > 0 ? hertz(entry.low, 4) : "0", hertz(entry.high, 4));
  return entry.frequency > 0 ? fmt::format("at {}", hertz(entry.frequency, 4)) : "all";
}

}  // namespace

const LibraryEntry* find_material(std::string_view name) {
  const std::string wanted = plain_name(name);
  for (const auto& entry : library())
    for (const auto& known : names_of(entry))
      if (plain_name(known) == wanted) return &entry;
  return nullptr;
}

const LibraryEntry& require_material(const io::Config& table) {
  const auto name = table.get<std::string>("material");
  const auto* entry = find_material(name);
  if (entry == nullptr)
    table.error("material",
                fmt::format("material = \"{}\" is not in the library (nearest: {}; all: --materials)", name,
                            fmt::join(nearest_names(name), ", ")));
  return *entry;
}

OpticalTable optical_table(const LibraryEntry& entry) {
  OpticalTable table;
  for (auto row = entry.rows.rbegin(); row != entry.rows.rend(); ++row) {
    const Complex index(row->n, -row->k);
    table.frequencies.push_back(speed_of_light / (row->wavelength_um * 1e-6));
    table.permittivities.push_back(index * index);
  }
  return table;
}

std::string materials_as_text() {
  std::string text;
  for (const auto& entry : library()) {
    text += fmt::format("{}: {}, {}\n", fmt::join(names_of(entry), ", "), values_of(entry), range_of(entry));
    text += fmt::format("    {}\n", entry.source);
  }
  return text;
}

std::string materials_as_json() {
  std::vector<std::string> rows;
  for (const auto& entry : library())
    rows.push_back(
        fmt::format("{{\"name\": {}, \"aliases\": {}, \"values\": {}, \"range\": {}, \"source\": {}}}",
                    io::schema::json_text(entry.name), io::schema::json_text(entry.aliases),
                    io::schema::json_text(values_of(entry)), io::schema::json_text(range_of(entry)),
                    io::schema::json_text(entry.source)));
  return fmt::format("[\n{}\n]\n", fmt::join(rows, ",\n"));
}

}  // namespace curlew::material
