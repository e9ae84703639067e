// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Input shared by all Maxwell problems of fem-solve and fem-assemble.

#include <optional>

#include "fem/model/model.hpp"
#include "fem/open/radiation.hpp"
#include "fem/output/field_cells.hpp"
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
  std::optional<fem::FarFieldRequest> exterior;  ///< surface that radiates to points outside the mesh
  fem::Symmetry symmetry;
  bool write_fields = true;
  fem::FieldCells field_cells;
};

/// @throws InputError with file and line
MaxwellSetup read_maxwell_setup(const io::Config& config, run::Run& run);
/// The same on a mesh of the geometry that [mesh] names.
MaxwellSetup read_maxwell_setup(mesh::Mesh mesh, const io::Config& config, run::Run& run);

}  // namespace curlew::programs
