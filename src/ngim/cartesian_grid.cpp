// SPDX-License-Identifier: BSD-3-Clause
#include "ngim/cartesian_grid.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "base/constants.hpp"
#include "ngim/far_charges.hpp"
#include "ngim/pivoted_qr.hpp"
#include "ngim/tree.hpp"

namespace curlew::ngim {
namespace {

using Eigen::MatrixXcd;
using RowMajor = Eigen::Matrix<Complex, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

double node(int i, int q) {
  return 0.5 * std::cos((i + 0.5) * pi / q);
}

/// Row m of the map from nodal values to coefficients: c_m = sum_i f(x_i) T_m(2 x_i) (2 - delta_m0) / q.
std::vector<double> values_to_coefficients(int q) {
  std::vector<double> map(std::size_t(q) * q);
  for (int m = 0; m < q; ++m) {
    for (int i = 0; i < q; ++i) map[m * q + i] = (m == 0 ? 1.0 : 2.0) / q * std::cos(m * (i + 0.5) * pi / q);
  }
  return map;
}

/// Replaces one index of a [n, q, q, q] array (the fastest one) by its transform, and turns the indices so
/// that three calls transform all three.
void transform_last(std::vector<Complex>& f, std::size_t n, int q, const std::vector<double>& map) {
  std::vector<Complex> g(f.size());
  const std::size_t q2 = std::size_t(q) * q;
#pragma omp parallel for
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t ab = 0; ab < q2; ++ab) {
      const Complex* in = &f[row * q2 * q + ab * q];
      for (int m = 0; m < q; ++m) {
        Complex sum = 0;
        for (int i = 0; i < q; ++i) sum += map[m * q + i] * in[i];
        g[row * q2 * q + m * q2 + ab] = sum;
      }
    }
  }
  f.swap(g);
}

/// out[i, rest] = sum_a map[i, a] f[a, rest].
std::vector<Complex> contract_first(const Complex* f, int q, int rest, const std::vector<double>& map,
                                    int rows) {
  std::vector<Complex> out(std::size_t(rows) * rest);
  for (int i = 0; i < rows; ++i) {
    Complex* line = &out[std::size_t(i) * rest];
    for (int a = 0; a < q; ++a) {
      const double t = map[std::size_t(i) * q + a];
      for (int j = 0; j < rest; ++j) line[j] += t * f[std::size_t(a) * rest + j];
    }
  }
  return out;
}

Complex evaluate(const Complex* coefficients, Vec3<double> p, int q) {
  double tx[64], ty[64], tz[64];
  chebyshev(p.x, q, tx), chebyshev(p.y, q, ty), chebyshev(p.z, q, tz);
  Complex sum = 0;
  for (int a = 0; a < q; ++a) {
    for (int b = 0; b < q; ++b) {
      Complex line = 0;
      for (int c = 0; c < q; ++c) line += tz[c] * coefficients[(a * q + b) * q + c];
      sum += tx[a] * ty[b] * line;
    }
  }
  return sum;
}

/// A charge at p as charges of the skeleton.
Eigen::VectorXcd skeleton_charges(const CartesianGrid& grid, Vec3<double> p) {
  const std::size_t n = std::size_t(grid.order) * grid.order * grid.order;
  Eigen::VectorXcd charges(grid.rank());
  for (int r = 0; r < grid.rank(); ++r)
    charges[r] = evaluate(&grid.basis_to_skeleton[std::size_t(r) * n], p, grid.order);
  return charges;
}

/// Relative rms error of interpolating the kernel on q^3 nodes, on the closest sources of an interaction
/// list.
double interpolation_error(Complex kappa, int q) {
  std::mt19937_64 random(20210 + q);
  std::uniform_real_distribution<double> uniform(-0.5, 0.5);
  constexpr int num_sources = 24, num_points = 40;
  const auto map = values_to_coefficients(q);
  std::vector<Vec3<double>> sources, points;
  for (int s = 0; s < num_sources; ++s) sources.push_back(surface_point(random, 1.5));
  // A quarter of the points on the faces, where the error of interpolation is largest.
  for (int t = 0; t < num_sources * num_points; ++t)
    points.push_back(t % 4 ? Vec3<double>{uniform(random), uniform(random), uniform(random)}
                           : surface_point(random, 0.5));
  double error = 0, total = 0;
#pragma omp parallel for reduction(+ : error, total)
  for (int s = 0; s < num_sources; ++s) {
    const Vec3<double> source = sources[s];
    std::vector<Complex> f(std::size_t(q) * q * q);
    for (int a = 0; a < q; ++a) {
      for (int b = 0; b < q; ++b) {
        for (int c = 0; c < q; ++c)
          f[(a * q + b) * q + c] = kernel(Vec3<double>{node(a, q), node(b, q), node(c, q)} - source, kappa);
      }
    }
    for (int turn = 0; turn < 3; ++turn) transform_last(f, 1, q, map);
    for (int t = 0; t < num_points; ++t) {
      const Vec3<double> p = points[s * num_points + t];
      const Complex exact = kernel(p - source, kappa);
      error += std::norm(evaluate(f.data(), p, q) - exact);
      total += std::norm(exact);
    }
  }
  return std::sqrt(error / total);
}

std::vector<Vec3<double>> some_of(const std::vector<Vec3<double>>& points, const std::vector<int>& which) {
  std::vector<Vec3<double>> some;
  for (const int i : which) some.push_back(points[std::size_t(i)]);
  return some;
}

/// Candidate nodes of the skeleton: values on the surface determine fields from outside, except for modes
/// that vanish there (resonances of the cube), for which an eighth of the inner nodes is added.
std::vector<int> candidates(int q) {
  std::vector<int> which;
  const auto outer = [&](int i) { return i == 0 || i == q - 1; };
  for (int a = 0; a < q; ++a) {
    for (int b = 0; b < q; ++b) {
      for (int c = 0; c < q; ++c) {
        if (outer(a) || outer(b) || outer(c) || (a % 2 && b % 2 && c % 2))
          which.push_back((a * q + b) * q + c);
      }
    }
  }
  return which;
}

/// `count` of n numbers (all, if there are not more), spread by the golden ratio: a constant step would meet
/// nodes of the same face only.
std::vector<int> spread_choice(std::size_t n, std::size_t count) {
  std::vector<int> which;
  for (std::size_t i = 0; i < std::min(n, count); ++i)
    which.push_back(n <= count ? int(i) : int(double(n) * std::fmod(0.6180339887498949 * double(i), 1.0)));
  return which;
}

/// Products by Eigen on one thread: their last bits depend on the number of threads, and with them all
/// results.
class OneThread {
 public:
  OneThread() { Eigen::setNbThreads(1); }
  ~OneThread() { Eigen::setNbThreads(0); }  // as many as OpenMP has
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;
};

struct Skeleton {
  std::vector<int> nodes;
  MatrixXcd interpolation;  ///< [rank, q^3]
  double error;             ///< relative rms, on charges that are not in the decomposition
};

/// Pivots are no bound of the error, and too few charges would miss directions: the result is checked on
/// other charges and improved until the check passes.
Skeleton choose_skeleton(const std::vector<Vec3<double>>& nodes, int q, Complex kappa, double error) {
  const double digits = -std::log10(error);
  const double size = 0.4 * std::abs(kappa.real()) + 2.3 * digits + 1;  // about the root of the rank
  const std::vector<int> choice = candidates(q), checked = spread_choice(nodes.size(), 200);
  const auto checked_nodes = some_of(nodes, checked);
  const MatrixXcd exact = FarCharges(kappa, 48, 12345).fields(checked_nodes);
  int m = int(1.4 * size * size) + 20;
  double pivot_error = 2 * error;
  for (int attempt = 0;; ++attempt, m = m * 3 / 2) {
    const FarCharges charges(kappa, m, 7);
    PivotedQr qr(charges.fields(some_of(nodes, choice)));
    const MatrixXcd at_checked = charges.fields(checked_nodes);
    for (;; pivot_error /= 2) {
      qr.extend(pivot_error);
      Skeleton s;
      for (const int pivot : qr.pivots()) s.nodes.push_back(choice[std::size_t(pivot)]);
      const auto places = some_of(nodes, s.nodes);
      const MatrixXcd at_skeleton = charges.fields(places);
      const MatrixXcd p = qr.interpolation(at_skeleton, at_checked);
      s.error = (FarCharges(kappa, 48, 12345).fields(places) * p - exact).norm() / exact.norm();
      const bool few_charges = double(s.nodes.size()) > 0.8 * m;
      if (s.error <= error || attempt == 4 || (!few_charges && pivot_error < 0.02 * error)) {
        s.interpolation = qr.interpolation(at_skeleton, charges.fields(nodes));
        return s;
      }
      if (few_charges) break;
    }
  }
}

/// The same in the order of a Morton curve: neighbouring nodes then use the same cones.
Skeleton along_a_curve(const Skeleton& s, const std::vector<Vec3<double>>& nodes) {
  std::vector<int> order(s.nodes.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](int r) {
    return morton_key(nodes[std::size_t(s.nodes[std::size_t(r)])], {-0.5, -0.5, -0.5}, 1);
  });
  Skeleton sorted{{}, s.interpolation(order, Eigen::all), s.error};
  for (const int r : order) sorted.nodes.push_back(s.nodes[std::size_t(r)]);
  return sorted;
}

}  // namespace

int choose_order(Complex kappa, double error, int max_order) {
  // The static error falls by a factor of 3 + sqrt(8) per order: the search begins two orders below that.
  const int first = std::max(2, int(-std::log(error) / std::log(5.83)) - 2);
  for (int q = first; q <= max_order; ++q) {
    if (interpolation_error(kappa, q) <= error) return q;
  }
  return 0;
}

CartesianGrid build_cartesian_grid(Complex kappa, int order, double skeleton_error) {
  const OneThread products;
  CartesianGrid grid;
  grid.order = order;
  grid.interpolation_error = interpolation_error(kappa, order);
  const int q = order, n = q * q * q;
  std::vector<Vec3<double>> nodes(n);
  for (int i = 0; i < n; ++i) nodes[i] = {node(i / (q * q), q), node(i / q % q, q), node(i % q, q)};
  Skeleton skeleton = along_a_curve(choose_skeleton(nodes, q, kappa, skeleton_error), nodes);
  grid.skeleton_error = skeleton.error;
  grid.skeleton = some_of(nodes, skeleton.nodes);
  grid.basis_to_skeleton.resize(std::size_t(grid.rank()) * n);
  Eigen::Map<RowMajor>(grid.basis_to_skeleton.data(), grid.rank(), n) = skeleton.interpolation;
  grid.skeleton_nodes = std::move(skeleton.nodes);
  // Charges at the nodes are l_i(x) charges; l_i = sum_m map[m, i] T_m: fold the map into the interpolation.
  const auto map = values_to_coefficients(q);
  for (int turn = 0; turn < 3; ++turn) transform_last(grid.basis_to_skeleton, grid.skeleton.size(), q, map);
  return grid;
}

bool serves(const CartesianGrid& grid, Complex kappa, double most_interpolation, double most_skeleton) {
  const int q = grid.order;
  if (q == 0 || interpolation_error(kappa, q) > most_interpolation) return false;
  // Compares charges at nodes with their skeletons' on far points that were not used to choose the skeleton.
  const std::vector<int> checked = spread_choice(std::size_t(q) * q * q, 60);
  std::vector<Vec3<double>> nodes;
  for (const int i : checked) nodes.push_back({node(i / (q * q), q), node(i / q % q, q), node(i % q, q)});
  const MatrixXcd p = columns_of(grid.rank(), Eigen::Index(nodes.size()), [&](Eigen::Index j) {
    return skeleton_charges(grid, nodes[std::size_t(j)]);
  });
  const FarCharges charges(kappa, 48, 54321);
  const MatrixXcd exact = charges.fields(nodes);
  return (charges.fields(grid.skeleton) * p - exact).norm() <= most_skeleton * exact.norm();
}

std::array<std::vector<Complex>, 8> child_to_parent(const CartesianGrid& child, const CartesianGrid& parent) {
  const int q = parent.order, qc = child.order, rows = parent.rank(), cols = child.rank();
  // half[side][i * q + a]: basis function a of the parent at node i of the child on that side.
  std::vector<double> half[2];
  for (int side = 0; side < 2; ++side) {
    half[side].resize(std::size_t(qc) * q);
    for (int i = 0; i < qc; ++i)
      chebyshev(0.5 * node(i, qc) + (side ? 0.25 : -0.25), q, &half[side][std::size_t(i) * q]);
  }
  std::array<std::vector<Complex>, 8> result;
  for (auto& matrix : result) matrix.resize(std::size_t(rows) * cols);
#pragma omp parallel for schedule(dynamic, 4)
  for (int row = 0; row < rows; ++row) {
    // The child's nodes are a tensor grid: the transform is applied direction by direction, and each result
    // is shared by the octants on its side.
    const Complex* f = &parent.basis_to_skeleton[std::size_t(row) * q * q * q];
    for (int x = 0; x < 2; ++x) {
      const std::vector<Complex> by_x = contract_first(f, q, q * q, half[x], qc);
      for (int y = 0; y < 2; ++y) {
        std::vector<Complex> by_xy(std::size_t(qc) * qc * q);
        for (int i = 0; i < qc; ++i) {
          const auto plane = contract_first(&by_x[std::size_t(i) * q * q], q, q, half[y], qc);
          std::copy(plane.begin(), plane.end(), by_xy.begin() + std::ptrdiff_t(i) * qc * q);
        }
        for (int z = 0; z < 2; ++z) {
          Complex* out = &result[x + 2 * y + 4 * z][std::size_t(row) * cols];
          for (int j = 0; j < cols; ++j) {
            const int number = child.skeleton_nodes[j];
            const Complex* line = &by_xy[std::size_t(number / qc) * q];
            const double* t = &half[z][std::size_t(number % qc) * q];
            Complex sum = 0;
            for (int c = 0; c < q; ++c) sum += t[c] * line[c];
            out[j] = sum;
          }
        }
      }
    }
  }
  return result;
}

}  // namespace curlew::ngim
