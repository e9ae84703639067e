// SPDX-License-Identifier: BSD-3-Clause
#include "programs/mesh/report.hpp"

#include <fmt/format.h>

#include "base/constants.hpp"
#include "mesh/quality.hpp"

namespace curlew::programs {
namespace {

std::string metres(double length) {
  return fmt::format("{:.4g}", length);
}

}  // namespace

void print_report(const mesh::Mesh& mesh, const Waves& waves, run::Run& run) {
  const auto report = mesh::report_quality(mesh);
  std::vector<std::string> columns{"volume",     "cells",     "volume_m3",  "min_edge_m",  "mean_edge_m",
                                   "max_edge_m", "min_shape", "mean_shape", "min_jacobian"};
  if (waves.frequency) columns.push_back("max_edge_wavelengths");
  run.table("volumes", columns);
  for (const auto& v : report.volumes) {
    std::vector<std::string> row{v.name,
                                 fmt::format("{}", v.cells),
                                 fmt::format("{:.6g}", v.volume),
                                 metres(v.min_edge),
                                 metres(v.mean_edge),
                                 metres(v.max_edge),
                                 fmt::format("{:.3f}", v.min_shape),
                                 fmt::format("{:.3f}", v.mean_shape),
                                 fmt::format("{:.3f}", v.min_jacobian)};
    if (waves.frequency) {
      const double edge = mesh::edge_in_wavelengths(v, *waves.frequency, waves.index_of(v.name));
      row.push_back(fmt::format("{:.3f}", edge));
      if (edge > 0.5)
        run.warn(
            fmt::format("region \"{}\": edges up to {:.2g} wavelengths: no element resolves a wave with less "
                        "than two cells",
                        v.name, edge));
    }
    run.row(row);
    if (v.min_shape < 0.002)
      run.warn(fmt::format("region \"{}\": flat cells (shape {:.2g}): the matrix is badly conditioned",
                           v.name, v.min_shape));
  }
  constexpr double least = 1e-3;
  if (const double size =
          waves.frequency ? norm(report.hi - report.lo) * *waves.frequency / speed_of_light : 1;
      size < least)
    run.warn(
        fmt::format("the structure is {:.2g} wavelengths large: check --unit, and --frequency in Hz", size));
  run.table("surfaces", {"surface", "triangles", "area_m2"});
  for (const auto& s : report.surfaces)
    run.row({s.name, fmt::format("{}", s.triangles), fmt::format("{:.6g}", s.area)});
  run.line(fmt::format(
      "{} cells, {} nodes, geometry order {}, from ({:.4g}, {:.4g}, {:.4g}) to ({:.4g}, {:.4g}, {:.4g}) m",
      mesh.num_cells(), mesh.nodes.size(), mesh.geometry_order, report.lo.x, report.lo.y, report.lo.z,
      report.hi.x, report.hi.y, report.hi.z));
  if (report.coincident_nodes > 0)
    run.warn(
        fmt::format("{} nodes lie on others: volumes touch without sharing their mesh (Coherence or "
                    "BooleanFragments missing?)",
                    report.coincident_nodes));
}

void print_curves(const std::vector<mesh::PhysicalCurve>& curves, run::Run& run) {
  run.table("curves", {"curve", "closed", "parts", "length_m"});
  for (const auto& curve : curves) {
    run.row({curve.name, curve.closed ? "yes" : "no", fmt::format("{}", curve.sections.size()),
             fmt::format("{:.6g}", mesh::length(curve))});
  }
}

}  // namespace curlew::programs
