// SPDX-License-Identifier: BSD-3-Clause
// Rules for requested output: directions, results, tolerances, variables.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/constants.hpp"
#include "io/ranges.hpp"
#include "lint/rules.hpp"

namespace curlew::lint {
namespace {

/// A multiple of pi/6 with few digits, which is not a round number of degrees.
bool looks_like_radians(double angle) {
  const double parts = std::abs(angle) / (pi / 6);
  return parts > 0.5 && parts < 12.5 && std::abs(angle - std::round(angle)) > 1e-3 &&
         std::abs(parts - std::round(parts)) * pi / 6 < 2e-3;
}

bool has_far_field(const Model& model) {
  const auto output = model.config.table("output");
  const bool monostatic = output.has("monostatic") && output.get<bool>("monostatic");
  return output.has("far_field") || monostatic;
}

bool is_false(const io::Config& table, std::string_view key) {
  return table.has(key) && !table.get<bool>(key);
}

void check_bounds(const io::Config& table, const char* key, double most, Findings& found) {
  if (const auto value = number(table, key); value && *value > most)
    found.add(table, key,
              fmt::format("{} = {:g} allows errors of that size; use at most {:g}", key, *value, most));
}

/// The word occurs in the text, not as part of another name.
bool names_word(const std::string& text, const std::string& word) {
  const auto is_letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const bool starts = at == 0 || !is_letter(text[at - 1]);
    const auto end = at + word.size();
    if (starts && (end == text.size() || !is_letter(text[end]))) return true;
  }
  return false;
}

}  // namespace

void angles_in_radians(const Model& model, Findings& found) {
  const auto check = [&](const io::Config& table, const char* key) {
    const auto angles = numbers_at(table, key);
    const auto wrong = std::find_if(angles.begin(), angles.end(), looks_like_radians);
    if (wrong != angles.end())
      found.add(table, key, fmt::format("{} = {:g} looks like radians; angles are in degrees", key, *wrong));
  };
  for (const auto& excitation : model.config.tables("excitation"))
    check(excitation, "theta"), check(excitation, "phi");
  check(model.config.table("bloch"), "theta"), check(model.config.table("bloch"), "phi");
  const auto far_field = model.config.table("output").table("far_field");
  check(far_field, "theta"), check(far_field, "phi");
}

void three_angles(const Model& model, Findings& found) {
  for (const auto& table : model.config.tables("excitation"))
    for (const char* key : {"theta", "phi"}) {
      const auto a = numbers_at(table, key);
      if (io::meaning_of(a) == io::ThreeAngles::either)
        found.add(table, key,
                  fmt::format("{0} = [{1:g}, {2:g}, {3:g}] is read as three angles: for a range of {3:g} "
                              "angles from {1:g} to {2:g} write [{2:g}, {1:g}, {3:g}]",
                              key, a[0], a[1], a[2]));
    }
}

void directions_twice(const Model& model, Findings& found) {
  const auto far_field = model.config.table("output").table("far_field");
  const auto span = [&](const char* key) {
    const auto range = numbers_at(far_field, key);
    return range.size() == 3 && range[2] > 1 ? std::abs(range[1] - range[0]) : 0.0;
  };
  if (span("theta") > 180.001 && span("phi") > 179.999)
    found.add(far_field, "theta",
              "theta goes over more than 180 degrees and phi over 180: directions occur twice");
  if (span("phi") > 360.001 || span("theta") > 360.001)
    found.add(far_field, span("phi") > 360.001 ? "phi" : "theta",
              "more than a full turn: directions occur twice");
}

void nothing_asked(const Model& model, Findings& found) {
  const auto output = model.config.table("output");
  const bool always_shows = model.program == "mom2d" || model.program == "ie-solve";  // cross-sections
  if (always_shows || model.program == "fem-assemble" || !is_false(output, "fields")) return;
  if (has_far_field(model) || output.has("near_field") || model.config.has("port") ||
      model.config.has("probe") || text_or(model.config.table("analysis"), "type", "driven") == "eigen")
    return;
  found.add(
      output, "fields",
      "no fields, no output.far_field, no output.near_field: the run writes no results of its solution");
}

void pattern_without_source(const Model& model, Findings& found) {
  const auto ports = model.config.tables("port");
  if (!model.config.table("output").has("far_field") || ports.empty() || model.config.has("excitation") ||
      model.program == "ie-solve")
    return;
  const bool is_driven = std::any_of(ports.begin(), ports.end(), [](const io::Config& port) {
    return (port.has("excite") && port.get<bool>("excite")) || port.has("amplitude") || port.has("phase");
  });
  if (!is_driven)
    found.add(model.config.table("output"), "far_field",
              "a pattern is requested, but no [[port]] has excite = true");
}

void half_without_images(const Model& model, Findings& found) {
  if (model.program != "fem-solve" || model.config.has("symmetry") ||
      !model.config.table("output").has("far_field"))
    return;
  std::vector<Index> layer;
  for (const auto& pml : model.config.tables("pml")) {
    const auto some = nodes_of(*model.mesh, model.mesh->volumes, region_names(pml));
    layer.insert(layer.end(), some.begin(), some.end());
  }
  std::sort(layer.begin(), layer.end());
  for (const auto& boundary : model.config.tables("boundary")) {
    if (text_or(boundary, "type", "") != "pmc") continue;
    const auto nodes = nodes_of(*model.mesh, model.mesh->surfaces, region_names(boundary));
    if (std::any_of(nodes.begin(), nodes.end(),
                    [&](Index n) { return std::binary_search(layer.begin(), layer.end(), n); }))
      found.add(
          boundary, "type",
          "a magnetic wall through the layer cuts the structure in half, and the far field is that of the "
          "half alone: add a [[symmetry]] with type = \"pmc\"");
  }
}

void loose_tolerance(const Model& model, Findings& found) {
  const auto& config = model.config;
  check_bounds(config.table("solver"), "tolerance", 1e-2, found);
  check_bounds(config.table("truncation"), "tolerance", 5e-2, found);
  check_bounds(config.table("acceleration"), "tolerance", 5e-2, found);
  check_bounds(config.table("frequency"), "adaptive_tolerance", 0.1, found);
  check_bounds(config.table("accuracy"), "tolerance", 1, found);
  for (const auto& pml : config.tables("pml")) check_bounds(pml, "reflection", 5e-2, found);
}

void tight_tolerance(const Model& model, Findings& found) {
  for (const char* name : {"solver", "truncation", "acceleration"}) {
    const auto table = model.config.table(name);
    if (const auto value = number(table, "tolerance"); value && *value < 1e-13)
      found.add(table, "tolerance",
                fmt::format("tolerance = {:g} is below what double precision reaches", *value));
  }
}

void few_iterations(const Model& model, Findings& found) {
  for (const auto& [name, least] : {std::pair{"solver", 10.0}, {"truncation", 3.0}}) {
    const auto table = model.config.table(name);
    if (const auto value = number(table, "max_iterations"); value && *value < least)
      found.add(table, "max_iterations",
                fmt::format("max_iterations = {:g}: hardly any problem converges in so few", *value));
  }
}

void adaptive_sweep_of_few(const Model& model, Findings& found) {
  const auto table = model.config.table("frequency");
  if (number(table, "adaptive_tolerance").value_or(0) > 0 && model.frequencies.size() <= 5)
    found.add(table, "adaptive_tolerance",
              fmt::format("a fast sweep over {} frequencies saves nothing: give more points",
                          model.frequencies.size()));
}

void accuracy_without_effect(const Model& model, Findings& found) {
  const auto table = model.config.table("accuracy");
  if (text_or(table, "estimate", "auto") == "off" && table.has("tolerance"))
    found.add(table, "tolerance", "estimate = \"off\" leaves nothing to compare with the tolerance");
  if (table.has("strict") && table.get<bool>("strict") && !table.has("tolerance") &&
      !model.config.has("refinement"))
    found.add(table, "strict", "strict needs the tolerance above which the run fails");
}

void unused_variable(const Model& model, Findings& found) {
  const auto variables = model.config.table("variables");
  for (const auto& name : variables.keys()) {
    // Two mentions: where it is set, and where it is used.
    const std::string& text = model.config.text();
    const auto first = text.find(name);
    if (first == std::string::npos) continue;
    const auto line = text.find('\n', first);
    if (!names_word(text.substr(0, first), name) &&
        (line == std::string::npos || !names_word(text.substr(line), name)))
      found.add(variables, name, fmt::format("variable \"{}\" is used nowhere", name));
  }
}

void coarse_pattern(const Model& model, Findings& found) {
  if (model.frequencies.empty() || model.is_sound()) return;
  const auto far_field = model.config.table("output").table("far_field");
  const double size = extent_of(*model.mesh).longest() / model.wavelength_min();
  for (const char* key : {"theta", "phi"}) {
    const auto range = numbers_at(far_field, key);
    if (range.size() != 3 || range[2] < 4) continue;
    const double step = std::abs(range[1] - range[0]) / (range[2] - 1);
    // Lobes of a source of D wavelengths are about 57/D degrees wide.
    if (step > 57 / size && step > 2)
      found.add(far_field, key,
                fmt::format("steps of {:.3g} degrees miss lobes of a structure of {:.3g} wavelengths, which "
                            "are {:.2g} degrees wide",
                            step, size, 57 / size));
  }
}

void points_outside(const Model& model, Findings& found) {
  const Extent extent = extent_of(*model.mesh);
  const Vec3<double> middle = 0.5 * (extent.low + extent.high);
  const double far = 20 * extent.diagonal(), unit = model.unit();
  const auto check = [&](const io::Config& table, const char* key, const std::vector<Vec3<double>>& points,
                         double scale) {
    for (const auto& p : points)
      if (norm(scale * p - middle) > far)
        return found.add(
            table, key,
            fmt::format("({:g}, {:g}, {:g}) lies {:.2g} times the mesh's extent away: coordinates "
                        "are in {}",
                        p.x, p.y, p.z, norm(scale * p - middle) / extent.diagonal(),
                        scale == 1 ? "metres" : "mesh.unit"));
  };
  for (const auto& probe : model.config.tables("probe"))
    if (probe.has("point")) check(probe, "point", {probe.get<Vec3<double>>("point")}, 1);
  for (const auto& near : model.config.table("output").tables("near_field"))
    if (near.has("points")) check(near, "positions", near.get<std::vector<Vec3<double>>>("positions"), unit);
  if (!model.config.has("excitation")) return;
  for (const auto& source : model.config.tables("excitation"))
    if (text_or(source, "type", "") == "dipole" && source.has("position"))
      check(source, "position", source.get<std::vector<Vec3<double>>>("position"), unit);
}

}  // namespace curlew::lint
