// SPDX-License-Identifier: BSD-3-Clause
#include "fem/model/face_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "fem/space.hpp"

namespace curlew::fem {
namespace {

using Kind = FacePart::Kind;

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

/// Parts of one boundary, made when their first triangle is met.
class Sorter {
 public:
  Sorter(std::size_t boundary, std::vector<FacePart>& parts)
      : boundary_(boundary), first_(parts.size()), parts_(parts) {}

  FacePart& part(Kind kind, Index material = -1) {
    const auto found =
        std::find_if(parts_.begin() + std::ptrdiff_t(first_), parts_.end(),
                     [&](const FacePart& p) { return p.kind == kind && p.material == material; });
    if (found != parts_.end()) return *found;
    parts_.push_back({kind, boundary_, material, {}});
    return parts_.back();
  }
  std::size_t count() const { return parts_.size() - first_; }

 private:
  std::size_t boundary_, first_;
  std::vector<FacePart>& parts_;
};

std::vector<Index> triangles_of(const BoundaryCondition& boundary, const mesh::Mesh& mesh) {
  std::vector<Index> triangles;
  for (const auto& region : boundary.regions) {
    const auto& more = surface_triangles(mesh, region);
    triangles.insert(triangles.end(), more.begin(), more.end());
  }
  return triangles;
}

void sort_law(const BoundaryCondition& boundary, const mesh::Mesh& mesh, const mesh::Topology& topology,
              const CoupledCuts& cuts, Sorter& sorter) {
  for (const Index t : triangles_of(boundary, mesh)) {
    const bool inside = topology.face_cells[std::size_t(topology.triangle_face[std::size_t(t)])][1] >= 0;
    if (std::binary_search(cuts.twins.begin(), cuts.twins.end(), t)) continue;  // with the first side
    const auto twin = cuts.second.find(t);
    if (twin == cuts.second.end()) {
      sorter.part(inside ? Kind::joined : Kind::wall).triangles.push_back(t);
      continue;
    }
    FacePart& part = sorter.part(Kind::coupled);
    part.triangles.insert(part.triangles.end(), {t, twin->second});
    part.pairs.push_back({t, twin->second});
  }
}

void sort_absorbing(const BoundaryCondition& boundary, const Model& model, const std::vector<Index>& material,
                    const mesh::Mesh& mesh, const mesh::Topology& topology, Sorter& sorter) {
  for (const Index t : triangles_of(boundary, mesh)) {
    const Index cell = topology.face_cells[std::size_t(topology.triangle_face[std::size_t(t)])][0];
    const Index m = material[std::size_t(cell)];
    // A medium that several tables state is one medium: a seam would only cost terms.
    Index same = 0;
    while (!same_medium(model.materials[std::size_t(same)], model.materials[std::size_t(m)])) ++same;
    if (!model.materials[std::size_t(m)].is_isotropic())
      throw InputError(
          fmt::format("surface \"{}\": an absorbing boundary lies in \"{}\", whose epsilon_r or mu_r is a "
                      "tensor: back it "
                      "by an isotropic medium or take a perfectly matched layer ([[pml]])",
                      boundary.regions.front(), model.materials[std::size_t(m)].regions.front()));
    sorter.part(Kind::absorbing, same).triangles.push_back(t);
  }
  if (boundary.order == 2 && sorter.count() > 1)
    throw InputError(fmt::format(
        "surface \"{}\": an absorbing boundary of order 2 lies in several media: take order = 1 or a "
        "perfectly matched layer ([[pml]])",
        boundary.regions.front()));
}

}  // namespace

std::vector<FacePart> face_parts(const Model& model, const mesh::Mesh& mesh, const mesh::Topology& topology) {
  std::vector<FacePart> parts;
  const CoupledCuts cuts(mesh);
  const bool absorbs =
      std::any_of(model.boundaries.begin(), model.boundaries.end(),
                  [](const BoundaryCondition& b) { return b.type == BoundaryType::absorbing; });
  const auto material = absorbs ? material_of_cells(model, mesh) : std::vector<Index>();
  for (std::size_t b = 0; b < model.boundaries.size(); ++b) {
    Sorter sorter(b, parts);
    const BoundaryCondition& boundary = model.boundaries[b];
    if (boundary.type == BoundaryType::impedance)
      sort_law(boundary, mesh, topology, cuts, sorter);
    else if (boundary.type == BoundaryType::absorbing)
      sort_absorbing(boundary, model, material, mesh, topology, sorter);
  }
  return parts;
}

PartMedium medium_beside(const RegionMaterial& material, Complex frequency) {
  const Complex k0 = 2 * pi * frequency / speed_of_light;
  const Material medium = medium_at(material, frequency);
  const Complex eps = medium.epsilon_r.scalar, mu = medium.mu_r.scalar;
  return {k0 * std::sqrt(eps) * std::sqrt(mu), mu};  // apart: eps = mu = -1 has a negative index
}

FaceAdmittance face_admittance(const Model& model, const FacePart& part, Complex frequency) {
  if (part.kind == Kind::absorbing) {
    const PartMedium medium = medium_beside(model.materials[std::size_t(part.material)], frequency);
    return {Complex(0, 1) * medium.k / medium.mu_r};
  }
  const auto& law = *model.boundaries[part.boundary].law;
  const Complex scale = Complex(0, 2 * pi) * frequency * vacuum_permeability;
  if (part.kind == Kind::wall) return {scale / law.impedance(frequency)};
  if (part.kind == Kind::joined) return {scale / law.joined_impedance(frequency)};
  const auto layer = law.coupled_impedance(frequency);
  return {scale * layer.self_admittance(), scale * layer.transfer_admittance()};
}

}  // namespace curlew::fem
