// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Changes of a solution by functions of the next order, from local solves around edges.
//
// The diagonal approximates the form if functions couple weakly. In cells that are much taller than wide they
// couple strongly: a field along the height is a sum of functions whose large transverse parts cancel, and
// the diagonal gives 1/20 of its change. Here the equations of all functions of level 2 and more, those of
// the solution included, are solved by conjugate gradients for symmetric matrices, separately for gradients
// and for the others, since each part is definite on cells shorter than half a wavelength. The preconditioner
// consists of the inverses on the stars of edges (the functions that live on the cells around an edge alone),
// in single precision, of the real parts where imaginary parts are small. Functions of level 1 are left out:
// they represent fields that are smooth over many cells, and residuals have no such part.
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

/// Values of all columns of a row are contiguous, for products with all columns at once.
template <class T>
using Columns = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

template <class T>
Columns<T> form_times(const linalg::Csr<T>& a, const Columns<T>& x);

/// @param next space of one more order than the solutions, at most order 3
/// @param form of its functions, curl w · μ⁻¹ curl w - k0² w · ε w; T is double or Complex
/// @param left_out [next.num_dofs()] functions that are not corrected
/// @param residuals [next.num_dofs(), columns], zero for functions that are not added @returns corrections of
/// all functions of level 2 and more
template <class T>
Columns<T> star_corrections(const NedelecSpace& next, const linalg::Csr<T>& form,
                            const std::vector<char>& left_out, const Columns<T>& residuals,
                            int steps = star_steps);
/// For a real form: real and imaginary parts separately.
Columns<Complex> star_corrections(const NedelecSpace& next, const linalg::Csr<double>& form,
                                  const std::vector<char>& left_out, const Columns<Complex>& residuals);

}  // namespace curlew::fem
