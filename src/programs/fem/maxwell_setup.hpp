// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What every Maxwell problem of fem-solve and fem-assemble reads first.

#include <optional>

#include "fem/model/model.hpp"
#include "fem/open/radiation.hpp"
#include "io/config.hpp"
#include "io/near_field_files.hpp"
#include "run/run.hpp"

namespace curlew::programs {

struct MaxwellSetup {
  mesh::Mesh mesh;  ///< with the layers that the config grows on it
  mesh::Topology topology;
  fem::Model model;
  std::optional<fem::FarFieldRequest> far_field;
  std::vector<io::NearFieldRequest> near_fields;
  std::optional<fem::FarFieldRequest> exterior;  ///< what radiates to near-field points outside of the mesh
  fem::Symmetry symmetry;
  bool write_fields = true;
  int field_subdivision = 0;  ///< pieces of every edge, 0: by the order of the elements
};

/// @throws InputError with file and line
MaxwellSetup read_maxwell_setup(const io::Config& config, run::Run& run);
/// The same on a mesh of the geometry that [mesh] names.
MaxwellSetup read_maxwell_setup(mesh::Mesh mesh, const io::Config& config, run::Run& run);

}  // namespace curlew::programs
