// SPDX-License-Identifier: BSD-3-Clause
// Kernels of device_near_matrix. Blocks of pairs, one thread each, go to a work array for some hundred
// thousand pairs at a time, sorted by kind so that the lanes of a warp follow one rule; one warp per row then
// collects its entries. With 49 kernel values per medium pair and about as many closed forms per touching
// pair, double-precision arithmetic limits the speed.
#include <algorithm>
#include <cub/device/device_radix_sort.cuh>

#include "base/column_search.hpp"
#include "base/cuda_grid.hpp"
#include "ie/surface/device_near_matrix.hpp"
#include "ie/surface/device_system.hpp"

namespace curlew::ie {
namespace {

using Value = complex<double>;
using Block = PairBlockOf<Value>;
constexpr int block_size = 128;
constexpr Offset pairs_at_once = Offset(1) << 20;  // 432 bytes each

/// One region: its pairs, and data for entries from integrals.
struct RegionPairs {
  PairView integrals;
  const Index *triangles, *position;  ///< of the mesh, and back (-1: not on the region)
  const signed char* sign;            ///< [triangles of the mesh]
  const Offset* offsets;              ///< near list by position
  const Index* columns;
  Value relative;
  bool corrections;
};

struct MatrixView {
  const Offset* row_offsets;
  const Index* columns;
  Value* values;
};

/// Ascending columns: the place of one in [begin, end), or end.
__device__ Offset find(const Index* columns, Offset begin, Offset end, Index wanted) {
  const Offset place = first_not_below(columns, begin, end, wanted);
  return place < end && columns[place] == wanted ? place : end;
}

/// One warp per test triangle: kind and row of its pairs.
__global__ void classify(RegionPairs region, Index first_row, Index last_row, unsigned char* kinds,
                         Index* rows, Index* order) {
  const Index row = first_row + Index((Offset(blockIdx.x) * blockDim.x + threadIdx.x) / 32);
  if (row >= last_row) return;
  const Offset first = region.offsets[first_row];
  for (Offset e = region.offsets[row] + threadIdx.x % 32; e < region.offsets[row + 1]; e += 32) {
    const PairKind kind = region.integrals.kind(region.triangles[row], region.triangles[region.columns[e]]);
    kinds[e - first] = static_cast<unsigned char>(kind);
    rows[e - first] = row;
    order[e - first] = Index(e - first);
  }
}

/// One thread per pair, in the order of kinds.
template <bool magnetic, bool rotated>
__global__ __launch_bounds__(block_size) void make_blocks(RegionPairs region, Offset first, Offset num_pairs,
                                                          const unsigned char* kinds, const Index* rows,
                                                          const Index* order, Block* blocks) {
  const Offset i = Offset(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= num_pairs) return;
  const Index pair = order[i];
  const Index test = region.triangles[rows[pair]], source = region.triangles[region.columns[first + pair]];
  const PairView& v = region.integrals;
  Block block = v.exact<magnetic, rotated>(PairKind(kinds[i]), test, source);
  if (region.corrections) {
    const Block points = v.points<magnetic, rotated>(test, source, v.far);
    for (int a = 0; a < 3; ++a) {
      for (int b = 0; b < 3; ++b) {
        block.electric[a][b] -= points.electric[a][b];
        if constexpr (magnetic) block.magnetic[a][b] -= points.magnetic[a][b];
        if constexpr (rotated) block.rotated[a][b] -= points.rotated[a][b];
      }
    }
  }
  blocks[pair] = block;
}

/// Contributions of the pairs of one test triangle to the entry between two unknowns.
struct Collector {
  RegionPairs region;
  FunctionsView functions;
  const Block* blocks;  ///< of the pairs from `first` on
  Offset first;

  __device__ Value operator()(Index row, const LocalFunction& test, bool magnetic_row, Index unknown) const {
    const bool magnetic_column = unknown >= functions.num_functions;
    const Index g = magnetic_column ? functions.electric[unknown - functions.num_functions] : unknown;
    const RwgFunction f = functions.functions[g];
    const double share = functions.share[test.function];
    const int sign = region.sign[region.triangles[row]];
    Value sum;
    for (Index i = 0; i < f.num_parts; ++i) {
      const FunctionPart part = f.part(i, functions.parts);
      const Index at = region.position[part.triangle];
      if (at < 0) continue;
      const Offset end = region.offsets[row + 1], e = find(region.columns, region.offsets[row], end, at);
      if (e == end) continue;
      const auto integrals =
          local_integrals(blocks[e - first], test.vertex, part.vertex, test.scale * part.scale,
                          double(sign * region.sign[part.triangle]));
      sum += entry(integrals, magnetic_row, magnetic_column, share, region.relative);
    }
    return sum;
  }
};

/// One warp per corner of a test triangle: it handles those functions at the corner that have the triangle as
/// part number `number`, so that no two warps of a launch share a row.
__global__ void collect(Collector collector, Index first_row, Index last_row, Index number,
                        MatrixView matrix) {
  const Offset warp = (Offset(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
  const Index row = first_row + Index(warp / 3);
  if (row >= last_row) return;
  const FunctionsView& space = collector.functions;
  const Index triangle = collector.region.triangles[row];
  for (Index a = space.begin[triangle]; a < space.begin[triangle + 1]; ++a) {
    const LocalFunction test = space.locals[a];
    if (test.vertex != int(warp % 3)) continue;
    const RwgFunction f = space.functions[test.function];
    if (number >= f.num_parts || f.part(number, space.parts).triangle != triangle) continue;
    for (int kind = 0; kind < 2; ++kind) {
      const Index unknown = kind == 0 ? test.function : space.magnetic[test.function];
      if (unknown < 0) continue;
      for (Offset e = matrix.row_offsets[unknown] + threadIdx.x % 32; e < matrix.row_offsets[unknown + 1];
           e += 32)
        matrix.values[e] += collector(row, test, kind == 1, matrix.columns[e]);
    }
  }
}

/// An Entry on the device.
struct PlainEntry {
  Index row, column;
  double re, im;
};
static_assert(sizeof(PlainEntry) == sizeof(Entry));

/// One thread per entry that does not come from pairs; none twice.
__global__ void add_entries(Offset num_entries, const PlainEntry* entries, MatrixView matrix) {
  const Offset i = Offset(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= num_entries) return;
  const PlainEntry own = entries[i];
  const Offset end = matrix.row_offsets[own.row + 1];
  const Offset e = find(matrix.columns, matrix.row_offsets[own.row], end, own.column);
  if (e < end) matrix.values[e] += Value(own.re, own.im);
}

/// Adds the pairs of one region, some rows of them at a time.
class RegionAssembly {
 public:
  RegionAssembly(const System& system, int region, const NearList& list, NearPart part)
      : list_(list),
        integrals_(system.integrals(region).view(), system.mesh().triangles.size()),
        triangles_(system.scene().regions[std::size_t(region)].triangles),
        sign_(system.scene().regions[std::size_t(region)].sign),
        offsets_(list.offsets),
        columns_(list.columns),
        magnetic_(system.needs_magnetic(region)),
        rotated_(system.needs_rotated(region)) {
    const Region& r = system.scene().regions[std::size_t(region)];
    std::vector<Index> back(system.mesh().triangles.size(), -1);
    for (std::size_t i = 0; i < r.triangles.size(); ++i) back[std::size_t(r.triangles[i])] = Index(i);
    position_ = cuda::Buffer<Index>(back);
    view_ = {integrals_.view(), triangles_.data(), position_.data(),         sign_.data(),
             offsets_.data(),   columns_.data(),   r.eta / vacuum_impedance, part == NearPart::corrections};
    allocate();
  }

  /// @param most_parts of one function
  void add(const FunctionsView& functions, Index most_parts, MatrixView matrix) {
    const Index num_rows = Index(list_.offsets.size()) - 1;
    for (Index row = 0; row < num_rows;) {
      const Index end = end_of(row);
      const Offset first = list_.offsets[std::size_t(row)], n = list_.offsets[std::size_t(end)] - first;
      classify<<<cuda::blocks_for(32 * Offset(end - row), block_size), block_size>>>(
          view_, row, end, kinds_[0].data(), rows_.data(), order_[0].data());
      CURLEW_CHECK_LAUNCH("classify");
      std::size_t bytes = sorting_.size();
      CURLEW_CUDA_CALL(cub::DeviceRadixSort::SortPairs(sorting_.data(), bytes, kinds_[0].data(),
                                                       kinds_[1].data(), order_[0].data(), order_[1].data(),
                                                       int(n), 0, 3));
      make_blocks_of(first, n);
      for (Index number = 0; number < most_parts; ++number) {
        collect<<<cuda::blocks_for(3 * 32 * Offset(end - row), block_size), block_size>>>(
            Collector{view_, functions, blocks_.data(), first}, row, end, number, matrix);
        CURLEW_CHECK_LAUNCH("collect");
      }
      row = end;
    }
  }

 private:
  /// End of the rows from `row` on whose pairs fit into the work arrays; at least one.
  Index end_of(Index row) const {
    const Offset limit = list_.offsets[std::size_t(row)] + Offset(order_[0].size());
    const auto it = std::upper_bound(list_.offsets.begin() + row + 1, list_.offsets.end(), limit);
    return Index(it - list_.offsets.begin()) - 1;
  }
  void allocate() {
    Offset most = 0;  // pairs of one row
    for (std::size_t i = 0; i + 1 < list_.offsets.size(); ++i)
      most = std::max(most, list_.offsets[i + 1] - list_.offsets[i]);
    const auto n = std::size_t(std::max(most, std::min(pairs_at_once, list_.num_pairs())));
    for (int i = 0; i < 2; ++i)
      kinds_[i] = cuda::Buffer<unsigned char>(n), order_[i] = cuda::Buffer<Index>(n);
    rows_ = cuda::Buffer<Index>(n);
    blocks_ = cuda::Buffer<Block>(n);
    std::size_t bytes = 0;
    CURLEW_CUDA_CALL(cub::DeviceRadixSort::SortPairs(nullptr, bytes, kinds_[0].data(), kinds_[1].data(),
                                                     order_[0].data(), order_[1].data(), int(n), 0, 3));
    sorting_ = cuda::Buffer<unsigned char>(bytes);
  }
  void make_blocks_of(Offset first, Offset n) {
    const auto launch = [&](auto kernel) {
      kernel<<<cuda::blocks_for(n, block_size), block_size>>>(view_, first, n, kinds_[1].data(), rows_.data(),
                                                              order_[1].data(), blocks_.data());
      CURLEW_CHECK_LAUNCH("make_blocks");
    };
    if (magnetic_ && rotated_)
      launch(make_blocks<true, true>);
    else if (magnetic_)
      launch(make_blocks<true, false>);
    else if (rotated_)
      launch(make_blocks<false, true>);
    else
      launch(make_blocks<false, false>);
  }

  const NearList& list_;
  DeviceIntegrals integrals_;
  cuda::Buffer<Index> triangles_, position_;
  cuda::Buffer<signed char> sign_;
  cuda::Buffer<Offset> offsets_;
  cuda::Buffer<Index> columns_;
  bool magnetic_, rotated_;
  RegionPairs view_{};
  cuda::Buffer<unsigned char> kinds_[2], sorting_;
  cuda::Buffer<Index> rows_, order_[2];
  cuda::Buffer<Block> blocks_;
};

void add_local(const std::vector<Entry>& local, MatrixView matrix) {
  if (local.empty()) return;
  const auto entries = copied_to_device(reinterpret_cast<const PlainEntry*>(local.data()), local.size());
  add_entries<<<cuda::blocks_for(Offset(local.size()), block_size), block_size>>>(Offset(local.size()),
                                                                                  entries.data(), matrix);
  CURLEW_CHECK_LAUNCH("add_entries");
  CURLEW_CUDA_CALL(cudaDeviceSynchronize());
}

}  // namespace

std::unique_ptr<linalg::DeviceCrs<double>> device_near_matrix(const System& system,
                                                              const std::vector<Entry>& loads,
                                                              NearPairs pairs, NearPart part,
                                                              const std::vector<char>& of_share) {
  std::vector<NearList> lists;
  for (int r = 0; r < int(system.scene().regions.size()); ++r)
    lists.push_back(near_pairs(system, r, pairs, of_share));
  const auto local = local_entries(system, loads);
  NearPattern pattern = near_pattern(system, lists, local, of_share);
  const auto entries = pattern.columns.size();
  require_device_memory(
      entries * (sizeof(Value) + sizeof(Index)) + std::size_t(pairs_at_once) * sizeof(Block),
      "near corrections");
  cuda::Buffer<Offset> row_offsets(pattern.row_offsets);
  cuda::Buffer<Index> columns(pattern.columns);
  pattern = {};
  cuda::Buffer<Value> values(entries);
  CURLEW_CUDA_CALL(cudaMemset(values.data(), 0, values.bytes()));
  const MatrixView matrix{row_offsets.data(), columns.data(), values.data()};
  add_local(local, matrix);
  const DeviceFunctions functions(system);
  for (std::size_t r = 0; r < lists.size(); ++r)
    RegionAssembly(system, int(r), lists[r], part).add(functions.view(), system.space().most_parts(), matrix);
  CURLEW_CUDA_CALL(cudaDeviceSynchronize());
  return std::make_unique<linalg::DeviceCrs<double>>(std::move(row_offsets), std::move(columns),
                                                     std::move(values));
}

}  // namespace curlew::ie
