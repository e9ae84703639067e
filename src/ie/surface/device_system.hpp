// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Geometry, rules, functions and unknowns of a surface system in the memory of a CUDA device.

#include "base/cuda.hpp"
#include "ie/surface/system.hpp"

namespace curlew::ie {

template <class T>
cuda::Buffer<T> copied_to_device(const T* host, std::size_t n) {
  cuda::Buffer<T> buffer(n);
  buffer.upload(host);
  return buffer;
}

/// A rule in the memory of the device.
struct DeviceRule {
  cuda::Buffer<double> points, weights;
  explicit DeviceRule(TriangleRuleView r)
      : points(copied_to_device(r.points, std::size_t(3 * r.size))),
        weights(copied_to_device(r.weights, std::size_t(r.size))) {}
  TriangleRuleView view() const { return {int(weights.size()), points.data(), weights.data()}; }
};

/// PairIntegrals in the memory of the device.
struct DeviceIntegrals {
  PairView host;
  cuda::Buffer<quadrature::TriangleFrame> frames;
  cuda::Buffer<Vec3<double>> centroids;
  cuda::Buffer<double> longest;
  cuda::Buffer<Index> nodes;
  DeviceRule far, medium, smooth, near0, near1, near2, near3;

  DeviceIntegrals(PairView v, std::size_t triangles)
      : host(v),
        frames(copied_to_device(v.frames, triangles)),
        centroids(copied_to_device(v.centroids, triangles)),
        longest(copied_to_device(v.longest, triangles)),
        nodes(copied_to_device(v.nodes, 3 * triangles)),
        far(v.far),
        medium(v.medium),
        smooth(v.smooth),
        near0(v.near[0]),
        near1(v.near[1]),
        near2(v.near[2]),
        near3(v.near[3]) {}
  PairView view() const {
    PairView v = host;
    v.frames = frames.data(), v.centroids = centroids.data(), v.longest = longest.data();
    v.nodes = nodes.data();
    v.far = far.view(), v.medium = medium.view(), v.smooth = smooth.view();
    v.near[0] = near0.view(), v.near[1] = near1.view(), v.near[2] = near2.view(), v.near[3] = near3.view();
    return v;
  }
};

/// Functions and unknowns.
struct FunctionsView {
  const RwgFunction* functions;
  const FunctionPart* parts;  ///< of those with more than two
  const LocalFunction* locals;
  const Index* begin;     ///< [triangles + 1] into locals
  const double* share;    ///< [functions]
  const Index* magnetic;  ///< [functions] unknown of M, or -1
  const Index* electric;  ///< [magnetic unknowns] their functions
  Index num_functions;
};

/// Functions and unknowns in the memory of the device.
struct DeviceFunctions {
  cuda::Buffer<RwgFunction> functions;
  cuda::Buffer<FunctionPart> parts;
  cuda::Buffer<LocalFunction> locals;
  cuda::Buffer<Index> begin, magnetic, electric;
  cuda::Buffer<double> share;

  explicit DeviceFunctions(const System& system)
      : functions(system.space().functions()),
        parts(system.space().parts()),
        locals(system.space().locals()) {
    std::vector<Index> begins, numbers, of_magnetic(std::size_t(system.num_unknowns()));
    std::vector<double> shares;
    for (Index t = 0; t <= system.mesh().num_triangles(); ++t) begins.push_back(system.space().begin(t));
    for (Index f = 0; f < system.num_electric(); ++f) {
      numbers.push_back(system.magnetic_unknown(f)), shares.push_back(system.electric_share(f));
      if (numbers.back() >= 0) of_magnetic[std::size_t(numbers.back() - system.num_electric())] = f;
    }
    of_magnetic.resize(std::size_t(system.num_unknowns() - system.num_electric()));
    begin = cuda::Buffer<Index>(begins), magnetic = cuda::Buffer<Index>(numbers);
    electric = cuda::Buffer<Index>(of_magnetic), share = cuda::Buffer<double>(shares);
  }
  FunctionsView view() const {
    return {functions.data(), parts.data(),    locals.data(),   begin.data(),
            share.data(),     magnetic.data(), electric.data(), Index(functions.size())};
  }
};

}  // namespace curlew::ie
