// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/krylov/coarse_space.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/timer.hpp"
#include "linalg/krylov/random_vector.hpp"

namespace curlew::linalg {
namespace {

/// Directions below this fraction of a part's largest are rounding errors of its Gram matrix.
constexpr double negligible = 1e-6;
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

/// Factors of samples S: S^H S = P L L^H P^T, the largest first. S P L^-H has orthonormal columns (A.
/// Stathopoulos, K. Wu, SIAM J. Sci. Comput. 23 (2002) 2165).
struct GramFactor {
  Eigen::MatrixXcd lower{};             // [rank, rank]
  std::vector<Eigen::Index> columns{};  // [rank] of S
  double left = 0;                      // of the last sample outside of the others
};

/// The parts: their rows, their functions, and the offsets of these among all functions.
struct Parts {
  std::vector<std::vector<Index>> rows;
  std::vector<Index> place;         // [n] of a row in its part
  std::vector<GramFactor> factors;  // of the samples
  std::vector<Dense> functions;     // [rows of the part, functions of the part]
  std::vector<Index> offsets;       // first function of each part, and the end
};

GramFactor factor_gram(Eigen::MatrixXcd gram, Eigen::Index most) {
  const Eigen::Index n = gram.rows();
  GramFactor f;
  Dense lower = Dense::Zero(n, std::min(n, most));
  std::vector<Eigen::Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Eigen::Index(0));
  Eigen::VectorXd rest = gram.diagonal().real();
  const double least = negligible * negligible * rest.maxCoeff();
  Eigen::Index rank = 0;
  for (; rank < lower.cols(); ++rank) {
    Eigen::Index pivot = 0;
    const double strongest = rest.tail(n - rank).maxCoeff(&pivot);
    if (!(strongest > least)) break;
    std::swap(order[std::size_t(rank)], order[std::size_t(rank + pivot)]);
    std::swap(rest[rank], rest[rank + pivot]);
    lower.row(rank).swap(lower.row(rank + pivot));
    f.left = std::sqrt(strongest);
    lower(rank, rank) = f.left;
    for (Eigen::Index i = rank + 1; i < n; ++i) {
      const Complex product = gram(order[std::size_t(i)], order[std::size_t(rank)]) -
                              lower.row(rank).head(rank).dot(lower.row(i).head(rank));
      lower(i, rank) = product / f.left;
      rest[i] -= std::norm(lower(i, rank));
    }
  }
  if (rank < n || rank == most) f.left = 0;  // the others are all there is
  f.lower = lower.topLeftCorner(rank, rank);
  f.columns.assign(order.begin(), order.begin() + rank);
  return f;
}

/// The given samples in the rows of a part, in the scale of the diagonal.
Eigen::MatrixXcd cut(const std::vector<Index>& rows, const std::vector<double>& scales,
                     const std::vector<Complex>& samples, const std::vector<Eigen::Index>& columns) {
  const Offset n = Offset(scales.size());
  Eigen::MatrixXcd scaled(Eigen::Index(rows.size()), Eigen::Index(columns.size()));
  for (std::size_t c = 0; c < columns.size(); ++c)
    for (std::size_t i = 0; i < rows.size(); ++i)
      scaled(Eigen::Index(i), Eigen::Index(c)) =
          scales[std::size_t(rows[i])] * samples[std::size_t(columns[c] * n + rows[i])];
  return scaled;
}

Parts divide_rows(const std::vector<Index>& part_of, Index parts) {
  Parts p;
  p.rows.resize(std::size_t(parts)), p.functions.resize(std::size_t(parts)),
      p.factors.resize(std::size_t(parts));
  p.place.resize(part_of.size());
  for (std::size_t i = 0; i < part_of.size(); ++i) {
    auto& rows = p.rows[std::size_t(part_of[i])];
    p.place[i] = Index(rows.size());
    rows.push_back(Index(i));
  }
  return p;
}

/// @return over all parts, the largest norm of the last sample's component orthogonal to the others, relative
/// to a component of a random vector
double factor_samples(const std::vector<double>& scales, const std::vector<Complex>& samples, Parts& p) {
  std::vector<Eigen::Index> all(samples.size() / std::max<std::size_t>(scales.size(), 1));
  std::iota(all.begin(), all.end(), Eigen::Index(0));
#pragma omp parallel for schedule(dynamic)
  for (std::size_t k = 0; k < p.rows.size(); ++k) {
    const Eigen::MatrixXcd scaled = cut(p.rows[k], scales, samples, all);
    Eigen::MatrixXcd gram = Eigen::MatrixXcd::Zero(scaled.cols(), scaled.cols());
    gram.selfadjointView<Eigen::Lower>().rankUpdate(scaled.adjoint());
    p.factors[k] = factor_gram(gram.selfadjointView<Eigen::Lower>(), scaled.rows());
  }
  return std::ranges::max(p.factors, {}, &GramFactor::left).left / component;
}

/// Orthonormal columns that span the samples of each part, in the scale of the diagonal.
void find_functions(const std::vector<double>& scales, const std::vector<Complex>& samples, Parts& p) {
#pragma omp parallel for schedule(dynamic)
  for (std::size_t k = 0; k < p.rows.size(); ++k) {
    Eigen::MatrixXcd functions = cut(p.rows[k], scales, samples, p.factors[k].columns);
    p.factors[k].lower.adjoint().triangularView<Eigen::Upper>().solveInPlace<Eigen::OnTheRight>(functions);
    for (std::size_t i = 0; i < p.rows[k].size(); ++i)
      functions.row(Eigen::Index(i)) /= scales[std::size_t(p.rows[k][i])];
    p.functions[k] = functions;
  }
  p.offsets.assign(1, 0);
  for (const Dense& f : p.functions) p.offsets.push_back(p.offsets.back() + Index(f.cols()));
}

/// Adds samples: further random vectors after the iteration.
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
    if (factor_samples(scales, samples, p) <= sampling.left) break;
    more = std::min(vectors, sampling.most - vectors);
  }
  find_functions(scales, samples, p);
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
  std::map<Index, std::vector<Eigen::Index>> rows;  // of the part, that have entries in each part
  for (std::size_t i = 0; i < p.rows[part].size(); ++i) {
    const auto row = std::size_t(p.rows[part][i]);
    for (Offset k = a.row_offsets[row]; k < a.row_offsets[row + 1]; ++k) {
      auto& with_entries = rows[part_of[std::size_t(a.columns[std::size_t(k)])]];
      if (with_entries.empty() || with_entries.back() != Eigen::Index(i))
        with_entries.push_back(Eigen::Index(i));
    }
  }
  std::map<Index, Dense> blocks;
  for (const auto& [q, with_entries] : rows) {
    const Dense& other = p.functions[std::size_t(q)];
    Dense image = Dense::Zero(Eigen::Index(with_entries.size()), other.cols());  // A times its functions
    for (std::size_t i = 0; i < with_entries.size(); ++i) {
      const auto row = std::size_t(p.rows[part][std::size_t(with_entries[i])]);
      for (Offset k = a.row_offsets[row]; k < a.row_offsets[row + 1]; ++k) {
        const auto column = std::size_t(a.columns[std::size_t(k)]);
        if (part_of[column] == q)
          image.row(Eigen::Index(i)) += a.values[std::size_t(k)] * other.row(p.place[column]);
      }
    }
    const Dense those = own(with_entries, Eigen::all);
    blocks[q].noalias() = those.adjoint() * image;
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
  const Timer timer;
  const Parts p = sample_parts(row_scales(a), part_of, parts, sampling);
  const double sampled = timer.seconds();
  CoarseSpace out;
  fill_basis(p, out);
  out.galerkin = galerkin_matrix(a, p, part_of);
  log::info("coarse space of the subdomains: {} functions, samples {:.2f} s, matrix {:.2f} s",
            p.offsets.back(), sampled, timer.seconds() - sampled);
  return out;
}

}  // namespace curlew::linalg
