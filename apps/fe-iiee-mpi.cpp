// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/mpi/workers.hpp"
#include "programs/programs.hpp"
#include "truncation/shared_radiation.hpp"

int main(int argc, char** argv) {
  curlew::truncation::RadiationServer server;
  return curlew::linalg::run_on_all_processes(
      argc, argv,
      {"fe-iiee", curlew::programs::fe_iiee, [&](const auto& step) { return server.take(step); }});
}
