// SPDX-License-Identifier: BSD-3-Clause
// em-bench: each paper's tables on this machine, beside the vendor's routine.

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include <map>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/restart.hpp"
#include "base/threads.hpp"
#include "bench/case_names.hpp"
#include "curlew/build.hpp"
#include "io/atomic_file.hpp"

namespace {

using namespace curlew;

const std::map<std::string, void (*)(const bench::Options&, bench::Report&)> benchmarks = {
    {"assembly", bench::assembly},
    {"direct", bench::direct},
    {"spmv", bench::spmv},
    {"vector", bench::vector},
    {"krylov", bench::krylov},
    {"multilevel", bench::multilevel},
    {"lu", bench::lu},
    {"mom2d", bench::mom2d},
    {"ngim", bench::ngim},
    {"ie", bench::ie},
    {"austin", bench::austin},
    {"truncation", bench::truncation},
    {"errors", bench::errors},
};

void write_json(const std::string& file, const std::string& name, const bench::Options& options,
                const bench::Report& report) {
  const nlohmann::json document = {
      {"program", "em-bench"},    {"version", CURLEW_VERSION},
      {"benchmark", name},        {"arch", CURLEW_BUILD_ARCH},
      {"threads", num_threads()}, {"device", options.device == Device::cuda ? device_info().name : "cpu"},
      {"tables", report.json()}};
  io::write_text_file(file, document.dump(2) + "\n");
}

}  // namespace

int main(int argc, char** argv) {
  // A core type set in the environment slows the BLAS by a factor of 1.5 or more: it is removed here.
  restart_with_own_blas_kernels(argv);

  CLI::App app{"Benchmarks: each paper's tables on this machine.\nExample: em-bench spmv --json spmv.json"};
  std::string name, device = "auto", json;
  int threads = 0;
  bench::Options options;
  std::vector<std::string> names;
  for (const auto& [known, run] : benchmarks) names.push_back(known);
  app.add_option("BENCHMARK", name, "what to measure")->required()->check(CLI::IsMember(names));
  app.add_option("--case", options.case_name, "one case of the benchmark, by its name below");
  app.add_option("--matrix", options.matrix, "system.h5 or .mtx to measure instead (spmv, krylov)");
  app.add_option(
         "--size", options.size,
         "unknowns (lu); edges per wavelength (austin, default 10); highest level (ngim --case stages)")
      ->check(CLI::Range(1L, 1000000L));
  app.add_option("--device-memory", options.device_memory, "GiB of GPU memory to use at most (lu)")
      ->check(CLI::Range(1e-3, 1e6));
  app.add_option("--host-memory", options.host_memory,
                 "GiB of host memory for panels that do not stay on the GPU (lu)")
      ->check(CLI::Range(1e-3, 1e6));
  app.add_option("--device", device, "auto, cpu or cuda");
  app.add_option("--threads", threads, "CPU threads, 0 for all");
  app.add_option("--repeat", options.repeat, "number of timed calls, whose median is printed")
      ->check(CLI::PositiveNumber);
  app.add_option("--json", json, "write the tables to this file");
  std::string cases = "Cases:\n";
  for (const auto& known : names)
    if (const auto list = bench::case_names(known); !list.empty())
      cases += fmt::format("  {}: {}\n", known, bench::listed(list));
  app.footer(cases + "Cases marked (GPU) need --device cuda; without --case they are left out on a CPU.");
  app.set_version_flag("--version", CURLEW_VERSION);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return app.exit(e);  // --help, --version
    log::start("em-bench", log::Verbosity::normal);
    log::error("{} (see --help)", e.what());
    return exit_input;
  }

  log::start("em-bench", log::Verbosity::normal);
  try {
    set_num_threads(threads);
    options.device = select_device(device);
    bench::check_case(name, options);
    io::require_replaceable(json);
    bench::Report report;
    benchmarks.at(name)(options, report);
    if (!json.empty()) write_json(json, name, options, report);
    if (const std::string empty = report.empty_table(); !empty.empty())
      throw InputError(fmt::format("{}: nothing was measured: {}", name, empty));
    return exit_done;
  } catch (const InputError& e) {
    log::error(e.what());
    return exit_input;
  } catch (const ResourceError& e) {
    log::error(e.what());
    return exit_resource;
  } catch (const std::exception& e) {
    log::error(e.what());
    return exit_numerical;
  }
}
