// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Element matrices of a few cells at a time. Straight cells: geometric coefficients times reference tensors,
// a small matrix product; curved cells: a rule, as the product of two tables. Both run along SIMD registers.
//
// Flops of a straight cell: 2 * 6 (dim^2 + num_rotational^2), that is 0.9, 7.2 and 34 kflop at order 1, 2, 3;
// of a curved one: about 6 num_points (dim^2 + num_rotational^2).

#include <vector>

#include "base/types.hpp"
#include "fem/geometry.hpp"
#include "fem/materials.hpp"
#include "fem/piola.hpp"
#include "fem/reference_tensors.hpp"

namespace curlew::fem {

/// One of the two matrices of a cell: factor * (re + j im), in the order of places of reference_tensors.hpp.
struct ElementTerm {
  Complex factor = 1.0;
  const double* re = nullptr;  ///< [n, n]; n = dim for the mass, num_rotational for the curl-curl matrix
  const double* im = nullptr;  ///< [n, n] or null
};

/// A 3 x 3 tensor pulled back to the reference tetrahedron, real and imaginary part.
struct PulledBack {
  Mat3<double> re, im;
};
/// G = adj(J) c adj(J)^T / |det J| of the mass matrix. @param c tensor, or null for 1
PulledBack pull_back_mass(const PiolaMap<double>& map, const Mat3<Complex>* c);
/// H = J^T c J / |det J| of the curl-curl matrix.
PulledBack pull_back_stiffness(const PiolaMap<double>& map, const Mat3<Complex>* c);

/// Work space of one thread.
class ElementMatrices {
 public:
  static constexpr int lanes = 4;

  /// @param table rule for curved cells; may be null if there are none. Both must outlive this object.
  ElementMatrices(const ReferenceTensors& tensors, const ReferenceTable* table);

  struct Cell {
    CellGeometry geometry;
    bool curved = false;
    const Coefficient* epsilon_r = nullptr;
    const Coefficient* inverse_mu_r = nullptr;
    /// Coordinate stretching, with which the cell is integrated like a curved one. May be null.
    const Stretching* stretching = nullptr;
  };
  /// Computes `count` <= lanes cells; the results stay valid until the next call.
  void compute(const Cell* cells, int count);
  const ElementTerm& mass(int lane) const { return mass_.results[lane]; }
  const ElementTerm& stiffness(int lane) const { return stiffness_.results[lane]; }

 private:
  struct Term {
    bool is_mass;
    int n, size, stride;                         ///< rows, padded(n * n), padded(n)
    const double* tensors;                       ///< [num_terms, size]
    const double* table;                         ///< [num_points, 3, stride]
    std::vector<double> re, im;                  ///< [lanes, size]
    std::vector<double> product_re, product_im;  ///< [num_points, 3, stride]
    ElementTerm results[lanes];
    double coefficients_re[lanes][num_terms], coefficients_im[lanes][num_terms];
  };
  Term make_term(bool is_mass) const;
  void prepare_straight(Term& term, const Coefficient& c, int lane, const PiolaMap<double>& map) const;
  void contract(Term& term) const;
  void apply_material(Term& term, const PiolaMap<double>& map, const Coefficient& c, int point) const;
  void integrate_curved(const Cell& cell, int lane);

  const ReferenceTensors& tensors_;
  const ReferenceTable* table_;
  Term mass_, stiffness_;
};

}  // namespace curlew::fem
