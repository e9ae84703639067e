// SPDX-License-Identifier: BSD-3-Clause
// Absorbing boundaries, E_t = η n x H with η of the adjacent medium; for second order:
// conditions/second_order.hpp.

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/passive_root.hpp"
#include "base/wavenumber.hpp"
#include "fem/conditions/kinds.hpp"
#include "fem/conditions/second_order.hpp"
#include "fem/model/face_parts.hpp"
#include "io/config.hpp"
#include "mesh/regions.hpp"

namespace curlew::fem {
namespace {

/// k [rad/m] and mu_r of an isotropic medium.
struct PartMedium {
  Complex k;
  Complex mu_r;
};
PartMedium medium_beside(const RegionMaterial& material, Complex frequency) {
  const Complex k0 = wavenumber(frequency);
  const Material medium = medium_at(material, frequency);
  const Complex eps = medium.epsilon_r.scalar, mu = medium.mu_r.scalar;
  return {k0 * passive_root(eps) * passive_root(mu), mu};  // apart: eps = mu = -1 has a negative index
}

class Absorbing final : public FaceCondition {
 public:
  Absorbing(int order, double radius) : order_(order), radius_(radius) {}
  bool is_absorbing() const override { return true; }
  bool is_lossy() const override { return true; }
  bool has_terms() const override { return true; }
  bool is_second_order() const override { return order_ == 2; }

  std::vector<FacePart> parts(const Model& model, const NedelecSpace& space,
                              const std::vector<std::string>& regions) const override {
    const auto material = material_of_cells(model, *space.mesh);
    std::vector<FacePart> parts;
    std::vector<Index> of_part;
    for (const Index t : mesh::triangles_of(*space.mesh, regions)) {
      const Index face = space.topology->triangle_face[std::size_t(t)];
      const Index m = medium_of(
          model, material[std::size_t(space.topology->face_cells[std::size_t(face)][0])], regions.front());
      const auto part = std::size_t(std::find(of_part.begin(), of_part.end(), m) - of_part.begin());
      if (part == parts.size())
        parts.push_back(part_beside(model.materials[std::size_t(m)])), of_part.push_back(m);
      parts[part].triangles.push_back(t);
    }
    if (order_ == 2 && parts.size() > 1)
      throw InputError(fmt::format(
          "surface \"{}\": an absorbing boundary of order 2 lies in several media: take order = 1 or a "
          "perfectly matched layer ([[pml]])",
          regions.front()));
    return parts;
  }

 private:
  /// Equal media of several tables are merged, to save terms.
  static Index medium_of(const Model& model, Index m, const std::string& region) {
    const RegionMaterial& material = model.materials[std::size_t(m)];
    if (!material.is_isotropic())
      throw InputError(
          fmt::format("surface \"{}\": an absorbing boundary lies in \"{}\", whose epsilon_r or mu_r is a "
                      "tensor: end in an isotropic medium or take a perfectly matched layer ([[pml]])",
                      region, material.regions.front()));
    Index same = 0;
    while (!same_medium(model.materials[std::size_t(same)], material)) ++same;
    return same;
  }

  FacePart part_beside(const RegionMaterial& material) const {
    FacePart part;
    part.admittance = [material](Complex frequency) {
      const PartMedium medium = medium_beside(material, frequency);
      return FaceAdmittance{Complex(0, 1) * medium.k / medium.mu_r};
    };
    if (order_ == 2)
      part.curl_factor = [material, radius = radius_](Complex frequency) {
        const PartMedium medium = medium_beside(material, frequency);
        return absorbing_factor(medium.k, radius) / medium.mu_r;
      };
    return part;
  }

  int order_;
  double radius_;  // [m], 0 for planes
};

}  // namespace

ConditionPtr absorbing_condition(int order, double radius) {
  return std::make_shared<const Absorbing>(order, radius);
}

ConditionPtr read_absorbing(const io::Config& table, double unit) {
  const int order = table.integer_in_or("order", 1, 2, 1);
  return absorbing_condition(order,
                             order == 2 && table.has("radius") ? unit * table.positive("radius") : 0.0);
}

}  // namespace curlew::fem
