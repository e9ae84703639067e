// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <Eigen/Core>

#include "bench/error_cases.hpp"
#include "fem/driven/driven_problem.hpp"

namespace curlew::bench {

/// S_ij, i >= j, of the elements of a matrix that are not zero, with bars by another order and, where they
/// exist, by residuals. Signs of modes are arbitrary.
/// @param exact [rows, columns] the first of S
std::vector<BarredResult> compare_scattering(const mesh::Mesh& mesh, const fem::Model& model, double f,
                                             const Eigen::MatrixXcd& exact);

/// The cells of a box that are kept, one volume "rest", and its faces as surfaces.
/// @param is_kept by the middle of a cell @param name of the surface of a face by its middle; is_end: only
/// one of its cells is kept; empty: none
mesh::Mesh carve(const mesh::Mesh& box, const std::function<bool(Vec3<double>)>& is_kept,
                 const std::function<std::string(Vec3<double>, bool is_end)>& name);

/// Order, vacuum in "rest", ideal "metal", and waveguide ports.
fem::Model carved_model(int order, const std::vector<std::string>& ports);

}  // namespace curlew::bench
