// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Boundary condition of a [[boundary]]. A new kind is a class and its reader in a file of fem/conditions/ and
// a line in the list of kinds there: code that assembles terms, finds modes of ports or checks a model uses
// this interface only. A condition E_t = Zs n x H is a law of material/surface_law.hpp instead.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "material/surface_law.hpp"

namespace curlew::io {
class Config;
}

namespace curlew::fem {

struct FacePart;
struct Model;
struct NedelecSpace;

class FaceCondition {
 public:
  virtual ~FaceCondition() = default;

  /// n x E = 0: its faces have no unknowns. Electric planes of symmetry are such.
  virtual bool is_pec() const { return false; }
  /// n x H = 0, the natural condition. Magnetic planes of symmetry are such.
  virtual bool is_pmc() const { return false; }
  /// Waves leave through it: the model is open there.
  virtual bool is_absorbing() const { return false; }
  /// It may dissipate, or let power out.
  virtual bool is_lossy() const { return false; }
  /// The cross-section of a guide ends at it as at metal.
  virtual bool is_metal() const { return is_pec(); }
  /// True for a surface of finite impedance that a lumped port may use as a conductor.
  virtual bool conducts() const { return false; }
  /// It adds terms to the system, which is then not linear in the square of the frequency.
  virtual bool has_terms() const { return false; }
  /// Its terms couple unknowns that no cell couples.
  virtual bool is_second_order() const { return false; }

  /// E_t / (n x H) [ohm] on an outer face; empty if the condition is no local impedance.
  virtual std::optional<Complex> surface_impedance(Complex frequency) const {
    static_cast<void>(frequency);
    return std::nullopt;
  }

  /// How the two sides of a surface inside the mesh are coupled.
  /// @param highest_frequency of the problem [Hz], 0 if it is not known
  virtual material::Sides sides(double highest_frequency) const {
    static_cast<void>(highest_frequency);
    return material::Sides::joined;
  }
  /// Its faces, grouped by their condition.
  /// @throws InputError for surfaces that cannot have the condition
  virtual std::vector<FacePart> parts(const Model& model, const NedelecSpace& space,
                                      const std::vector<std::string>& regions) const;
};

using ConditionPtr = std::shared_ptr<const FaceCondition>;

ConditionPtr pec_condition();
ConditionPtr pmc_condition();
/// E_t = η n x H, η of the adjacent medium. @param order 1, or 2 (conditions/second_order.hpp)
/// @param radius [m] of the sphere that a condition of order 2 lies on, 0 for planes
ConditionPtr absorbing_condition(int order = 1, double radius = 0);
/// E_t = Zs n x H with Zs by a law.
ConditionPtr law_condition(material::SurfaceLawPtr law);

/// Key "type" of a [[boundary]] and the keys of that type.
/// @param unit metres in a length of the config
/// @throws InputError for an unknown type, naming the existing ones
ConditionPtr read_condition(const io::Config& table, double unit);

}  // namespace curlew::fem
