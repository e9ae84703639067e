// SPDX-License-Identifier: BSD-3-Clause
// Surfaces with a law of material/surface_law.hpp: walls, sheets and layers between two faces.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "fem/model/face_parts.hpp"
#include "mesh/regions.hpp"

namespace curlew::fem {
namespace {

/// Coupled cuts by their first triangle, and all second triangles of them.
struct CoupledCuts {
  std::map<Index, Index> second;
  std::vector<Index> twins;  // ascending

  explicit CoupledCuts(const mesh::Mesh& mesh) {
    for (const auto& cut : mesh.cuts) {
      if (!cut.coupled) continue;
      second.emplace(cut.triangles[0], cut.triangles[1]);
      twins.push_back(cut.triangles[1]);
    }
    std::sort(twins.begin(), twins.end());
  }
};

/// The axis closest to the normal of a plane.
char axis_of(const MirrorPlane& plane) {
  int axis = 0;
  for (int i = 1; i < 3; ++i)
    if (std::abs(plane.normal[i]) > std::abs(plane.normal[axis])) axis = i;
  return "xyz"[axis];
}

FaceAdmittance wall_admittance(const material::SurfaceLaw& law, Complex scale, Complex frequency) {
  return {scale / law.impedance(frequency)};
}
FaceAdmittance joined_admittance(const material::SurfaceLaw& law, Complex scale, Complex frequency) {
  return {scale / law.joined_impedance(frequency)};
}
/// Admittance of a sheet or layer that a magnetic plane of symmetry halves: it has half of the jump of H.
FaceAdmittance halved_admittance(const material::SurfaceLaw& law, Complex scale, Complex frequency) {
  return {scale / (2.0 * law.joined_impedance(frequency))};
}
FaceAdmittance coupled_admittance(const material::SurfaceLaw& law, Complex scale, Complex frequency) {
  const auto layer = law.coupled_impedance(frequency);
  return {scale * layer.self_admittance(), scale * layer.transfer_admittance()};
}

class Law final : public FaceCondition {
 public:
  explicit Law(material::SurfaceLawPtr law) : law_(std::move(law)) {}
  bool is_lossy() const override { return law_->is_lossy(); }
  bool is_metal() const override { return law_->is_metal(); }
  bool conducts() const override { return true; }
  bool has_terms() const override { return true; }
  std::optional<Complex> surface_impedance(Complex frequency) const override {
    return law_->impedance(frequency);
  }
  material::Sides sides(double highest) const override { return law_->sides(highest); }

  std::vector<FacePart> parts(const Model& model, const NedelecSpace& space,
                              const std::vector<std::string>& regions) const override {
    const auto& topology = *space.topology;
    const CoupledCuts cuts(*space.mesh);
    std::array<FacePart, 4> found;  // walls, joined, coupled and halved faces
    for (const Index t : mesh::triangles_of(*space.mesh, regions)) {
      if (std::binary_search(cuts.twins.begin(), cuts.twins.end(), t)) continue;  // with the first side
      const auto twin = cuts.second.find(t);
      const bool inside = topology.face_cells[std::size_t(topology.triangle_face[std::size_t(t)])][1] >= 0;
      if (twin == cuts.second.end()) {
        found[inside ? 1 : is_halved(model, *space.mesh, t) ? 3 : 0].triangles.push_back(t);
        continue;
      }
      found[2].triangles.insert(found[2].triangles.end(), {t, twin->second});
      found[2].pairs.push_back({t, twin->second});
    }
    constexpr std::array admittances{wall_admittance, joined_admittance, coupled_admittance,
                                     halved_admittance};
    std::vector<FacePart> parts;
    for (std::size_t k = 0; k < found.size(); ++k) {
      if (found[k].triangles.empty()) continue;
      found[k].admittance = [law = law_, admittance = admittances[k]](Complex frequency) {
        return admittance(*law, Complex(0, 2 * pi) * frequency * vacuum_permeability, frequency);
      };
      parts.push_back(std::move(found[k]));
    }
    return parts;
  }

 private:
  /// True if an outer triangle is half of a sheet or layer, whose other half lies beyond a plane of symmetry.
  bool is_halved(const Model& model, const mesh::Mesh& mesh, Index triangle) const {
    if (model.mirrors.empty() || law_->sides(0) == material::Sides::apart) return false;
    const MirrorPlane* plane = plane_that_holds(mesh, triangle, model.mirrors);
    if (plane != nullptr && plane->is_electric)
      throw InputError(fmt::format(
          "a sheet or layer lies in the plane of symmetry at {:.6g} m on the {} axis, which is electric here "
          "or for a part of the waves, so that it carries no current: model the full structure",
          plane->offset, axis_of(*plane)));
    return plane != nullptr;
  }

  material::SurfaceLawPtr law_;
};

}  // namespace

ConditionPtr law_condition(material::SurfaceLawPtr law) {
  return std::make_shared<const Law>(std::move(law));
}

}  // namespace curlew::fem
