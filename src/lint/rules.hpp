// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The rules, one function each; lint.cpp holds the list of them.

#include <string>
#include <string_view>
#include <vector>

#include "lint/model.hpp"

namespace curlew::lint {

class Findings {
 public:
  /// @param table of the key @param text what is unlikely, and the usual value
  void add(const io::Config& table, std::string_view key, const std::string& text);
  std::vector<std::string> texts;
};

// ---- rules that need only the config ----
void material_by_name(const Model&, Findings&);
void unusual_permittivity(const Model&, Findings&);
void gain(const Model&, Findings&);
void large_loss(const Model&, Findings&);
void weak_conductor(const Model&, Findings&);
void fluid(const Model&, Findings&);
void thick_sheet(const Model&, Findings&);
void rough_surface(const Model&, Findings&);
void lumped_values(const Model&, Findings&);
void reference_impedance(const Model&, Findings&);
void angles_in_radians(const Model&, Findings&);
void three_angles(const Model&, Findings&);
void directions_twice(const Model&, Findings&);
void nothing_asked(const Model&, Findings&);
void pattern_without_source(const Model&, Findings&);
void loose_tolerance(const Model&, Findings&);
void tight_tolerance(const Model&, Findings&);
void few_iterations(const Model&, Findings&);
void adaptive_sweep_of_few(const Model&, Findings&);
void accuracy_without_effect(const Model&, Findings&);
void unused_variable(const Model&, Findings&);
void unused_material(const Model&, Findings&);
void size_of_contours(const Model&, Findings&);
void gap_in_passes(const Model&, Findings&);
void truncation_near(const Model&, Findings&);

// ---- rules that need config and mesh ----
void electrical_size(const Model&, Findings&);
void volumes_apart(const Model&, Findings&);
void skin_depth(const Model&, Findings&);
void evanescent_port(const Model&, Findings&);
void second_mode(const Model&, Findings&);
void port_near_step(const Model&, Findings&);
void oblique_port(const Model&, Findings&);
void long_lumped_port(const Model&, Findings&);
void layer_near(const Model&, Findings&);
void thin_layer(const Model&, Findings&);
void surfaces_near(const Model&, Findings&);
void half_without_images(const Model&, Findings&);
void coarse_pattern(const Model&, Findings&);
void points_outside(const Model&, Findings&);

}  // namespace curlew::lint
