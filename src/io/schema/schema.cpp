// SPDX-License-Identifier: BSD-3-Clause
#include "io/schema/schema.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "io/schema/tables.hpp"

namespace curlew::io::schema {
namespace {

struct Entry {
  std::string plain;
  const Key* key;
};

bool is_number(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c); });
}

std::vector<std::string> split(std::string_view text, std::string_view separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const auto end = std::min(text.find(separator), text.size());
    if (end > 0) parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + separator.size(), text.size()));
  }
  return parts;
}

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all = [] {
    std::vector<Entry> list;
    for (const auto& topic : {mesh_keys(), frequency_keys(), material_keys(), boundary_keys(), layer_keys(),
                              port_keys(), excitation_keys(), solver_keys(), truncation_keys(), output_keys(),
                              accuracy_keys(), mom2d_keys(), optimize_keys(), expert_keys()})
      for (const Key& key : topic) list.push_back({plain_path(key.path), &key});
    return list;
  }();
  return all;
}

bool is_of(const Key& key, std::string_view program) {
  if (program.empty()) return true;
  const auto programs = split(key.programs, " ");
  return std::find(programs.begin(), programs.end(), program) != programs.end();
}

bool is_below(std::string_view plain, std::string_view table) {
  return table.empty() ||
         (plain.size() > table.size() && plain.starts_with(table) && plain[table.size()] == '.');
}

}  // namespace

std::string plain_path(std::string_view path, char separator) {
  std::string plain;
  for (std::string part : split(path, std::string_view(&separator, 1))) {
    if (is_number(part)) continue;
    if (part.ends_with("[]")) part.resize(part.size() - 2);
    plain += (plain.empty() ? "" : ".") + part;
  }
  return plain;
}

std::vector<const Key*> keys_of(std::string_view program) {
  std::vector<const Key*> keys;
  for (const auto& entry : entries())
    if (is_of(*entry.key, program)) keys.push_back(entry.key);
  return keys;
}

bool knows_program(std::string_view program) {
  const auto known = split(all_programs, " ");
  return std::find(known.begin(), known.end(), program) != known.end();
}

const Key* find_key(std::string_view plain, std::string_view program) {
  for (const auto& entry : entries())
    if (entry.plain == plain && is_of(*entry.key, program)) return entry.key;
  const auto dot = plain.rfind('.');
  if (dot == std::string_view::npos || plain.ends_with(".*")) return nullptr;
  return find_key(std::string(plain.substr(0, dot)) + ".*", program);
}

bool is_table(std::string_view plain, std::string_view program) {
  return std::any_of(entries().begin(), entries().end(), [&](const Entry& entry) {
    return is_below(entry.plain, plain) && is_of(*entry.key, program);
  });
}

bool has_free_names(std::string_view plain, std::string_view program) {
  return find_key(std::string(plain) + ".*", program) != nullptr;
}

std::vector<std::string> names_in(std::string_view plain, std::string_view program) {
  std::vector<std::string> names;
  for (const auto& entry : entries()) {
    if (!is_below(entry.plain, plain) || !is_of(*entry.key, program)) continue;
    const std::string rest = plain.empty() ? entry.plain : entry.plain.substr(plain.size() + 1);
    const std::string name = rest.substr(0, rest.find('.'));
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

std::vector<std::string> places_of(std::string_view name, std::string_view program) {
  std::vector<std::string> places;
  for (const auto& entry : entries()) {
    if (!is_of(*entry.key, program)) continue;
    const auto parts = split(entry.plain, ".");
    const auto found = std::find(parts.begin(), parts.end(), name);
    if (found == parts.end()) continue;
    const std::string place = fmt::format("{}", fmt::join(parts.begin(), found + 1, "."));
    if (std::find(places.begin(), places.end(), place) == places.end()) places.push_back(place);
  }
  return places;
}

std::vector<std::string> programs_of(std::string_view plain) {
  auto programs = split(all_programs, " ");
  std::erase_if(programs, [&](const auto& program) {
    return find_key(plain, program) == nullptr && !is_table(plain, program);
  });
  return programs;
}

std::string help_text(std::string_view plain, std::string_view program) {
  const Key* key = find_key(plain, program);
  if (key == nullptr) return "";
  return key->unit.empty() ? std::string(key->help) : fmt::format("{} [{}]", key->help, key->unit);
}

std::string_view toml_default(const Key& key) {
  const bool prose = key.fallback.starts_with('(') || key.fallback == "required";
  return prose ? std::string_view() : key.fallback;
}

std::vector<std::string> words_of(const Key& key) {
  if (key.type != Type::word && key.type != Type::words && key.type != Type::direction &&
      key.type != Type::words_or_numbers)
    return {};
  return split(key.range, " | ");
}

std::string_view name_of(Type type) {
  switch (type) {
    case Type::boolean:
      return "true or false";
    case Type::integer:
      return "whole number";
    case Type::number:
      return "number";
    case Type::complex:
      return "number or [re, im]";
    case Type::tensor:
      return "number, [re, im], [xx, yy, zz] or 3x3 rows";
    case Type::text:
      return "text";
    case Type::word:
      return "word";
    case Type::vector:
      return "[x, y, z]";
    case Type::direction:
      return "word or [x, y, z]";
    case Type::integers:
      return "list of whole numbers";
    case Type::numbers:
      return "list of numbers";
    case Type::complexes:
      return "list of numbers or [re, im]";
    case Type::texts:
      return "text or list of texts";
    case Type::words:
      return "list of words";
    case Type::vectors:
      return "list of [x, y, z]";
    case Type::rows:
      return "list of lists of numbers";
    case Type::range:
      return "[start, stop, points]";
    case Type::words_or_numbers:
      return "list of words or of numbers";
  }
  return "";
}

namespace {

/// Keys and tables (with a dot at the end) that --keys prints last: what most problems do without.
constexpr std::string_view for_experts[] = {"solver.expert.",
                                            "solver.direct",
                                            "solver.preconditioner",
                                            "solver.subdomains",
                                            "solver.precision",
                                            "solver.max_iterations",
                                            "mesh.order",
                                            "mesh.time_limit",
                                            "space.orders.",
                                            "frequency.max_solutions",
                                            "periodic[].phase",
                                            "bloch.wave_vector",
                                            "refinement.frequencies",
                                            "refinement.max_order",
                                            "refinement.edge_layers",
                                            "refinement.max_unknowns",
                                            "refinement.time_limit",
                                            "pml[].reflection",
                                            "pml[].frequency",
                                            "pml[].layers",
                                            "boundary[].order",
                                            "boundary[].radius",
                                            "boundary[].roughness.",
                                            "boundary[].critical_temperature",
                                            "boundary[].temperature",
                                            "boundary[].london_depth",
                                            "boundary[].alpha",
                                            "boundary[].value",
                                            "material[].model[].",
                                            "port[].absorbed_modes",
                                            "port[].impedance",
                                            "port[].polarization",
                                            "port[].voltage_line",
                                            "excitation[].formulation",
                                            "excitation[].density",
                                            "excitation[].phase",
                                            "excitation[].region",
                                            "output.field_subdivision",
                                            "output.far_field.surface",
                                            "output.formats",
                                            "truncation.acceleration",
                                            "truncation.max_iterations",
                                            "acceleration.integration_accuracy",
                                            "formulation.alpha",
                                            "formulation.integration",
                                            "contour[].grading",
                                            "optimization.derivatives"};

bool is_for_experts(const Key& key) {
  return std::ranges::any_of(for_experts, [&](std::string_view one) {
    return one.ends_with('.') ? key.path.starts_with(one) : key.path == one;
  });
}

std::string text_of(const Key& key) {
  std::string text = fmt::format("{}: {}", key.path, name_of(key.type));
  if (!key.unit.empty()) text += fmt::format(" [{}]", key.unit);
  if (!key.range.empty()) text += fmt::format(", {}", key.range);
  if (!key.fallback.empty())
    text += key.fallback == "required" ? ", required" : fmt::format(", default {}", key.fallback);
  return text + fmt::format("\n    {}\n", key.help);
}

}  // namespace

std::string as_text(std::string_view program) {
  std::string text, of_experts;
  for (const Key* key : keys_of(program)) (is_for_experts(*key) ? of_experts : text) += text_of(*key);
  return of_experts.empty() ? text
                            : text + "\nFor special cases, and if you know the methods:\n" + of_experts;
}

}  // namespace curlew::io::schema
