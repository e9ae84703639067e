// SPDX-License-Identifier: BSD-3-Clause
#include "fields/radiation.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.hpp"
#include "base/huge_pages.hpp"
#include "base/threads.hpp"
#include "curlew/build.hpp"
#include "fields/radiation_sources.hpp"
#include "green/surface_pair.hpp"
#ifdef CURLEW_HAVE_CUDA
#include "fields/radiation_device.hpp"
#endif

namespace curlew::fields {

namespace {

using green::VecD;
constexpr int lanes = RadiationSources::lanes;        // of a block of sources
constexpr int width = green::double_lanes;            // of a vector
constexpr int vectors = lanes / width;                // of a block
constexpr int rows = vector_registers == 32 ? 3 : 1;  // of K, each with eight sums in registers
constexpr int tile_blocks = 8;  // whose matrices K (9 KB) are kept while the right-hand sides pass
constexpr int group = 4;        // observers that share a pass over the currents

bool is_finite(Vec3<double> p) {
  return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z);
}

VecD load(const double* p) {
  VecD v;
  std::memcpy(&v, p, sizeof v);
  return v;
}

double total(VecD v) {
  double sum = 0;
  for (int i = 0; i < width; ++i) sum += v[i];
  return sum;
}

/// k E -+ curl E of a right-hand side at one observer, summed by lanes: of each component the products of
/// real and imaginary part of K with those of the currents, re re, im im, re im, im re.
struct Accumulator {
  VecD plus[12] = {}, minus[12] = {};
};

/// Adds a right-hand side's products of real and imaginary parts separately, for some rows of K and K^T.
/// @param pairs [num_blocks, vectors]
void add_rows(const RadiationSources& sources, const green::SurfacePair<VecD>* pairs, int num_blocks,
              Offset first_block, Index column, int first_row, Accumulator& sums) {
  VecD plus[4 * rows], minus[4 * rows];
  std::copy_n(sums.plus + 4 * first_row, 4 * rows, plus);
  std::copy_n(sums.minus + 4 * first_row, 4 * rows, minus);
  for (int b = 0; b < num_blocks * vectors; ++b) {
    const double* s = sources.current_block(first_block + b / vectors, column) + b % vectors * width;
    for (int j = 0; j < 3; ++j) {
      const VecD re_sum = load(s + 2 * j * lanes), im_sum = load(s + (2 * j + 1) * lanes);
      const VecD re_difference = load(s + (6 + 2 * j) * lanes), im_difference = load(s + (7 + 2 * j) * lanes);
      for (int i = 0; i < rows; ++i) {
        const auto p = pairs[b].k[first_row + i][j], q = pairs[b].k[j][first_row + i];
        plus[4 * i] += p.re * re_sum, plus[4 * i + 1] += p.im * im_sum;
        plus[4 * i + 2] += p.re * im_sum, plus[4 * i + 3] += p.im * re_sum;
        minus[4 * i] += q.re * re_difference, minus[4 * i + 1] += q.im * im_difference;
        minus[4 * i + 2] += q.re * im_difference, minus[4 * i + 3] += q.im * re_difference;
      }
    }
  }
  std::copy_n(plus, 4 * rows, sums.plus + 4 * first_row);
  std::copy_n(minus, 4 * rows, sums.minus + 4 * first_row);
}

void add_tile(const RadiationSources& sources, Offset first_block, int num_blocks, Vec3<double> observer,
              double k, Accumulator* sums) {
  std::array<green::SurfacePair<VecD>, std::size_t(tile_blocks * vectors)> pairs;
  for (int b = 0; b < num_blocks * vectors; ++b) {
    const double* p = sources.position_block(first_block + b / vectors) + b % vectors * width;
    pairs[std::size_t(b)] = green::surface_pair<double>(
        Vec3<VecD>{observer.x - load(p), observer.y - load(p + lanes), observer.z - load(p + 2 * lanes)}, k);
  }
  for (Index c = 0; c < sources.count(); ++c) {
    for (int row = 0; row < 3; row += rows)
      add_rows(sources, pairs.data(), num_blocks, first_block, c, row, sums[c]);
  }
}

/// Component i of K x = (rr - ii) + j (ri + ir), or of K x* = (rr + ii) + j (ir - ri), by the same products.
Complex component(const VecD* parts, int i, bool conjugate) {
  const double sign = conjugate ? -1 : 1;
  return {total(parts[4 * i]) - sign * total(parts[4 * i + 1]),
          sign * total(parts[4 * i + 2]) + total(parts[4 * i + 3])};
}

void store(const Accumulator& a, bool conjugate, double k, Vec3<Complex>& e, Vec3<Complex>& curl) {
  for (int i = 0; i < 3; ++i) {
    const Complex plus = component(a.plus, i, conjugate), minus = component(a.minus, i, conjugate);
    e[i] = (plus + minus) / (2 * k);
    curl[i] = 0.5 * (minus - plus);
  }
}

}  // namespace

Vec3<Complex> magnetic_field(Vec3<Complex> curl_e, const Exterior& exterior) {
  return (Complex(0, 1) / (exterior.k * exterior.impedance)) * curl_e;
}

struct RadiationOperator::State {
  SurfacePoints sources;
  std::vector<Vec3<double>> observers;
  Exterior exterior;
#ifdef CURLEW_HAVE_CUDA
  std::unique_ptr<DeviceRadiation> device{};
#endif
};

RadiationOperator::RadiationOperator(const SurfacePoints& sources, std::span<const Vec3<double>> observers,
                                     const Exterior& exterior, Device device,
                                     [[maybe_unused]] PairPrecision precision)
    : state_(new State{sources, {observers.begin(), observers.end()}, exterior}) {
  if (!(exterior.k > 0 && std::isfinite(exterior.k)) || !(exterior.impedance > 0))
    throw InputError("radiation: wavenumber and impedance of the exterior must be positive");
  if (!std::all_of(sources.position.begin(), sources.position.end(), is_finite) ||
      !std::all_of(observers.begin(), observers.end(), is_finite))
    throw InputError("radiation: a point has a coordinate that is not finite");
#ifdef CURLEW_HAVE_CUDA
  if (device == Device::cuda)
    state_->device = std::make_unique<DeviceRadiation>(state_->observers, exterior.k, precision);
#else
  if (device == Device::cuda) throw ResourceError("radiation: this build has no CUDA");
#endif
}
RadiationOperator::~RadiationOperator() = default;
RadiationOperator::RadiationOperator(RadiationOperator&&) noexcept = default;
RadiationOperator& RadiationOperator::operator=(RadiationOperator&&) noexcept = default;

Offset RadiationOperator::num_sources() const {
  return state_->sources.size();
}
Offset RadiationOperator::num_observers() const {
  return Offset(state_->observers.size());
}

double RadiationOperator::kernel_seconds() const {
#ifdef CURLEW_HAVE_CUDA
  if (state_->device) return state_->device->kernel_seconds();
#endif
  return 0;
}

NearFields RadiationOperator::apply(const SurfaceCurrents& currents, bool conjugates) const {
  NearFields fields;
  apply(currents, fields, conjugates);
  return fields;
}

void RadiationOperator::apply(const SurfaceCurrents& currents, NearFields& fields, bool conjugates) const {
#ifdef CURLEW_HAVE_CUDA
  if (state_->device && conjugates) return apply(with_conjugates(currents), fields);
#endif
  const Offset m = num_observers();
  fields.count = (conjugates ? 2 : 1) * currents.count;
  for (auto* field : {&fields.e, &fields.curl})
    if (field->size() != std::size_t(fields.count * m))
      *field = huge_vector<Vec3<Complex>>(std::size_t(fields.count * m));
  const RadiationSources sources(state_->sources, currents, state_->exterior.impedance);
#ifdef CURLEW_HAVE_CUDA
  if (state_->device) {
    state_->device->apply(sources, fields);
    return;
  }
#endif
  const double k = state_->exterior.k;
#pragma omp parallel num_threads(num_threads())
  {
    std::vector<Accumulator> sums(std::size_t(group * currents.count));
#pragma omp for schedule(dynamic, 4)
    for (Offset first = 0; first < m; first += group) {
      const Offset last = std::min(first + group, m);
      std::fill(sums.begin(), sums.end(), Accumulator{});
      for (Offset b = 0; b < sources.num_blocks(); b += tile_blocks) {
        const int blocks = int(std::min<Offset>(tile_blocks, sources.num_blocks() - b));
        for (Offset i = first; i < last; ++i)
          add_tile(sources, b, blocks, state_->observers[i], k,
                   &sums[std::size_t((i - first) * currents.count)]);
      }
      for (Offset i = first; i < last; ++i)
        for (Index c = 0; c < fields.count; ++c)
          store(sums[std::size_t((i - first) * currents.count + c % currents.count)], c >= currents.count, k,
                fields.e[c * m + i], fields.curl[c * m + i]);
    }
  }
}

NearFields radiate(const SurfacePoints& sources, const SurfaceCurrents& currents,
                   std::span<const Vec3<double>> observers, const Exterior& exterior) {
  return RadiationOperator(sources, observers, exterior).apply(currents);
}

}  // namespace curlew::fields
