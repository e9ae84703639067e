// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/krylov/coarse_space.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <map>

#include "base/error.hpp"
#include "base/log.hpp"
#include "linalg/krylov/random_vector.hpp"

namespace curlew::linalg {
namespace {

/// Directions below this share of a part's strongest are rounding, not errors of the iteration.
constexpr double negligible = 1e-10;
/// Root mean square of a random vector's components, in the scale of the diagonal.
const double component = std::sqrt(2.0 / 3);
constexpr Index vectors_at_once = 64;  // through the iteration: each takes memory for several of its length

using Dense = Eigen::Matrix<Complex, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

std::vector<double> row_scales(const Csr<Complex>& a) {
  std::vector<double> scales(std::size_t(a.num_rows), 1);
  for (Index i = 0; i < a.num_rows; ++i)
    for (Offset k = a.row_offsets[std::size_t(i)]; k < a.row_offsets[std::size_t(i) + 1]; ++k)
      if (a.columns[std::size_t(k)] == i && a.values[std::size_t(k)] != 0.0)
        scales[std::size_t(i)] = std::sqrt(std::abs(a.values[std::size_t(k)]));
  return scales;
}

/// The parts: their rows, their functions, and where these stand among all.
struct Parts {
  std::vector<std::vector<Index>> rows;
  std::vector<Index> place;      // [n] of a row in its part
  std::vector<Dense> functions;  // [rows of the part, functions of the part]
  std::vector<Index> offsets;    // first function of each part, and the end
  std::vector<double> left;      // of the last sample outside of the others, over a component at first
};

/// Orthonormal columns that span the samples of a part, in the scale of the diagonal.
Dense local_functions(const std::vector<Index>& rows, const std::vector<double>& scales,
                      const std::vector<Complex>& samples, double& left) {
  const Offset n = Offset(scales.size()), vectors = Offset(samples.size()) / std::max<Offset>(n, 1);
  Eigen::MatrixXcd scaled(Eigen::Index(rows.size()), vectors);
  for (Offset c = 0; c < vectors; ++c)
    for (std::size_t i = 0; i < rows.size(); ++i)
      scaled(Eigen::Index(i), c) = scales[std::size_t(rows[i])] * samples[std::size_t(c * n + rows[i])];
  Eigen::ColPivHouseholderQR<Eigen::MatrixXcd> qr;
  qr.setThreshold(negligible);
  qr.compute(scaled);
  const bool is_all = qr.rank() < vectors || qr.rank() == scaled.rows();
  left = is_all ? 0 : std::abs(qr.matrixR()(vectors - 1, vectors - 1)) / component;
  Dense functions = qr.householderQ() * Eigen::MatrixXcd::Identity(scaled.rows(), qr.rank());
  for (std::size_t i = 0; i < rows.size(); ++i)
    functions.row(Eigen::Index(i)) /= scales[std::size_t(rows[i])];
  return functions;
}

Parts divide_rows(const std::vector<Index>& part_of, Index parts) {
  Parts p;
  p.rows.resize(std::size_t(parts)), p.functions.resize(std::size_t(parts)),
      p.left.resize(std::size_t(parts));
  p.place.resize(part_of.size());
  for (std::size_t i = 0; i < part_of.size(); ++i) {
    auto& rows = p.rows[std::size_t(part_of[i])];
    p.place[i] = Index(rows.size());
    rows.push_back(Index(i));
  }
  return p;
}

void find_functions(const std::vector<double>& scales, const std::vector<Complex>& samples, Parts& p) {
#pragma omp parallel for schedule(dynamic)
  for (std::size_t k = 0; k < p.rows.size(); ++k)
    p.functions[k] = local_functions(p.rows[k], scales, samples, p.left[k]);
  p.offsets.assign(1, 0);
  for (const Dense& f : p.functions) p.offsets.push_back(p.offsets.back() + Index(f.cols()));
}

/// Adds what the iteration leaves of further random vectors.
void add_samples(const std::vector<double>& scales, Index count, const Sampling& sampling,
                 std::vector<Complex>& samples) {
  const std::size_t begin = samples.size(), n = scales.size();
  samples.resize(begin + n * std::size_t(count));
  for (std::size_t i = begin; i < samples.size(); ++i) {
    const auto r = random_entry<double>(Offset(i));
    samples[i] = Complex(r.re, r.im) / scales[i % n];
  }
  for (Index c = 0; c < count; c += vectors_at_once)
    sampling.propagate(&samples[begin + n * std::size_t(c)], std::min(count - c, vectors_at_once));
  if (!std::all_of(samples.begin() + Offset(begin), samples.end(),
                   [](Complex z) { return std::isfinite(std::abs(z)); }))
    throw NumericalError(
        "the coarse space of the subdomains is not finite: coarse_vectors = 0 leaves it out");
}

Parts sample_parts(const std::vector<double>& scales, const std::vector<Index>& part_of, Index parts,
                   const Sampling& sampling) {
  Parts p = divide_rows(part_of, parts);
  std::vector<Complex> samples;
  for (Index vectors = 0, more = sampling.vectors; more > 0;) {
    add_samples(scales, more, sampling, samples);
    vectors += more;
    find_functions(scales, samples, p);
    if (*std::max_element(p.left.begin(), p.left.end()) <= sampling.left) break;
    more = std::min(vectors, sampling.most - vectors);
  }
  return p;
}

/// Empty rows of the given lengths.
Csr<Complex> rows_of_lengths(Index columns, const std::vector<Offset>& lengths) {
  Csr<Complex> m;
  m.num_rows = Index(lengths.size()), m.num_cols = columns;
  m.row_offsets.resize(1);
  for (const Offset length : lengths) m.row_offsets.push_back(m.row_offsets.back() + length);
  m.columns.resize(std::size_t(m.nnz())), m.values.resize(std::size_t(m.nnz()));
  return m;
}

void fill_basis(const Parts& p, CoarseSpace& out) {
  const Index n = Index(p.place.size()), total = p.offsets.back();
  std::vector<Offset> lengths(static_cast<std::size_t>(n)), dual_lengths;
  for (std::size_t k = 0; k < p.rows.size(); ++k) {
    for (const Index row : p.rows[k]) lengths[std::size_t(row)] = p.functions[k].cols();
    dual_lengths.insert(dual_lengths.end(), std::size_t(p.functions[k].cols()), Offset(p.rows[k].size()));
  }
  out.basis = rows_of_lengths(total, lengths);
  out.dual = rows_of_lengths(n, dual_lengths);
#pragma omp parallel for schedule(dynamic)
  for (std::size_t k = 0; k < p.rows.size(); ++k) {
    const Dense& f = p.functions[k];
    for (Eigen::Index i = 0; i < f.rows(); ++i)
      for (Eigen::Index c = 0; c < f.cols(); ++c) {
        const Index row = p.rows[k][std::size_t(i)], column = p.offsets[k] + Index(c);
        const auto at = std::size_t(out.basis.row_offsets[std::size_t(row)] + c);
        out.basis.columns[at] = column, out.basis.values[at] = f(i, c);
        const auto dual_at = std::size_t(out.dual.row_offsets[std::size_t(column)] + i);
        out.dual.columns[dual_at] = row, out.dual.values[dual_at] = std::conj(f(i, c));
      }
  }
}

/// The blocks of E in the rows of one part, by the part of the columns.
std::map<Index, Dense> galerkin_blocks(const Csr<Complex>& a, const Parts& p,
                                       const std::vector<Index>& part_of, std::size_t part) {
  const Dense& own = p.functions[part];
  std::map<Index, Dense> blocks;
  std::map<Index, Eigen::RowVectorXcd> image;  // of one row of A: times the functions of each part
  for (const Index row : p.rows[part]) {
    image.clear();
    for (Offset k = a.row_offsets[std::size_t(row)]; k < a.row_offsets[std::size_t(row) + 1]; ++k) {
      const auto column = std::size_t(a.columns[std::size_t(k)]);
      const Index q = part_of[column];
      const Dense& other = p.functions[std::size_t(q)];
      auto [at, is_new] = image.try_emplace(q, Eigen::RowVectorXcd::Zero(other.cols()));
      at->second += a.values[std::size_t(k)] * other.row(p.place[column]);
    }
    for (const auto& [q, values] : image) {
      auto [at, is_new] = blocks.try_emplace(q, Dense::Zero(own.cols(), values.cols()));
      at->second.noalias() += own.row(p.place[std::size_t(row)]).adjoint() * values;
    }
  }
  return blocks;
}

Csr<Complex> galerkin_matrix(const Csr<Complex>& a, const Parts& p, const std::vector<Index>& part_of) {
  std::vector<std::map<Index, Dense>> blocks(p.rows.size());
#pragma omp parallel for schedule(dynamic)
  for (std::size_t k = 0; k < p.rows.size(); ++k) blocks[k] = galerkin_blocks(a, p, part_of, k);
  Csr<Complex> e;
  e.num_rows = e.num_cols = p.offsets.back();
  e.row_offsets.assign(1, 0);
  for (std::size_t k = 0; k < p.rows.size(); ++k)
    for (Eigen::Index i = 0; i < p.functions[k].cols(); ++i) {
      for (const auto& [q, block] : blocks[k])
        for (Eigen::Index c = 0; c < block.cols(); ++c) {
          e.columns.push_back(p.offsets[std::size_t(q)] + Index(c));
          e.values.push_back(block(i, c));
        }
      e.row_offsets.push_back(Offset(e.columns.size()));
    }
  return e;
}

}  // namespace

CoarseSpace make_coarse_space(const Csr<Complex>& a, const std::vector<Index>& part_of, Index parts,
                              const Sampling& sampling) {
  const Parts p = sample_parts(row_scales(a), part_of, parts, sampling);
  CoarseSpace out;
  log::info("coarse space of the subdomains: {} functions", p.offsets.back());
  fill_basis(p, out);
  out.galerkin = galerkin_matrix(a, p, part_of);
  return out;
}

}  // namespace curlew::linalg
