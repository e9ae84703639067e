// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// rcs.csv and farfield.csv: patterns as tables, the same from every program.

#include <string>
#include <vector>

#include "base/types.hpp"
#include "io/csv.hpp"
#include "io/provenance.hpp"

namespace curlew::io {

/// One direction of a radar cross section.
struct RcsRow {
  double frequency;                   ///< [Hz]
  double theta_inc_deg, phi_inc_deg;  ///< direction of incidence
  std::string polarization;           ///< "theta", "phi", or the angle in degrees
  double theta_deg, phi_deg;          ///< direction of observation
  double rcs_theta, rcs_phi;          ///< [m^2] of the two components of the scattered field
};

/// Columns frequency_hz, theta_inc_deg, phi_inc_deg, polarization, theta_deg, phi_deg, rcs_theta_m2,
/// rcs_phi_m2, rcs_m2, rcs_dbsm.
class RcsWriter {
 public:
  RcsWriter(const std::string& path, const Provenance& provenance);
  void row(const RcsRow& row);
  void close() { csv_.close(); }

 private:
  CsvWriter csv_;
};

/// One direction of a radiated field. Powers are of the right-hand side that radiates.
struct FarFieldRow {
  double frequency;  ///< [Hz]
  std::string port;
  double theta_deg, phi_deg;
  Complex e_theta, e_phi;                   ///< E r exp(jkr) [V], peak
  double directivity, gain, realized_gain;  ///< linear
  double axial_ratio_db;
  double gain_right = 0, gain_left = 0;  ///< of the circular polarisations, linear
};

/// Columns frequency_hz, port, theta_deg, phi_deg, re_e_theta, im_e_theta, re_e_phi, im_e_phi,
/// directivity_dbi, gain_dbi, realized_gain_dbi, axial_ratio_db, gain_rhcp_dbi, gain_lhcp_dbi.
class FarFieldWriter {
 public:
  FarFieldWriter(const std::string& path, const Provenance& provenance);
  void row(const FarFieldRow& row);
  void close() { csv_.close(); }

 private:
  CsvWriter csv_;
};

/// 10 log10 of a power ratio or an area in m^2; -300 for zero.
double power_decibel(double value);

}  // namespace curlew::io
