// SPDX-License-Identifier: BSD-3-Clause
// Our own reader of .geo files, used before Gmsh's.

#include "mesh/geo_parameters.hpp"
#include "scratch.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace curlew;
  const auto file = fuzz::scratch().file("body.geo", fuzz::text_of(data, size));
  fuzz::accepts([&] {
    mesh::geo_parameters(file);
    mesh::geo_sizes_points(file);
    mesh::geo_files(file);
  });
  return 0;
}
