// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A port: its modes and their projections on the unknowns of the finite element space.
//
// On the port, E_t = Σ v_m e_m and n × H_t = Σ (a_m - b_m) h_m with incident a, outgoing b, v = a + b, and
// ∫ e_m·h_n dS = 0 for m ≠ n, so that the boundary term of the weak form, -∮ W·(n × jωμ0 H), becomes
//   Σ c_m f_m (f_mᵀ x) - Σ 2 c_m a_m f_m,   c_m = jωμ0 ∫ e_m·h_m dS,   f_m = jωμ0/c_m ∫ W·h_m dS.
// In one isotropic medium h_m = Y_m e_m and f_m = ∫ W·e_m dS does not depend on frequency; in all others it
// does (port_solution.hpp). A lumped port is a single mode of voltage and current.
// Source: Jin (2014), The Finite Element Method in Electromagnetics, 3rd ed., section 8.5 (several modes).
//
// Systems, networks and programs use ports only through this interface; the defaults of the base class are
// those of a port with one family of modes that are known at all frequencies. Kinds: kinds.cpp.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "base/vec3.hpp"
#include "fem/materials.hpp"
#include "fem/model/model.hpp"
#include "fem/model/symmetry_planes.hpp"
#include "fem/ports/port_mode.hpp"
#include "fem/ports/port_solution.hpp"
#include "fem/space.hpp"
#include "linalg/csr.hpp"

namespace curlew::fem {

class BlochReduction;

/// The face of a port.
struct PortFace {
  std::string region;
  std::string title;  ///< in tables and files
  std::string name;   ///< in messages: "port 1"
  std::vector<Index> triangles;
  std::vector<Index> dofs;  ///< unknowns with a trace on the port, ascending
  Index cell = 0;           ///< one of the cells behind the port; its material is that of a homogeneous guide
  WholeStructure whole;     ///< factors of planes of symmetry for its impedances
};

/// The system that a port is part of.
struct PortContext {
  const Model& model;
  const NedelecSpace& space;
  const BlochReduction* bloch = nullptr;  ///< of periodic faces, else null
};

struct Port;
using PortPtr = std::shared_ptr<const Port>;

struct Port : PortFace {
  bool excite = false;
  std::optional<Complex> drive{};  ///< [sqrt W] as in PortModel
  double deembed = 0;              ///< [m] from the face to the reference plane, positive into the structure
  std::optional<Complex> reference_impedance;  ///< [ohm] of S at all of its modes
  std::vector<PortMode> modes;                 ///< reported modes, then those that are only absorbed
  int num_reported = 1;
  /// f_m [num_modes, dofs.size()], in a guide scaled to f_mᵀ B⁻¹ f_m = 1, B = ∫ W·W dS. Empty if dispersive.
  std::vector<double> loads;

  Port(const PortModel& model, const PortFace& face);
  virtual ~Port() = default;

  int num_modes() const { return int(modes.size()); }
  /// True if the fields of its modes change with frequency.
  bool is_dispersive() const { return loads.empty(); }
  /// Propagation constants, impedances and (of dispersive modes) fields at a frequency [Hz].
  /// @throws InputError for media that a port cannot have; NumericalError if modes are not found
  PortSolution solve(const PortContext& context, double frequency) const;

  /// a += c times the port's term in the sparse matrix: the mass matrix of tangential fields.
  virtual void add_reference(const NedelecSpace& space, Complex c, linalg::Csr<Complex>& a) const;
  /// Its modes are orthogonal with complex conjugation, and amplitudes are computed with it.
  virtual bool is_conjugate() const { return false; }
  /// It may touch periodic faces: its modes have the phases of the cell, or none.
  virtual bool fits_periodic_faces() const { return false; }
  /// S = Sᵀ between its modes and others. @param phases of the periodic faces [rad]
  virtual bool has_symmetric_scattering(const std::vector<double>& phases) const;
  /// It is a pair of terminals, with a voltage, a current and an input impedance.
  virtual bool has_terminals() const { return false; }
  /// Modes are identified by tracking them over frequency.
  virtual bool follows_modes() const { return false; }
  /// Impedances are those of the whole structure if planes of symmetry cut the port.
  virtual bool states_whole_structure() const { return true; }
  /// [Hz] of a mode in the medium behind the port, if it does not depend on frequency.
  virtual std::optional<double> cutoff_frequency(std::size_t mode, const Material& medium) const;
  /// Number of modes, the first ones, whose fields `excite` requests.
  virtual int num_excited() const { return 1; }
  /// Suffix that distinguishes the arrays of one excitation from those of others.
  virtual std::string excitation_name(std::size_t mode) const;
  /// @throws InputError if S of a mode cannot be referred to an impedance
  virtual void require_impedance(std::size_t mode, const ModeState& state) const;
  /// The same modes with values of another model of the port.
  virtual PortPtr restated(const PortModel& model) const = 0;

 protected:
  virtual PortSolution solve_modes(const PortContext& context, double frequency) const = 0;
  /// A copy of a derived port with the values common to all kinds.
  template <class Derived>
  static std::shared_ptr<Derived> copy_restated(const Derived& port, const PortModel& model) {
    auto copy = std::make_shared<Derived>(port);
    copy->reference_impedance = model.reference_impedance;
    copy->deembed = model.deembed;
    return copy;
  }
};

/// A mode of a port: a row and column of S.
struct ModePlace {
  int port;  ///< from 0
  int mode;  ///< from 0, within the port
};

/// "port1 TE10": name of a mode in tables and comments.
std::string mode_label(const std::vector<PortPtr>& ports, const ModePlace& place);

/// The ports of a model.
/// @throws InputError if a face is no port of its kind, or the mesh too coarse for its modes
std::vector<PortPtr> make_ports(const Model& model, const NedelecSpace& space);

/// True if one isotropic medium lies behind the whole face, at all frequencies.
bool is_homogeneous(const PortFace& face, const Model& model, const NedelecSpace& space);

/// Tangential mass on the port's unknowns, ∫ W_a·W_b dS [dofs, dofs].
linalg::Csr<double> port_mass(const PortFace& face, const NedelecSpace& space);

/// The field [1/m] of a mode at a point [m] of a port.
template <class T>
using ModeField = std::function<Vec3<T>(std::size_t, Vec3<double>)>;
/// ∫ W·e_m dS [count, dofs]. @param degree polynomial degree that the rule integrates exactly
std::vector<double> project_modes(const PortFace& face, const NedelecSpace& space, int degree,
                                  std::size_t count, const ModeField<double>& field);
std::vector<Complex> project_modes(const PortFace& face, const NedelecSpace& space, int degree,
                                   std::size_t count, const ModeField<Complex>& field);

}  // namespace curlew::fem
