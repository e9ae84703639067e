// SPDX-License-Identifier: BSD-3-Clause
#include "fem/ports/kinds.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <string>
#include <vector>

#include "io/config.hpp"
#include "io/nearest.hpp"

namespace curlew::fem {
namespace {

struct PortReader {
  const char* type;
  void (*read)(const io::Config&, double, PortModel&);
};
constexpr std::array<PortReader, 3> port_readers{
    {{"waveguide", read_waveguide_port}, {"lumped", read_lumped_port}, {"floquet", read_floquet_port}}};

}  // namespace

void read_port_kind(const io::Config& table, double unit, PortModel& port) {
  const auto type = table.get_or<std::string>("type", port_readers[0].type);
  std::vector<std::string> types;
  for (const PortReader& kind : port_readers) {
    if (kind.type == type) return kind.read(table, unit, port);
    types.emplace_back(kind.type);
  }
  table.error("type", fmt::format("type = \"{}\" must be one of \"{}\" (nearest: {})", type,
                                  fmt::join(types, "\", \""), io::nearest_word(type, types)));
}

}  // namespace curlew::fem
