// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Fields of a solution at any points: from the elements inside the mesh, from the currents on a radiating
// surface beyond it and in layers, by reflection beyond planes of symmetry.

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

/// True if a point lies outside of the mesh or in a layer: its field is that of currents, if there are any.
bool needs_currents(const mesh::Mesh& mesh, const Model& model, std::span<const Vec3<double>> points);

/// What reflection in planes of symmetry makes of the components of E and H.
struct MirrorSigns {
  std::array<double, 3> e{1, 1, 1}, h{1, 1, 1};
};

class NearFieldEvaluator {
 public:
  /// @param space, model, beyond outlive this object
  /// @param beyond what radiates to points outside of the mesh; null in closed problems: no field there
  /// @throws InputError if no point is where a field is known
  NearFieldEvaluator(const NedelecSpace& space, const Model& model, std::vector<Vec3<double>> points,
                     const RadiationCalculator* beyond);

  const std::vector<Vec3<double>>& points() const { return points_; }
  const std::vector<io::NearFieldOrigin>& origins() const { return origins_; }
  /// @param x [num_dofs] @param frequency [Hz], complex for a decaying mode (elements only)
  /// @param known is added to the field
  /// @param beyond is added to what the surface's currents radiate
  io::NearFieldValues evaluate(const Complex* x, Complex frequency, const IncidentField& known = nullptr,
                               const IncidentField& beyond = nullptr) const;

 private:
  const NedelecSpace& space_;
  const Model& model_;
  const RadiationCalculator* beyond_;
  std::vector<Vec3<double>> points_;
  std::vector<io::NearFieldOrigin> origins_;     // [points]
  std::vector<std::vector<PointPlace>> places_;  // [points] cells of one material around
  std::vector<MirrorSigns> images_;              // [points]
};

}  // namespace curlew::fem
