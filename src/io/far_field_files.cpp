// SPDX-License-Identifier: BSD-3-Clause
#include "io/far_field_files.hpp"

#include "base/decibel.hpp"
namespace curlew::io {

namespace {

std::vector<std::string> comments(const Provenance& provenance, std::vector<std::string> more) {
  auto lines = provenance_lines(provenance);
  lines.insert(lines.end(), more.begin(), more.end());
  return lines;
}

}  // namespace

double power_decibel(double value) {
  return curlew::power_decibel(value);
}

RcsWriter::RcsWriter(const std::string& path, const Provenance& provenance)
    : csv_(path,
           comments(provenance,
                    {"rcs = lim 4 pi r^2 |Es|^2 / |Ei|^2; incidence angles say where the wave comes "
                     "from; theta from +z, phi from +x"}),
           {"frequency_hz", "theta_inc_deg", "phi_inc_deg", "polarization", "theta_deg", "phi_deg",
            "rcs_theta_m2", "rcs_phi_m2", "rcs_m2", "rcs_dbsm"}) {}

void RcsWriter::row(const RcsRow& r) {
  const double sum = r.rcs_theta + r.rcs_phi;
  csv_.row({r.frequency, r.theta_inc_deg, r.phi_inc_deg, r.polarization, r.theta_deg, r.phi_deg, r.rcs_theta,
            r.rcs_phi, sum, power_decibel(sum)});
}

FarFieldWriter::FarFieldWriter(const std::string& path, const Provenance& provenance)
    : csv_(path,
           comments(provenance,
                    {"fields are E times r exp(jkr) in V, peak values; theta from +z, phi from +x",
                     "gain over accepted power, realized gain over incident power, one port driven and the "
                     "others matched; rhcp, lhcp: IEEE Std 145, as seen along the direction of travel"}),
           {"frequency_hz", "port", "theta_deg", "phi_deg", "re_e_theta", "im_e_theta", "re_e_phi",
            "im_e_phi", "directivity_dbi", "gain_dbi", "realized_gain_dbi", "axial_ratio_db", "gain_rhcp_dbi",
            "gain_lhcp_dbi"}) {}

void FarFieldWriter::row(const FarFieldRow& r) {
  csv_.row({r.frequency, r.port, r.theta_deg, r.phi_deg, r.e_theta.real(), r.e_theta.imag(), r.e_phi.real(),
            r.e_phi.imag(), power_decibel(r.directivity), power_decibel(r.gain),
            power_decibel(r.realized_gain), r.axial_ratio_db, power_decibel(r.gain_right),
            power_decibel(r.gain_left)});
}

}  // namespace curlew::io
