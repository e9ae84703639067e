// SPDX-License-Identifier: BSD-3-Clause
// All pairs on the GPU: memory, division of the work, and the sum of its parts. The kernels are in
// radiation_vector.cu and radiation_tensor.cu.
//
// Observers are divided into slabs: while the device computes one, the fields of the previous one are copied
// through page-locked memory to the caller's. Each slab in flight has a slot with its own stream and memory,
// so that a slab starts without a gap after the previous one.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "base/complex.hpp"
#include "base/copy_rows.hpp"
#include "base/cuda_event.hpp"
#include "base/cuda_pinned.hpp"
#include "base/cuda_stream.hpp"
#include "base/transfer_seconds.hpp"
#include "fields/radiation_device.hpp"
#include "fields/radiation_pair.cuh"

namespace curlew::fields {

namespace {

using Field = Vec3<complex<double>>;

constexpr int values = values_per_column;
constexpr int num_slots = 3;  // slabs in flight
constexpr std::size_t slot_fields = (16u << 20) / sizeof(Field);
constexpr std::size_t least_host = (1u << 20) / sizeof(Field);  // the currents pass through it too
constexpr Offset slab_step = 512;                               // observers: whole blocks of each kernel

/// Adds the parts and turns k E -+ curl E into E and curl E. @param e, curl [count, m, 3]
__global__ void finish(const double* partial, int splits, int columns, Offset m, double k, int first,
                       Field* e, Field* curl) {
  const Offset i = Offset(blockIdx.x) * blockDim.x + threadIdx.x;
  const int c = int(blockIdx.y);
  if (i >= m) return;
  double sum[values] = {};
  for (int s = 0; s < splits; ++s)
    for (int v = 0; v < values; ++v) sum[v] += partial[((Offset(s) * columns + c) * values + v) * m + i];
  // In units of 1/k the pair's matrix is K / k^3.
  const double scale = k * k * k;
  Field a, b;
  for (int x = 0; x < 3; ++x) {
    const complex<double> p(sum[2 * x], sum[2 * x + 1]), q(sum[6 + 2 * x], sum[7 + 2 * x]);
    a[x] = (scale / (2 * k)) * (p + q);
    b[x] = (scale / 2) * (q - p);
  }
  e[Offset(first + c) * m + i] = a;
  curl[Offset(first + c) * m + i] = b;
}

std::vector<Phase<double>> phase_table() {
  std::vector<Phase<double>> table;
  for (int i = 0; i < phase_places; ++i) {
    const double angle = 2 * pi * i / phase_places;
    table.push_back({std::cos(angle), std::sin(angle)});
  }
  return table;
}

/// The kernel for the remaining right-hand sides. Several use the tensor cores in double precision for either
/// precision: three products in single for one in double, 11 bits of an operand each, would save 10 % at
/// most.
RadiationKernel kernel_for(int columns, PairPrecision precision, bool has_tensor_cores) {
  return columns == 1 || !has_tensor_cores ? vector_radiation(precision) : tensor_radiation(columns);
}

/// Right-hand sides that share a kernel.
struct Pass {
  RadiationKernel kernel;
  int first, columns;
  int splits;                    ///< parts of the sources
  Offset num_sources, num_rows;  ///< rows: whole tiles
  std::size_t place;             ///< index of its first row among those of all passes
};

/// Enough blocks for some twenty rounds of the machine, so that the last one costs little.
int splits_for(const RadiationKernel& kernel, Offset num_observers, Offset num_tiles, int multiprocessors) {
  constexpr int rounds = 20, least_tiles = 6, most = 64;
  const Offset blocks = (num_observers + kernel.observers_per_block - 1) / kernel.observers_per_block;
  const Offset wanted = (Offset(rounds) * kernel.blocks * multiprocessors + blocks - 1) / blocks;
  return int(std::clamp<Offset>(wanted, 1, std::clamp<Offset>(num_tiles / least_tiles, 1, most)));
}

/// A buffer of at least n values; what was in it is lost.
template <class Memory>
void reserve(Memory& memory, std::size_t n) {
  if (memory.size() >= n) return;
  memory = {};
  memory = Memory(n);
}

/// Buffers of a slab of observers, until it is copied to the caller's memory.
struct Slot {
  cuda::Stream stream;
  cuda::Buffer<double> partial;
  cuda::Buffer<Field> fields;  // [2, count, size] E, curl E
  cuda::Pinned<Field> host;    // the same
  cuda::Event computed, summed{cudaEventDefault}, copying{cudaEventDefault}, copied{cudaEventDefault};
  Offset first = 0, size = 0;  // observers
  bool is_copying = false;     // to or from `host`

  /// @param direction to or from the slot's page-locked memory
  void copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind direction, cudaStream_t in) {
    copying.after(in);
    CURLEW_CUDA_CALL(cudaMemcpyAsync(to, from, bytes, direction, in));
    copied.after(in);
    is_copying = true;
  }
  void wait_for_copy() {
    if (!is_copying) return;
    copied.wait();
    add_transfer_seconds(copied.seconds_since(copying));
    is_copying = false;
  }
};

}  // namespace

struct DeviceRadiation::Impl {
  double k;
  Offset m;
  PairPrecision precision;
  int multiprocessors;
  bool has_tensor_cores;
  cuda::Buffer<Phase<double>> phases;
  cuda::Buffer<double> observers;  // [3, m] in units of 1/k
  cuda::Buffer<double> positions{}, currents{}, rows{};
  std::array<Slot, num_slots> slots{};
  // Sums and transfers of a slab have priority over the kernels of the next ones.
  cuda::Stream first_stream{}, sum_stream{cuda::Priority::high}, copy_stream{cuda::Priority::high};
  cuda::Event begin{cudaEventDefault}, arranged{};
  double seconds = 0;

  void upload(const std::vector<double>& from, cuda::Buffer<double>& to);
  std::vector<Pass> passes(int count, Offset num_sources) const;
  void arrange(const std::vector<Pass>& passes, const RadiationSources& sources);
  void compute(const std::vector<Pass>& passes, int count, Slot& slot);
  void take(Slot& slot, NearFields& fields);
};

namespace {

std::vector<double> by_axis(const std::vector<Vec3<double>>& points, double scale) {
  std::vector<double> values;
  for (int x = 0; x < 3; ++x)
    for (const auto& p : points) values.push_back(scale * p[x]);
  return values;
}

}  // namespace

DeviceRadiation::DeviceRadiation(const std::vector<Vec3<double>>& observers, double k,
                                 PairPrecision precision)
    : impl_(new Impl{k, Offset(observers.size()), precision, device_info().multiprocessors,
                     can_use_tensor_radiation(), cuda::Buffer<Phase<double>>(phase_table()),
                     cuda::Buffer<double>(by_axis(observers, k))}) {}

DeviceRadiation::~DeviceRadiation() = default;

double DeviceRadiation::kernel_seconds() const {
  return impl_->seconds;
}

/// Copies in pieces through the slots' page-locked memory, which no slab uses now.
void DeviceRadiation::Impl::upload(const std::vector<double>& from, cuda::Buffer<double>& to) {
  reserve(to, from.size());
  std::size_t done = 0;
  for (int i = 0; done < from.size(); ++i) {
    Slot& slot = slots[std::size_t(i % num_slots)];
    const std::size_t bytes =
        std::min(slot.host.size() * sizeof(Field), (from.size() - done) * sizeof(double));
    slot.wait_for_copy();
    std::memcpy(slot.host.data(), from.data() + done, bytes);
    slot.copy(to.data() + done, slot.host.data(), bytes, cudaMemcpyHostToDevice, first_stream.get());
    done += bytes / sizeof(double);
  }
}

std::vector<Pass> DeviceRadiation::Impl::passes(int count, Offset num_sources) const {
  std::vector<Pass> list;
  std::size_t place = 0;
  for (int first = 0; first < count; first += list.back().columns) {
    const auto pairs = count == 1 ? precision : PairPrecision::exact;
    const RadiationKernel kernel = kernel_for(count - first, pairs, has_tensor_cores);
    const Offset num_tiles = (num_sources + kernel.tile - 1) / kernel.tile;
    list.push_back({kernel, first, std::min(kernel.columns, count - first),
                    splits_for(kernel, m, num_tiles, multiprocessors), num_sources, num_tiles * kernel.tile,
                    place});
    place += std::size_t(num_tiles * kernel.tile) * std::size_t(kernel.row);
  }
  return list;
}

void DeviceRadiation::Impl::arrange(const std::vector<Pass>& passes, const RadiationSources& sources) {
  reserve(rows,
          passes.back().place + std::size_t(passes.back().num_rows) * std::size_t(passes.back().kernel.row));
  for (const Pass& p : passes)
    p.kernel.arrange(
        {positions.data(), currents.data(), int(sources.num_blocks()), int(sources.count()), p.first, k},
        p.num_rows, rows.data() + p.place, first_stream.get());
  arranged.after(first_stream.get());
}

/// Starts the slab on the device.
void DeviceRadiation::Impl::compute(const std::vector<Pass>& passes, int count, Slot& slot) {
  const std::size_t half = std::size_t(count) * std::size_t(slot.size);
  arranged.before(slot.stream.get());
  for (const Pass& p : passes) {
    const Offset blocks = (slot.size + p.kernel.observers_per_block - 1) / p.kernel.observers_per_block;
    p.kernel.launch({phases.data(), observers.data() + slot.first, slot.size, m, rows.data() + p.place,
                     int(p.num_sources), slot.partial.data()},
                    unsigned(blocks), unsigned(p.splits), slot.stream.get());
    slot.computed.after(slot.stream.get());
    slot.computed.before(sum_stream.get());
    finish<<<dim3(unsigned((slot.size + 127) / 128), unsigned(p.columns)), 128, 0, sum_stream.get()>>>(
        slot.partial.data(), p.splits, p.kernel.columns, slot.size, k, p.first, slot.fields.data(),
        slot.fields.data() + half);
    CURLEW_CHECK_LAUNCH("finish");
    slot.summed.after(sum_stream.get());
    slot.summed.before(slot.stream.get());  // the next pass writes over the parts of this one
  }
  slot.summed.before(copy_stream.get());
  slot.copy(slot.host.data(), slot.fields.data(), 2 * half * sizeof(Field), cudaMemcpyDeviceToHost,
            copy_stream.get());
}

/// Waits for the slab and copies it to the caller's memory.
void DeviceRadiation::Impl::take(Slot& slot, NearFields& fields) {
  slot.wait_for_copy();
  if (slot.size == 0) return;
  const auto count = std::size_t(fields.count), n = std::size_t(slot.size);
  copy_rows(fields.e.data() + slot.first, std::size_t(m) * sizeof(Field), slot.host.data(), n * sizeof(Field),
            n * sizeof(Field), count);
  copy_rows(fields.curl.data() + slot.first, std::size_t(m) * sizeof(Field), slot.host.data() + count * n,
            n * sizeof(Field), n * sizeof(Field), count);
  slot.size = 0;
}

void DeviceRadiation::apply(const RadiationSources& sources, NearFields& fields) {
  Impl& s = *impl_;
  const int count = sources.count();
  if (s.m == 0 || count == 0) return;
  const auto passes = s.passes(count, sources.num_blocks() * source_lanes);
  const std::size_t of_observer = 2 * std::size_t(count);
  const Offset num_slabs = Offset((std::size_t(s.m) * of_observer + slot_fields - 1) / slot_fields);
  const Offset step = std::min(s.m, (s.m / num_slabs + slab_step) / slab_step * slab_step);
  std::size_t partial = 0;
  for (const Pass& p : passes)
    partial = std::max(partial, std::size_t(p.splits * p.kernel.columns * values) * std::size_t(step));
  for (Slot& slot : s.slots) {
    slot.size = 0;
    reserve(slot.host, std::max(of_observer * std::size_t(step), least_host));
    reserve(slot.fields, of_observer * std::size_t(step));
    reserve(slot.partial, partial);
  }
  s.upload(sources.positions(), s.positions);
  s.upload(sources.currents(), s.currents);
  s.begin.after(s.first_stream.get());
  s.arrange(passes, sources);
  int next = 0;
  for (Offset first = 0; first < s.m; first += step, next = (next + 1) % num_slots) {
    Slot& slot = s.slots[std::size_t(next)];
    s.take(slot, fields);
    slot.first = first;
    slot.size = std::min(step, s.m - first);
    s.compute(passes, count, slot);
  }
  s.seconds = 0;
  for (int i = 0; i < num_slots; ++i) {
    Slot& slot = s.slots[std::size_t((next + i) % num_slots)];
    if (slot.size == 0) continue;
    s.take(slot, fields);
    s.seconds = std::max(s.seconds, slot.summed.seconds_since(s.begin));
  }
}

}  // namespace curlew::fields
