// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The second-order absorbing condition on a plane or a sphere of radius R,
//   n x curl E = jk E_t + beta curl_s (n.curl E) + beta grad_s div_s E,   beta = 1 / (2 (jk + 1/R)).
// On a plane, a wave whose tangential wavenumber is t has the factor k - t^2/2k in place of sqrt(k^2 - t^2)
// for both polarisations, where the first-order condition has k. Weakly, and symmetric,
//   jk int W.E + beta int (n.curl W)(n.curl E) - beta int rho(W) rho(E),
// where rho(E), the surface divergence, is sought among the piecewise linear functions: traces of Nedelec
// functions jump across edges, and a divergence taken triangle by triangle would miss those jumps. Sources:
// Webb and Kanellopoulos (1989), Microwave and Optical Technology Letters 2; Jin (2014), 3rd ed., section
// 9.3; Botha and Davidson (2006), IEEE Transactions on Antennas and Propagation 54 (the divergence as a
// separate variable).

#include <functional>
#include <span>
#include <vector>

#include "base/types.hpp"
#include "fem/model/model.hpp"
#include "fem/space.hpp"
#include "linalg/csr.hpp"

namespace curlew::fem {

/// beta [m]. @param radius [m], 0 for a plane
Complex absorbing_factor(Complex k, double radius);

/// a += factor int (n.curl W_a)(n.curl W_b) dS.
void add_surface_curl(const NedelecSpace& space, std::span<const Index> triangles, Complex factor,
                      linalg::Csr<Complex>& a);

/// int rho(W_a) rho(W_b) dS with lumped masses. Couples unknowns around a vertex, so its pattern is wider
/// than that of the space.
linalg::Csr<Complex> surface_divergence(const NedelecSpace& space, std::span<const Index> triangles);

/// The divergence terms of all absorbing boundaries of order 2 of a model.
class DivergenceTerms {
 public:
  DivergenceTerms(const NedelecSpace& space, const Model& model);
  bool is_empty() const { return terms_.empty(); }
  /// Empties the rows that are empty in `a`.
  void keep_rows_of(const linalg::Csr<Complex>& a);
  /// Extends the pattern of `a` to contain the terms.
  void widen(linalg::Csr<Complex>& a) const;
  /// Adds the terms for a free-space wavenumber [rad/m] and extends the pattern of `a`.
  void add(Complex k0, linalg::Csr<Complex>& a) const;

 private:
  struct Term {
    std::function<Complex(Complex)> factor;  // of a frequency [Hz]
    linalg::Csr<Complex> matrix;
  };
  std::vector<Term> terms_;
};

}  // namespace curlew::fem
