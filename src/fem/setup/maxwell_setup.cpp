// SPDX-License-Identifier: BSD-3-Clause
#include "fem/setup/maxwell_setup.hpp"

#include <algorithm>

#include "fem/model/region_rules.hpp"
#include "fem/model/split_surfaces.hpp"
#include "fem/open/pml.hpp"
#include "fem/output/near_field.hpp"

namespace curlew::fem {

namespace {

bool is_open(const Model& model) {
  return !model.pml.empty() || std::any_of(model.boundaries.begin(), model.boundaries.end(),
                                           [](const auto& b) { return b->is_absorbing(); });
}

/// Fields outside of an open mesh come from a surface, which must exist before unknowns are numbered.
void read_near_fields(const io::Config& config, MaxwellSetup& setup) {
  setup.near_fields = io::read_near_fields(config, length_unit(config));
  if (!is_open(setup.model) ||
      !needs_currents(setup.mesh, setup.model, io::near_field_points(setup.near_fields)))
    return;
  setup.exterior = setup.far_field.value_or(FarFieldRequest{});
  setup.exterior->symmetry = setup.symmetry;
  choose_surface(*setup.exterior, setup.model, setup.mesh, setup.topology);
}

}  // namespace

MaxwellSetup read_maxwell_setup(mesh::Mesh mesh, const io::Config& config) {
  MaxwellSetup setup;
  setup.mesh = std::move(mesh);
  grow_layers(config, setup.mesh);
  split_surfaces(config, setup.mesh);
  auto periodicity = read_periodicity(config, setup.mesh);
  setup.topology = mesh::build_topology(setup.mesh);
  setup.model = read_model(config, setup.mesh, setup.topology, {}, std::move(periodicity));
  setup.symmetry = read_symmetry(config);
  setup.far_field = read_far_field(config, setup.mesh);
  if (setup.far_field) {
    if (setup.far_field->surface.empty() && !is_open(setup.model))
      config.table("output").error(
          "far_field",
          "far_field needs a perfectly matched layer ([[pml]]) or an absorbing boundary around the model");
    setup.far_field->symmetry = setup.symmetry;
    choose_surface(*setup.far_field, setup.model, setup.mesh, setup.topology);
  }
  read_near_fields(config, setup);
  setup.write_fields = config.table("output").get_or<bool>("fields", true);
  setup.field_cells = read_field_cells(config);
  return setup;
}

}  // namespace curlew::fem
