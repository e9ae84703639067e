// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "io/hdf5.hpp"

namespace curlew::mesh {
namespace {

constexpr const char* format = "curlew-curves";
constexpr int format_version = 1;
constexpr int count = CurveSection::points_per_piece, last = count - 1;

/// Parameter in [0, 1] of point k of a piece.
double node(int k) {
  const double sine = std::sin(0.5 * k * pi / last);
  return sine * sine;
}

/// The polynomial through the points of one piece, by the barycentric formula.
Vec3<double> interpolate(const Vec3<double>* points, double s) {
  Vec3<double> sum{};
  double weights = 0;
  for (int k = 0; k <= last; ++k) {
    const double d = s - node(k);
    if (d == 0) return points[k];
    const double weight = (k % 2 ? -1 : 1) * (k == 0 || k == last ? 0.5 : 1) / d;
    sum += weight * points[k];
    weights += weight;
  }
  return (1 / weights) * sum;
}

void follow_part(const std::function<Vec3<double>(double)>& point, double from, double to, double size,
                 int depth, CurveSection& section) {
  std::vector<Vec3<double>> points;
  for (int k = 0; k <= last; ++k) points.push_back(point(from + (to - from) * node(k)));
  double misfit = 0;
  for (int i = 0; i < 2 * last; ++i) {
    const double s = (i + 0.5) / (2 * last);
    misfit = std::max(misfit, norm(interpolate(points.data(), s) - point(from + (to - from) * s)));
  }
  if (misfit > 1e-13 * size && depth < 26) {
    follow_part(point, from, 0.5 * (from + to), size, depth + 1, section);
    follow_part(point, 0.5 * (from + to), to, size, depth + 1, section);
    return;
  }
  if (misfit > 1e-11 * size) {
    const auto p = point(0.5 * (from + to));
    throw InputError(
        fmt::format("a curve has a corner inside, near ({:.6g}, {:.6g}) m: divide it there", p.x, p.y));
  }
  section.ends.push_back(to);
  section.points.insert(section.points.end(), points.begin(), points.end());
}

void reverse(CurveSection& section) {
  std::reverse(section.points.begin(), section.points.end());
  std::reverse(section.ends.begin(), section.ends.end());
  for (double& end : section.ends) end = 1 - end;
}

CurveSection read_section(const io::H5Group& group) {
  CurveSection section;
  section.ends = group.read<double>("ends");
  io::Shape shape;
  const auto values = group.read<double>("points", &shape);
  const bool is_sound = section.ends.size() >= 2 && shape.size() == 3 &&
                        shape[0] + 1 == section.ends.size() && shape[1] == std::uint64_t(count) &&
                        shape[2] == 3;
  if (!is_sound)
    throw InputError(
        fmt::format("{}: points of a curve should be [pieces, {}, 3]", group.file_name(), count));
  for (std::size_t i = 0; i < values.size(); i += 3)
    section.points.push_back({values[i], values[i + 1], values[i + 2]});
  section.analytic = group.number_attribute("analytic") != 0;
  section.periodic = group.number_attribute("periodic") != 0;
  return section;
}

}  // namespace

Vec3<double> evaluate(const CurveSection& section, double t) {
  const auto above = std::upper_bound(section.ends.begin() + 1, section.ends.end() - 1, t);
  const auto piece = std::size_t(above - section.ends.begin()) - 1;
  const double a = section.ends[piece], b = section.ends[piece + 1];
  return interpolate(&section.points[piece * std::size_t(count)], (t - a) / (b - a));
}

double length(const PhysicalCurve& curve) {
  constexpr int steps = 1000;
  double sum = 0;
  for (const auto& section : curve.sections)
    for (int i = 0; i < steps; ++i)
      sum += norm(evaluate(section, (i + 1.0) / steps) - evaluate(section, double(i) / steps));
  return sum;
}

CurveSection follow(const std::function<Vec3<double>(double)>& point, double size) {
  CurveSection section;
  section.ends.push_back(0);
  follow_part(point, 0, 1, size, 0, section);
  return section;
}

PhysicalCurve join_sections(const std::string& name, std::vector<CurveSection> sections, double size) {
  const auto near = [&](Vec3<double> a, Vec3<double> b) { return norm(a - b) < 1e-8 * size; };
  const auto ends_at = [&](Vec3<double> p) {
    long n = 0;
    for (const auto& s : sections) n += near(s.points.front(), p) + near(s.points.back(), p);
    return n;
  };
  std::size_t first = 0;  // of an open contour: one that has a free end
  for (std::size_t i = 0; i < sections.size(); ++i) {
    for (const auto p : {sections[i].points.back(), sections[i].points.front()}) {
      const long n = ends_at(p);
      if (n > 2)
        throw InputError(
            fmt::format("physical curve \"{}\": {} curves meet at ({:.6g}, {:.6g}) m: a contour has no "
                        "branches",
                        name, n, p.x, p.y));
      if (n == 1) first = i;
    }
  }
  PhysicalCurve curve{name, false, {}};
  std::swap(sections[0], sections[first]);
  if (ends_at(sections[0].points.front()) > 1 && ends_at(sections[0].points.back()) == 1)
    reverse(sections[0]);
  while (!sections.empty()) {
    auto next = sections.begin();
    if (!curve.sections.empty()) {
      const auto end = curve.sections.back().points.back();
      next = std::find_if(sections.begin(), sections.end(), [&](const CurveSection& s) {
        return near(s.points.front(), end) || near(s.points.back(), end);
      });
      if (next == sections.end())
        throw InputError(
            fmt::format("physical curve \"{}\" is several contours: give each a physical curve", name));
      if (!near(next->points.front(), end)) reverse(*next);
    }
    curve.sections.push_back(std::move(*next));
    sections.erase(next);
  }
  curve.closed = near(curve.sections.front().points.front(), curve.sections.back().points.back());
  return curve;
}

void write_curves(const std::vector<PhysicalCurve>& curves, const std::string& path,
                  const io::Provenance& provenance, const std::string& read_files) {
  static_assert(sizeof(Vec3<double>) == 3 * sizeof(double));
  auto file = io::H5File::create(path);
  file.write_provenance(provenance, format, format_version);
  if (!read_files.empty())
    file.write_string("read_files", read_files, "files that the geometry reads: identity, path");
  for (std::size_t c = 0; c < curves.size(); ++c) {
    auto group = file.create_group(fmt::format("curves/{}", c));
    group.set_attribute("name", curves[c].name);
    group.set_attribute("closed", std::int64_t(curves[c].closed));
    for (std::size_t i = 0; i < curves[c].sections.size(); ++i) {
      const CurveSection& section = curves[c].sections[i];
      auto part = group.create_group(fmt::format("{}", i));
      part.write("ends", section.ends, {"1", "parameters at which the pieces end, from 0 to 1"});
      part.write_raw("points", reinterpret_cast<const double*>(section.points.data()),
                     {section.ends.size() - 1, std::uint64_t(count), 3},
                     {"m", "Chebyshev-Lobatto points (piece, point, xyz)"});
      part.set_attribute("analytic", std::int64_t(section.analytic));
      part.set_attribute("periodic", std::int64_t(section.periodic));
    }
  }
  file.close();
}

std::vector<PhysicalCurve> read_curves(const std::string& path) {
  const auto file = io::H5File::open(path);
  file.check_format(format, format_version);
  std::vector<PhysicalCurve> curves;
  for (int c = 0; file.has(fmt::format("curves/{}", c)); ++c) {
    const auto group = file.group(fmt::format("curves/{}", c));
    PhysicalCurve curve{group.string_attribute("name"), group.number_attribute("closed") != 0, {}};
    for (int i = 0; group.has(fmt::format("{}", i)); ++i)
      curve.sections.push_back(read_section(group.group(fmt::format("{}", i))));
    if (curve.sections.empty()) throw InputError(fmt::format("{}: curve \"{}\" is empty", path, curve.name));
    curves.push_back(std::move(curve));
  }
  return curves;
}

bool is_curve_file(const std::string& path) {
  const auto file = io::H5File::open(path);
  return file.has_attribute("format") && file.string_attribute("format") == format;
}

}  // namespace curlew::mesh
