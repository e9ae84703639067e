// SPDX-License-Identifier: BSD-3-Clause
#include "io/hdf5_chunks.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <vector>

#include "base/error.hpp"
#include "io/hdf5_handles.hpp"

namespace curlew::io::h5 {
namespace {

/// The place of deflate among the filters of a dataset, or -1: shuffle keeps the number of bytes.
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
      throw InputError(fmt::format(
          "{}: is compressed in another way than once by gzip: h5repack -f GZIP=1 changes that", label));
  }
  return place;
}

double bytes_of_chunk(hid_t creation, hid_t type) {
  Shape extents(H5S_MAX_RANK);
  const int rank = H5Pget_chunk(creation, H5S_MAX_RANK, reinterpret_cast<hsize_t*>(extents.data()));
  double bytes = double(H5Tget_size(type));  // the product of the extents may overflow 64 bits
  for (int i = 0; i < rank; ++i) bytes *= double(extents[std::size_t(i)]);
  return bytes;
}

bool unpacks_to(const std::vector<Bytef>& packed, std::vector<Bytef>& unpacked) {
  uLongf length = unpacked.size();
  return uncompress(unpacked.data(), &length, packed.data(), packed.size()) == Z_OK &&
         length == unpacked.size();
}

}  // namespace

void check_chunks(hid_t set, hid_t type, const std::string& label) {
  const Handle creation(H5Dget_create_plist(set), H5Pclose), space(H5Dget_space(set), H5Sclose);
  if (H5Pget_layout(creation) != H5D_CHUNKED || H5Pget_nfilters(creation) <= 0) return;
  const auto refuse = [&] { throw InputError(fmt::format("{}: a compressed part is damaged", label)); };
  const int deflate = place_of_deflate(creation, label);
  const double bytes = bytes_of_chunk(creation, type);
  hsize_t count = 0;
  if (H5Dget_num_chunks(set, space, &count) < 0) refuse();
  std::vector<Bytef> packed, unpacked;
  for (hsize_t i = 0; i < count; ++i) {
    hsize_t offset[H5S_MAX_RANK], size = 0;
    haddr_t address = 0;
    unsigned skipped = 0;
    if (H5Dget_chunk_info(set, space, i, offset, &skipped, &address, &size) < 0) refuse();
    const bool is_packed = deflate >= 0 && (skipped >> unsigned(deflate) & 1U) == 0;
    if (!is_packed && double(size) != bytes) refuse();
    if (!is_packed) continue;
    if (bytes > most_compression_of_deflate * double(size)) refuse();
    packed.resize(size), unpacked.resize(std::size_t(bytes));
    std::uint32_t mask = 0;
    if (H5Dread_chunk(set, H5P_DEFAULT, offset, &mask, packed.data()) < 0 || !unpacks_to(packed, unpacked))
      refuse();
  }
}

}  // namespace curlew::io::h5
