// SPDX-License-Identifier: BSD-3-Clause
#include "ie/mpi/run_together.hpp"
#include "programs/programs.hpp"

int main(int argc, char** argv) {
  return curlew::ie::run_together(argc, argv, curlew::programs::ie_solve);
}
