// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What functions of the next order change in a solution, by solves around edges.
//
// The diagonal of the form stands for the form where functions couple little. In cells that are much taller
// than wide they do not: a field along the height is a sum of functions whose large parts across cancel, and
// the diagonal finds a twentieth of its change. Here the form is solved for all functions of level 2 and
// more, the solution's own ones too, of gradients and of the others by themselves, where it is definite on
// cells shorter than half a wavelength: conjugate gradients for symmetric matrices, preconditioned by the
// inverses on the stars of edges (the functions that live on the cells around an edge alone), of real parts
// and in single precision. The functions of level 1, left out, take what is smooth over many cells, which
// residuals have none of.
//
// Sources: Arnold, Falk and Winther (2000), Numer. Math. 85 (Schwarz methods on stars in H(curl)); van der
// Vorst and Melissen (1990), IEEE Trans. Magn. 26 (complex symmetric conjugate gradients).

#include <Eigen/Core>
#include <vector>

#include "fem/space.hpp"
#include "linalg/csr.hpp"

namespace curlew::fem {

/// Steps from zero. The first finds 0.65 of the change in cells 10 to 20 times taller than wide, four 0.95.
inline constexpr int star_steps = 6;

/// Values of columns beside each other, as products pass over them.
template <class T>
using Columns = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

template <class T>
Columns<T> form_times(const linalg::Csr<T>& a, const Columns<T>& x);

/// @param next space of one more order than the solutions, at most order 3
/// @param form of its functions, curl w · μ⁻¹ curl w - k0² w · ε w; T is double or Complex
/// @param left_out [next.num_dofs()] functions that stay as they are
/// @param residuals [next.num_dofs(), columns], zero where they are not added
/// @returns their corrections, and those of the functions of level 2 and more that are there
template <class T>
Columns<T> star_corrections(const NedelecSpace& next, const linalg::Csr<T>& form,
                            const std::vector<char>& left_out, const Columns<T>& residuals,
                            int steps = star_steps);
/// Of a real form: real and imaginary parts by themselves.
Columns<Complex> star_corrections(const NedelecSpace& next, const linalg::Csr<double>& form,
                                  const std::vector<char>& left_out, const Columns<Complex>& residuals);

}  // namespace curlew::fem
