// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Interface of a kind of [[port]]. A new kind is a file with three things, the reader of its keys, this
// interface and the port (fem/ports/port.hpp), and a line in the list of kinds (fem/ports/kinds.cpp):
// readers, systems and programs use the two interfaces only.

#include <memory>

namespace curlew::io {
class Config;
}

namespace curlew::fem {

struct Model;
struct NedelecSpace;
struct Port;
struct PortFace;
struct PortModel;

class PortKind {
 public:
  virtual ~PortKind() = default;

  /// Its face lies on the outer boundary of the model.
  virtual bool is_outer() const { return true; }
  /// It ends a cell with two pairs of periodic faces, and waves arrive in the medium behind it.
  virtual bool ends_periodic_cell() const { return false; }
  /// It may dissipate in addition to absorbing waves.
  virtual bool is_lossy() const { return false; }
  /// Its exact term couples all unknowns of the face, as of several modes or of a voltage.
  virtual bool has_dense_term() const = 0;
  /// The port on a face of a space.
  /// @throws InputError for faces that cannot be such a port
  virtual std::shared_ptr<const Port> make(const PortModel& port, const PortFace& face, const Model& model,
                                           const NedelecSpace& space) const = 0;
};

using PortKindPtr = std::shared_ptr<const PortKind>;

/// A waveguide port with one reported mode; with other numbers: fem/ports/waveguide_port.hpp.
PortKindPtr waveguide_port();

/// Key "type" of a [[port]] and the keys of that type.
/// @param unit metres in a length of the config @param[in,out] port its kind and its reference plane are set
/// @throws InputError for an unknown type, naming the existing ones
void read_port_kind(const io::Config& table, double unit, PortModel& port);

}  // namespace curlew::fem
