// SPDX-License-Identifier: BSD-3-Clause
#include "material/circuit.hpp"

#include "base/constants.hpp"

namespace curlew::material {
namespace {

Complex inverse_if_there(double value, Complex inverse_of) {
  return value > 0 ? 1.0 / inverse_of : Complex(0);
}

}  // namespace

Complex Circuit::series_impedance(Complex frequency) const {
  const Complex s = Complex(0, 2 * pi) * frequency;
  return resistance + s * inductance + inverse_if_there(capacitance, s * capacitance);
}

Complex Circuit::parallel_admittance(Complex frequency) const {
  const Complex s = Complex(0, 2 * pi) * frequency;
  return inverse_if_there(resistance, resistance) + s * capacitance +
         inverse_if_there(inductance, s * inductance);
}

Circuit read_circuit(const io::Config& table, const CircuitKeys& keys) {
  const auto read = [&](const char* key) { return table.has(key) ? table.positive(key) : 0.0; };
  return {read(keys.resistance), read(keys.inductance), read(keys.capacitance)};
}

}  // namespace curlew::material
