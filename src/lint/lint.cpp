// SPDX-License-Identifier: BSD-3-Clause
#include "lint/lint.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "lint/rules.hpp"

namespace curlew::lint {
namespace {

using Rule = void (*)(const Model&, Findings&);

constexpr Rule config_rules[] = {
    material_by_name,
    unusual_permittivity,
    gain,
    large_loss,
    weak_conductor,
    fluid,
    thick_sheet,
    rough_surface,
    lumped_values,
    reference_impedance,
    angles_in_radians,
    three_angles,
    directions_twice,
    nothing_asked,
    pattern_without_source,
    loose_tolerance,
    tight_tolerance,
    few_iterations,
    adaptive_sweep_of_few,
    accuracy_without_effect,
    unused_variable,
    unused_material,
    size_of_contours,
    gap_in_passes,
    truncation_near,
};

constexpr Rule mesh_rules[] = {
    electrical_size, volumes_apart,       skin_depth,       evanescent_port, second_mode,
    port_near_step,  oblique_port,        long_lumped_port, layer_near,      thin_layer,
    surfaces_near,   half_without_images, coarse_pattern,   points_outside,
};

void apply(Rule rule, const Model& model, Findings& found) {
  try {
    rule(model, found);
  } catch (const InputError&) {
    // the program itself reports what it refuses
  }
}

}  // namespace

void Findings::add(const io::Config& table, std::string_view key, const std::string& text) {
  const std::string path = table.path();
  texts.push_back(fmt::format("{}: {}{}{}", table.where(key), path, path.empty() ? "" : ": ", text));
}

std::vector<std::string> likely_mistakes(const io::Config& config, const std::string& program,
                                         const mesh::Mesh* mesh) {
  Findings found;
  if (program == "em-optimize") return {};  // the solver that it starts looks at its own config
  try {
    const Model model = make_model(config, program, mesh);
    if (mesh == nullptr)
      for (const Rule rule : config_rules) apply(rule, model, found);
    else
      for (const Rule rule : mesh_rules) apply(rule, model, found);
  } catch (const InputError&) {
    // the run itself reports it
  }
  return found.texts;
}

}  // namespace curlew::lint
