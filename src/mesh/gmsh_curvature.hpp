// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace curlew::mesh {

/// True if a curve (dimension 1) or a surface (2) of the geometry in the open Gmsh session is curved by more
/// than a thousandth of its extent, so that straight cells would be inaccurate.
bool is_curved(int dimension, int tag);
/// Whether there is such an entity.
bool has_curved_entities(int dimension);

}  // namespace curlew::mesh
