// SPDX-License-Identifier: BSD-3-Clause
// A wall whose impedance is a table over frequency: measured metal, coatings, absorbers.

#include <fmt/format.h>

#include <algorithm>

#include "material/frequency_table.hpp"
#include "material/surface_kinds.hpp"

namespace curlew::material {
namespace {

class Tabulated final : public SurfaceLaw {
 public:
  explicit Tabulated(FrequencyTable table) : table_(std::move(table)) {}
  Sides sides(double) const override { return Sides::apart; }
  Complex impedance(Complex frequency) const override { return table_.at(frequency.real()); }
  bool is_lossy() const override {
    return std::any_of(table_.values.begin(), table_.values.end(), [](Complex z) { return z.real() > 0; });
  }

 private:
  FrequencyTable table_;
};

}  // namespace

SurfaceLawPtr read_tabulated(const io::Config& config) {
  FrequencyTable table = read_frequency_table(config, "surface impedance", "impedance");
  for (std::size_t i = 0; i < table.values.size(); ++i) {
    const Complex z = table.values[i];
    config.require(z.real() >= 0, "table",
                   fmt::format("{}: impedance_re is {} at {} Hz: the wall would have gain", table.name,
                               z.real(), table.frequencies[i]));
    config.require(z != 0.0, "table",
                   fmt::format("{}: the impedance is zero at {} Hz (use type = \"pec\")", table.name,
                               table.frequencies[i]));
  }
  return std::make_shared<Tabulated>(std::move(table));
}

}  // namespace curlew::material
