// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Contours as lists of cells: circle, ellipse, rectangle, strip, polyline, spline and any
// parametrised curve, with dyadic grading towards edges and corners.

#include <functional>
#include <string>
#include <vector>

#include "mom2d/panel.hpp"

namespace curlew::mom2d {

/// Closed contours run counter-clockwise; n points out of the body.
struct Contour {
  std::string name;
  std::vector<Panel> panels;
  bool closed = true;
  bool smooth = true;  ///< no corners and no edges
};

/// Division into cells, for all shapes. @throws InputError for sizes that are not finite and positive, in
/// every function below
struct Division {
  int cells = 8;     ///< on the whole contour, before halvings and grading
  int grading = 0;   ///< halvings of the cells at edges and corners
  int halvings = 0;  ///< of all cells, before grading
};
/// Cells of a side of a contour, one at least, before grading. @param share of the contour's length
int cells_of_side(const Division& division, double share, bool grades_both_ends);

/// @param radius [m] half axes along x and y before the rotation [rad] about the centre
Contour make_ellipse(Point2 center, Point2 radius, double rotation, Division division);
Contour make_circle(Point2 center, double radius, Division division);
/// @param size [m] full width and height
Contour make_rectangle(Point2 center, Point2 size, double rotation, Division division);
Contour make_strip(Point2 start, Point2 end, Division division);
/// Straight pieces through the points. A closed one may repeat its first point at the end.
/// @throws InputError for fewer than 2 (closed: 3) points, two equal neighbours, values that are not finite
Contour make_polyline(std::vector<Point2> points, bool closed, Division division);
/// The natural (closed: periodic) cubic spline through the points, by chord length.
/// @throws InputError as make_polyline
Contour make_spline(std::vector<Point2> points, bool closed, Division division);

/// A part of a curve without corners. Straight parts and arcs of circles are recognised and become exact
/// cells, others polynomials that differ from the curve by less than 1e-12 of its size.
struct Section {
  std::function<Point2(double)>
      point;              ///< [m] by the parameter in [0, 1], with a derivative that is never zero
  bool analytic = false;  ///< no jumps in any derivative
  bool periodic = false;  ///< closed, and analytic at its ends
};
/// Sections that follow each other; where their directions differ there is a corner.
/// @param closed the last one ends where the first one starts
/// @throws InputError for no section, points that are not finite, a section that polynomials cannot
/// approximate (a corner inside)
Contour make_curve(const std::vector<Section>& sections, bool closed, Division division);

/// Ends of the cells of [0, 1]: n equal ones, the first and last halved `levels` times if requested.
std::vector<double> cell_ends(int n, int levels, bool grade_start, bool grade_end);

/// Length [m] of a cell, by quadrature.
double panel_length(const Panel& panel);
double contour_length(const Contour& contour);
/// Points on the contour, `per_panel` on each cell, closed contours without the repeated first point.
std::vector<Point2> sample(const Contour& contour, int per_panel);
/// Whether a closed polygon surrounds a point.
bool encloses(const std::vector<Point2>& polygon, Point2 point);

/// For each contour the closed contour that directly surrounds it, or -1.
/// @throws InputError if contours cross or touch (with their names) or one crosses itself
std::vector<int> nesting(const std::vector<Contour>& contours);

}  // namespace curlew::mom2d
