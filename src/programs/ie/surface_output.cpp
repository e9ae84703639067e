// SPDX-License-Identifier: BSD-3-Clause
#include "programs/ie/surface_output.hpp"

#include <algorithm>
#include <utility>

#include "ie/results/far_fields.hpp"
#include "ie/results/near_field.hpp"
#include "ie/solved/surface_checks.hpp"
#include "ie/solved/surface_groups.hpp"
#include "io/array_names.hpp"
#include "io/hdf5.hpp"

namespace curlew::programs {

io::VtkGrid surface_grid(const ie::SurfaceMesh& mesh) {
  io::VtkGrid grid;
  grid.points = mesh.nodes;
  for (const auto& t : mesh.triangles) {
    const std::array<std::int64_t, 3> points{t[0], t[1], t[2]};
    grid.add_cell(io::VtkCell::triangle, points.data(), 3);
  }
  return grid;
}

namespace {

/// Imbalance of powers, relative to extinction, above which a warning is given.
constexpr double worst_imbalance = 0.05;

/// Likely cause of unbalanced powers of an equation, and the cure.
std::string cause_of_imbalance(const ie::System& system) {
  if (ie::is_too_low(system)) return "the frequency is too low for the surface equations of dielectrics";
  switch (system.problem().equation) {
    case ie::Equation::efie:
      return "the mesh is too coarse, or solver.tolerance too large";
    case ie::Equation::mfie:
      return "the mesh is too coarse, the body is thin or sharp (take equation = \"efie\"), or the frequency "
             "is close to an interior resonance (\"cfie\" has none)";
    default:
      return "the mesh is too coarse, or the body is thin or sharp, where the CFIE needs shorter edges than "
             "the EFIE: take equation = \"cfie_dual\" or \"efie\", or alpha = 0.8";
  }
}

/// Suffix of the arrays of a right-hand side: ports by name, waves and dipoles by number.
std::string array_suffix(const ie::SurfaceConfig& c, const ie::SurfaceSolution& s, std::size_t rhs) {
  return io::excitation_suffix(rhs, std::size_t(s.count),
                               rhs < s.first_port() ? "" : ie::source_name(c, s, rhs));
}

void write_currents(const ie::SurfaceConfig& config, const ie::SurfaceSolution& s, io::VtkHdfWriter& writer) {
  writer.begin_step(s.frequency);
  const auto flat = [](const std::vector<Vec3<Complex>>& v) {
    std::vector<Complex> out;
    for (const auto& a : v) out.insert(out.end(), {a.x, a.y, a.z});
    return out;
  };
  const bool magnetic = s.system.num_unknowns() > s.system.num_electric();
  for (Index rhs = 0; rhs < std::min<Index>(s.count, 10); ++rhs) {
    const auto c = ie::centroid_currents(s.system, s.of(std::size_t(rhs)));
    const std::string suffix = array_suffix(config, s, std::size_t(rhs));
    writer.cell_array("J" + suffix, flat(c.electric), 3, {"A/m", "electric surface current n x H"});
    if (magnetic)
      writer.cell_array("M" + suffix, flat(c.magnetic), 3, {"V/m", "magnetic surface current -n x E"});
  }
}

void add_near_fields(const ie::SurfaceConfig& c, const ie::SurfaceSolution& s, Device device,
                     ie::RadiatedFieldOutput& out) {
  out.begin_step(s.frequency);
  const double k = s.system.scene().regions[0].k.real();
  for (std::size_t rhs = 0; rhs < std::size_t(s.count); ++rhs) {
    const std::string suffix = array_suffix(c, s, rhs);
    const auto radiated = ie::radiated_field(s.system, s.of(rhs), out.points(), out.regions(), device);
    if (rhs >= s.first_port()) {
      out.add(ie::source_name(c, s, rhs), suffix, radiated);
    } else if (rhs < c.waves.size()) {
      const auto& wave = c.waves[rhs];
      out.add_scattered(wave.label(), suffix, radiated, [&](auto r) { return wave.wave.at(r, k); });
    } else {
      out.add_dipoles(suffix, radiated, *s.dipoles);
    }
  }
}

void write_solution(const ie::SurfaceSolution& s, const std::string& path, const io::Provenance& provenance) {
  auto file = io::H5File::create(path);
  file.write_provenance(provenance, "curlew-ie-surface-solution", 1);
  file.set_attribute("frequency_hz", s.frequency);
  file.write(
      "x", s.x,
      {"A/m",
       "J across every edge, then M/eta0, of waves of 1 V/m, the dipoles, ports driven by 1 W with the "
       "others matched [right-hand side, unknown]"},
      {std::uint64_t(s.count), std::uint64_t(s.system.num_unknowns())});
  std::vector<Index> edges;
  for (const auto& f : s.system.space().functions()) edges.insert(edges.end(), {f.a, f.b});
  file.write("edges", edges, {"1", "nodes of the edge of every J [function, 2]"}, {edges.size() / 2, 2});
  std::vector<double> nodes;
  for (const auto& p : s.system.mesh().nodes) nodes.insert(nodes.end(), {p.x, p.y, p.z});
  file.write("nodes", nodes, {"m", "nodes of the surfaces (node, xyz)"}, {nodes.size() / 3, 3});
  file.close();
}

}  // namespace

void SurfaceFiles::open() {
  const auto& c = case_;
  const auto system = job_.system_at(c.frequencies.front());
  if (!c.waves.empty()) waves_.emplace(run_);
  if (!c.ports.empty() || !c.dipoles.empty()) radiation_.emplace(c.formats, run_);
  if (!c.ports.empty()) ports_.emplace(c, run_);
  if (!c.drive.empty()) combined_.emplace(ie::combined_excitation(c));
  if (c.fields)
    currents_.emplace(run_.output("currents.vtkhdf"), surface_grid(system->mesh()), run_.provenance(),
                      io::VtkNumbers::single_precision);
  if (!c.near_fields.empty())
    near_.emplace(c.near_fields, ie::regions_of(*system, io::near_field_points(c.near_fields)), run_);
}

void SurfaceFiles::add(std::size_t number, double frequency, const ie::SurfaceSolution& s) {
  const auto& c = case_;
  if (waves_) write_waves(s);
  if (s.results) return;
  if (radiation_) {
    const auto timed = seconds_.part("radiation");
    add_radiation(c, s, job_.radiated(s), *radiation_);
  }
  const bool with_fields = c.writes_fields_at(frequency);
  if (currents_ && with_fields) {
    const auto timed = seconds_.part("currents");
    write_currents(c, s, *currents_);
  }
  if (near_ && with_fields) {
    const auto timed = seconds_.part("near fields");
    add_near_fields(c, s, run_.device(), *near_);
  }
  if (ports_) ports_->add(c, s);
  if (combined_) combined_->add(frequency, s.network().scattering, run_);
  if (!c.solution || !with_fields) return;
  const auto timed = seconds_.part("solution.h5");
  write_solution(s, run_.output(c.solution_file(number)), run_.provenance());
}

void SurfaceFiles::write_waves(const ie::SurfaceSolution& s) {
  std::optional<ie::WaveResults> made;
  if (!s.results) {
    const auto timed = seconds_.part("cross-sections");
    made = ie::wave_results(case_, s.system, s.x.data(), results::ScatteringReport::most_rows, run_.device());
  }
  const auto timed = seconds_.part("rcs.csv");
  ie::report_waves(case_, case_.monostatic, s.frequency, s.system.scene().regions[0].k.real(),
                   made ? *made : *s.results, {worst_imbalance, cause_of_imbalance(s.system)}, *waves_, run_);
}

void SurfaceFiles::close() {
  if (waves_) waves_->close();
  if (radiation_) radiation_->close();
  if (ports_) ports_->close();
  if (combined_) combined_->close(run_);
  if (currents_) currents_->close();
  if (near_) near_->close();
  seconds_.close(run_);
}

}  // namespace curlew::programs
