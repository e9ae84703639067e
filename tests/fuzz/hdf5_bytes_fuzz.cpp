// SPDX-License-Identifier: BSD-3-Clause
// Damaged HDF5 files: changes of single bytes in a sound one. The first byte chooses the kind of file, then
// each four bytes are a place (three) and a value.

#include "hdf5_files.hpp"
#include "scratch.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace curlew;
  if (size == 0) return 0;
  const auto number = fuzz::kind_of(data[0]);
  const auto& kind = fuzz::file_kinds()[number];
  std::string bytes = fuzz::sound_file(number);
  for (std::size_t i = 1; i + 4 <= size; i += 4) {
    const auto at = data[i] + 256U * data[i + 1] + 65536U * data[i + 2];
    bytes[at % bytes.size()] = char(data[i + 3]);
  }
  const auto file = fuzz::scratch().file(kind.name, bytes);
  fuzz::accepts([&] { kind.read(file); });
  return 0;
}
