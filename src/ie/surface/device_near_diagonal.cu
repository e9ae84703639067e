// SPDX-License-Identifier: BSD-3-Clause
// Kernel of device_near_diagonal: limited by the closed forms of four pairs per function.
#include "base/cuda_grid.hpp"
#include "ie/surface/device_near_diagonal.hpp"
#include "ie/surface/device_system.hpp"
#include "ie/surface/near_pattern.hpp"

namespace curlew::ie {
namespace {

using Value = complex<double>;
constexpr int block_size = 128;

/// One thread per function: self-interaction on its triangles. All lanes follow the same rules. No entry
/// between a function and itself contains K.
template <bool rotated>
__global__ __launch_bounds__(block_size) void add_diagonal(PairView integrals, const signed char* sign,
                                                           FunctionsView space, Value relative,
                                                           Value* diagonal) {
  const Index index = Index(blockIdx.x * blockDim.x + threadIdx.x);
  if (index >= space.num_functions) return;
  const RwgFunction f = space.functions[index];
  Value of_electric, of_magnetic;
  for (Index a = 0; a < f.num_parts; ++a) {
    const FunctionPart test = f.part(a, space.parts);
    for (Index b = 0; b < f.num_parts; ++b) {
      const FunctionPart source = f.part(b, space.parts);
      const int signs = sign[test.triangle] * sign[source.triangle];
      if (signs == 0) continue;
      const auto block = integrals.exact<false, rotated>(integrals.kind(test.triangle, source.triangle),
                                                         test.triangle, source.triangle);
      const auto own =
          local_integrals(block, test.vertex, source.vertex, test.scale * source.scale, double(signs));
      of_electric += entry(own, false, false, space.share[index], relative);
      of_magnetic += entry(own, true, true, space.share[index], relative);
    }
  }
  diagonal[index] += of_electric;
  if (space.magnetic[index] >= 0) diagonal[space.magnetic[index]] += of_magnetic;
}

void add_region(const System& system, int region, const FunctionsView& functions, Value* diagonal) {
  const Region& r = system.scene().regions[std::size_t(region)];
  const DeviceIntegrals integrals(system.integrals(region).view(), system.mesh().triangles.size());
  const cuda::Buffer<signed char> sign(r.sign);
  const Value relative = r.eta / vacuum_impedance;
  const auto launch = [&](auto kernel) {
    kernel<<<cuda::blocks_for(functions.num_functions, block_size), block_size>>>(
        integrals.view(), sign.data(), functions, relative, diagonal);
    CURLEW_CHECK_LAUNCH("add_diagonal");
    CURLEW_CUDA_CALL(cudaDeviceSynchronize());
  };
  if (system.needs_rotated(region))
    launch(add_diagonal<true>);
  else
    launch(add_diagonal<false>);
}

}  // namespace

std::vector<Complex> device_near_diagonal(const System& system, const std::vector<Entry>& loads) {
  const DeviceFunctions functions(system);
  cuda::Buffer<Value> diagonal(std::size_t(system.num_unknowns()));
  CURLEW_CUDA_CALL(cudaMemset(diagonal.data(), 0, diagonal.bytes()));
  for (int r = 0; r < int(system.scene().regions.size()); ++r)
    add_region(system, r, functions.view(), diagonal.data());
  std::vector<Complex> host(diagonal.size());
  diagonal.download(reinterpret_cast<Value*>(host.data()));
  for (const Entry& e : local_entries(system, loads))
    if (e.row == e.column) host[std::size_t(e.row)] += e.value;
  return host;
}

}  // namespace curlew::ie
