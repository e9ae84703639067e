// SPDX-License-Identifier: BSD-3-Clause
// Results that fe-iiee writes and prints.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "fem/output/field_file.hpp"
#include "fem/output/solution_file.hpp"
#include "fem/report/port_output.hpp"
#include "fem/report/solver_report.hpp"
#include "fields/far_power.hpp"
#include "fields/optical_theorem.hpp"
#include "io/csv.hpp"
#include "programs/fe_iiee/job.hpp"
#include "results/radiation_report.hpp"
#include "results/scattering_report.hpp"

namespace curlew::fe_iiee {

fem::IncidentField incident_of(const truncation::Excitation& excitation) {
  if (excitation.waves.empty()) return nullptr;
  return [waves = excitation.waves](Vec3<double> point) {
    fem::KnownField sum{};
    for (const auto& wave : waves) sum.e += wave.electric(point), sum.curl += wave.curl(point);
    return sum;
  };
}

fem::IncidentField negative(fem::IncidentField field) {
  return [field = std::move(field)](Vec3<double> point) {
    const fem::KnownField known = field(point);
    return fem::KnownField{-known.e, -known.curl};
  };
}

namespace {

constexpr std::size_t most_field_columns = 4;  // excitations whose fields are written
constexpr double most_pairs = 5e8;  // of points and directions, for the powers in the far field of all waves

double norm2(Vec3<Complex> a) {
  return std::norm(a.x) + std::norm(a.y) + std::norm(a.z);
}

using TruncatedSink = job::SinkOf<Solved, TruncatedJob>;

/// history.csv, and a report of each iteration.
class History : public TruncatedSink {
 public:
  using TruncatedSink::TruncatedSink;
  void add(std::size_t, double frequency, const Solved& s) override {
    if (!s.result.iteration.history.empty()) steps_[frequency] = {s.result.iteration, s.consistency};
  }
  void close() override {
    io::CsvWriter csv(run_.output("history.csv"), io::provenance_lines(run_.provenance()),
                      {"frequency_hz", "iteration", "relative_error"});
    for (const auto& [frequency, step] : steps_) {
      const auto& [iteration, consistency] = step;
      const auto& errors = iteration.history;
      for (std::size_t i = 0; i < errors.size(); ++i) csv.row({frequency, long(i + 1), errors[i]});
      run_.line(
          fmt::format("{:.6g} GHz: {} iterations, residual {:.1e}; truncation consistency {:.1e} (difference "
                      "of the far fields from S' and from S; it does not contain the error of the mesh)",
                      1e-9 * frequency, errors.size(), iteration.true_residual, consistency));
      run_.results()["truncation"].push_back({{"frequency_hz", frequency},
                                              {"iterations", long(errors.size())},
                                              {"converged", iteration.converged},
                                              {"true_residual", iteration.true_residual},
                                              {"truncation_consistency", consistency}});
    }
    csv.close();
    fem::state_stages(*job_.solver_stages(), run_);
  }

 private:
  std::map<double, std::pair<truncation::IterationReport, double>> steps_;  // [Hz]; consistency
};

/// rcs.csv, a table of one line per wave.
class Scattering : public TruncatedSink {
 public:
  using TruncatedSink::TruncatedSink;
  void open() override { files_.emplace(run_); }
  void add(std::size_t, double frequency, const Solved& s) override {
    const auto outside = job_.problem().exterior(frequency);
    for (std::size_t c = 0; c < case_.waves.size(); ++c) {
      const auto directions = case_.directions(case_.waves[c]);
      const auto far = job_.far_field(s, c, directions, outside);
      auto scattered =
          files_->write(frequency, case_.waves[c], directions, far.e_theta.data(), far.e_phi.data());
      scattered.sections = sections(s, c, outside);
      files_->add(scattered);
    }
  }
  void close() override { files_->close(); }

 private:
  /// Scattering by the power in the far field, absorption by that through S', extinction by the forward
  /// field. Empty if the sum over the sphere would take long. @param c column of a wave
  std::optional<results::Sections> sections(const Solved& s, std::size_t c,
                                            const fields::Exterior& outside) const;

  std::optional<results::WaveFiles> files_;
};

std::optional<results::Sections> Scattering::sections(const Solved& s, std::size_t c,
                                                      const fields::Exterior& outside) const {
  const auto& points = job_.problem().inner_points();
  const auto wave = case_.waves[c].at(outside.k);
  const double power = 0.5 * norm2(wave.amplitude) / outside.impedance;  // [W/m^2]
  // The wave's own currents radiate nothing outside of S'.
  const auto currents = job_.currents(s, c);
  const auto scattered =
      fields::far_power(points, currents, outside, most_pairs / double(case_.waves.size()), run_.device());
  if (!scattered) return std::nullopt;
  const fields::Direction forward = fields::forward(wave.direction);
  const auto far = fields::far_field(points, currents, std::span(&forward, 1), outside, run_.device());
  results::Sections sections{scattered->front() / power,
                             0 - fields::radiated_power(points, currents).front() / power,
                             fields::extinction(far, wave), 0};
  sections.imbalance = std::abs(sections.extinction - sections.scattering - sections.absorption) /
                       std::max(std::abs(sections.extinction), 1e-300);
  return sections;
}

/// farfield.csv, directivity, gain and match of every excited port or source.
class Radiation : public TruncatedSink {
 public:
  Radiation(const TruncatedJob& job, run::Run& run) : TruncatedSink(job, run) {}
  void open() override { report_.emplace(case_.far_field.formats, run_); }
  void add(std::size_t, double frequency, const Solved& s) override {
    if (!s.is_written) return;
    const auto outside = job_.problem().exterior(frequency);
    const auto& directions = case_.far_field.directions;
    const auto& points = job_.problem().inner_points();
    const std::size_t m = directions.size();
    const auto far = fields::far_field(points, s.result.inner, directions, outside, run_.device());
    const auto radiated = fields::radiated_power(points, s.result.inner);
    for (const std::size_t c : s.drive.shown) {
      const FeedPower feed = job_.feed_power(s, c, radiated[c]);
      report_->add({s.drive.labels[c], frequency, directions, std::span(far.e_theta).subspan(c * m, m),
                    std::span(far.e_phi).subspan(c * m, m), outside.impedance},
                   feed.budget);
      check_balance(s.drive.labels[c], radiated[c], feed.budget.accepted - feed.coupled);
    }
  }
  void close() override { report_->close(); }

 private:
  /// @param left power of the port or source minus power into other ports [W]
  void check_balance(const std::string& name, double radiated, double left) {
    if (case_.model.is_lossless() && std::abs(radiated / left - 1) > 0.03)
      run_.warn(fmt::format(
          "\"{}\" of a lossless structure accepts {:.5g} W but radiates {:.5g} W: the mesh is too "
          "coarse at the port, the source or the inner surface",
          name, left, radiated));
  }

  std::optional<results::RadiationReport> report_;
};

/// solution.h5; E and H inside S of the first excitations, of waves the scattered ones too.
class Fields : public TruncatedSink {
 public:
  using TruncatedSink::TruncatedSink;
  void open() override {
    unknowns_.emplace(run_.output("solution.h5"), job_.system().space(), case_.mesh, run_.provenance());
    if (case_.write_fields)
      fields_.emplace(job_.system().space(), case_.model, case_.sweep.written[0], case_.field_cells,
                      run_.output("fields.vtkhdf"), run_.output("surfaces.vtkhdf"), run_.provenance());
  }
  void add(std::size_t, double frequency, const Solved& s) override {
    if (!s.is_written) return;
    if (fields_) fields_->begin_step(frequency);
    for (std::size_t i = 0; i < s.drive.shown.size(); ++i) {
      const std::size_t c = s.drive.shown[i];
      const Complex* x = &s.result.x[c * job_.num_dofs()];
      if (fields_ && i < most_field_columns) add_fields(x, frequency, s.drive, i);
      unknowns_->add(frequency, s.drive.labels[c], x);
    }
  }
  void close() override {
    unknowns_->close();
    if (fields_) fields_->close();
  }

 private:
  void add_fields(const Complex* x, double frequency, const Drive& drive, std::size_t i) {
    const std::string what = ", " + drive.labels[drive.shown[i]];
    if (const auto incident = incident_of(drive.excitations[drive.shown[i]]))
      fields_->add(x, frequency, "_scattered" + drive.suffix(i), "scattered ", what, negative(incident));
    fields_->add(x, frequency, drive.suffix(i), "total ", what);
  }

  std::optional<fem::SolutionFile> unknowns_;
  std::optional<fem::FieldFile> fields_;
};

/// NAME.sNp, ports.csv and active.csv, with the entries of S in the summary.
class Network : public TruncatedSink {
 public:
  Network(const TruncatedJob& job, run::Run& run)
      : TruncatedSink(job, run),
        network_(job.system().ports(), job.system().modes(), case_.reference_impedance) {}
  const fem::PortNetwork& network() const { return network_; }
  void add(std::size_t, double frequency, const Solved& s) override {
    if (s.is_stated) network_.add(frequency, s.ports.modes, s.ports.scattering.s);
  }
  void close() override {
    if (network_.points().empty()) return;
    const auto& system = job_.system();
    fem::write_network(network_, case_.model, system.space(), case_.touchstone, run_);
    // Open structure: power does not leave through ports only.
    fem::check_network(network_, system.has_symmetric_scattering(), false, run_);
  }

 private:
  fem::PortNetwork network_;
};

}  // namespace

job::Sinks<Solved> truncated_sinks(TruncatedJob& job, std::vector<fem::Parameter> parameters, run::Run& run) {
  const auto& c = job.config();
  job::Sinks<Solved> sinks;
  sinks.push_back(std::make_unique<History>(job, run));
  if (c.waves.empty())
    sinks.push_back(std::make_unique<Radiation>(job, run));
  else
    sinks.push_back(std::make_unique<Scattering>(job, run));
  sinks.push_back(std::make_unique<Fields>(job, run));
  if (!c.near_fields.empty()) sinks.push_back(near_field_sink(job, run));
  if (!parameters.empty()) sinks.push_back(derivative_sink(job, std::move(parameters), run));
  const fem::PortNetwork* network = nullptr;
  if (c.is_driven_by_ports()) {
    auto of_ports = std::make_unique<Network>(job, run);
    network = &of_ports->network();
    sinks.push_back(std::move(of_ports));
  }
  add_error_sinks(job, network, sinks, run);
  return sinks;
}

}  // namespace curlew::fe_iiee
