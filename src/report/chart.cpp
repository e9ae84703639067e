// SPDX-License-Identifier: BSD-3-Clause
#include "report/chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "report/html.hpp"

namespace curlew::report {
namespace {

constexpr double width = 720, height = 400, left = 80, right = 20, top = 36, bottom = 50;
constexpr std::size_t most_curves = 12, most_points = 2000;
constexpr std::array colours{"#1f77b4", "#d62728", "#2ca02c", "#ff7f0e", "#9467bd", "#8c564b",
                             "#e377c2", "#7f7f7f", "#bcbd22", "#17becf", "#000000", "#aa7700"};

struct Axis {
  double low = 0, high = 1, step = 1;
  double place(double value, double from, double to) const {
    return from + (value - low) / (high - low) * (to - from);
  }
};

/// About a sixth of `range`: 1, 2 or 5 times a power of ten, or a share of a full turn.
double tick_step(double range, bool is_angle) {
  if (is_angle && range > 60) return range <= 100 ? 15 : range <= 200 ? 30 : 60;
  const double raw = range / 6, power = std::pow(10, std::floor(std::log10(raw)));
  return power * (raw / power < 1.5 ? 1 : raw / power < 3.5 ? 2 : raw / power < 7.5 ? 5 : 10);
}

/// Ticks at multiples of `step`; [low, high] stays as it is.
Axis with_ticks(double low, double high, bool is_angle = false) {
  const double size = std::max(std::abs(low), std::abs(high));
  if (!(high - low > 1e-10 * size)) {  // a constant, but for rounding
    const double margin = size == 0 ? 1 : 0.05 * size;
    low -= margin, high += margin;
  }
  return {low, high, tick_step(high - low, is_angle)};
}

/// The same with both ends on ticks.
Axis rounded(double low, double high) {
  Axis axis = with_ticks(low, high);
  axis.low = std::floor(axis.low / axis.step) * axis.step;
  axis.high = std::ceil(axis.high / axis.step) * axis.step;
  return axis;
}

double height_of(const Chart& chart, double y) {
  return chart.log_y ? std::log10(y) : y;
}

template <class Visit>
void visit_points(const Chart& chart, Visit visit) {
  for (const Curve& curve : chart.curves) {
    for (std::size_t i = 0; i < std::min(curve.x.size(), curve.y.size()); ++i) {
      const double y = height_of(chart, curve.y[i]);
      if (std::isfinite(curve.x[i]) && std::isfinite(y)) visit(curve.x[i], y);
    }
  }
}

struct Axes {
  Axis x, y;
  double px(double value) const { return x.place(value, left, width - right); }
  double py(double value) const {
    return std::clamp(y.place(value, height - bottom, top), top, height - bottom);
  }
};

Axes fit(const Chart& chart) {
  double x0 = INFINITY, x1 = -INFINITY, y0 = INFINITY, y1 = -INFINITY;
  visit_points(chart, [&](double x, double y) {
    x0 = std::min(x0, x), x1 = std::max(x1, x), y0 = std::min(y0, y), y1 = std::max(y1, y);
  });
  if (!(x0 <= x1)) return {with_ticks(0, 1), rounded(0, 1)};
  if (chart.depth) y0 = std::max(y0, y1 - *chart.depth);
  return {with_ticks(x0, x1, chart.x_label.ends_with("degrees")), rounded(y0, y1)};
}

/// With as many digits as tell it from its neighbours.
std::string tick_text(double value, double step) {
  if (std::abs(value) < 1e-9 * step) return "0";
  const int digits = int(std::ceil(std::log10(std::abs(value) / step) - 1e-9)) + 1;
  return fmt::format("{:.{}g}", value, std::clamp(digits, 3, 15));
}

std::string draw_axes(const Chart& chart, const Axes& axes) {
  std::string svg = fmt::format("<rect class=\"frame\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n",
                                left, top, width - left - right, height - top - bottom);
  for (double t = std::ceil(axes.x.low / axes.x.step - 1e-9) * axes.x.step;
       t <= axes.x.high * (1 + 1e-12) + 1e-9 * axes.x.step; t += axes.x.step)
    svg += fmt::format(
        "<path class=\"grid\" d=\"M{0:.1f} {1}V{2}\"/><text x=\"{0:.1f}\" y=\"{3}\" "
        "text-anchor=\"middle\">{4}</text>\n",
        axes.px(t), top, height - bottom, height - bottom + 18, tick_text(t, axes.x.step));
  for (double t = axes.y.low; t <= axes.y.high + 1e-9 * axes.y.step; t += axes.y.step)
    svg += fmt::format(
        "<path class=\"grid\" d=\"M{1} {0:.1f}H{2}\"/><text x=\"{3}\" y=\"{4:.1f}\" "
        "text-anchor=\"end\">{5}</text>\n",
        axes.py(t), left, width - right, left - 6, axes.py(t) + 4,
        chart.log_y ? fmt::format("{:.3g}", std::pow(10, t)) : tick_text(t, axes.y.step));
  svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", (left + width - right) / 2,
                     height - 10, escape(chart.x_label));
  const double middle = (top + height - bottom) / 2;
  return svg +
         fmt::format(
             "<text x=\"16\" y=\"{0}\" text-anchor=\"middle\" transform=\"rotate(-90 16 {0})\">{1}</text>\n",
             middle, escape(chart.y_label));
}

/// Curves one of which would hide the other: no two of their points are as far apart as pictures tell.
/// @param place (curve, point) to the picture
template <class C, class Place>
bool coincide(const C& a, const C& b, std::size_t size, Place place) {
  constexpr double apart = 0.25;  // pixels
  for (std::size_t i = 0; i < size; ++i) {
    const Complex p = place(a, i), q = place(b, i);
    if (std::isfinite(std::abs(p)) != std::isfinite(std::abs(q)) || std::abs(p - q) > apart) return false;
  }
  return true;
}

/// The curves without those that an earlier one would hide; it takes their names, "S1,2 and S2,1".
template <class C, class Size, class Place>
std::vector<C> without_hidden(const std::vector<C>& curves, Size size, Place place) {
  std::vector<C> shown;
  for (const C& curve : curves) {
    const auto same = std::find_if(shown.begin(), shown.end(), [&](const C& other) {
      return size(other) == size(curve) && coincide(other, curve, size(curve), place);
    });
    if (same == shown.end())
      shown.push_back(curve);
    else
      same->name += " and " + curve.name;
  }
  return shown;
}

/// Of long curves every n-th point.
std::string draw_curve(const Chart& chart, const Curve& curve, const Axes& axes, const char* colour) {
  const std::size_t size = std::min(curve.x.size(), curve.y.size()), stride = 1 + size / most_points;
  std::string path, marks;
  bool is_down = false;
  for (std::size_t i = 0; i < size; i += stride) {
    const double y = height_of(chart, curve.y[i]);
    const bool is_there = std::isfinite(curve.x[i]) && !std::isnan(y) && y < INFINITY;
    if (is_there) {
      const double px = axes.px(curve.x[i]), py = axes.py(std::max(y, axes.y.low));
      path += fmt::format("{}{:.1f} {:.1f}", is_down ? "L" : "M", px, py);
      if (size <= 30)
        marks += fmt::format(
            "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"><title>{}: {:.6g}, "
            "{:.6g}</title></circle>\n",
            px, py, colour, escape(curve.name), curve.x[i], curve.y[i]);
    }
    is_down = is_there;
  }
  return fmt::format("<path class=\"curve\" d=\"{}\" stroke=\"{}\"><title>{}</title></path>\n{}", path,
                     colour, escape(curve.name), marks);
}

/// Names of curves with their colours, below an image.
template <class Curves>
std::string legend(const Curves& curves) {
  if (curves.size() == 1 && curves[0].name.empty()) return "";
  std::string text = "<p class=\"legend\">";
  for (std::size_t i = 0; i < std::min(curves.size(), most_curves); ++i)
    text +=
        fmt::format("<span><i style=\"background:{}\"></i>{}</span> ", colours[i], escape(curves[i].name));
  if (curves.size() > most_curves)
    text += fmt::format("and {} curves more, which the files hold", curves.size() - most_curves);
  return text + "</p>\n";
}

std::string figure(const std::string& title, double w, double h, const std::string& content,
                   const std::string& below) {
  return fmt::format(
      "<figure><svg role=\"img\" aria-label=\"{0}\" viewBox=\"0 0 {1} {2}\" width=\"{1}\" "
      "height=\"{2}\">\n<text x=\"{3}\" y=\"22\" text-anchor=\"middle\" "
      "class=\"title\">{0}</text>\n{4}</svg>\n{5}</figure>\n",
      escape(title), w, h, w / 2, content, below);
}

/// A circle of constant resistance or an arc of constant reactance, inside the circle |gamma| = 1.
std::string smith_grid(double centre_x, double centre_y, double radius) {
  std::string svg;
  const auto trace = [&](auto impedance) {
    std::string path;
    for (int i = 0; i <= 90; ++i) {
      const Complex z = impedance(std::tan(i * 0.5 * M_PI / 90.0001));
      const Complex gamma = (z - 1.0) / (z + 1.0);
      path += fmt::format("{}{:.1f} {:.1f}", i == 0 ? "M" : "L", centre_x + radius * gamma.real(),
                          centre_y - radius * gamma.imag());
    }
    svg += fmt::format("<path class=\"grid\" fill=\"none\" d=\"{}\"/>\n", path);
  };
  for (const double r : {0.0, 0.2, 0.5, 1.0, 2.0, 5.0})
    for (const double sign : {1.0, -1.0}) trace([&](double t) { return Complex(r, sign * t); });
  for (const double x : {-5.0, -2.0, -1.0, -0.5, -0.2, 0.0, 0.2, 0.5, 1.0, 2.0, 5.0})
    trace([&](double t) { return Complex(t, x); });
  for (const double r : {0.2, 0.5, 1.0, 2.0, 5.0})
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{:g}</text>\n",
                       centre_x + radius * (r - 1) / (r + 1) + 2, centre_y - 3, r);
  return svg;
}

}  // namespace

std::string draw(const Chart& chart) {
  const Axes axes = fit(chart);
  std::string svg = draw_axes(chart, axes);
  const auto curves = without_hidden(
      chart.curves, [](const Curve& c) { return std::min(c.x.size(), c.y.size()); },
      [&](const Curve& c, std::size_t i) {
        return Complex(axes.px(c.x[i]), axes.py(height_of(chart, c.y[i])));
      });
  for (std::size_t i = 0; i < std::min(curves.size(), most_curves); ++i)
    svg += draw_curve(chart, curves[i], axes, colours[i]);
  for (const Bar& bar : chart.bars)
    svg += fmt::format(
        "<path class=\"bar\" d=\"M{0:.1f} {1:.1f}V{2:.1f}\"><title>error bar: {3:.6g} to "
        "{4:.6g}</title></path>\n",
        axes.px(bar.x), axes.py(std::max(height_of(chart, bar.low), axes.y.low)),
        axes.py(height_of(chart, bar.high)), bar.low, bar.high);
  return figure(chart.title, width, height, svg, legend(curves));
}

std::string draw_smith(const std::vector<ReflectionCurve>& all) {
  constexpr double size = 440, centre_y = 236;
  constexpr double centre_x = size / 2, radius = 196;
  const auto curves = without_hidden(
      all, [](const ReflectionCurve& c) { return c.gamma.size(); },
      [=](const ReflectionCurve& c, std::size_t i) { return radius * c.gamma[i]; });
  std::string svg = smith_grid(centre_x, centre_y, radius);
  for (std::size_t i = 0; i < std::min(curves.size(), most_curves); ++i) {
    std::string d;
    for (const Complex gamma : curves[i].gamma)
      d += fmt::format("{}{:.1f} {:.1f}", d.empty() ? "M" : "L", centre_x + radius * gamma.real(),
                       centre_y - radius * gamma.imag());
    if (curves[i].gamma.empty()) continue;
    svg += fmt::format("<path class=\"curve\" d=\"{}\" stroke=\"{}\"><title>{}</title></path>\n", d,
                       colours[i], escape(curves[i].name));
    svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" fill=\"{}\"/>\n",
                       centre_x + radius * curves[i].gamma[0].real(),
                       centre_y - radius * curves[i].gamma[0].imag(), colours[i]);
  }
  return figure("Smith chart", size, size, svg, legend(curves));
}

}  // namespace curlew::report
