// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Error bars of S and of input impedances as rows of the report.

#include <Eigen/Core>

#include "base/types.hpp"
#include "results/error_report.hpp"

namespace curlew::results {

/// @param s [modes, modes] as reported @param bars of |S_ij - exact| @param elements each bar without the
/// error of flat facets @param is_spread interpolated from estimates at other frequencies
void add_scattering_bars(double frequency, const Eigen::MatrixXcd& s, const Eigen::MatrixXd& bars,
                         const Eigen::MatrixXd& elements, ErrorReport& report, bool is_spread = false);
/// Relative bar of the power that a port's wave loses between the ports, 1 - Σ|S_mi|² of 1 W: radiated, or
/// heat. @param s [modes] a column of S @param bars of it
double bar_of_power(const Eigen::VectorXcd& s, const Eigen::VectorXd& bars);
/// The same of currents on surfaces with one port, at most |δZ|/|Z| + 2 |δZ|/|Z + Z0|: their radiated power
/// is as exact as the current. R of small antennas is far below |Z|, and |δS| far above the power.
double bar_of_power_of_currents(Complex s, double bar);
/// @param mode number, from 1 @param impedance, bar [ohm]
void add_impedance_bar(double frequency, std::size_t mode, Complex impedance, double bar, ErrorReport& report,
                       bool is_spread = false);

}  // namespace curlew::results
