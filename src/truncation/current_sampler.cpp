// SPDX-License-Identifier: BSD-3-Clause
#include "truncation/current_sampler.hpp"

#include <algorithm>

#include "base/constants.hpp"
#include "base/threads.hpp"
#include "fem/geometry.hpp"
#include "fem/nedelec.hpp"
#include "fem/piola.hpp"
#include "quadrature/rules.hpp"

namespace curlew::truncation {

namespace {

/// True if the face is metal: E_t = 0 on it and H_t of its two sides has nothing to do with each other.
bool is_metal(const fem::NedelecSpace& space, Index face) {
  Index dofs[fem::max_face_dim];
  space.trace_dofs(face, dofs);
  return std::all_of(dofs, dofs + fem::nedelec_face_dim(space.order), [](Index d) { return d < 0; });
}

bool is_in_front(const mesh::Mesh& mesh, Index cell, Vec3<double> point, Vec3<double> normal) {
  Vec3<double> sum{};
  for (int a = 0; a < 4; ++a) sum += mesh.nodes[mesh.cell(cell)[a]] - point;
  return dot(sum, normal) > 0;
}

}  // namespace

CurrentSampler::CurrentSampler(const fem::NedelecSpace& space, std::span<const Index> triangles,
                               std::span<const int> sides, int degree)
    : space_(space), points_(fields::sample_triangles(*space.mesh, triangles, sides, degree)) {
  const auto rule = quadrature::triangle_rule(degree);
  const auto& topology = *space.topology;
  const int dim = fem::nedelec_dim(space.order);
  num_points_ = rule.size();
  std::vector<fem::BasisValue<double>> basis(std::size_t(dim), fem::BasisValue<double>{});
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    const Index face = topology.triangle_face[triangles[t]];
    const auto& cells = topology.face_cells[face];
    const bool outside_only = cells[1] >= 0 && is_metal(space, face);
    const std::size_t first_point = t * std::size_t(num_points_);
    for (const Index cell : cells) {
      if (cell < 0 || (outside_only && !is_in_front(*space.mesh, cell, points_.position[first_point],
                                                    points_.normal[first_point])))
        continue;
      sides_.push_back({Index(t), cell, cells[1] < 0 || outside_only ? 1.0 : 0.5, values_.size()});
      const auto& faces = topology.cell_faces[cell];
      const int local_face = int(std::find(faces.begin(), faces.end(), face) - faces.begin());
      const auto geometry = fem::cell_geometry(*space.mesh, cell);
      for (const auto& point : rule.points) {
        const Vec3<double> xi = fem::face_point_in_cell(local_face, point.u, point.v);
        fem::reference_basis(space.order, xi, basis.data());
        const auto map = fem::piola_map(fem::jacobian(geometry, xi));
        for (const auto& b : basis) {
          values_.push_back(fem::covariant(map, b.value));
          curls_.push_back(fem::contravariant(map, b.curl));
        }
      }
    }
  }
}

fields::SurfaceCurrents CurrentSampler::currents(const Complex* x, Index count,
                                                 const fem::CellMaterials& materials, double omega) const {
  const int dim = fem::nedelec_dim(space_.order);
  const auto num_dofs = std::size_t(space_.num_dofs());
  const std::size_t total = points_.position.size();
  fields::SurfaceCurrents result(count, Offset(total));
  const auto add = [&](const Side& side) {
    Index dofs[fem::max_cell_dim];
    space_.cell_dofs(side.cell, dofs);
    const auto inverse_mu = materials.of(side.cell).mu_r.inverse();
    for (Index c = 0; c < count; ++c) {
      Complex coefficient[fem::max_cell_dim];
      for (int a = 0; a < dim; ++a)
        coefficient[a] = dofs[a] < 0 ? 0.0 : x[std::size_t(c) * num_dofs + std::size_t(dofs[a])];
      for (int q = 0; q < num_points_; ++q) {
        Vec3<Complex> e{}, curl{};
        const std::size_t first = side.first + std::size_t(q * dim);
        for (int a = 0; a < dim; ++a) {
          e += coefficient[a] * values_[first + std::size_t(a)];
          curl += coefficient[a] * curls_[first + std::size_t(a)];
        }
        const std::size_t at = std::size_t(side.triangle) * std::size_t(num_points_) + std::size_t(q);
        const Vec3<double> n = points_.normal[at];
        const Vec3<Complex> h = Complex(0, side.share / (omega * vacuum_permeability)) * (inverse_mu * curl);
        result.electric[std::size_t(c) * total + at] += cross(n, h);
        result.magnetic[std::size_t(c) * total + at] += Complex(-side.share) * cross(n, e);
      }
    }
  };
  // Both sides of a triangle follow each other: a part that starts between triangles belongs to one thread.
  const auto parts = std::size_t(4 * num_threads());
  const std::size_t num_sides = sides_.size();
#pragma omp parallel for num_threads(num_threads()) schedule(dynamic)
  for (std::size_t part = 0; part < parts; ++part) {
    const auto start = [&](std::size_t p) {
      std::size_t i = num_sides * p / parts;
      while (i > 0 && i < num_sides && sides_[i].triangle == sides_[i - 1].triangle) ++i;
      return i;
    };
    for (std::size_t i = start(part); i < start(part + 1); ++i) add(sides_[i]);
  }
  return result;
}

}  // namespace curlew::truncation
