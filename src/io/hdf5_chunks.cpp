// SPDX-License-Identifier: BSD-3-Clause
#include "io/hdf5_chunks.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <vector>

#include "base/error.hpp"
#include "io/hdf5_handles.hpp"

namespace curlew::io::h5 {
namespace {

/// The index of deflate among the filters of a dataset, or -1: shuffle does not change the number of bytes.
int place_of_deflate(hid_t creation, const std::string& label) {
  int place = -1;
  for (int i = 0; i < H5Pget_nfilters(creation); ++i) {
    unsigned flags = 0;
    std::size_t num_values = 0;
    const auto filter =
        H5Pget_filter2(creation, unsigned(i), &flags, &num_values, nullptr, 0, nullptr, nullptr);
    if (filter == H5Z_FILTER_DEFLATE && place < 0)
      place = i;
    else if (filter != H5Z_FILTER_SHUFFLE)
      throw InputError(
          fmt::format("{}: is not compressed by gzip alone: convert it with h5repack -f GZIP=1", label));
  }
  return place;
}

Shape extents_of_chunk(hid_t creation) {
  Shape extents(H5S_MAX_RANK);
  const int rank = H5Pget_chunk(creation, H5S_MAX_RANK, reinterpret_cast<hsize_t*>(extents.data()));
  extents.resize(std::size_t(std::max(rank, 0)));
  return extents;
}

/// Moves to the next chunk, the last axis first. @return false after the last one
bool next_chunk(Shape& offset, const Shape& chunk, const Shape& extents) {
  for (std::size_t axis = offset.size(); axis-- > 0;) {
    offset[axis] += chunk[axis];
    if (offset[axis] < extents[axis]) return true;
    offset[axis] = 0;
  }
  return false;
}

bool unpacks_to(const std::vector<Bytef>& packed, std::vector<Bytef>& unpacked) {
  uLongf length = unpacked.size();
  return uncompress(unpacked.data(), &length, packed.data(), packed.size()) == Z_OK &&
         length == unpacked.size();
}

}  // namespace

void check_chunks(hid_t set, hid_t type, const Shape& extents, const std::string& label) {
  const Handle creation(H5Dget_create_plist(set), H5Pclose);
  if (product(extents) == 0 || H5Pget_layout(creation) != H5D_CHUNKED || H5Pget_nfilters(creation) <= 0)
    return;
  const auto refuse = [&] { throw InputError(fmt::format("{}: a compressed part is damaged", label)); };
  const int deflate = place_of_deflate(creation, label);
  const Shape chunk = extents_of_chunk(creation);
  double bytes = double(H5Tget_size(type));  // the product of the extents may overflow 64 bits
  for (const auto extent : chunk) bytes *= double(extent);
  if (chunk.size() != extents.size() || bytes == 0) refuse();
  std::vector<Bytef> packed, unpacked;
  Shape at(extents.size());
  do {
    const auto* offset = reinterpret_cast<const hsize_t*>(at.data());
    haddr_t address = HADDR_UNDEF;
    hsize_t size = 0;
    unsigned skipped = 0;
    if (H5Dget_chunk_info_by_coord(set, offset, &skipped, &address, &size) < 0) refuse();
    if (address == HADDR_UNDEF) continue;  // nothing is stored there
    const bool is_packed = deflate >= 0 && (skipped >> unsigned(deflate) & 1U) == 0;
    if (is_packed ? bytes > most_compression_of_deflate * double(size) : bytes != double(size)) refuse();
    if (!is_packed) continue;
    packed.resize(size), unpacked.resize(std::size_t(bytes));
    std::uint32_t mask = 0;
    if (H5Dread_chunk(set, H5P_DEFAULT, offset, &mask, packed.data()) < 0 || !unpacks_to(packed, unpacked))
      refuse();
  } while (next_chunk(at, chunk, extents));
}

}  // namespace curlew::io::h5
