// SPDX-License-Identifier: BSD-3-Clause
#include "fem/sensitivity/shape_derivative.hpp"

#include <algorithm>
#include <array>

#include "base/error.hpp"
#include "fem/boundary_terms.hpp"
#include "fem/geometry.hpp"
#include "fem/model/face_parts.hpp"
#include "fem/piola.hpp"
#include "fem/sensitivity/form_terms.hpp"

namespace curlew::fem {
namespace {

using Tensor = Mat3<Complex>;
using FieldValue = Vec3<Complex>;
using MotionSums = std::vector<Eigen::MatrixXcd>;

MotionSums zeros(std::size_t motions, Eigen::Index columns) {
  return MotionSums(motions, Eigen::MatrixXcd::Zero(columns, columns));
}

bool moves(Motion motion, const Index* nodes, int count) {
  return std::any_of(nodes, nodes + count, [&](Index n) {
    const auto& v = motion[std::size_t(n)];
    return v.x != 0 || v.y != 0 || v.z != 0;
  });
}

/// The P of weight Eᵀ M F, F with its own Gᵀ.
void add_of_fields(Complex weight, const FieldValue& e, const FieldValue& me, const FieldValue& f,
                   const FieldValue& mf, Tensor& p) {
  add_product(-weight, e, mf, p);
  add_product(-weight, f, me, p);
  const Complex product = weight * dot(e, mf);
  for (int i = 0; i < 3; ++i) p(i, i) += product;
}

/// The P of weight Cᵀ S D of two curls.
void add_of_curls(Complex weight, const FieldValue& c, const FieldValue& sc, const FieldValue& d,
                  const FieldValue& sd, Tensor& p) {
  add_product(weight, sd, c, p);
  add_product(weight, sc, d, p);
  const Complex product = weight * dot(c, sd);
  for (int i = 0; i < 3; ++i) p(i, i) -= product;
}

/// grad V of nodes' velocities at a point of a cell.
Mat3<double> gradient(const CellGeometry& velocity, const PiolaMap<double>& map, Vec3<double> xi) {
  Mat3<double> g = jacobian(velocity, xi) * map.adj;
  for (auto& row : g.m)
    for (double& entry : row) entry /= map.det;
  return g;
}

/// Contributions of cells: fields of all columns, computed once, for all motions.
class CellParts {
 public:
  CellParts(const NedelecSpace& space, const Eigen::MatrixXcd& x, const CellMaterials& materials,
            Complex k_squared, std::span<const Motion> motions)
      : space_(space),
        x_(x),
        materials_(materials),
        motions_(motions),
        rule_(rule_of(space)),
        evaluator_(space, rule_.points) {
    for (const Material& m : materials.materials) {
      const Tensor inverse = m.mu_r.inverse().as_tensor();
      Tensor mass = m.epsilon_r.as_tensor();
      for (auto& row : mass.m)
        for (Complex& entry : row) entry *= k_squared;
      constants_.push_back({inverse, transpose(inverse), mass, transpose(mass)});
    }
  }

  struct Room {
    std::vector<FieldValue> e, curl;
    std::vector<std::size_t> moving;
    std::vector<Tensor> p;
  };

  void add(Index cell, Room& room, MotionSums& sums) const;

 private:
  struct Constants {
    Tensor stiffness, stiffness_t, mass, mass_t;
  };
  void add_products(std::size_t point, double weight, const Constants& constants, Room& room) const;

  const NedelecSpace& space_;
  const Eigen::MatrixXcd& x_;
  const CellMaterials& materials_;
  std::span<const Motion> motions_;
  quadrature::TetrahedronRule rule_;
  FieldEvaluator evaluator_;
  std::vector<Constants> constants_;
};

/// Pairs of columns i <= j, one after the other.
template <class Step>
void each_pair(Eigen::Index columns, Step step) {
  std::size_t pair = 0;
  for (Eigen::Index i = 0; i < columns; ++i)
    for (Eigen::Index j = i; j < columns; ++j) step(i, j, pair++);
}

void CellParts::add_products(std::size_t q, double weight, const Constants& k, Room& room) const {
  const auto points = std::size_t(rule_.size());
  each_pair(x_.cols(), [&](Eigen::Index i, Eigen::Index j, std::size_t pair) {
    const FieldValue &e = room.e[std::size_t(i) * points + q], &f = room.e[std::size_t(j) * points + q],
                     &c = room.curl[std::size_t(i) * points + q], &d = room.curl[std::size_t(j) * points + q];
    add_of_curls(weight, c, k.stiffness_t * c, d, k.stiffness * d, room.p[pair]);
    add_of_fields(-weight, e, k.mass_t * e, f, k.mass * f, room.p[pair]);
  });
}

void CellParts::add(Index cell, Room& room, MotionSums& sums) const {
  room.moving.clear();
  for (std::size_t v = 0; v < motions_.size(); ++v)
    if (moves(motions_[v], space_.mesh->cell(cell), space_.mesh->nodes_per_cell())) room.moving.push_back(v);
  if (room.moving.empty()) return;
  const auto m =
      materials_.cell_material.empty() ? 0 : std::size_t(materials_.cell_material[std::size_t(cell)]);
  const auto points = std::size_t(rule_.size());
  const Eigen::Index columns = x_.cols();
  room.e.resize(points * std::size_t(columns)), room.curl.resize(points * std::size_t(columns));
  for (Eigen::Index j = 0; j < columns; ++j)
    evaluator_.evaluate(cell, x_.col(j).data(), &room.e[std::size_t(j) * points],
                        &room.curl[std::size_t(j) * points]);
  const CellGeometry geometry = cell_geometry(*space_.mesh, cell);
  const auto contract_all = [&](const PiolaMap<double>& map, Vec3<double> xi) {
    for (const std::size_t v : room.moving) {
      CellGeometry velocity{geometry.num_nodes, {}};
      for (int n = 0; n < geometry.num_nodes; ++n)
        velocity.nodes[n] = motions_[v][std::size_t(space_.mesh->cell(cell)[n])];
      const Mat3<double> g = gradient(velocity, map, xi);
      each_pair(columns, [&](Eigen::Index i, Eigen::Index j, std::size_t pair) {
        sums[v](i, j) += contract(room.p[pair], g);
      });
    }
  };
  const bool is_straight = geometry.num_nodes == 4;  // constant gradients
  const auto pairs = std::size_t(columns * (columns + 1) / 2);
  PiolaMap<double> map = piola_map(jacobian(geometry, rule_.points[0]));
  room.p.assign(pairs, {});
  for (std::size_t q = 0; q < points; ++q) {
    if (!is_straight) {
      map = piola_map(jacobian(geometry, rule_.points[q]));
      room.p.assign(pairs, {});
    }
    add_products(q, rule_.weights[q] * std::abs(map.det), constants_[m], room);
    if (!is_straight) contract_all(map, rule_.points[q]);
  }
  if (is_straight) contract_all(map, rule_.points[0]);
}

void add_cells(const NedelecSpace& space, const Eigen::MatrixXcd& x, const SolvedForm::State& state,
               std::span<const Motion> motions, MotionSums& sums) {
  const auto materials = materials_at(state.model, *space.mesh, state.frequency);
  const Index cells = space.mesh->num_cells();
  for (Index c = 0; c < cells; ++c) {
    const auto m = materials.cell_material.empty() ? 0 : std::size_t(materials.cell_material[std::size_t(c)]);
    if (materials.materials[m].stretching && std::any_of(motions.begin(), motions.end(), [&](Motion motion) {
          return moves(motion, space.mesh->cell(c), space.mesh->nodes_per_cell());
        }))
      throw InputError("[[sensitivity]]: perfectly matched layers ([[pml]]) cannot move");
  }
  const CellParts parts(space, x, materials, squared_wavenumber(state.frequency), motions);
  // Blocks of cells independent of the number of threads, so that sums are the same.
  constexpr Index blocks = 64;
  std::vector<MotionSums> of_blocks(blocks, zeros(motions.size(), x.cols()));
#pragma omp parallel for schedule(dynamic, 1)
  for (Index b = 0; b < blocks; ++b) {
    CellParts::Room room;
    for (Index c = Index(Offset(b) * cells / blocks); c < Index(Offset(b + 1) * cells / blocks); ++c)
      parts.add(c, room, of_blocks[std::size_t(b)]);
  }
  for (const MotionSums& block : of_blocks)
    for (std::size_t v = 0; v < sums.size(); ++v) sums[v] += block[v];
}

/// Tangential E of all columns at the points of a trace, with the unknowns of one side [columns, points].
std::vector<FieldValue> trace_fields(const TriangleTrace& trace, const std::array<Index, 15>& dofs,
                                     const Eigen::MatrixXcd& x) {
  const auto points = trace.weights.size(), n = std::size_t(trace.num_functions);
  std::vector<FieldValue> fields(points * std::size_t(x.cols()));
  for (Eigen::Index j = 0; j < x.cols(); ++j)
    for (std::size_t q = 0; q < points; ++q)
      for (std::size_t i = 0; i < n; ++i)
        if (dofs[i] >= 0) fields[std::size_t(j) * points + q] += x(dofs[i], j) * trace.values[q * n + i];
  return fields;
}

/// Motion of a triangle at a point, along the triangle.
struct FaceMotion {
  Vec3<double> by_u, by_v, dual_u, dual_v, velocity, normal;

  FaceMotion(const TriangleGeometry& geometry, const TriangleGeometry& motion, double u, double v)
      : velocity(map_point(motion, u, v)) {
    Vec3<double> du, dv;
    tangents(geometry, u, v, du, dv);
    tangents(motion, u, v, by_u, by_v);
    const Vec3<double> area = cross(du, dv);
    normal = (1 / norm(area)) * area;
    dual_u = (1 / dot(area, area)) * cross(dv, area), dual_v = (1 / dot(area, area)) * cross(area, du);
  }
  double divergence() const { return dot(by_u, dual_u) + dot(by_v, dual_v); }
  /// G a.
  Vec3<double> along(Vec3<double> a) const { return dot(dual_u, a) * by_u + dot(dual_v, a) * by_v; }
  /// Gᵀ a.
  Vec3<double> across(Vec3<double> a) const { return dot(by_u, a) * dual_u + dot(by_v, a) * dual_v; }
  /// eᵀ G f.
  Complex between(const FieldValue& e, const FieldValue& f) const {
    return dot(e, by_u) * dot(f, dual_u) + dot(e, by_v) * dot(f, dual_v);
  }
};

/// (E·d)' = E·turn: d of FacePart::along changes with the place, E as above and out of the old face.
Vec3<double> turn(const FaceDirection& along, Vec3<double> place, const FaceMotion& motion, double size) {
  const double speed = norm(motion.velocity);
  const double step = speed > 0 ? 1e-4 * size / speed : 0;
  const Vec3<double> d = along(place);
  const Vec3<double> by_place =
      step > 0
          ? (0.5 / step) * (along(place + step * motion.velocity) - along(place - step * motion.velocity))
          : Vec3<double>{};
  return by_place - motion.along(d) + dot(motion.normal, d) * motion.across(motion.normal);
}

/// (E·F)' + div V E·F, or that of the parts along a direction.
Complex changed_product(const FieldValue& e, const FieldValue& f, const FaceMotion& motion) {
  return motion.divergence() * dot(e, f) - motion.between(e, f) - motion.between(f, e);
}

Complex changed_product(const FieldValue& e, const FieldValue& f, const FaceMotion& motion, Vec3<double> d,
                        Vec3<double> turned) {
  const Complex a = dot(e, d), b = dot(f, d);
  return motion.divergence() * a * b + dot(e, turned) * b + a * dot(f, turned);
}

TriangleGeometry motion_of(const mesh::Mesh& mesh, Index triangle, Motion motion) {
  TriangleGeometry nodes{mesh.nodes_per_triangle(), {}};
  for (int i = 0; i < nodes.num_nodes; ++i) nodes.nodes[i] = motion[std::size_t(mesh.triangle(triangle)[i])];
  return nodes;
}

/// sums += gamma times the change of ∫ own_i·other_j on a triangle.
void add_triangle(const mesh::Mesh& mesh, Index triangle, const TriangleTrace& trace,
                  const quadrature::TriangleRule& rule, const std::vector<FieldValue>& own,
                  const std::vector<FieldValue>& other, Complex gamma, const FaceDirection& along,
                  std::span<const Motion> motions, MotionSums& sums) {
  const TriangleGeometry geometry = triangle_geometry(mesh, triangle);
  const auto points = trace.weights.size();
  for (std::size_t v = 0; v < motions.size(); ++v) {
    if (!moves(motions[v], mesh.triangle(triangle), mesh.nodes_per_triangle())) continue;
    const TriangleGeometry velocity = motion_of(mesh, triangle, motions[v]);
    for (std::size_t q = 0; q < points; ++q) {
      const FaceMotion motion(geometry, velocity, rule.points[q].u, rule.points[q].v);
      const Complex weight = gamma * trace.weights[q];
      const double size = norm(geometry.nodes[1] - geometry.nodes[0]);
      const Vec3<double> d = along ? along(trace.points[q]) : Vec3<double>{},
                         turned = along ? turn(along, trace.points[q], motion, size) : Vec3<double>{};
      for (Eigen::Index i = 0; i < sums[v].rows(); ++i)
        for (Eigen::Index j = i; j < sums[v].cols(); ++j) {
          const FieldValue &e = own[std::size_t(i) * points + q], &f = other[std::size_t(j) * points + q];
          sums[v](i, j) +=
              weight * (along ? changed_product(e, f, motion, d, turned) : changed_product(e, f, motion));
        }
    }
  }
}

void add_faces(const NedelecSpace& space, const Eigen::MatrixXcd& x, const SolvedForm::State& state,
               std::span<const Motion> motions, MotionSums& sums) {
  const mesh::Mesh& mesh = *space.mesh;
  TriangleTrace trace;
  for (const FacePart& part : face_parts(state.model, space)) {
    if (part.curl_factor)
      throw InputError("[[sensitivity]]: there are no derivatives with absorbing boundaries of order 2");
    const FaceAdmittance y = part.admittance(state.frequency);
    const auto rule = quadrature::triangle_rule(surface_degree(space) + (part.along ? 2 : 0));
    const TraceEvaluator evaluator(space, surface_degree(space) + (part.along ? 2 : 0));
    for (const Index t : part.triangles) {
      evaluator.evaluate(t, trace);
      const auto own = trace_fields(trace, trace.dofs, x);
      add_triangle(mesh, t, trace, rule, own, own, y.self, part.along, motions, sums);
    }
    for (const auto& [first, second] : part.pairs) {
      evaluator.evaluate(first, trace);
      std::array<Index, 15> dofs{};
      space.trace_dofs(space.topology->triangle_face[std::size_t(second)], dofs.data());
      const auto own = trace_fields(trace, trace.dofs, x), other = trace_fields(trace, dofs, x);
      add_triangle(mesh, first, trace, rule, own, other, y.transfer, {}, motions, sums);
      add_triangle(mesh, first, trace, rule, other, own, y.transfer, {}, motions, sums);
    }
  }
}

}  // namespace

std::vector<Eigen::MatrixXcd> shape_derivatives(const NedelecSpace& space, const Eigen::MatrixXcd& x,
                                                const SolvedForm::State& state,
                                                std::span<const Motion> motions) {
  MotionSums sums = zeros(motions.size(), x.cols());
  if (motions.empty()) return sums;
  add_cells(space, x, state, motions, sums);
  add_faces(space, x, state, motions, sums);
  for (Eigen::MatrixXcd& sum : sums) sum.triangularView<Eigen::StrictlyLower>() = sum.transpose();
  return sums;
}

}  // namespace curlew::fem
