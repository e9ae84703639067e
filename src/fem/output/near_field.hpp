// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Fields of a solution at any points: inside the mesh from the elements, outside and in PML from the currents
// on a radiating surface, beyond planes of symmetry by reflection.

#include <array>
#include <span>
#include <vector>

#include "base/types.hpp"
#include "fem/model/model.hpp"
#include "fem/open/radiation.hpp"
#include "fem/point_location.hpp"
#include "fem/space.hpp"
#include "io/near_field_files.hpp"

namespace curlew::fem {

/// True if a point lies outside of the mesh or in a PML: its field comes from currents, if there are any.
bool needs_currents(const mesh::Mesh& mesh, const Model& model, std::span<const Vec3<double>> points);

/// Signs of the components of E and H after reflection in planes of symmetry.
struct MirrorSigns {
  std::array<double, 3> e{1, 1, 1}, h{1, 1, 1};
};

class NearFieldEvaluator {
 public:
  /// @param space, model, beyond outlive this object
  /// @param beyond radiating surface for points outside of the mesh; null in closed problems, without field
  /// there @throws InputError if no point has a field
  NearFieldEvaluator(const NedelecSpace& space, const Model& model, std::vector<Vec3<double>> points,
                     const RadiationCalculator* beyond);

  const std::vector<Vec3<double>>& points() const { return points_; }
  const std::vector<io::NearFieldOrigin>& origins() const { return origins_; }
  /// @param x [num_dofs] @param frequency [Hz], complex for a decaying mode (elements only)
  /// @param known is added to the field
  /// @param beyond is added to the field radiated by the surface's currents
  io::NearFieldValues evaluate(const Complex* x, Complex frequency, const IncidentField& known = nullptr,
                               const IncidentField& beyond = nullptr) const;

 private:
  const NedelecSpace& space_;
  const Model& model_;
  const RadiationCalculator* beyond_;
  std::vector<Vec3<double>> points_;
  std::vector<io::NearFieldOrigin> origins_;     // [points]
  std::vector<std::vector<PointPlace>> places_;  // [points] adjacent cells of one material
  std::vector<MirrorSigns> images_;              // [points]
};

}  // namespace curlew::fem
