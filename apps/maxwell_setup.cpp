// SPDX-License-Identifier: BSD-3-Clause
#include "maxwell_setup.hpp"

#include "fem/open/pml.hpp"
#include "run/mesh_input.hpp"

namespace curlew::apps {

MaxwellSetup read_maxwell_setup(const io::Config& config, run::Run& run) {
  MaxwellSetup setup;
  setup.mesh = run::load_mesh(config, run);
  fem::grow_layers(config, setup.mesh);
  auto periodicity = fem::read_periodicity(config, setup.mesh);
  setup.topology = mesh::build_topology(setup.mesh);
  setup.model = fem::read_model(config, setup.mesh, setup.topology, {}, std::move(periodicity));
  setup.far_field = fem::read_far_field(config, setup.mesh);
  if (setup.far_field) fem::choose_surface(*setup.far_field, setup.model, setup.mesh, setup.topology);
  setup.write_fields = config.table("output").get_or<bool>("fields", true);
  run.size("cells", setup.mesh.num_cells());
  return setup;
}

}  // namespace curlew::apps
