// SPDX-License-Identifier: BSD-3-Clause
// em-ngim: the fast potential of point sources in an HDF5 file.

#include "programs/programs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "io/atomic_file.hpp"
#include "io/hdf5.hpp"
#include "ngim/plan.hpp"
#include "run/run_app.hpp"

namespace {

using namespace curlew;

struct Charges {
  std::vector<Complex> values;  ///< [vectors, n]
  Index vectors = 1;
  bool is_matrix = false;  ///< (n, m) in the file: outputs get the same last axis
};

std::vector<Vec3<double>> read_points(const io::H5File& file, const std::string& name) {
  io::Shape shape;
  const auto values = file.read<double>(name, &shape);
  if (shape.size() != 2 || shape[1] != 3) {
    throw InputError(fmt::format("{}: {}: shape must be (n, 3), metres", file.file_name(), name));
  }
  std::vector<Vec3<double>> points(shape[0]);
  for (std::size_t i = 0; i < points.size(); ++i)
    points[i] = {values[3 * i], values[3 * i + 1], values[3 * i + 2]};
  return points;
}

Charges read_charges(const io::H5File& file, std::size_t n) {
  io::Shape shape;
  const auto values = file.read<Complex>("charges", &shape);
  if (shape.empty() || shape.size() > 2 || shape[0] != n) {
    throw InputError(fmt::format("{}: charges: shape must be ({},) or ({}, m), one row per source",
                                 file.file_name(), n, n));
  }
  Charges charges{std::vector<Complex>(values.size()), 1, shape.size() == 2};
  if (charges.is_matrix) charges.vectors = Index(shape[1]);
  for (std::size_t i = 0; i < n; ++i) {
    for (Index v = 0; v < charges.vectors; ++v) charges.values[v * n + i] = values[i * charges.vectors + v];
  }
  return charges;
}

/// From [vectors, axes, m] to the file's [m, axes, vectors].
std::vector<Complex> to_rows(const std::vector<Complex>& values, Index vectors, int axes, std::size_t m) {
  std::vector<Complex> rows(values.size());
  for (Index v = 0; v < vectors; ++v) {
    for (int a = 0; a < axes; ++a) {
      for (std::size_t i = 0; i < m; ++i)
        rows[(i * axes + a) * vectors + v] = values[(std::size_t(v) * axes + a) * m + i];
    }
  }
  return rows;
}

Complex wavenumber(const run::Run& run) {
  const auto k = run.number_option("wavenumber"), loss = run.number_option("loss");
  if (run.flag("static")) {
    if (k || loss) throw InputError("--static excludes --wavenumber and --loss");
    return 0;
  }
  if (!k) throw InputError("--wavenumber K [1/m] is needed (or --static)");
  if (loss && *loss < 0) throw InputError(fmt::format("--loss {:g}: must not be negative", *loss));
  return {*k, -loss.value_or(0)};
}

/// Number of GPUs that share the observers.
int read_gpus(const run::Run& run) {
  const double gpus = run.number_option("gpus").value_or(1);
  const int most = std::max(1, num_devices());
  if (!(gpus >= 1 && gpus <= most && gpus == std::floor(gpus)))
    throw InputError(fmt::format("--gpus {:g}: must be a whole number from 1 to {}, the GPUs of this machine",
                                 gpus, most));
  return int(gpus);
}

ngim::Options plan_options(const run::Run& run) {
  ngim::Options options;
  const auto tolerance = run.number_option("tolerance");
  if (!tolerance) throw InputError("--tolerance T is needed, the largest relative error, e.g. 1e-4");
  options.tolerance = *tolerance;
  options.device = run.device();
  options.may_use_host = run.is_device_free();
  options.gradient = run.flag("gradient");
  options.gpus = read_gpus(run);
  if (run.precision() == run::Precision::single_precision)
    options.precision = ngim::Precision::single_precision;
  return options;
}

/// [m] of the box around all points.
double extent(std::span<const Vec3<double>> sources, std::span<const Vec3<double>> observers) {
  if (sources.empty() && observers.empty()) return 0;
  Vec3<double> low = sources.empty() ? observers[0] : sources[0], high = low;
  for (const auto& points : {sources, observers})
    for (const auto& p : points) {
      low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
  return norm(high - low);
}

/// The cost of grids grows with the size in wavelengths, and phases lose accuracy with distance.
void require_wavelengths(Complex k, double size) {
  constexpr double most_radians = 1e6;
  if (std::abs(k) * size <= most_radians) return;
  throw InputError(fmt::format(
      "--wavenumber {:g}: the points spread over {:.3g} m, {:.3g} wavelengths: at most {:.3g} are "
      "possible: check the unit of the points and of K [1/m]",
      k.real(), size, std::abs(k) * size / (2 * pi), most_radians / (2 * pi)));
}

Index read_samples(const run::Run& run) {
  const double samples = run.number_option("samples").value_or(500);
  if (!(samples >= 1 && samples <= 1e6 && samples == std::floor(samples)))
    throw InputError(fmt::format("--samples {:g}: must be a whole number from 1 to 1000000", samples));
  return Index(samples);
}

void report_levels(const ngim::Plan& plan, run::Run& run) {
  run.table("levels", {"level", "box_side_m", "boxes", "grids"});
  for (const auto& l : plan.levels()) {
    std::string grids = "-";
    if (l.high_frequency)
      grids = fmt::format("cones, order {}, {} x {} x {} segments", l.order, 6 * l.angular_segments,
                          l.angular_segments, l.radial_segments);
    else if (l.rank > 0)
      grids = fmt::format("Chebyshev order {}, skeleton {}", l.order, l.rank);
    run.row({fmt::format("{}", l.level), fmt::format("{:.4g}", l.side), fmt::format("{}", l.boxes), grids});
  }
}

void write(const std::string& path, const run::Run& run, const Charges& charges, std::size_t m,
           const std::vector<Complex>& potential, const std::vector<Complex>& gradient, Complex k,
           const ngim::Options& options, const ngim::MeasuredError& error,
           const ngim::MeasuredError& slope_error) {
  auto file = io::H5File::create(path);
  file.write_provenance(run.provenance(), "curlew-potential", 1);
  io::Shape shape{m}, slope_shape{m, 3};
  if (charges.is_matrix) shape.push_back(charges.vectors), slope_shape.push_back(charges.vectors);
  file.write("potential", to_rows(potential, charges.vectors, 1, m),
             {"charge/m", "sum exp(-jkR)/R q at the observers, without pairs at the same place"}, shape);
  file.set_attribute("l1_error", error.l1, "potential");
  file.set_attribute("l2_error", error.l2, "potential");
  file.set_attribute("sampled_observers", std::int64_t(error.samples), "potential");
  if (options.gradient) {
    file.write("gradient", to_rows(gradient, charges.vectors, 3, m),
               {"charge/m^2", "gradient of the potential by the observer's x, y, z"}, slope_shape);
    file.set_attribute("l1_error", slope_error.l1, "gradient");
    file.set_attribute("l2_error", slope_error.l2, "gradient");
    file.set_attribute("sampled_observers", std::int64_t(slope_error.samples), "gradient");
  }
  file.set_attribute("tolerance", options.tolerance);
  file.set_attribute("wavenumber_per_m", k.real());
  file.set_attribute("loss_per_m", -k.imag());
  file.close();
}

void evaluate(run::Run& run) {
  const auto input = io::H5File::open(run.input());
  const Complex k = wavenumber(run);
  const ngim::Options options = plan_options(run);
  const Index samples = read_samples(run);
  if (run.output_path().empty()) throw InputError("--output FILE.h5 is needed: where to write the potential");
  io::require_replaceable(run.output_path());
  const auto sources = read_points(input, "sources");
  std::optional<std::vector<Vec3<double>>> observers;
  if (input.has("observers")) observers = read_points(input, "observers");
  const Charges charges = read_charges(input, sources.size());
  const std::size_t m = observers ? observers->size() : sources.size();
  require_wavelengths(k, extent(sources, observers.value_or(std::vector<Vec3<double>>{})));
  run.plan("charges and fields",
           (charges.values.size() + m * charges.vectors * (options.gradient ? 8 : 2)) * sizeof(Complex));

  const ngim::Plan plan = [&] {
    auto timer = run.stage("set-up");
    return ngim::Plan(sources,
                      observers ? std::optional<std::span<const Vec3<double>>>(*observers) : std::nullopt, k,
                      options);
  }();
  report_levels(plan, run);
  if (run.dry_run()) return;

  std::vector<Complex> potential(m * charges.vectors),
      gradient(options.gradient ? 3 * m * charges.vectors : 0);
  {
    auto timer = run.stage("evaluation");
    plan.apply(charges.values.data(), charges.vectors, potential.data(),
               options.gradient ? gradient.data() : nullptr);
  }
  ngim::MeasuredError error, slope_error;
  {
    auto timer = run.stage("measuring the error");
    if (charges.vectors > 0) error = plan.measure_error(charges.values.data(), potential.data(), samples);
    if (charges.vectors > 0 && options.gradient)
      slope_error = plan.measure_gradient_error(charges.values.data(), gradient.data(), samples);
  }
  run.line(
      fmt::format("{} sources, {} observers: error of the potential L1 {:.2e}, L2 {:.2e} at {} observers "
                  "(tolerance {:g})",
                  sources.size(), m, error.l1, error.l2, error.samples, options.tolerance));
  if (std::max(error.l2, slope_error.l2) > options.tolerance) {
    run.warn(
        fmt::format("measured error {:.2e} is above the tolerance {:g}: points closer than the precision "
                    "resolves, or charges that cancel; use a larger tolerance or --precision double",
                    std::max(error.l2, slope_error.l2), options.tolerance));
  }
  write(run.output_file(), run, charges, m, potential, gradient, k, options, error, slope_error);
}

const run::AppInfo info{
    .name = "em-ngim",
    .summary =
        "Potential of point sources, sum exp(-jkR)/R q, to a tolerance, in O(N) or O(N log N) operations.",
    .example = "em-ngim points.h5 -o potential.h5 --tolerance 1e-4 --wavenumber 20.9 --gradient",
    .other_inputs = {".h5", ".hdf5"},
    .options = {{"--tolerance", "largest relative error", true, "T"},
                {"--wavenumber", "k [1/m]", true, "K"},
                {"--loss", "k'' >= 0 [1/m] of k' - j k'': waves decay as exp(-k'' R)", true, "K2"},
                {"--static", "k = 0"},
                {"--gradient", "also the gradient; the tolerance holds for it too"},
                {"--gpus", "CUDA devices that share the observers (1)", true, "N"},
                {"--samples", "observers at which the error is measured by direct sums (500)", true, "N"}},
    .output_file = true,
    .input_name = "POINTS.h5",
    .has_single_precision = true};

}  // namespace

int curlew::programs::em_ngim(int argc, char** argv) {
  return curlew::run::run_app(info, argc, argv, [](const io::Config&, run::Run& run) { evaluate(run); });
}
