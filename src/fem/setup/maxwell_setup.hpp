// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Input shared by all Maxwell problems of fem-solve and fem-assemble.

#include <optional>

#include "fem/model/model.hpp"
#include "fem/open/radiation.hpp"
#include "fem/output/field_cells.hpp"
#include "io/config.hpp"
#include "io/near_field_files.hpp"

namespace curlew::fem {

struct MaxwellSetup {
  mesh::Mesh mesh;  ///< with the layers that the config grows on it
  mesh::Topology topology;
  Model model;
  std::optional<FarFieldRequest> far_field;
  std::vector<io::NearFieldRequest> near_fields;
  std::optional<FarFieldRequest> exterior;  ///< surface that radiates to points outside the mesh
  Symmetry symmetry;
  bool write_fields = true;
  FieldCells field_cells;
};

/// @param mesh of the geometry that [mesh] names @throws InputError with file and line
MaxwellSetup read_maxwell_setup(mesh::Mesh mesh, const io::Config& config);

}  // namespace curlew::fem
