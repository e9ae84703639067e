// SPDX-License-Identifier: BSD-3-Clause
#include "programs/programs.hpp"

int main(int argc, char** argv) {
  return curlew::programs::em_optimize(argc, argv);
}
