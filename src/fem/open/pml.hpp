// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Perfectly matched layers of a config: volume regions around the model, filled with the adjacent medium,
// backed by metal.

#include <span>
#include <string>
#include <vector>

#include "base/constants.hpp"
#include "base/types.hpp"
#include "fem/open/stretching.hpp"
#include "mesh/topology.hpp"

namespace curlew::io {
class Config;
}

namespace curlew::fem {

struct Model;

struct PmlModel {
  std::vector<std::string> regions;
  PmlGeometry geometry;
  /// Theoretical reflection of the profile at normal incidence, back and forth: exp(-2 k0 b).
  double reflection = 1e-5;
  /// Frequency [Hz] of the profile, which is then the same for all others; 0: the profile follows the
  /// frequency, and `reflection` holds at all of them. A fixed profile leaves the system polynomial in
  /// frequency (adaptive sweeps, modes).
  double reference_frequency = 0;

  /// @param speed of waves in the medium [m/s]
  Stretching stretching(double frequency, double speed = speed_of_light) const;
};

/// The layer's geometry from the mesh: its inner box or sphere is given by the faces it shares with other
/// regions.
/// @throws InputError if the layer has no thickness, or does not lie outside of the rest
/// @param metal triangles with n x E = 0: a layer may touch other regions through them
PmlGeometry pml_geometry(const mesh::Mesh& mesh, const mesh::Topology& topology,
                         const std::vector<std::string>& regions, PmlShape shape, Vec3<double> center = {},
                         std::span<const Index> metal = {});

/// [num_cells] true in the layers.
std::vector<bool> pml_cells(const mesh::Mesh& mesh, const std::vector<PmlModel>& layers);

/// Grows the layers that a config requests by `around` = a closed outer surface, `thickness` and `layers`:
/// the mesh gets the volumes "layer1", ... and their outer faces "layer1_back", ... Call it before the
/// topology is made. @throws InputError with file and line
void grow_layers(const io::Config& config, mesh::Mesh& mesh);
/// Names of the grown volumes.
std::vector<std::string> grown_layers(const io::Config& config);

/// [[pml]] region (or around, thickness, layers), center of a spherical one, reflection,
/// frequency.
/// @throws InputError with file and line
std::vector<PmlModel> read_pml(const io::Config& config, const mesh::Mesh& mesh,
                               const mesh::Topology& topology, std::span<const Index> metal);

/// True if a triangle of the surface has a PML cell on any side. @param layer [num_cells]
bool touches_layer(const std::string& surface, const std::vector<bool>& layer, const mesh::Mesh& mesh,
                   const mesh::Topology& topology);

/// @throws InputError where a [[port]] or an inner [[boundary]] lies on a layer
void check_pml(const io::Config& config, const Model& model, const mesh::Mesh& mesh,
               const mesh::Topology& topology);

}  // namespace curlew::fem
