// SPDX-License-Identifier: BSD-3-Clause
#include "fem/sensitivity/solved_form.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "fem/boundary_terms.hpp"
#include "fem/fields.hpp"
#include "fem/geometry.hpp"
#include "fem/model/face_parts.hpp"
#include "fem/sensitivity/form_terms.hpp"

namespace curlew::fem {
namespace {

using Tensor = Mat3<Complex>;

Tensor scaled_difference(Complex b, const Coefficient& to, Complex a, const Coefficient& from) {
  Tensor d;
  const Tensor t = to.as_tensor(), f = from.as_tensor();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) d(i, j) = b * t(i, j) - a * f(i, j);
  return d;
}

bool is_zero(const Tensor& t) {
  for (const auto& row : t.m)
    for (const Complex& c : row)
      if (c != 0.0) return false;
  return true;
}

bool moves(const mesh::Mesh& from, const mesh::Mesh& to, Index cell) {
  const Index* n = from.cell(cell);
  return std::any_of(n, n + from.nodes_per_cell(), [&](Index i) {
    return norm(from.nodes[std::size_t(i)] - to.nodes[std::size_t(i)]) > 0;
  });
}

/// Those [i, j] with a weight; all without weights, row by row.
std::vector<std::array<std::size_t, 2>> pairs_of(Eigen::Index columns, const Eigen::MatrixXd* weights) {
  std::vector<std::array<std::size_t, 2>> pairs;
  for (Eigen::Index i = 0; i < columns; ++i)
    for (Eigen::Index j = 0; j < columns; ++j)
      if (weights == nullptr || (*weights)(i, j) != 0) pairs.push_back({std::size_t(i), std::size_t(j)});
  return pairs;
}

}  // namespace

bool are_equal(const Material& a, const Material& b) {
  return is_zero(scaled_difference(1, a.epsilon_r, 1, b.epsilon_r)) &&
         is_zero(scaled_difference(1, a.mu_r, 1, b.mu_r));
}

SolvedForm::SolvedForm(const Assembler& assembler, Eigen::MatrixXcd x)
    : assembler_(assembler), x_(std::move(x)) {}

void SolvedForm::add_moments(const FieldEvaluator& evaluator, const std::vector<double>& weights,
                             const NedelecSpace& space, Index cell, const Pairs& pairs,
                             std::vector<Vec3<Complex>>& e, std::vector<Vec3<Complex>>& curl,
                             Moments& sums) const {
  const auto columns = std::size_t(x_.cols()), points = weights.size();
  const CellGeometry geometry = cell_geometry(*space.mesh, cell);
  for (std::size_t j = 0; j < columns; ++j)
    evaluator.evaluate(cell, x_.col(Eigen::Index(j)).data(), &e[j * points], &curl[j * points]);
  for (std::size_t q = 0; q < points; ++q) {
    const double weight = weights[q] * std::abs(determinant(jacobian(geometry, evaluator.points()[q])));
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      const std::size_t j = pairs[p][0] * points + q, k = pairs[p][1] * points + q;
      add_product(weight, e[j], e[k], sums.field[p]);
      add_product(weight, curl[j], curl[k], sums.curl[p]);
    }
  }
}

SolvedForm::Moments SolvedForm::moments_of(const NedelecSpace& space, const std::vector<Index>& cells,
                                           const Pairs& pairs) const {
  const auto rule = rule_of(space);
  const FieldEvaluator evaluator(space, rule.points);
  const auto columns = std::size_t(x_.cols()), points = std::size_t(rule.size());
  // Blocks of cells independent of the number of threads, so that sums are the same.
  constexpr std::size_t blocks = 64;
  std::vector<Moments> parts(blocks, {std::vector<Tensor>(pairs.size()), std::vector<Tensor>(pairs.size())});
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t b = 0; b < blocks; ++b) {
    std::vector<Vec3<Complex>> e(points * columns), curl(points * columns);
    for (std::size_t i = b * cells.size() / blocks; i < (b + 1) * cells.size() / blocks; ++i)
      add_moments(evaluator, rule.weights, space, cells[i], pairs, e, curl, parts[b]);
  }
  for (std::size_t b = 1; b < blocks; ++b)
    for (std::size_t p = 0; p < pairs.size(); ++p)
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
          parts[0].field[p](i, j) += parts[b].field[p](i, j);
          parts[0].curl[p](i, j) += parts[b].curl[p](i, j);
        }
  return parts[0];
}

const SolvedForm::Moments& SolvedForm::moments(const CellMaterials& materials, std::size_t material) const {
  moments_.resize(materials.materials.size());
  auto& known = moments_[material];
  if (known) return *known;
  std::vector<Index> cells;
  for (Index c = 0; c < assembler_.space().mesh->num_cells(); ++c)
    if (materials.cell_material.empty() || materials.cell_material[std::size_t(c)] == Index(material))
      cells.push_back(c);
  known = moments_of(assembler_.space(), cells, pairs_of(x_.cols(), nullptr));
  return *known;
}

Eigen::MatrixXcd SolvedForm::of_surface(const std::function<void(linalg::Csr<Complex>&)>& add) const {
  auto a = assembler_.create_matrix<Complex>();
  add(a);
  Eigen::MatrixXcd image(x_.rows(), x_.cols());
  linalg::multiply(a, x_.data(), image.data(), Index(x_.cols()));
  return x_.transpose() * image;
}

SolvedForm::FaceIntegrals SolvedForm::face_integrals(const FacePart& part) const {
  const NedelecSpace& space = assembler_.space();
  FaceIntegrals integrals;
  integrals.self = of_surface([&](linalg::Csr<Complex>& matrix) {
    add_tangential_mass(space, part.triangles, 1.0, matrix, part.along);
  });
  if (!part.pairs.empty())
    integrals.transfer =
        of_surface([&](linalg::Csr<Complex>& matrix) { add_transfer_mass(space, part.pairs, 1.0, matrix); });
  return integrals;
}

Eigen::MatrixXcd SolvedForm::difference(const State& from, const State& to) const {
  const NedelecSpace& space = assembler_.space();
  const auto before = materials_at(from.model, *space.mesh, from.frequency),
             after = materials_at(to.model, *space.mesh, to.frequency);
  const auto columns = x_.cols();
  Eigen::MatrixXcd sum = Eigen::MatrixXcd::Zero(columns, columns);
  for (std::size_t m = 0; m < before.materials.size(); ++m) {
    const Material &a = before.materials[m], &b = after.materials[m];
    const Tensor mass = scaled_difference(squared_wavenumber(to.frequency), b.epsilon_r,
                                          squared_wavenumber(from.frequency), a.epsilon_r);
    const Tensor stiffness = scaled_difference(1.0, b.mu_r.inverse(), 1.0, a.mu_r.inverse());
    if (is_zero(mass) && is_zero(stiffness)) continue;
    if (a.stretching)
      throw InputError(
          "[[sensitivity]]: there are no derivatives by media of perfectly matched layers ([[pml]])");
    const Moments& integrals = moments(before, m);
    for (Eigen::Index i = 0; i < columns; ++i)
      for (Eigen::Index j = 0; j < columns; ++j) {
        const auto pair = std::size_t(i * columns + j);
        sum(i, j) += contract(stiffness, integrals.curl[pair]) - contract(mass, integrals.field[pair]);
      }
  }
  const auto faces = face_parts(from.model, space), changed = face_parts(to.model, space);
  faces_.resize(faces.size());
  for (std::size_t p = 0; p < faces.size(); ++p) {
    const FacePart& part = faces[p];
    const FaceAdmittance a = part.admittance(from.frequency), b = changed[p].admittance(to.frequency);
    const Complex curl =
        part.curl_factor ? changed[p].curl_factor(to.frequency) - part.curl_factor(from.frequency) : 0.0;
    if (curl != 0.0)
      throw InputError("[[sensitivity]]: there are no derivatives with absorbing boundaries of order 2");
    if (b.self == a.self && b.transfer == a.transfer) continue;
    if (!faces_[p]) faces_[p] = face_integrals(part);
    sum += (b.self - a.self) * faces_[p]->self;
    if (!part.pairs.empty()) sum += (b.transfer - a.transfer) * faces_[p]->transfer;
  }
  return sum;
}

Eigen::MatrixXcd SolvedForm::difference(const State& state, const mesh::Mesh& from, const mesh::Mesh& to,
                                        const Eigen::MatrixXd* weights) const {
  const NedelecSpace& space = assembler_.space();
  NedelecSpace before = space, after = space;
  before.mesh = &from, after.mesh = &to;
  const auto materials = materials_at(state.model, *space.mesh, state.frequency);
  std::vector<std::vector<Index>> moved(materials.materials.size());
  for (Index c = 0; c < from.num_cells(); ++c) {
    const auto m = materials.cell_material.empty() ? 0 : std::size_t(materials.cell_material[std::size_t(c)]);
    if (moves(from, to, c)) moved[m].push_back(c);
  }
  const auto pairs = pairs_of(x_.cols(), weights);
  Eigen::MatrixXcd sum = Eigen::MatrixXcd::Zero(x_.cols(), x_.cols());
  for (std::size_t m = 0; m < moved.size(); ++m) {
    if (moved[m].empty()) continue;
    const Material& material = materials.materials[m];
    if (material.stretching)
      throw InputError("[[sensitivity]]: perfectly matched layers ([[pml]]) cannot move");
    const Moments low = moments_of(before, moved[m], pairs), high = moments_of(after, moved[m], pairs);
    const Tensor mass = scaled_difference(squared_wavenumber(state.frequency), material.epsilon_r, 0.0, 1.0),
                 stiffness = scaled_difference(1.0, material.mu_r.inverse(), 0.0, 1.0);
    for (std::size_t p = 0; p < pairs.size(); ++p)
      sum(Eigen::Index(pairs[p][0]), Eigen::Index(pairs[p][1])) +=
          contract(stiffness, high.curl[p]) - contract(stiffness, low.curl[p]) -
          contract(mass, high.field[p]) + contract(mass, low.field[p]);
  }
  const auto stays = [&](Index t) {
    const Index* n = from.triangle(t);
    return std::all_of(n, n + from.nodes_per_triangle(), [&](Index i) {
      return norm(from.nodes[std::size_t(i)] - to.nodes[std::size_t(i)]) == 0;
    });
  };
  for (const FacePart& part : face_parts(state.model, space)) {
    if (std::ranges::all_of(part.triangles, stays)) continue;
    if (part.curl_factor)
      throw InputError("[[sensitivity]]: there are no derivatives with absorbing boundaries of order 2");
    const FaceAdmittance y = part.admittance(state.frequency);
    sum += of_surface([&](linalg::Csr<Complex>& matrix) {
      for (const auto& [on, sign] : {std::pair{&before, -1.0}, {&after, 1.0}}) {
        add_tangential_mass(*on, part.triangles, sign * y.self, matrix, part.along);
        if (!part.pairs.empty()) add_transfer_mass(*on, part.pairs, sign * y.transfer, matrix);
      }
    });
  }
  return sum;
}

std::vector<Complex> SolvedForm::differences_of_cells(const State& state, const mesh::Mesh& from,
                                                      const mesh::Mesh& to,
                                                      const Eigen::MatrixXd& weights) const {
  NedelecSpace before = assembler_.space(), after = before;
  before.mesh = &from, after.mesh = &to;
  const auto materials = materials_at(state.model, from, state.frequency);
  const auto rule = rule_of(before);
  const FieldEvaluator on_before(before, rule.points), on_after(after, rule.points);
  const auto columns = std::size_t(x_.cols()), points = std::size_t(rule.size());
  const auto pairs = pairs_of(x_.cols(), &weights);
  const Complex k_squared = squared_wavenumber(state.frequency);
  std::vector<Complex> parts(std::size_t(from.num_cells()));
#pragma omp parallel
  {
    std::vector<Vec3<Complex>> e(points * columns), curl(points * columns);
    const auto energy = [&](const FieldEvaluator& evaluator, const NedelecSpace& space, Index c) {
      Moments sums{std::vector<Tensor>(pairs.size()), std::vector<Tensor>(pairs.size())};
      add_moments(evaluator, rule.weights, space, c, pairs, e, curl, sums);
      const auto m =
          materials.cell_material.empty() ? 0 : std::size_t(materials.cell_material[std::size_t(c)]);
      const Material& material = materials.materials[m];
      const Tensor stiffness = scaled_difference(1.0, material.mu_r.inverse(), 0.0, 1.0),
                   mass = scaled_difference(k_squared, material.epsilon_r, 0.0, 1.0);
      Complex sum = 0;
      for (std::size_t p = 0; p < pairs.size(); ++p)
        sum += weights(Eigen::Index(pairs[p][0]), Eigen::Index(pairs[p][1])) *
               (contract(stiffness, sums.curl[p]) - contract(mass, sums.field[p]));
      return sum;
    };
#pragma omp for schedule(dynamic, 64)
    for (Index c = 0; c < from.num_cells(); ++c)
      if (moves(from, to, c))
        parts[std::size_t(c)] = energy(on_after, after, c) - energy(on_before, before, c);
  }
  return parts;
}

}  // namespace curlew::fem
