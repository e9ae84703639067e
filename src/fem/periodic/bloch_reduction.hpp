// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Elimination of the unknowns on secondary faces: x = P y, with one nonzero exp(-j k.d) per row of P, and the
// system P^H A P. Test functions carry the conjugate phase, so that the natural boundary terms of a face and
// its partner cancel. With real phases a symmetric A stays symmetric, with others a Hermitian A stays
// Hermitian. Source: Jin (2014), The Finite Element Method in Electromagnetics, 3rd ed., section 14.1
// (periodic boundary conditions); Joannopoulos et al. (2008), Photonic Crystals, 2nd ed., appendix D.

#include <Eigen/SparseCore>
#include <array>
#include <span>
#include <vector>

#include "base/types.hpp"
#include "fem/periodic/periodicity.hpp"
#include "fem/space.hpp"
#include "linalg/csr.hpp"

namespace curlew::fem {

class BlochReduction {
 public:
  /// @param pairs of a mesh with nodes numbered equally on paired faces (mesh/translated_faces.hpp)
  BlochReduction(const NedelecSpace& space, const std::vector<PeriodicPair>& pairs);

  Index num_unknowns() const { return offsets_[3]; }
  /// Groups of orders as in NedelecSpace.
  const std::array<Index, 4>& block_offsets() const { return offsets_; }
  /// The unknown y to which a degree of freedom of the space is tied [num_dofs]; -1 if one tied to it is on
  /// metal.
  const std::vector<Index>& unknowns() const { return unknown_; }
  /// True if other degrees of freedom are tied to the same unknown.
  bool is_tied(Index dof) const {
    const Index u = unknown_[std::size_t(dof)];
    return u < 0 || member_offsets_[std::size_t(u) + 1] - member_offsets_[std::size_t(u)] > 1;
  }

  /// The nonzeros of P [num_dofs] for phases k.d of the pairs [rad].
  /// @throws InputError if the phases contradict each other on an edge that several pairs share
  std::vector<Complex> factors(std::span<const double> phases) const;
  /// The same if all are 1 or -1. @pre Periodicity::is_real()
  std::vector<double> real_factors(std::span<const double> phases) const;

  /// P^H A P.
  template <class T>
  linalg::Csr<T> reduce(const linalg::Csr<T>& a, const std::vector<T>& factors) const;
  /// P^H B. @param b [num_dofs, count]
  Eigen::SparseMatrix<Complex> restrict(const Eigen::SparseMatrix<Complex>& b,
                                        const std::vector<Complex>& factors) const;
  /// P Y. @param y [num_unknowns, count] column-major @param[out] x [num_dofs, count]
  void prolong(const Complex* y, Index count, const std::vector<Complex>& factors, Complex* x) const;

 private:
  struct Ties;
  void number(const NedelecSpace& space, const Ties& edges, const Ties& faces);

  std::vector<std::string> names_;          // of the pairs
  std::vector<std::vector<int>> shifts_;    // translations as multiples of each pair's; the first is zero
  std::vector<std::vector<int>> closures_;  // translations that lead back to the same edge: phase 0
  std::vector<Index> unknown_, shift_;      // [num_dofs]
  std::array<Index, 4> offsets_{};
  std::vector<Offset> member_offsets_;  // [num_unknowns + 1]
  std::vector<Index> members_;          // degrees of freedom tied to an unknown
};

}  // namespace curlew::fem
