// SPDX-License-Identifier: BSD-3-Clause
// A config as each program reads it: TOML, the schema, expressions, the library of materials, and the
// readers that programs share. The length of the text chooses the program.

#include "io/config.hpp"
#include "io/frequency.hpp"
#include "io/near_field_files.hpp"
#include "io/plane_waves.hpp"
#include "material/library.hpp"
#include "material/medium.hpp"
#include "material/surface_law.hpp"
#include "scratch.hpp"

namespace {

using namespace curlew;

constexpr const char* programs[] = {"fem-solve", "fem-assemble", "fe-iiee", "ie-solve", "mom2d"};

/// Each reader separately: one that refuses must not prevent the next.
void read_parts(const io::Config& config) {
  fuzz::accepts([&] { io::frequencies(config, io::Lowest::zero); });
  fuzz::accepts([&] { io::read_near_fields(config, 1e-3); });
  fuzz::accepts([&] { io::read_plane_waves(config.table("excitation")); });
  fuzz::accepts([&] {
    for (const auto& table : config.tables("material"))
      if (!table.has("table"))
        material::read_medium(table, material::MediumKind::tensor).permittivity({1e9, 1e6});
  });
  fuzz::accepts([&] {
    for (const auto& table : config.tables("boundary"))
      if (!table.has("table")) material::read_wall(table)->impedance(1e9);
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string program = programs[size % std::size(programs)];
  const std::string text = fuzz::text_of(data, size);
  fuzz::accepts([&] {
    io::Config config = io::Config::parse(text);
    fuzz::accepts([&] { config.check_schema(program); });
    fuzz::accepts([&] { config.evaluate(program); });
    fuzz::accepts([&] { material::apply_library(config, program); });
    read_parts(config);
    fuzz::accepts([&] { config.check_unknown_keys(); });
    io::Config::parse(config.to_toml());  // what we write as resolved.toml must be readable
  });
  return 0;
}
