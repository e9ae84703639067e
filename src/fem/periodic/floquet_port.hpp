// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A port whose modes are the plane waves of a periodic cell. The modes are orthonormal in the Hermitian inner
// product, so that with test functions of conjugate phase the port's term is
//   sum c_m f_m (f_m^H x - 2 a_m),   f_m = int W.e_m dS,
// the algebra of modal_port.hpp with conjugation. kt, and with it f_m, changes with frequency at a fixed
// angle.

#include "base/types.hpp"
#include "fem/periodic/bloch_reduction.hpp"
#include "fem/periodic/floquet_modes.hpp"
#include "fem/ports/modal_port.hpp"
#include "fem/ports/port_solution.hpp"

namespace curlew::fem {

struct FloquetFace {
  FloquetCell cell;
  std::vector<FloquetMode> modes;  ///< as the port's
  linalg::Csr<double> mass;        ///< int W_a.W_b dS on the port's dofs
};

/// Fills a port whose triangles, dofs and cell are set.
/// @throws InputError if the face is not one cell of the lattice, or its medium is no single isotropic one
void set_floquet(const PortModel& model, const Model& whole, const NedelecSpace& space, ModalPort& port);

/// Constants and f_m at a frequency [Hz]. f_m is orthonormalised in the inner product of what the mesh holds,
/// (f_m^H B^-1 f_n = delta, by the inverse square root, which treats all modes alike), so that no power is
/// lost to the difference; absorbed modes that the mesh does not hold are left out.
/// @throws InputError if a mode is exactly at its cut-off (grazing), or the mesh does not hold a reported one
PortSolution solve_floquet(const ModalPort& port, const Model& model, const NedelecSpace& space,
                           const BlochReduction& bloch, double frequency,
                           PortReference reference = PortReference::low_loss);

}  // namespace curlew::fem
