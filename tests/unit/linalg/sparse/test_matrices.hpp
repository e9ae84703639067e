// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Small matrices that the sparse and Krylov tests share.

#include <algorithm>
#include <complex>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "linalg/csr.hpp"

namespace curlew::linalg::testing {

template <class T>
T random_value(std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  using R = typename T::value_type;
  return T(R(uniform(random)), R(uniform(random)));
}

template <class T>
std::vector<T> random_vector(Index n, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<T> v(n);
  for (T& z : v) z = random_value<T>(random);
  return v;
}

/// `per_row` entries in every row, anywhere.
template <class T>
Csr<T> random_matrix(Index rows, Index cols, Index per_row, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<Index> column(0, cols - 1);
  Coo<T> coo;
  coo.num_rows = rows, coo.num_cols = cols;
  for (Index i = 0; i < rows; ++i) {
    for (Index k = 0; k < per_row; ++k) coo.add(i, column(random), random_value<T>(random));
  }
  return to_csr(coo);
}

/// Degrees of freedom of entities: 1 to 6 rows share a pattern, neighbours along a line and one far away
/// couple. Symmetric; the last third of the entities has imaginary parts.
template <class T>
Csr<T> fem_like(Index entities, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<Index> anywhere(0, entities - 1);
  std::vector<Index> first(1, 0);
  for (Index e = 0; e < entities; ++e) first.push_back(first.back() + 1 + e % 6);
  Coo<T> coo;
  coo.num_rows = coo.num_cols = first.back();
  const auto couple = [&](Index e, Index f) {
    for (Index i = first[e]; i < first[e + 1]; ++i) {
      for (Index j = first[f]; j < first[f + 1]; ++j) {
        T z = random_value<T>(random);
        if (std::max(e, f) < 2 * entities / 3) z = T(z.real());
        if (i == j) coo.add(i, i, z + T(4));
        if (i > j || e > f) coo.add(i, j, z), coo.add(j, i, z);
      }
    }
  };
  for (Index e = 0; e < entities; ++e) {
    for (Index f = std::max<Index>(0, e - 3); f <= e; ++f) couple(e, f);
    const Index far = anywhere(random);
    if (far < e - 3) couple(e, far);
  }
  return to_csr(coo);
}

template <class T>
Csr<T> one_dense_row(Index n, unsigned seed) {
  std::mt19937 random(seed);
  Coo<T> coo;
  coo.num_rows = coo.num_cols = n;
  for (Index i = 0; i < n; ++i) {
    coo.add(i, i, T(2));
    coo.add(n / 2, i, random_value<T>(random));
  }
  return to_csr(coo);
}

/// Every other row and the last ones are empty.
template <class T>
Csr<T> empty_rows(Index n, unsigned seed) {
  std::mt19937 random(seed);
  Coo<T> coo;
  coo.num_rows = coo.num_cols = n;
  for (Index i = 0; i < n - 5; i += 2) {
    coo.add(i, (7 * i) % n, random_value<T>(random));
    coo.add(i, i, random_value<T>(random));
  }
  return to_csr(coo);
}

/// Nodes of a grid of nx by ny coupled to their neighbours, corners included. Rows inside are shifts of one
/// another; the upper half has real values.
template <class T>
Csr<T> grid(Index nx, Index ny, unsigned seed) {
  std::mt19937 random(seed);
  Coo<T> coo;
  coo.num_rows = coo.num_cols = nx * ny;
  for (Index i = 0; i < nx * ny; ++i) {
    for (int s = 0; s < 9; ++s) {
      const Index x = i % nx + s % 3 - 1, y = i / nx + s / 3 - 1;
      const T z = random_value<T>(random);
      if (x >= 0 && x < nx && y >= 0 && y < ny) coo.add(i, x + nx * y, 2 * y < ny ? z : T(z.real()));
    }
  }
  return to_csr(coo);
}

/// `width` diagonals to either side: rows inside are shifts of one another, with long lists of columns.
template <class T>
Csr<T> band(Index n, Index width, unsigned seed) {
  std::mt19937 random(seed);
  Coo<T> coo;
  coo.num_rows = coo.num_cols = n;
  for (Index i = 0; i < n; ++i) {
    for (Index j = std::max<Index>(0, i - width); j <= std::min(n - 1, i + width); ++j)
      coo.add(i, j, random_value<T>(random));
  }
  return to_csr(coo);
}

/// Nodes of a grid of nx by ny by nz coupled to their 26 neighbours. Symmetric, all complex; numbered at
/// random, so that only the couplings of the grid remain.
template <class T>
Csr<T> block_grid(Index nx, Index ny, Index nz, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Index> number(std::size_t(nx * ny * nz));
  std::iota(number.begin(), number.end(), 0);
  std::shuffle(number.begin(), number.end(), random);
  Coo<T> coo;
  coo.num_rows = coo.num_cols = nx * ny * nz;
  for (Index i = 0; i < nx * ny * nz; ++i) {
    for (int s = 13; s < 27; ++s) {
      const Index x = i % nx + s % 3 - 1, y = i / nx % ny + s / 3 % 3 - 1, z = i / nx / ny + s / 9 - 1;
      if (x < 0 || x >= nx || y < 0 || y >= ny || z < 0 || z >= nz) continue;
      const Index p = number[std::size_t(i)], q = number[std::size_t(x + nx * (y + ny * z))];
      const T value = random_value<T>(random);
      coo.add(p, q, value);
      if (p != q) coo.add(q, p, value);
    }
  }
  return to_csr(coo);
}

template <class T>
struct Named {
  std::string name;
  Csr<T> a;
};

template <class T>
std::vector<Named<T>> product_cases() {
  Csr<T> one;
  one.num_rows = one.num_cols = 1;
  one.row_offsets = {0, 1}, one.columns = {0}, one.values = {T(2, -3)};
  Csr<T> zero;
  zero.num_rows = 40, zero.num_cols = 40;
  zero.row_offsets.assign(41, 0);
  return {{"random", random_matrix<T>(597, 597, 9, 1)},
          {"wide", random_matrix<T>(43, 597, 60, 2)},
          {"tall", random_matrix<T>(597, 43, 3, 3)},
          {"fem-like", fem_like<T>(150, 4)},
          {"far columns", random_matrix<T>(70, 200000, 5, 5)},
          {"dense row", one_dense_row<T>(300, 6)},
          {"grid", grid<T>(31, 24, 8)},
          {"band", band<T>(200, 22, 10)},
          {"symmetric grid without order", block_grid<T>(11, 9, 10, 9)},
          {"empty rows", empty_rows<T>(101, 7)},
          {"1 x 1", one},
          {"no entries", zero}};
}

}  // namespace curlew::linalg::testing
