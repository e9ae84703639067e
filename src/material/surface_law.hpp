// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The law of a surface, E_t = Z n x H, as a function of frequency. A new kind of surface is a class and a
// line in the list of kinds (surface_law.cpp): code that assembles terms on faces, finds modes of ports or
// checks losses uses only this interface.

#include <functional>
#include <memory>
#include <string>

#include "base/types.hpp"
#include "io/config.hpp"
#include "material/conductor.hpp"
#include "material/slab.hpp"

namespace curlew::material {

/// Coupling of the two faces of a surface inside the mesh.
enum class Sides {
  joined,  ///< one tangential E; the surface current is the jump of H, [n x H] = E_t / Z
  apart,   ///< each face is a separate wall: no transmission
  coupled  ///< each face has its own E; the layer between them transmits a part
};

/// Impedances are in ohm, frequencies in Hz and complex for decaying modes.
class SurfaceLaw {
 public:
  virtual ~SurfaceLaw() = default;

  /// @param highest_frequency of the problem, 0 if it is not known
  virtual Sides sides(double highest_frequency) const = 0;
  /// Impedance of a face on the outside of the mesh, or of each face of a surface whose sides are apart.
  virtual Complex impedance(Complex frequency) const = 0;
  /// Impedance of a surface inside of the mesh whose sides are joined: E_t divided by the jump of H.
  virtual Complex joined_impedance(Complex frequency) const { return impedance(frequency); }
  /// Impedances for equal and for opposite fields on the faces of a surface whose sides are coupled.
  virtual SlabImpedance coupled_impedance(Complex frequency) const {
    const Complex z = impedance(frequency);
    return {z, z, z};
  }
  virtual bool is_lossy() const = 0;
  /// True if the cross-section of a guide ends at it as at metal.
  virtual bool is_metal() const { return false; }
};

using SurfaceLawPtr = std::shared_ptr<const SurfaceLaw>;

/// True for the types of [[boundary]] that are surface laws: "impedance", "sheet", ...
bool is_surface_law(const std::string& type);

/// The law of a [[boundary]] of such a type.
/// @throws InputError for missing keys and values out of range
SurfaceLawPtr read_surface_law(const io::Config& table, const std::string& type);

/// One face of metal or of a constant impedance: keys conductivity with roughness, or surface_impedance.
/// @throws InputError unless it is one of the two, passive and not zero
SurfaceLawPtr read_wall(const io::Config& table);

SurfaceLawPtr make_wall(const Conductor& conductor);
SurfaceLawPtr make_wall(Complex impedance);

/// A sheet: surface_impedance [ohm], or conductivity [S/m] and thickness [m].
SurfaceLawPtr read_sheet(const io::Config& table);

/// A layer of a conductivity [S/m], complex for superconductors, Im <= 0, as a function of frequency.
SurfaceLawPtr make_layer(std::function<Complex(Complex)> conductivity, double thickness, bool lossy);

}  // namespace curlew::material
