// SPDX-License-Identifier: BSD-3-Clause
#include "fem/adaptive/fourth_level.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "base/error.hpp"
#include "mesh/mesh.hpp"
#include "quadrature/rules.hpp"

namespace curlew::fem {
namespace {

using Value = BasisValue<double>;
using Row = Eigen::VectorXd;

/// A tetrahedron's barycentric coordinates at a point, and their gradients.
struct Corners {
  std::array<double, 4> l;
  std::array<Vec3<double>, 4> g;
};

Corners corners(Vec3<double> xi, const std::array<Vec3<double>, 4>& gradients) {
  return {{1 - xi.x - xi.y - xi.z, xi.x, xi.y, xi.z}, gradients};
}

/// A polynomial of the barycentric coordinates at a point, with its gradient.
struct Polynomial {
  double value;
  Vec3<double> gradient;
};

Polynomial operator*(const Polynomial& a, const Polynomial& b) {
  return {a.value * b.value, a.value * b.gradient + b.value * a.gradient};
}
Polynomial operator-(const Polynomial& a, const Polynomial& b) {
  return {a.value - b.value, a.gradient - b.gradient};
}

/// More functions than order 4 adds, that span it with those of order 3: 1 of each edge, 2 gradients and 9
/// others of each face, 1 and 24 of the cell.
constexpr int face_raw = 11, cell_raw = 25, num_raw = 6 + 4 * face_raw + cell_raw, first_raw = nedelec_dim(3);
constexpr int raw_of_face(int f) {
  return first_raw + 6 + face_raw * f;
}
constexpr int raw_of_cell = first_raw + 6 + 4 * face_raw;

std::vector<Value> raw_functions(const Corners& at) {
  std::vector<Value> w(first_raw + num_raw);
  nedelec_basis(3, at.l.data(), at.g.data(), w.data());
  w.resize(first_raw);
  const auto l = [&](int i) { return Polynomial{at.l[std::size_t(i)], at.g[std::size_t(i)]}; };
  const auto add_gradient = [&](const Polynomial& p) { w.push_back({p.gradient, {}}); };
  const auto add_rotation = [&](const Polynomial& q, int i, int j) {
    w.push_back(times_whitney(q.value, q.gradient, l(i).value, l(j).value, l(i).gradient, l(j).gradient));
  };
  for (const auto& [i, j] : mesh::cell_edge_vertices) {
    const Polynomial difference = l(i) - l(j);
    add_gradient(l(i) * l(j) * difference * difference);
  }
  for (const auto& [i, j, k] : mesh::cell_face_vertices) {
    add_gradient(l(i) * l(j) * l(k) * (l(i) - l(j)));
    add_gradient(l(i) * l(j) * l(k) * (l(j) - l(k)));
    for (const auto& [a, b, c] : {std::array{i, j, k}, {j, k, i}, {k, i, j}})
      for (const auto& q : {l(a) * l(a), l(a) * l(b), l(b) * l(b)}) add_rotation(l(c) * q, a, b);
  }
  add_gradient(l(0) * l(1) * l(2) * l(3));
  for (std::size_t e = 0; e < 6; ++e) {
    const auto [i, j] = mesh::cell_edge_vertices[e];
    const auto [k, m] = mesh::cell_edge_vertices[5 - e];
    for (int n = 0; n < 4; ++n) add_rotation(l(k) * l(m) * l(n), i, j);
  }
  return w;
}

/// Combinations of the raw functions, by products on the regular tetrahedron.
class Combinations {
 public:
  Combinations() {
    // Edges of length sqrt(8) from the middle of a cube to its corners.
    const Vec3<double> g[4] = {
        {0.25, 0.25, 0.25}, {0.25, -0.25, -0.25}, {-0.25, 0.25, -0.25}, {-0.25, -0.25, 0.25}};
    const int n = first_raw + num_raw;
    mass_.setZero(n, n), curl_.setZero(n, n);
    const auto rule = quadrature::tetrahedron_rule(8);
    for (int q = 0; q < rule.size(); ++q) {
      const auto w = raw_functions(corners(rule.points[std::size_t(q)], {g[0], g[1], g[2], g[3]}));
      for (int a = 0; a < n; ++a)
        for (int b = 0; b < n; ++b) {
          mass_(a, b) += rule.weights[std::size_t(q)] * dot(w[std::size_t(a)].value, w[std::size_t(b)].value);
          curl_(a, b) += rule.weights[std::size_t(q)] * dot(w[std::size_t(a)].curl, w[std::size_t(b)].curl);
        }
    }
    make_cell();
    for (int f = 0; f < 4; ++f) make_face(f);
    for (int e = 0; e < 6; ++e) make_edge(e);
    rows_.setZero(fourth_cell_dim - first_raw, n);
    int at = 0;
    const auto add = [&](const std::vector<Row>& rows) {
      for (const Row& row : rows) rows_.row(at++) = row;
    };
    add(edges_);
    for (const auto& face : faces_) add(face.gradients), add(face.others);
    add(cell_.gradients), add(cell_.others);
  }

  /// [fourth_cell_dim - first_raw, raw functions]
  const Eigen::MatrixXd& rows() const { return rows_; }

 private:
  struct Functions {
    std::vector<Row> gradients, others;
  };

  Row raw(int i) const { return Row::Unit(first_raw + num_raw, i); }
  /// Functions of levels 2 and 3 of nedelec.hpp.
  static int own_of_edge(int level, int e) { return level_begin(level) + e; }
  static int own_of_face(int level, int f) { return level_begin(level) + 6 + face_dofs_added(level) * f; }
  static int own_of_cell() { return level_begin(3) + 6 + 4 * face_dofs_added(3); }

  static void take_off(Row& v, const std::vector<Row>& of, const Eigen::MatrixXd& form) {
    if (of.empty()) return;
    Eigen::MatrixXd rows(Eigen::Index(of.size()), v.size());
    for (std::size_t i = 0; i < of.size(); ++i) rows.row(Eigen::Index(i)) = of[i];
    const Eigen::MatrixXd products = rows * form;
    v -= rows.transpose() * (products * rows.transpose()).ldlt().solve(products * v);
  }
  /// Chooses `count` candidates that are linearly independent of `lower` and each other, orthogonalised, with
  /// norm 1.
  static std::vector<Row> choose(std::size_t count, const std::vector<Row>& candidates,
                                 std::vector<Row> lower, const Eigen::MatrixXd& form) {
    constexpr double least = 1e-6;
    std::vector<Row> chosen;
    for (const Row& candidate : candidates) {
      Row v = candidate;
      take_off(v, lower, form);
      const double square = v.dot(form * v);
      if (square < least * candidate.dot(form * candidate)) continue;
      v /= std::sqrt(square);
      chosen.push_back(v), lower.push_back(v);
      if (chosen.size() == count) return chosen;
    }
    throw NumericalError("functions of level 4: too few are linearly independent");
  }

  std::vector<Row> raw_range(int first, int count) const {
    std::vector<Row> rows;
    for (int i = 0; i < count; ++i) rows.push_back(raw(first + i));
    return rows;
  }
  static void append(std::vector<Row>& to, const std::vector<Row>& from) {
    to.insert(to.end(), from.begin(), from.end());
  }

  void make_cell() {
    cell_.gradients = choose(1, {raw(raw_of_cell)}, {}, mass_);
    cell_.others = choose(8, raw_range(raw_of_cell + 1, 24), raw_range(own_of_cell(), 3), curl_);
    for (Row& v : cell_.others) take_off(v, cell_.gradients, mass_);
  }

  void make_face(int f) {
    Functions& face = faces_[std::size_t(f)];
    std::vector<Row> gradients = cell_.gradients, others = cell_.others;
    gradients.push_back(raw(own_of_face(3, f)));
    append(others, raw_range(own_of_cell(), 3));
    append(others, raw_range(own_of_face(2, f), 2));
    append(others, raw_range(own_of_face(3, f) + 1, 3));
    face.gradients = choose(2, raw_range(raw_of_face(f), 2), gradients, mass_);
    face.others = choose(4, raw_range(raw_of_face(f) + 2, 9), others, curl_);
    append(gradients, face.gradients);
    for (Row& v : face.others) take_off(v, gradients, mass_);
  }

  void make_edge(int e) {
    const auto& vertices = mesh::cell_edge_vertices[std::size_t(e)];
    std::vector<Row> gradients = cell_.gradients;
    for (const int level : {2, 3}) gradients.push_back(raw(own_of_edge(level, e)));
    for (int f = 0; f < 4; ++f) {
      if (f == vertices[0] || f == vertices[1]) continue;  // opposite to one of the edge's vertices
      gradients.push_back(raw(own_of_face(3, f)));
      append(gradients, faces_[std::size_t(f)].gradients);
    }
    append(edges_, choose(1, {raw(first_raw + e)}, gradients, mass_));
  }

  Eigen::MatrixXd mass_, curl_, rows_;
  std::vector<Row> edges_;
  std::array<Functions, 4> faces_;
  Functions cell_;
};

}  // namespace

void fourth_basis(Vec3<double> xi, BasisValue<double>* w) {
  static const Combinations combinations;
  const auto raw = raw_functions(corners(xi, {{{-1, -1, -1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}));
  std::copy_n(raw.begin(), first_raw, w);
  for (int a = first_raw; a < fourth_cell_dim; ++a) {
    w[a] = {};
    const auto row = combinations.rows().row(a - first_raw);
    for (std::size_t i = 0; i < raw.size(); ++i) {
      const double c = row[Eigen::Index(i)];
      w[a].value += c * raw[i].value;
      if (!is_gradient_of_fourth(a)) w[a].curl += c * raw[i].curl;
    }
  }
}

}  // namespace curlew::fem
