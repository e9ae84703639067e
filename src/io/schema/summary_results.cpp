// SPDX-License-Identifier: BSD-3-Clause
// Members of summary.json.
#include "io/schema/result.hpp"

namespace curlew::io::schema {
namespace {

constexpr std::string_view file = "summary.json";
constexpr std::string_view fields = "fem-solve fe-iiee";
constexpr std::string_view solvers = "fem-solve fe-iiee ie-solve";
constexpr std::string_view every = "fem-solve fe-iiee ie-solve mom2d";

constexpr Result run_members[] = {
    {file, "program", "", "name of the program", all_programs},
    {file, "version", "", "its version", all_programs},
    {file, "status", "", "done, failed or interrupted", all_programs},
    {file, "exit_status", "1", "0 done, 1 numerical failure, 3 no resources, 130 interrupted", all_programs},
    {file, "error", "", "the line of the error, where there is one", all_programs},
    {file, "started", "", "UTC, ISO 8601", all_programs},
    {file, "config", "", "the input file", all_programs},
    {file, "time_convention", "", "of all phasors in all files", all_programs},
    {file, "device", "", "cpu, or the name of the GPU", all_programs},
    {file, "threads", "1", "of the CPU", all_programs},
    {file, "precision", "", "single or double", all_programs},
    {file, "stages.*", "s", "wall time of each stage", all_programs},
    {file, "total_seconds", "s", "wall time of the run", all_programs},
    {file, "peak_memory_bytes", "bytes", "most memory of the host in use", all_programs},
    {file, "warnings[]", "", "texts of the warnings", all_programs},
    {file, "files[]", "", "files that the run wrote", all_programs},
    {file, "inputs_hash", "", "tells runs apart that compute something else", all_programs},
    {file, "depends_on[].path", "", "other files that were read", all_programs},
    {file, "depends_on[].hash", "", "of their content", all_programs},
    {file, "machine.*", "", "processor, cores and build", all_programs},
    {file, "sweep[].key", "", "of a sweep: the swept key", all_programs},
    {file, "sweep[].values[]", "", "its values", all_programs},
    {file, "points[].folder", "", "of a sweep: the sub-folder of a point", all_programs},
    {file, "points[].status", "", "as status above; likewise exit_status and error", all_programs},
};

constexpr Result sizes[] = {
    {file, "sizes.cells", "1", "tetrahedra; of mom2d: cells of the contours", all_programs},
    {file, "sizes.triangles", "1", "of meshes of surfaces", "ie-solve"},
    {file, "sizes.nodes", "1", "of the mesh", "fem-solve fem-assemble fe-iiee ie-solve"},
    {file, "sizes.unknowns", "1", "of the linear system", all_programs},
    {file, "sizes.nonzeros", "1", "of the matrix", "fem-solve fem-assemble fe-iiee"},
    {file, "sizes.right_hand_sides", "1", "solved with one matrix", "fem-solve ie-solve"},
    {file, "sizes.symmetric_parts", "1", "of waves that do not share the planes of symmetry", "fem-solve"},
    {file, "sizes.elements", "1", "of the volume or film equation", "ie-solve"},
    {file, "sizes.inner_triangles", "1", "of the surface S'", "fe-iiee"},
    {file, "sizes.outer_triangles", "1", "of the surface S", "fe-iiee"},
    {file, "sizes.source_points", "1", "quadrature points on S'", "fe-iiee"},
    {file, "sizes.observation_points", "1", "quadrature points on S", "fe-iiee"},
};

constexpr Result solver[] = {
    {file, "solver.method", "", "of the linear solver", every},
    {file, "solver.solves", "1", "number of solutions", every},
    {file, "solver.iterations", "1", "of all solutions together", every},
    {file, "solver.residual", "1", "relative, the worst of all solutions", every},
    {file, "solver.converged", "", "all solutions reached their tolerance", every},
    {file, "solver.history[]", "1", "relative residual of each iteration of the last solution", fields},
    {file, "solver.backward_error", "1", "of a direct solution", fields},
    {file, "solver.factorisation", "", "library and precision of dense factors", "ie-solve mom2d"},
    {file, "solver.library", "", "of the direct solver", fields},
    {file, "solver.choice", "", "direct or iterative, and why, where solver.method is auto", fields},
    {file, "solver.ordering", "", "of the unknowns", fields},
    {file, "solver.estimated_bytes", "bytes", "memory of the factors, as estimated before", fields},
    {file, "solver.inner_iterations", "1", "of the finite elements inside the truncation", "fe-iiee"},
    {file, "solver.*_seconds", "s", "parts of the truncation", "fe-iiee"},
};

constexpr Result ports[] = {
    {file, "results.s_parameters[].frequency_hz", "Hz", "frequency", solvers},
    {file, "results.s_parameters[].s#_#", "1", "S, complex; modes counted from 1 over all ports", solvers},
    {file, "results.s_parameters[].input_impedance_#_ohm", "ohm",
     "complex: impedance at a lumped port, all others matched", solvers},
    {file, "results.s_references[].port", "", "a mode of a port", solvers},
    {file, "results.s_references[].reference", "", "what its S is stated against", solvers},
    {file, "results.s#_1_db", "dB", "abs S, first mode incident; of runs with one frequency", solvers},
    {file, "results.s#_1_db_min", "dB", "its least value over the frequencies", solvers},
    {file, "results.s#_1_db_max", "dB", "its greatest value over the frequencies", solvers},
    {file, "results.input_impedance_#_ohm", "ohm", "as in s_parameters; of runs with one frequency", solvers},
    {file, "results.reciprocity_error", "1", "greatest abs S_ij - S_ji", fields},
    {file, "results.passivity_excess", "1", "greatest singular value of S, less 1", fields},
    {file, "results.absorbed_share_max", "1",
     "greatest share of the incident power that losses or radiation take", fields},
    {file, "results.full_solutions", "1", "of a fast sweep", fields},
    {file, "results.adaptive_error_estimate", "1", "of S between the full solutions of a fast sweep", fields},
    {file, "results.received[].frequency_hz", "Hz", "frequency", "fem-solve"},
    {file, "results.received[].excitation", "", "wave or source that the ports receive", "fem-solve"},
    {file, "results.received[].port", "", "a mode of a port", "fem-solve"},
    {file, "results.received[].power_w", "W", "delivered to the matched port", "fem-solve"},
};

constexpr Result radiation[] = {
    {file, "results.radiation[].frequency_hz", "Hz", "frequency", solvers},
    {file, "results.radiation[].port", "", "the driven mode of a port, or the source", solvers},
    {file, "results.radiation[].radiated_w", "W", "power that leaves", solvers},
    {file, "results.radiation[].accepted_w", "W", "incident power less what the driven port reflects",
     solvers},
    {file, "results.radiation[].incident_w", "W", "power incident at the port, or supplied by the source",
     solvers},
    {file, "results.radiation[].efficiency", "1", "radiated over accepted power", solvers},
    {file, "results.radiation[].total_efficiency", "1", "radiated over incident power", solvers},
    {file, "results.radiation[].directivity_dbi", "dBi", "the greatest over the directions", solvers},
    {file, "results.radiation[].gain_dbi", "dBi", "over accepted power, in the same direction", solvers},
    {file, "results.radiation[].realized_gain_dbi", "dBi", "over incident power, in the same direction",
     solvers},
    {file, "results.radiation[].theta_deg", "deg", "that direction, from +z", solvers},
    {file, "results.radiation[].phi_deg", "deg", "that direction, from +x", solvers},
    {file, "results.efficiency", "1", "as in radiation; of runs with one port or source and one frequency",
     solvers},
    {file, "results.directivity_dbi", "dBi", "likewise", solvers},
    {file, "results.gain_dbi", "dBi", "likewise", solvers},
    {file, "results.realized_gain_dbi", "dBi", "likewise", solvers},
    {file, "results.active_reflection[].frequency_hz", "Hz", "frequency", solvers},
    {file, "results.active_reflection[].port", "", "a mode of a port", solvers},
    {file, "results.active_reflection[].gamma", "1", "complex: b/a with all ports driven at once", solvers},
    {file, "results.active_reflection[].gamma_db", "dB", "its size", solvers},
    {file, "results.error_max", "1", "greatest error bar: of abs S, else relative", every},
    {file, "results.errors[].frequency_hz", "Hz", "frequency of an error estimate", every},
    {file, "results.errors[].source", "", "wave, port or source", every},
    {file, "results.errors[].s#_#_error", "1", "bar of abs(S - exact)", solvers},
    {file, "results.errors[].s#_#_db_error", "dB", "bar of abs S in dB", solvers},
    {file, "results.errors[].input_impedance_#_ohm_error", "ohm", "bar of an input impedance", solvers},
    {file, "results.errors[].frequency_error_hz", "Hz", "bar of a resonance", "fem-solve"},
    {file, "results.errors[].q_error", "1", "bar of the quality factor of a resonance", "fem-solve"},
    {file, "results.f#_error_hz", "Hz", "bar of resonance number #", "fem-solve"},
    {file, "results.errors[].far_field_error", "1", "bar of the far field, relative", every},
    {file, "results.errors[].greatest_rcs_db_error", "dB", "bar of the greatest RCS", solvers},
    {file, "results.errors[].backscatter_rcs_db_error", "dB", "bar of the RCS towards the source",
     "ie-solve"},
    {file, "results.errors[].forward_rcs_db_error", "dB", "bar of the RCS away from the source", "ie-solve"},
    {file, "results.errors[].backscatter_width_db_error", "dB", "bar of the echo width towards the source",
     "mom2d"},
    {file, "results.errors[].forward_width_db_error", "dB", "bar of the echo width away from the source",
     "mom2d"},
    {file, "results.errors[].gain_db_error", "dB", "bar of the gain", solvers},
    {file, "results.errors[].radiated_w_relative_error", "1", "bar of the radiated power, relative", solvers},
    {file, "results.sources[].frequency_hz", "Hz", "frequency", "fem-solve"},
    {file, "results.sources[].source", "", "a dipole or current", "fem-solve"},
    {file, "results.sources[].power_w", "W", "that it supplies", "fem-solve"},
};

constexpr Result scattering[] = {
    {file, "results.scattering[].frequency_hz", "Hz", "frequency", every},
    {file, "results.scattering[].theta_inc_deg", "deg", "where the wave comes from, from +z", solvers},
    {file, "results.scattering[].phi_inc_deg", "deg", "where the wave comes from, from +x", every},
    {file, "results.scattering[].polarization", "", "of the wave", every},
    {file, "results.(scattering[].)greatest_rcs_dbsm", "dBsm",
     "radar cross-section, the greatest over the directions of rcs.csv", solvers},
    {file, "results.(scattering[].)backscatter_dbsm", "dBsm", "radar cross-section towards the source",
     solvers},
    {file, "results.(scattering[].)forward_dbsm", "dBsm", "radar cross-section away from the source",
     "ie-solve"},
    {file, "results.(scattering[].)scattering_m2", "m^2", "scattering cross-section", "ie-solve"},
    {file, "results.(scattering[].)absorption_m2", "m^2", "absorption cross-section", "ie-solve"},
    {file, "results.(scattering[].)extinction_m2", "m^2",
     "extinction cross-section, by the forward amplitude", "ie-solve"},
    {file, "results.(scattering[].)backscatter_dbm", "dBm", "echo width towards the source, dB of a metre",
     "mom2d"},
    {file, "results.(scattering[].)forward_dbm", "dBm", "echo width away from the source, dB of a metre",
     "mom2d"},
    {file, "results.(scattering[].)scattering_width_m", "m", "scattering width", "mom2d"},
    {file, "results.(scattering[].)absorption_width_m", "m", "absorption width", "mom2d"},
    {file, "results.(scattering[].)extinction_width_m", "m", "extinction width, by the forward amplitude",
     "mom2d"},
    {file, "results.(scattering[].)power_balance_error", "1",
     "share of power that is missing: of the incident power that no port returns (lossless models), of "
     "extinction that is neither scattered nor absorbed, of the input power that no loss takes (acoustics)",
     every},
};

constexpr Result others[] = {
    {file, "results.modes[].frequency_hz", "Hz", "of a resonator's mode", "fem-solve"},
    {file, "results.modes[].q", "1", "quality factor; null without loss", "fem-solve"},
    {file, "results.modes[].residual", "1", "relative residual of the mode", "fem-solve"},
    {file, "results.modes[].participation.*", "1", "share of the energy in a region", "fem-solve"},
    {file, "results.f#_hz", "Hz", "frequency of a mode, counted from 1", "fem-solve"},
    {file, "results.modes_complete", "", "none is missing between the first and the last mode", "fem-solve"},
    {file, "results.frequencies[].frequency_hz", "Hz", "acoustics: frequency", "fem-solve"},
    {file, "results.frequencies[].input_power_w", "W", "acoustics: power of all sources", "fem-solve"},
    {file, "results.frequencies[].probes.*.pressure_pa", "Pa", "complex pressure at a probe", "fem-solve"},
    {file, "results.frequencies[].probes.*.level_db", "dB", "sound pressure level re 20 uPa", "fem-solve"},
    {file, "results.*_level_db", "dB", "level at a probe; of runs with one frequency", "fem-solve"},
    {file, "results.truncation[].frequency_hz", "Hz", "frequency", "fe-iiee"},
    {file, "results.truncation[].iterations", "1", "between the finite elements and the exterior", "fe-iiee"},
    {file, "results.truncation[].converged", "", "the tolerance was reached", "fe-iiee"},
    {file, "results.truncation[].true_residual", "1", "relative, measured at the end", "fe-iiee"},
    {file, "results.truncation[].truncation_consistency", "1",
     "far fields of S' against those of S of this solution; not an error", "fe-iiee"},
    {file, "results.longest_edge_wavelengths", "1", "longest edge in wavelengths of its medium", solvers},
    {file, "results.condition", "1", "condition number of a dense matrix", "ie-solve mom2d"},
    {file, "results.fill_seconds", "s", "to make the matrix", "ie-solve mom2d"},
    {file, "results.factor_seconds", "s", "to factor it", "mom2d"},
    {file, "results.solve_seconds", "s", "to solve", "ie-solve"},
    {file, "results.result_seconds.*", "s", "parts of the results stage: sums of far fields and files",
     "ie-solve"},
    {file, "results.set_up_seconds.*", "s", "parts of the set-up of fast products", "ie-solve"},
    {file, "results.product_seconds.*", "s", "parts of a fast product", "ie-solve"},
    {file, "results.operator_bytes", "bytes", "memory of the fast product", "ie-solve"},
    {file, "results.points", "1", "source points of the fast product", "ie-solve"},
    {file, "results.near_entries", "1", "entries of the near matrix", "ie-solve"},
    {file, "results.right_hand_side_rank", "1", "incidences that were iterated; the others are combinations",
     "ie-solve"},
    {file, "results.compression_error", "1", "greatest relative residual of those combinations", "ie-solve"},
    {file, "results.preconditioner", "", "of the iteration", "ie-solve"},
    {file, "results.iterations", "1", "of the last solution", "ie-solve"},
};

}  // namespace

std::vector<Result> summary_results() {
  std::vector<Result> all;
  const auto append = [&](const auto& table) { all.insert(all.end(), std::begin(table), std::end(table)); };
  append(run_members), append(sizes), append(solver), append(ports);
  append(radiation), append(scattering), append(others);
  return all;
}

}  // namespace curlew::io::schema
