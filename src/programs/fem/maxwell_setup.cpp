// SPDX-License-Identifier: BSD-3-Clause
#include "programs/fem/maxwell_setup.hpp"

#include <algorithm>

#include "fem/model/region_rules.hpp"
#include "fem/model/split_surfaces.hpp"
#include "fem/open/pml.hpp"
#include "fem/output/near_field.hpp"
#include "programs/fem/several_processes.hpp"

namespace curlew::programs {

namespace {

bool is_open(const fem::Model& model) {
  return !model.pml.empty() || std::any_of(model.boundaries.begin(), model.boundaries.end(),
                                           [](const auto& b) { return b->is_absorbing(); });
}

/// Fields outside of an open mesh come from a surface, which must exist before unknowns are numbered.
void read_near_fields(const io::Config& config, MaxwellSetup& setup) {
  setup.near_fields = io::read_near_fields(config, fem::length_unit(config));
  if (!is_open(setup.model) ||
      !fem::needs_currents(setup.mesh, setup.model, io::near_field_points(setup.near_fields)))
    return;
  setup.exterior = setup.far_field.value_or(fem::FarFieldRequest{});
  setup.exterior->symmetry = setup.symmetry;
  fem::choose_surface(*setup.exterior, setup.model, setup.mesh, setup.topology);
}

}  // namespace

MaxwellSetup read_maxwell_setup(const io::Config& config, run::Run& run) {
  return read_maxwell_setup(load_shared_mesh(config, run), config, run);
}

MaxwellSetup read_maxwell_setup(mesh::Mesh mesh, const io::Config& config, run::Run& run) {
  MaxwellSetup setup;
  setup.mesh = std::move(mesh);
  fem::grow_layers(config, setup.mesh);
  fem::split_surfaces(config, setup.mesh);
  auto periodicity = fem::read_periodicity(config, setup.mesh);
  setup.topology = mesh::build_topology(setup.mesh);
  setup.model = fem::read_model(config, setup.mesh, setup.topology, {}, std::move(periodicity));
  setup.symmetry = fem::read_symmetry(config);
  setup.far_field = fem::read_far_field(config, setup.mesh);
  if (setup.far_field) {
    setup.far_field->symmetry = setup.symmetry;
    fem::choose_surface(*setup.far_field, setup.model, setup.mesh, setup.topology);
  }
  read_near_fields(config, setup);
  setup.write_fields = config.table("output").get_or<bool>("fields", true);
  setup.field_cells = fem::read_field_cells(config);
  run.size("cells", setup.mesh.num_cells());
  return setup;
}

}  // namespace curlew::programs
