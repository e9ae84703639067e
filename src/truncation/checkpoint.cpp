// SPDX-License-Identifier: BSD-3-Clause
#include "truncation/checkpoint.hpp"

#include <filesystem>

#include "io/atomic_file.hpp"
#include "io/hdf5.hpp"

namespace curlew::truncation {

void write_checkpoint(const std::string& path, const Checkpoint& checkpoint) {
  io::AtomicFile place(path);
  auto file = io::H5File::create(place.part());
  file.set_attribute("inputs", checkpoint.inputs);
  file.set_attribute("frequency", checkpoint.frequency);
  file.write("interface", checkpoint.interface,
             {"V/m", "load on S divided by its scale, for each unknown and right-hand side"});
  file.close();
  place.commit();
}

std::optional<Checkpoint> read_checkpoint(const std::string& path, const std::string& inputs) {
  if (!std::filesystem::exists(path)) return std::nullopt;
  const auto file = io::H5File::open(path);
  if (file.string_attribute("inputs") != inputs) return std::nullopt;
  return Checkpoint{inputs, file.number_attribute("frequency"), file.read<Complex>("interface")};
}

}  // namespace curlew::truncation
