// SPDX-License-Identifier: BSD-3-Clause
// Files in the folder of results, and the columns of those that are tables.
#include "io/schema/result.hpp"

namespace curlew::io::schema {
namespace {

constexpr std::string_view fields = "fem-solve fe-iiee";
constexpr std::string_view solvers = "fem-solve fe-iiee ie-solve";
constexpr std::string_view every = "fem-solve fe-iiee ie-solve mom2d";

constexpr ResultFile files[] = {
    {"summary.json", "what was run, how it ended, and the main results", all_programs},
    {"resolved.toml", "the config with options applied and all defaults filled in", all_programs},
    {"report.html", "curves, tables and config as one page for a browser; not with --no-report",
     all_programs},
    {"run.log", "the log", all_programs},
    {"sweep.csv", "of --sweep: folder, swept keys, status and every number of `results`, by dotted names",
     all_programs},
    {"manifest.json", "of --array: all points or frequencies, with hash of the inputs and state",
     all_programs},
    {"system.h5", "the linear system", "fem-assemble"},
    {"system.mtx", "the matrix as MatrixMarket text", "fem-assemble"},
    {"*.s#p", "S as Touchstone 1.1", solvers},
    {"ports.csv", "modes of the ports", "fem-solve fe-iiee"},
    {"impedance.csv", "lumped ports of integral equations", "ie-solve"},
    {"active.csv", "waves and active reflection with all ports driven at once", solvers},
    {"errors.csv", "error bars of the results", every},
    {"passes.csv", "adaptive meshes: what each pass gave", "fem-solve"},
    {"refinement.h5", "the last of them, where --resume goes on; gone at the end", "fem-solve"},
    {"sensitivity.csv", "derivatives by numbers of the config", "fem-solve"},
    {"received.csv", "what matched ports receive", "fem-solve"},
    {"rcs.csv", "radar cross-sections", solvers},
    {"farfield.csv", "far fields of ports and sources", solvers},
    {"farfield.ffe", "the same for FEKO", solvers},
    {"farfield_*.ffs", "the same for CST", solvers},
    {"near_*.csv", "fields at points, lines, planes and grids", solvers},
    {"near_*.vtkhdf", "the same for ParaView", every},
    {"fields.vtkhdf", "fields in the mesh for ParaView", solvers},
    {"currents.vtkhdf", "surface currents for ParaView", "ie-solve"},
    {"solution(_#).h5", "the unknowns; a file per frequency of ie-solve and mom2d", every},
    {"solved_#.h5", "of a run that ended early: its solutions, where --resume goes on", every},
    {"history.csv", "convergence of the truncation", "fe-iiee"},
    {"checkpoint.h5", "where --resume goes on; gone at the end", "fe-iiee"},
    {"probes.csv", "acoustics: sound pressures", "fem-solve"},
    {"echo_width.csv", "bistatic echo widths", "mom2d"},
    {"monostatic.csv", "monostatic echo widths", "mom2d"},
    {"current(_#).csv", "surface currents on the contours, a file per frequency", "mom2d"},
    {"charge(_#).csv", "surface charges on the contours, a file per frequency", "mom2d"},
};

constexpr Result port_columns[] = {
    {"ports.csv", "frequency_hz", "Hz", "frequency"},
    {"ports.csv", "port", "", "region of the port"},
    {"ports.csv", "mode", "", "name of the mode"},
    {"ports.csv", "cutoff_hz", "Hz", "cut-off; empty where there is none to state"},
    {"ports.csv", "alpha_per_m", "1/m", "attenuation constant"},
    {"ports.csv", "beta_per_m", "1/m", "phase constant"},
    {"ports.csv", "re|im_z0_ohm", "ohm", "characteristic impedance by z0_definition"},
    {"ports.csv", "z0_definition", "", "power_current, power_voltage, wave or resistance"},
    {"ports.csv", "re|im_wave_impedance_ohm", "ohm", "E_t / H_t"},
    {"ports.csv", "re|im_reference_ohm", "ohm", "what S of the mode is stated against"},
    {"impedance.csv", "frequency_hz", "Hz", "frequency"},
    {"impedance.csv", "port", "", "name of the port"},
    {"impedance.csv", "re|im_input_impedance_ohm", "ohm",
     "as input_impedance_I_ohm of the summary: all others matched"},
    {"impedance.csv", "re|im_open_impedance_ohm", "ohm", "all others open: the diagonal of Z"},
    {"impedance.csv", "re|im_reflection", "1", "S of the port with itself"},
    {"impedance.csv", "reflection_db", "dB", "its size"},
    {"active.csv", "frequency_hz", "Hz", "frequency"},
    {"active.csv", "port", "", "a mode of a port"},
    {"active.csv", "re|im_a", "sqrt(W)", "incident power wave"},
    {"active.csv", "re|im_b", "sqrt(W)", "outgoing power wave"},
    {"active.csv", "re|im_gamma", "1", "active reflection b/a; empty where nothing is incident"},
    {"errors.csv", "frequency_hz", "Hz", "frequency"},
    {"errors.csv", "source", "", "wave, port or source of the result; empty for S and modes"},
    {"errors.csv", "quantity", "", "what the bar is of"},
    {"errors.csv", "unit", "", "of value and error"},
    {"errors.csv", "value", "", "the result"},
    {"errors.csv", "error", "", "its error bar"},
    {"errors.csv", "elements_part", "", "of the bar, from the order of the elements"},
    {"errors.csv", "facets_part", "", "of the bar, from straight facets of curved bodies"},
    {"passes.csv", "pass", "1", "counted from 1"},
    {"passes.csv", "cells", "1", "of its mesh"},
    {"passes.csv", "unknowns", "1", "on it"},
    {"passes.csv", "quantity", "", "S21, Z1 or f1 with the unit or frequency"},
    {"passes.csv", "re|im_value", "(quantity)", "its value"},
    {"passes.csv", "change", "1", "since the pass before: of abs(S), else relative; empty in the first"},
    {"passes.csv", "estimated_error", "1", "of the value, likewise; empty with elements of order 3"},
    {"sensitivity.csv", "frequency_hz", "Hz", "frequency; of a mode its own"},
    {"sensitivity.csv", "parameter", "", "as [[sensitivity]] names it"},
    {"sensitivity.csv", "parameter_value", "(key)", "its value"},
    {"sensitivity.csv", "quantity", "", "S21, Z1 [ohm] or f1 [Hz], complex"},
    {"sensitivity.csv", "re|im_derivative", "(quantity/key)", "by a unit of the parameter"},
    {"received.csv", "frequency_hz", "Hz", "frequency"},
    {"received.csv", "excitation", "", "wave or source"},
    {"received.csv", "port", "", "a mode of a port"},
    {"received.csv", "re|im_b", "sqrt(W)", "outgoing power wave"},
    {"received.csv", "power_w", "W", "delivered to the matched port"},
};

constexpr Result far_columns[] = {
    {"rcs.csv", "frequency_hz", "Hz", "frequency"},
    {"rcs.csv", "theta_inc_deg", "deg", "where the wave comes from, from +z"},
    {"rcs.csv", "phi_inc_deg", "deg", "where the wave comes from, from +x"},
    {"rcs.csv", "polarization", "", "of the wave"},
    {"rcs.csv", "theta_deg", "deg", "direction, from +z"},
    {"rcs.csv", "phi_deg", "deg", "direction, from +x"},
    {"rcs.csv", "rcs_theta_m2", "m^2", "radar cross-section of E_theta"},
    {"rcs.csv", "rcs_phi_m2", "m^2", "radar cross-section of E_phi"},
    {"rcs.csv", "rcs_m2", "m^2", "their sum"},
    {"rcs.csv", "rcs_dbsm", "dBsm", "the same"},
    {"farfield.csv", "frequency_hz", "Hz", "frequency"},
    {"farfield.csv", "port", "", "the driven mode of a port, or the source"},
    {"farfield.csv", "theta_deg", "deg", "direction, from +z"},
    {"farfield.csv", "phi_deg", "deg", "direction, from +x"},
    {"farfield.csv", "re|im_e_theta", "V", "E_theta times r exp(jkr)"},
    {"farfield.csv", "re|im_e_phi", "V", "E_phi times r exp(jkr)"},
    {"farfield.csv", "directivity_dbi", "dBi", "directivity"},
    {"farfield.csv", "gain_dbi", "dBi", "over accepted power"},
    {"farfield.csv", "realized_gain_dbi", "dBi", "over incident power"},
    {"farfield.csv", "axial_ratio_db", "dB", "of the polarisation ellipse; 100 for linear"},
    {"farfield.csv", "gain_rhcp_dbi", "dBi", "of the right-hand circular part"},
    {"farfield.csv", "gain_lhcp_dbi", "dBi", "of the left-hand circular part"},
    {"echo_width.csv", "frequency_hz", "Hz", "frequency"},
    {"echo_width.csv", "phi_inc_deg", "deg", "where the wave comes from, from +x"},
    {"echo_width.csv", "phi_deg", "deg", "direction, from +x"},
    {"echo_width.csv", "width_m", "m", "echo width"},
    {"echo_width.csv", "width_dbm", "dBm", "the same, dB of a metre"},
    {"monostatic.csv", "frequency_hz", "Hz", "frequency"},
    {"monostatic.csv", "phi_inc_deg", "deg", "where the wave comes from, from +x"},
    {"monostatic.csv", "phi_deg", "deg", "the same direction"},
    {"monostatic.csv", "width_m", "m", "echo width"},
    {"monostatic.csv", "width_dbm", "dBm", "the same, dB of a metre"},
};

constexpr Result near_columns[] = {
    {"near_*.csv", "frequency_hz", "Hz", "frequency"},
    {"near_*.csv", "excitation", "", "wave, source or mode of a port"},
    {"near_*.csv", "field", "", "total or scattered"},
    {"near_*.csv", "x_m", "m", "point"},
    {"near_*.csv", "y_m", "m", "point"},
    {"near_*.csv", "z_m", "m", "point"},
    {"near_*.csv", "re|im_ex", "V/m", "electric field"},
    {"near_*.csv", "re|im_ey", "V/m", "electric field"},
    {"near_*.csv", "re|im_ez", "V/m", "electric field"},
    {"near_*.csv", "re|im_hx", "A/m", "magnetic field"},
    {"near_*.csv", "re|im_hy", "A/m", "magnetic field"},
    {"near_*.csv", "re|im_hz", "A/m", "magnetic field"},
    {"near_*.csv", "origin", "", "elements, currents, or none inside bodies that are not meshed"},
    {"history.csv", "frequency_hz", "Hz", "frequency"},
    {"history.csv", "iteration", "1", "number of the iteration"},
    {"history.csv", "relative_error", "1",
     "of the interface after the iteration, what truncation.tolerance bounds"},
    {"probes.csv", "frequency_hz", "Hz", "frequency"},
    {"probes.csv", "probe", "", "name of the probe"},
    {"probes.csv", "re|im_pressure_pa", "Pa", "sound pressure; of surfaces: the mean"},
    {"probes.csv", "abs_pressure_pa", "Pa", "its size"},
    {"probes.csv", "level_db", "dB", "sound pressure level re 20 uPa; of surfaces: of the mean square"},
};

constexpr Result contour_columns[] = {
    {"current(_#).csv", "frequency_hz", "Hz", "frequency"},
    {"current(_#).csv", "phi_inc_deg", "deg", "where the wave comes from, from +x"},
    {"current(_#).csv", "contour", "", "name of the contour"},
    {"current(_#).csv", "cell", "1", "number of the cell in its contour, from 0"},
    {"current(_#).csv", "x_m", "m", "point"},
    {"current(_#).csv", "y_m", "m", "point"},
    {"current(_#).csv", "s_m", "m", "arc length along the contour"},
    {"current(_#).csv", "re|im_j_a_per_m", "A/m",
     "electric surface current: J_z (TM), or along the contour (TE)"},
    {"current(_#).csv", "abs_j_a_per_m", "A/m", "its size"},
    {"charge(_#).csv", "frequency_hz", "Hz", "frequency"},
    {"charge(_#).csv", "phi_inc_deg", "deg", "where the wave comes from, from +x"},
    {"charge(_#).csv", "contour", "", "name of the contour"},
    {"charge(_#).csv", "cell", "1", "number of the cell in its contour, from 0"},
    {"charge(_#).csv", "x_m", "m", "point"},
    {"charge(_#).csv", "y_m", "m", "point"},
    {"charge(_#).csv", "s_m", "m", "arc length along the contour"},
    {"charge(_#).csv", "re|im_rho_c_per_m2", "C/m^2", "surface charge"},
    {"charge(_#).csv", "abs_rho_c_per_m2", "C/m^2", "its size"},
};

}  // namespace

std::vector<ResultFile> result_files() {
  return {std::begin(files), std::end(files)};
}

std::vector<Result> column_results() {
  std::vector<Result> all;
  const auto append = [&](const auto& table) { all.insert(all.end(), std::begin(table), std::end(table)); };
  append(port_columns), append(far_columns), append(near_columns), append(contour_columns);
  return all;
}

}  // namespace curlew::io::schema
