// SPDX-License-Identifier: BSD-3-Clause
#include "material/frequency_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/hertz.hpp"
#include "io/config.hpp"
#include "io/csv.hpp"
#include "material/library.hpp"

namespace curlew::material {

namespace {

/// "library:gold (optical)", as resolved.toml has it.
FrequencyTable read_library_table(const io::Config& config, const std::string& stated,
                                  const std::string& quantity) {
  const auto* entry = find_material(std::string_view(stated).substr(library_prefix.size()));
  config.require(entry != nullptr && !entry->rows.empty() && quantity == "permittivity", "table",
                 fmt::format("{} is not a table of the library for {}", stated, quantity));
  auto table = optical_table(*entry);
  return {std::string(entry->name), quantity, std::move(table.frequencies), std::move(table.permittivities)};
}

}  // namespace

Complex FrequencyTable::at(double frequency) const {
  if (!(frequency >= frequencies.front() && frequency <= frequencies.back()))
    throw InputError(fmt::format("{} has no {} at {}: it covers {} to {}", name, quantity, hertz(frequency),
                                 hertz(frequencies.front()), hertz(frequencies.back())));
  const auto above = std::lower_bound(frequencies.begin(), frequencies.end(), frequency);
  const auto i = std::size_t(above - frequencies.begin());
  if (frequencies[i] == frequency) return values[i];
  const double t = (frequency - frequencies[i - 1]) / (frequencies[i] - frequencies[i - 1]);
  return (1 - t) * values[i - 1] + t * values[i];
}

FrequencyTable read_frequency_table(const io::Config& config, const std::string& quantity,
                                    const std::string& column) {
  const auto stated = config.get<std::string>("table");
  if (stated.starts_with(library_prefix)) return read_library_table(config, stated, quantity);
  const std::string file = config.resolve_path(stated);
  const io::CsvTable csv = io::read_csv(file);
  FrequencyTable table{file, quantity, csv.numbers("frequency_hz"), {}};
  const auto re = csv.numbers(column + "_re"), im = csv.numbers(column + "_im");
  config.require(!re.empty(), "table", fmt::format("{} has no rows", file));
  for (std::size_t i = 0; i < re.size(); ++i) {
    config.require(i == 0 || table.frequencies[i] > table.frequencies[i - 1], "table",
                   fmt::format("{}: frequency_hz must ascend", file));
    table.values.emplace_back(re[i], im[i]);
  }
  return table;
}

}  // namespace curlew::material
