// SPDX-License-Identifier: BSD-3-Clause
#include "ngim/cartesian_grid.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "base/constants.hpp"
#include "base/error.hpp"

namespace curlew::ngim {
namespace {

Complex kernel(Vec3<double> d, Complex kappa) {
  const double r = norm(d);
  return std::exp(Complex(0, -1) * kappa * r) / r;
}

/// A point of the surface of the cube [-h, h]^3, equally likely everywhere.
Vec3<double> surface_point(std::mt19937_64& random, double h) {
  std::uniform_real_distribution<double> uniform(-h, h);
  Vec3<double> p{uniform(random), uniform(random), uniform(random)};
  p[int(random() % 3)] = random() % 2 ? h : -h;
  return p;
}

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

/// Relative rms error of interpolating the kernel on q^3 nodes, on the closest sources of an interaction
/// list.
double interpolation_error(Complex kappa, int q) {
  std::mt19937_64 random(20210 + q);
  std::uniform_real_distribution<double> uniform(-0.5, 0.5);
  constexpr int num_sources = 24, num_points = 40;
  const auto map = values_to_coefficients(q);
  double error = 0, total = 0;
  for (int s = 0; s < num_sources; ++s) {
    const Vec3<double> source = surface_point(random, 1.5);
    std::vector<Complex> f(std::size_t(q) * q * q);
    for (int a = 0; a < q; ++a) {
      for (int b = 0; b < q; ++b) {
        for (int c = 0; c < q; ++c)
          f[(a * q + b) * q + c] = kernel(Vec3<double>{node(a, q), node(b, q), node(c, q)} - source, kappa);
      }
    }
    for (int turn = 0; turn < 3; ++turn) transform_last(f, 1, q, map);
    for (int t = 0; t < num_points; ++t) {
      // A quarter of the points on the faces, where the error of interpolation is largest.
      const Vec3<double> p = t % 4 ? Vec3<double>{uniform(random), uniform(random), uniform(random)}
                                   : surface_point(random, 0.5);
      const Complex exact = kernel(p - source, kappa);
      error += std::norm(evaluate(f.data(), p, q) - exact);
      total += std::norm(exact);
    }
  }
  return std::sqrt(error / total);
}

/// Interpolative decomposition A ~ A(:, columns) P by QR with column pivots (modified Gram-Schmidt).
struct Decomposition {
  std::vector<int> columns;
  std::vector<Complex> interpolation;  ///< [rank, n] row-major, the unit matrix in `columns`
  double error;
};

/// @param a [n, m]: column j of A is row j of this array (contiguous, m values)
Decomposition interpolative(const std::vector<Complex>& a, int m, int n, double error) {
  std::vector<double> re(a.size()), im(a.size()), norms(n);  // split, so that the loops over rows are vectors
  for (std::size_t i = 0; i < a.size(); ++i) re[i] = a[i].real(), im[i] = a[i].imag();
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < m; ++i) norms[j] += std::norm(a[std::size_t(j) * m + i]);
  }
  const double first = *std::max_element(norms.begin(), norms.end());
  std::vector<std::vector<Complex>> r;  // rows of R, in the original order of columns
  std::vector<bool> taken(n, false);
  Decomposition d;
  double last = first;
  while (int(d.columns.size()) < std::min(m, n)) {
    int pivot = -1;
    for (int j = 0; j < n; ++j) {
      if (!taken[j] && (pivot < 0 || norms[j] > norms[pivot])) pivot = j;
    }
    last = norms[pivot];
    if (last <= error * error * first) break;
    taken[pivot] = true;
    const auto start = std::size_t(pivot) * m;
    std::vector<double> qr(&re[start], &re[start] + m), qi(&im[start], &im[start] + m);
    double length = 0;
    for (int i = 0; i < m; ++i) length += qr[i] * qr[i] + qi[i] * qi[i];
    length = std::sqrt(length);
    for (int i = 0; i < m; ++i) qr[i] /= length, qi[i] /= length;
    std::vector<Complex> row(n);
#pragma omp parallel for
    for (int j = 0; j < n; ++j) {
      if (taken[j] && j != pivot) continue;
      double* cr = &re[std::size_t(j) * m];
      double* ci = &im[std::size_t(j) * m];
      double hr = 0, hi = 0, sum = 0;
#pragma omp simd reduction(+ : hr, hi)
      for (int i = 0; i < m; ++i) {
        hr += qr[i] * cr[i] + qi[i] * ci[i];
        hi += qr[i] * ci[i] - qi[i] * cr[i];
      }
      row[j] = {hr, hi};
#pragma omp simd reduction(+ : sum)
      for (int i = 0; i < m; ++i) {
        cr[i] -= hr * qr[i] - hi * qi[i];
        ci[i] -= hr * qi[i] + hi * qr[i];
        sum += cr[i] * cr[i] + ci[i] * ci[i];
      }
      norms[j] = sum;
    }
    d.columns.push_back(pivot);
    r.push_back(std::move(row));
  }
  const int rank = int(d.columns.size());
  d.error = std::sqrt(last / first);
  d.interpolation.assign(std::size_t(rank) * n, 0);
  std::vector<Complex> r11(std::size_t(rank) * rank);
  for (int i = 0; i < rank; ++i) {
    for (int l = i; l < rank; ++l) r11[std::size_t(i) * rank + l] = r[i][d.columns[l]];
  }
  // P = R11^-1 R12, column by column.
#pragma omp parallel for
  for (int j = 0; j < n; ++j) {
    std::vector<Complex> x(rank);
    const auto at = std::find(d.columns.begin(), d.columns.end(), j);
    if (at != d.columns.end()) {
      x[at - d.columns.begin()] = 1;
    } else {
      for (int i = rank - 1; i >= 0; --i) {
        Complex sum = r[i][j];
        for (int l = i + 1; l < rank; ++l) sum -= r11[std::size_t(i) * rank + l] * x[l];
        x[i] = sum / r11[std::size_t(i) * rank + i];
      }
    }
    for (int i = 0; i < rank; ++i) d.interpolation[std::size_t(i) * n + j] = x[i];
  }
  return d;
}

/// Fields of m charges outside the adjacent boxes at the nodes: [node, charge].
std::vector<Complex> far_fields(const std::vector<Vec3<double>>& nodes, Complex kappa, int m, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<Vec3<double>> far(m);
  for (int i = 0; i < m; ++i) far[i] = surface_point(random, i % 4 ? 1.5 : 3.0);
  std::vector<Complex> a(nodes.size() * m);
  const double rescale = std::exp(-kappa.imag());  // keeps strongly damped values normal
#pragma omp parallel for
  for (std::size_t j = 0; j < nodes.size(); ++j) {
    for (int i = 0; i < m; ++i) a[j * m + i] = rescale * kernel(nodes[j] - far[i], kappa);
  }
  return a;
}

/// Relative rms error of the decomposition on charges that it has not seen.
double decomposition_error(const Decomposition& d, const std::vector<Vec3<double>>& nodes, Complex kappa) {
  constexpr int m = 48;
  const auto a = far_fields(nodes, kappa, m, 12345);
  const std::size_t n = nodes.size(), step = std::max<std::size_t>(1, n / 200);
  double error = 0, total = 0;
  for (std::size_t j = 0; j < n; j += step) {
    for (int i = 0; i < m; ++i) {
      Complex sum = 0;
      for (std::size_t l = 0; l < d.columns.size(); ++l)
        sum += d.interpolation[l * n + j] * a[std::size_t(d.columns[l]) * m + i];
      error += std::norm(sum - a[j * m + i]);
      total += std::norm(a[j * m + i]);
    }
  }
  return std::sqrt(error / total);
}

}  // namespace

int choose_order(Complex kappa, double error, int max_order) {
  for (int q = 2; q <= max_order; ++q) {
    if (interpolation_error(kappa, q) <= error) return q;
  }
  return 0;
}

CartesianGrid build_cartesian_grid(Complex kappa, int order, double skeleton_error) {
  CartesianGrid grid;
  grid.order = order;
  grid.interpolation_error = interpolation_error(kappa, order);
  const int q = order, n = q * q * q;
  std::vector<Vec3<double>> nodes(n);
  for (int i = 0; i < n; ++i) nodes[i] = {node(i / (q * q), q), node(i / q % q, q), node(i % q, q)};

  // Fields of all sources beyond the adjacent boxes are fields of charges on the surface of those boxes; a
  // second, farther surface keeps the first one's resonances out. Too few of them would hide directions, and
  // pivots are no bound: the result is checked on other charges, and repeated with more until it holds.
  const double digits = -std::log10(skeleton_error);
  const double size = std::abs(kappa.real()) * 0.87 + 1.4 * digits + 1.5;
  Decomposition d;
  double pivot_error = 2 * skeleton_error;
  int m = int(1.6 * size * size) + 40;
  for (int attempt = 0;; ++attempt) {
    auto a = far_fields(nodes, kappa, m, 7);
    d = interpolative(a, m, n, pivot_error);
    grid.skeleton_error = decomposition_error(d, nodes, kappa);
    if (grid.skeleton_error <= skeleton_error || attempt == 6) break;
    if (int(d.columns.size()) > 0.5 * m)
      m = m * 3 / 2;
    else
      pivot_error /= 2;
  }
  for (const int j : d.columns) grid.skeleton.push_back(nodes[j]);
  // Charges at the nodes are l_i(x) charges; l_i = sum_m map[m, i] T_m: fold the map into P.
  grid.basis_to_skeleton = std::move(d.interpolation);
  const auto map = values_to_coefficients(q);
  for (int turn = 0; turn < 3; ++turn) transform_last(grid.basis_to_skeleton, grid.skeleton.size(), q, map);
  return grid;
}

bool serves(const CartesianGrid& grid, Complex kappa, double most_interpolation, double most_skeleton) {
  const int q = grid.order, rank = grid.rank();
  const std::size_t n = std::size_t(q) * q * q;
  if (q == 0 || interpolation_error(kappa, q) > most_interpolation) return false;
  // Charges at nodes against their skeletons', on far points that the grid has not seen.
  constexpr int m = 48;
  const int num_nodes = int(std::min<std::size_t>(n, 100));
  std::vector<Vec3<double>> nodes = grid.skeleton;
  for (int s = 0; s < num_nodes; ++s) {
    const int i = int(std::size_t(s) * n / num_nodes);
    nodes.push_back({node(i / (q * q), q), node(i / q % q, q), node(i % q, q)});
  }
  const auto fields = far_fields(nodes, kappa, m, 54321);
  double error = 0, total = 0;
#pragma omp parallel for reduction(+ : error, total)
  for (int s = 0; s < num_nodes; ++s) {
    const Vec3<double> p = nodes[rank + s];
    double tx[64], ty[64], tz[64];
    chebyshev(p.x, q, tx), chebyshev(p.y, q, ty), chebyshev(p.z, q, tz);
    std::vector<Complex> difference(&fields[std::size_t(rank + s) * m],
                                    &fields[std::size_t(rank + s) * m] + m);
    for (const Complex f : difference) total += std::norm(f);
    for (int r = 0; r < rank; ++r) {
      Complex charge = 0;
      for (std::size_t i = 0; i < n; ++i)
        charge += grid.basis_to_skeleton[r * n + i] * (tx[i / (q * q)] * ty[i / q % q] * tz[i % q]);
      for (int i = 0; i < m; ++i) difference[i] -= charge * fields[std::size_t(r) * m + i];
    }
    for (const Complex f : difference) error += std::norm(f);
  }
  return std::sqrt(error / total) <= most_skeleton;
}

std::vector<Complex> child_to_parent(const CartesianGrid& child, const CartesianGrid& parent, int octant) {
  const int q = parent.order, rows = parent.rank(), cols = child.rank();
  const std::size_t n = std::size_t(q) * q * q;
  // basis[l][j]: basis function l of the parent at point j of the child; columns are the inner, vector loop.
  std::vector<double> basis(n * cols);
  double tx[64], ty[64], tz[64];
  for (int j = 0; j < cols; ++j) {
    const Vec3<double> p = 0.5 * child.skeleton[j];
    chebyshev(p.x + (octant & 1 ? 0.25 : -0.25), q, tx);
    chebyshev(p.y + (octant & 2 ? 0.25 : -0.25), q, ty);
    chebyshev(p.z + (octant & 4 ? 0.25 : -0.25), q, tz);
    for (std::size_t l = 0; l < n; ++l) basis[l * cols + j] = tx[l / (q * q)] * ty[l / q % q] * tz[l % q];
  }
  std::vector<Complex> result(std::size_t(rows) * cols);
#pragma omp parallel
  {
    std::vector<double> re(cols), im(cols);
#pragma omp for
    for (int i = 0; i < rows; ++i) {
      std::fill(re.begin(), re.end(), 0.0), std::fill(im.begin(), im.end(), 0.0);
      for (std::size_t l = 0; l < n; ++l) {
        const Complex c = parent.basis_to_skeleton[i * n + l];
        const double *t = &basis[l * cols], a = c.real(), b = c.imag();
        for (int j = 0; j < cols; ++j) re[j] += a * t[j], im[j] += b * t[j];
      }
      for (int j = 0; j < cols; ++j) result[std::size_t(i) * cols + j] = {re[j], im[j]};
    }
  }
  return result;
}

}  // namespace curlew::ngim
