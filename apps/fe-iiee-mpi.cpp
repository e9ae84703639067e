// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/mpi/launch.hpp"
#include "programs/programs.hpp"
#include "truncation/shared_radiation.hpp"

int main(int argc, char** argv) {
  using namespace curlew;
  truncation::RadiationServer server;
  const auto takes = [&](const ProcessGroup& processes, const GroupStep& step) {
    return server.take(processes, step);
  };
  return linalg::run_on_all_processes(argc, argv, {"fe-iiee", programs::fe_iiee, linalg::Design::led, takes});
}
