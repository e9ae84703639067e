// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The systems of all mixed-potential integral equations in one form,
//   A = local + P^T (a <J, G J'> + b <q, G q'>) P,   G = exp(-jkR)/R,
// where P gives the current and the charge on every element from the unknowns. Volume equations and the EFIE
// differ in P, local, a and b only; A is complex symmetric if `local` is.
// Source: Li, Chang and Lomakin, chapter 19, equations (1)-(5).

#include <array>
#include <vector>

#include "ie/mixed_potential/near_blocks.hpp"
#include "linalg/csr.hpp"
#include "linalg/dense/matrix.hpp"

namespace curlew::ie {

struct MixedPotentialSystem {
  double k = 0;  ///< wavenumber outside [1/m], > 0
  std::vector<Element> elements;
  /// P [4 elements, unknowns]: rows 4 e ... 4 e + 3 are Jx, Jy, Jz at the centre of element e and div J
  /// there.
  linalg::Csr<Complex> sources;
  linalg::Csr<Complex> local;            ///< [unknowns, unknowns]
  Complex vector_factor, scalar_factor;  ///< a and b, 1/(4 pi) in them

  Index num_unknowns() const { return sources.num_cols; }
};

/// Sources of one element: Jx, Jy, Jz, q for every unknown with a current there.
struct ElementSources {
  std::vector<Index> unknowns;
  std::vector<std::array<complex<double>, 4>> values;
};
ElementSources sources_of(const linalg::Csr<Complex>& sources, Index element);

/// The whole matrix. Near pairs use accurate integrals, the others points: the matrix whose product
/// CorrectedOperator approximates. With an infinite reach: all pairs by accurate integrals.
/// @throws ResourceError if it does not fit
linalg::DenseMatrix assemble_dense(const MixedPotentialSystem& system, const Integration& integration);

/// Adds the interaction of one element's source with another's tests through a block: a times the vector
/// part, b times the scalar part. @param source Jx, Jy, Jz, q @param result tests with the same four; added
/// to
template <class T, class B>
CURLEW_HD void add_block(const ElementBlock<B>& b, complex<T> vector_factor, complex<T> scalar_factor,
                         const complex<T>* source, complex<T>* result) {
  const auto wide = [](complex<B> z) { return complex<T>(T(z.re), T(z.im)); };
  const complex<T> g = wide(b.g), q = source[3];
  complex<T> moment = wide(b.both) * q;
  for (int d = 0; d < 3; ++d) {
    result[d] += vector_factor * (g * source[d] + wide(b.source[d]) * q);
    moment += wide(b.target[d]) * source[d];
  }
  result[3] += vector_factor * moment + scalar_factor * (g * q);
}

}  // namespace curlew::ie
