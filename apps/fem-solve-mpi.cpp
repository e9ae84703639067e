// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/mpi/workers.hpp"
#include "programs/programs.hpp"

int main(int argc, char** argv) {
  return curlew::linalg::run_on_all_processes(argc, argv, {"fem-solve", curlew::programs::fem_solve});
}
