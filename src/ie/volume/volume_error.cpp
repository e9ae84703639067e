// SPDX-License-Identifier: BSD-3-Clause
#include "ie/volume/volume_error.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "linalg/dense/decompositions.hpp"

namespace curlew::ie {
namespace {

constexpr std::size_t least_cells = 10;  // of a fit of four coefficients

/// E of a cell: slope r + at_zero.
struct Linear {
  Complex slope;
  Vec3<Complex> at_zero{};

  Vec3<Complex> operator()(Vec3<double> r) const {
    Vec3<Complex> e = at_zero;
    for (int d = 0; d < 3; ++d) e[d] += slope * r[d];
    return e;
  }
};

Linear field_of(const SwgBasis& basis, std::size_t cell, Complex epsilon_r, const Complex* x) {
  Linear field;
  for (std::size_t i = 0; i < 4; ++i) {
    const Complex f = basis.factor[cell][i] * x[basis.unknown[cell][i]] / epsilon_r;
    field.slope += f;
    for (int d = 0; d < 3; ++d) field.at_zero[d] -= f * basis.corners[cell][i][d];
  }
  return field;
}

double square(const Vec3<Complex>& v) {
  return std::norm(v.x) + std::norm(v.y) + std::norm(v.z);
}

/// Cells of the body with the fields of a solution, and those around nodes.
class Patches {
 public:
  Patches(const mesh::Mesh& mesh, const SwgBasis& basis, std::span<const Complex> epsilon_r, const Complex* x)
      : mesh_(mesh), basis_(basis), epsilon_r_(epsilon_r), cells_at_(mesh.nodes.size()) {
    for (Index c = 0; c < basis.num_cells(); ++c) {
      const auto at = std::size_t(c);
      const auto& v = basis.corners[at];
      fields_.push_back(field_of(basis, at, epsilon_r[at], x));
      centres_.push_back(0.25 * (v[0] + v[1] + v[2] + v[3]));
      values_.push_back(fields_.back()(centres_.back()));
      for (int i = 0; i < 4; ++i) cells_at_[std::size_t(nodes_of(c)[i])].push_back(c);
    }
  }
  const Index* nodes_of(Index c) const { return mesh_.cell(basis_.cells[std::size_t(c)]); }

  /// Adds the errors at a node, material by material.
  void add(Index node, CellErrors& errors) const {
    const Vec3<double> at = mesh_.nodes[std::size_t(node)];
    auto left = cells_at_[std::size_t(node)];
    while (!left.empty()) {
      const auto others = std::stable_partition(
          left.begin(), left.end(), [&, one = left.front()](Index c) { return are_alike(c, one); });
      const std::vector<Index> own(left.begin(), others);
      left.erase(left.begin(), others);
      const auto value = fitted(at, patch_of(own));
      for (const Index c : own) {
        const auto corner = std::size_t(std::find(nodes_of(c), nodes_of(c) + 4, node) - nodes_of(c));
        errors[std::size_t(c)][corner] = value - fields_[std::size_t(c)](at);
      }
    }
  }

 private:
  bool are_alike(Index a, Index b) const { return epsilon_r_[std::size_t(a)] == epsilon_r_[std::size_t(b)]; }

  /// With neighbours of the same material, until they suffice for a fit.
  std::vector<Index> patch_of(std::vector<Index> patch) const {
    for (int ring = 0; ring < 2 && patch.size() < least_cells; ++ring) {
      const auto before = patch;
      for (const Index c : before)
        for (int i = 0; i < 4; ++i)
          for (const Index more : cells_at_[std::size_t(nodes_of(c)[i])])
            if (are_alike(more, c)) patch.push_back(more);
      std::sort(patch.begin(), patch.end());
      patch.erase(std::unique(patch.begin(), patch.end()), patch.end());
    }
    return patch;
  }

  /// Value at a point of the linear function that fits the centres of cells best.
  Vec3<Complex> fitted(Vec3<double> at, const std::vector<Index>& cells) const {
    Eigen::MatrixXcd a = Eigen::MatrixXcd::Zero(4, 4), b = Eigen::MatrixXcd::Zero(4, 3);
    double size = 0;
    for (const Index c : cells) size = std::max(size, norm(centres_[std::size_t(c)] - at));
    for (const Index c : cells) {
      const Vec3<double> r = (1 / size) * (centres_[std::size_t(c)] - at);
      const Eigen::Vector4d row(1, r.x, r.y, r.z);
      a += row * row.transpose();
      for (int d = 0; d < 3; ++d) b.col(d) += row * values_[std::size_t(c)][d];
    }
    // Where the centres lie in a plane, as in a thin coat, the slope across it is zero.
    for (int d = 1; d < 4; ++d) a(d, d) += 1e-3 * double(cells.size());
    const Eigen::MatrixXcd x = linalg::solve(std::move(a), std::move(b));
    return {x(0, 0), x(0, 1), x(0, 2)};
  }

  const mesh::Mesh& mesh_;
  const SwgBasis& basis_;
  std::span<const Complex> epsilon_r_;
  std::vector<Linear> fields_;
  std::vector<Vec3<double>> centres_;
  std::vector<Vec3<Complex>> values_;  // at the centres
  std::vector<std::vector<Index>> cells_at_;
};

/// Integral of a squared linear function over a simplex of unit size, from its n corners.
template <class Values, class Square>
double mean_square(const Values& values, int n, const Square& squared) {
  auto total = values[0];
  double sum = squared(values[0]);
  for (std::size_t i = 1; i < std::size_t(n); ++i) total += values[i], sum += squared(values[i]);
  return (sum + squared(total)) / (n * (n + 1));
}

Complex beside(std::span<const Complex> epsilon_r, Index cell) {
  return cell < 0 ? 1.0 : epsilon_r[std::size_t(cell)];
}

/// Energy of the charge of e on a face of its first cell [V² m].
double charge_energy(const SwgBasis& basis, std::size_t f, Complex step, const CellErrors& errors) {
  constexpr double depth = 1.52 / (2 * pi);  // h/2π, h of an equilateral triangle of unit area
  const auto& t = basis.face[f];
  const Vec3<double> twice = cross(t[1] - t[0], t[2] - t[0]), n = normalized(twice);
  const auto c = std::size_t(basis.face_cells[f][0]);
  std::vector<Complex> across;
  for (std::size_t i = 0; i < 4; ++i)
    if (basis.unknown[c][i] != Index(f))
      across.push_back(n.x * errors[c][i].x + n.y * errors[c][i].y + n.z * errors[c][i].z);
  const double area = 0.5 * norm(twice);
  return depth * area * std::sqrt(area) * std::norm(step) *
         mean_square(across, 3, [](Complex v) { return std::norm(v); });
}

/// Change of a(E, E) where a face moves by its gap [V² m].
double moved_face(const SwgBasis& basis, std::size_t f, Complex own, Complex other, const Linear& field,
                  double gap) {
  const auto& t = basis.face[f];
  const Vec3<double> twice = cross(t[1] - t[0], t[2] - t[0]), n = normalized(twice);
  const Vec3<Complex> e = field((1.0 / 3) * (t[0] + t[1] + t[2]));
  const double across = std::norm(n.x * e.x + n.y * e.y + n.z * e.z);
  return 0.5 * norm(twice) * std::abs(gap * (own - other)) *
         (square(e) - across + std::abs(own / other) * across);
}

}  // namespace

CellErrors field_errors(const mesh::Mesh& mesh, const SwgBasis& basis, std::span<const Complex> epsilon_r,
                        const Complex* x) {
  const Patches patches(mesh, basis, epsilon_r, x);
  CellErrors errors(basis.cells.size());
#pragma omp parallel for schedule(dynamic, 64)
  for (Index n = 0; n < Index(mesh.nodes.size()); ++n) patches.add(n, errors);
  return errors;
}

std::vector<double> sizes_of(const CellErrors& errors) {
  std::vector<double> sizes;
  for (const auto& e : errors) sizes.push_back(std::sqrt(mean_square(e, 4, square)));
  return sizes;
}

FarFieldError far_field_error(const mesh::Mesh& mesh, const SwgBasis& basis,
                              std::span<const Complex> epsilon_r, double k,
                              const std::vector<Vec3<double>>& gaps, const Complex* x) {
  const double factor = k * k / (4 * pi);
  const auto errors = field_errors(mesh, basis, epsilon_r, x);
  FarFieldError out;
  const auto sizes = sizes_of(errors);
  for (std::size_t c = 0; c < errors.size(); ++c)
    out.shares.push_back(factor * basis.volume[c] * std::abs(epsilon_r[c] - 1.0) * sizes[c] * sizes[c]);
  for (std::size_t f = 0; f < basis.face.size(); ++f) {
    const auto c = std::size_t(basis.face_cells[f][0]);
    const Complex own = epsilon_r[c], other = beside(epsilon_r, basis.face_cells[f][1]);
    if (own == other) continue;
    out.shares[c] += factor * charge_energy(basis, f, own / other - 1.0, errors);
    Vec3<double> gap{};
    const Index* nodes = mesh.cell(basis.cells[c]);
    for (std::size_t i = 0; i < 4; ++i)
      if (basis.unknown[c][i] != Index(f)) gap += (1.0 / 3) * gaps[std::size_t(nodes[i])];
    const auto& t = basis.face[f];
    out.shape += factor * moved_face(basis, f, own, other, field_of(basis, c, own, x),
                                     dot(gap, normalized(cross(t[1] - t[0], t[2] - t[0]))));
  }
  for (const double share : out.shares) out.elements += share;
  return out;
}

}  // namespace curlew::ie
