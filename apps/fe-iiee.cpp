// SPDX-License-Identifier: BSD-3-Clause
#include "programs/programs.hpp"
#include "run/several_processes.hpp"

int main(int argc, char** argv) {
  if (curlew::run::is_one_of_several()) return curlew::run::continue_with_mpi("fe-iiee", argc, argv);
  return curlew::programs::fe_iiee(argc, argv);
}
