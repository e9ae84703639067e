// SPDX-License-Identifier: BSD-3-Clause
// interpolate() of fields.hpp.
#include <array>
#include <cmath>

#include "fem/fields.hpp"
#include "fem/geometry.hpp"
#include "fem/piola.hpp"
#include "quadrature/rules.hpp"

namespace curlew::fem {
namespace {

/// A point of an edge, face or cell for the projection.
struct Sample {
  double weight;
  Vec3<double> point;          ///< in the unit tetrahedron
  Vec3<double> directions[3];  ///< orthogonal unit-free directions of the trace in the unit tetrahedron
};

/// Normal equations of a handful of unknowns, solved by Cholesky's method.
struct LeastSquares {
  static constexpr std::size_t max_size = 6;
  std::size_t n;
  std::array<std::array<double, max_size>, max_size> gram{};
  std::array<Complex, max_size> rhs{};

  void add(double weight, const double* row, Complex value) {
    for (std::size_t i = 0; i < n; ++i) {
      rhs[i] += weight * row[i] * value;
      for (std::size_t j = 0; j < n; ++j) gram[i][j] += weight * row[i] * row[j];
    }
  }
  /// Replaces rhs by the solution, gram by its factor.
  void solve() {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        for (std::size_t k = 0; k < j; ++k) gram[i][j] -= gram[i][k] * gram[j][k];
        gram[i][j] = i == j ? std::sqrt(gram[i][i]) : gram[i][j] / gram[j][j];
      }
      for (std::size_t k = 0; k < i; ++k) rhs[i] -= gram[i][k] * rhs[k];
      rhs[i] /= gram[i][i];
    }
    for (std::size_t i = n; i-- > 0;) {
      for (std::size_t k = i + 1; k < n; ++k) rhs[i] -= gram[k][i] * rhs[k];
      rhs[i] /= gram[i][i];
    }
  }
};

/// Projects the remainder of a field onto the functions of one entity.
class Projector {
 public:
  Projector(const NedelecSpace& space, const VectorField& field, std::vector<Complex>& x)
      : space_(space), field_(field), x_(x), degree_(2 * space.order + 4) {}

  void edge(Index cell, int local);
  void face(Index cell, int local);
  void interior(Index cell);

 private:
  /// Least squares over samples of the components along `num_directions` directions.
  /// @param functions local functions to determine, some may be missing in the space; all others keep their
  /// values
  void project(Index cell, std::vector<int> functions, const std::vector<Sample>& samples,
               int num_directions);

  const NedelecSpace& space_;
  const VectorField& field_;
  std::vector<Complex>& x_;
  int degree_;
};

constexpr Vec3<double> reference_vertices[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

void Projector::project(Index cell, std::vector<int> functions, const std::vector<Sample>& samples,
                        int num_directions) {
  const CellGeometry geometry = cell_geometry(*space_.mesh, cell);
  const int dim = nedelec_dim(space_.order);
  Index dofs[max_cell_dim];
  space_.cell_dofs(cell, dofs);
  std::erase_if(functions, [&](int a) { return dofs[a] < 0; });
  const std::size_t n = functions.size();
  if (n == 0) return;
  LeastSquares fit{n};
  BasisValue<double> basis[max_cell_dim];
  for (const Sample& sample : samples) {
    reference_basis(space_.order, sample.point, basis);
    // E pulled back to the unit tetrahedron, J^T E, minus the part already determined.
    Vec3<Complex> left =
        transpose(jacobian(geometry, sample.point)) * field_(map_point(geometry, sample.point));
    for (int a = 0; a < dim; ++a)
      if (dofs[a] >= 0) left -= x_[std::size_t(dofs[a])] * basis[a].value;
    for (int d = 0; d < num_directions; ++d) {
      double trace[LeastSquares::max_size];
      for (std::size_t i = 0; i < n; ++i) trace[i] = dot(basis[functions[i]].value, sample.directions[d]);
      fit.add(sample.weight, trace, dot(left, sample.directions[d]));
    }
  }
  fit.solve();
  for (std::size_t i = 0; i < n; ++i) x_[std::size_t(dofs[functions[i]])] = fit.rhs[i];
}

void Projector::edge(Index cell, int local) {
  const auto rule = quadrature::gauss_legendre(degree_ / 2 + 1);
  const auto [i, j] = mesh::cell_edge_vertices[std::size_t(local)];
  const Vec3<double> from = reference_vertices[i], along = reference_vertices[j] - from;
  std::vector<Sample> samples;
  for (int q = 0; q < rule.size(); ++q)
    samples.push_back(
        {rule.weights[std::size_t(q)], from + rule.points[std::size_t(q)] * along, {along, {}, {}}});
  std::vector<int> functions;
  for (int level = 1; level <= space_.order; ++level) functions.push_back(level_begin(level) + local);
  project(cell, functions, samples, 1);
}

void Projector::face(Index cell, int local) {
  const auto rule = quadrature::triangle_rule(degree_);
  const auto [i, j, k] = mesh::cell_face_vertices[std::size_t(local)];
  const Vec3<double> first = reference_vertices[j] - reference_vertices[i];
  const Vec3<double> second = reference_vertices[k] - reference_vertices[i];
  std::vector<Sample> samples;
  for (int q = 0; q < rule.size(); ++q) {
    const auto point = rule.points[std::size_t(q)];
    samples.push_back(
        {rule.weights[std::size_t(q)], face_point_in_cell(local, point.u, point.v), {first, second, {}}});
  }
  std::vector<int> functions;
  for (int level = 2; level <= space_.order; ++level)
    for (int a = 0; a < face_dofs_added(level); ++a)
      functions.push_back(level_begin(level) + 6 + local * face_dofs_added(level) + a);
  project(cell, functions, samples, 2);
}

void Projector::interior(Index cell) {
  const auto rule = quadrature::tetrahedron_rule(degree_);
  std::vector<Sample> samples;
  for (int q = 0; q < rule.size(); ++q)
    samples.push_back(
        {rule.weights[std::size_t(q)], rule.points[std::size_t(q)], {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}});
  project(cell, {42, 43, 44}, samples, 3);
}

/// Calls visit(cell, local) once for every free entity, in the first cell that has it.
template <class Entities, class Visit>
void visit_once(const Entities& cell_entities, const std::vector<Index>& number, Visit visit) {
  std::vector<bool> done(number.size(), false);
  for (std::size_t c = 0; c < cell_entities.size(); ++c)
    for (std::size_t i = 0; i < cell_entities[c].size(); ++i) {
      const auto entity = std::size_t(cell_entities[c][i]);
      if (done[entity] || number[entity] < 0) continue;
      done[entity] = true;
      visit(Index(c), int(i));
    }
}

}  // namespace

std::vector<Complex> interpolate(const NedelecSpace& space, const VectorField& field) {
  std::vector<Complex> x(std::size_t(space.num_dofs()), 0.0);
  Projector projector(space, field, x);
  visit_once(space.topology->cell_edges, space.edge_number, [&](Index c, int i) { projector.edge(c, i); });
  if (space.order >= 2)
    visit_once(space.topology->cell_faces, space.face_number, [&](Index c, int i) { projector.face(c, i); });
  if (space.order == 3)
    for (Index c = 0; c < space.mesh->num_cells(); ++c) projector.interior(c);
  return x;
}

std::vector<Complex> interpolate_trace(const NedelecSpace& space, std::span<const Index> triangles,
                                       const VectorField& field) {
  const auto& topology = *space.topology;
  // Entities off the triangles are treated as constrained.
  std::vector<Index> edges(space.edge_number.size(), -1), faces(space.face_number.size(), -1);
  for (const Index t : triangles) {
    const auto face = std::size_t(topology.triangle_face[std::size_t(t)]);
    faces[face] = space.face_number[face];
    for (const Index edge : topology.face_edges[face])
      edges[std::size_t(edge)] = space.edge_number[std::size_t(edge)];
  }
  std::vector<Complex> x(std::size_t(space.num_dofs()), 0.0);
  Projector projector(space, field, x);
  visit_once(topology.cell_edges, edges, [&](Index c, int i) { projector.edge(c, i); });
  if (space.order >= 2) visit_once(topology.cell_faces, faces, [&](Index c, int i) { projector.face(c, i); });
  return x;
}

}  // namespace curlew::fem
