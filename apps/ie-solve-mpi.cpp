// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/mpi/launch.hpp"
#include "programs/programs.hpp"

int main(int argc, char** argv) {
  using namespace curlew;
  return linalg::run_on_all_processes(argc, argv, {"ie-solve", programs::ie_solve, linalg::Design::equal});
}
