// SPDX-License-Identifier: BSD-3-Clause
// Keys of em-optimize: [model], [[variable]], [[goal]], [optimization] and [tolerance_analysis].
#include "io/schema/tables.hpp"

namespace curlew::io::schema {
namespace {

constexpr std::string_view program = "em-optimize";

constexpr Key keys[] = {
    {"model.config", Type::text, "", "", "required",
     "config of the solver, relative to the folder of this config", program},
    {"model.program", Type::word, "", "fem-solve | fe-iiee | ie-solve | mom2d", "(by the tables of config)",
     "the solver", program},
    {"model.set", Type::texts, "", "", "[]", "\"key=value\" of config, as --set takes them", program},
    {"variable[].parameter", Type::text, "", "", "required",
     "a number of config: mesh.parameters.NAME, material.REGION.KEY, boundary.REGION.KEY, port.REGION.KEY, "
     "or "
     "a path as --set takes it",
     program},
    {"variable[].range", Type::numbers, "(parameter)", "(two numbers)", "required", "[least, greatest] value",
     program},
    {"variable[].start", Type::number, "(parameter)", "(in the range)", "(that of config)",
     "where the search starts", program},
    {"variable[].spread", Type::number, "(parameter)", ">= 0", "0.0",
     "production tolerance: standard deviation, or half-width if uniform", program},
    {"goal[].quantity", Type::text, "", "", "required",
     "S11, S21, ... [dB]; f1, f2, ... of modes [Hz]; gain [dBi]; or a number of `results` of summary.json",
     program},
    {"goal[].frequency", Type::numbers, "Hz", "> 0", "(S, gain: required)",
     "one frequency, or a band: [start, stop] with 11 points, or [start, stop, points]", program},
    {"goal[].direction", Type::numbers, "degrees", "(two numbers)", "[0.0, 0.0]", "[theta, phi] of a gain",
     program},
    {"goal[].below", Type::number, "(quantity)", "", "", "upper limit", program},
    {"goal[].above", Type::number, "(quantity)", "", "", "lower limit", program},
    {"goal[].equal", Type::numbers, "(quantity)", "", "",
     "value to be met within 1e-3, relative, or [value, tolerance]", program},
    {"goal[].weight", Type::number, "", "> 0", "1.0", "weight of this goal's violation", program},
    {"optimization.max_evaluations", Type::integer, "", "1 to 100000", "30",
     "greatest number of runs of the solver, including those for derivatives", program},
    {"optimization.derivatives", Type::word, "", "automatic | solver | differences", "\"automatic\"",
     "derivatives by the solver's [[sensitivity]] where possible, or by additional runs", program},
    {"optimization.until", Type::word, "", "met | best", "\"met\"",
     "end when all goals are met, or when nothing improves further", program},
    {"tolerance_analysis.samples", Type::integer, "", "0 to 100000", "0",
     "runs at random points, in addition to the linear estimate", program},
    {"tolerance_analysis.distribution", Type::word, "", "normal | uniform", "\"normal\"",
     "distribution of the parameters", program},
};

}  // namespace

std::span<const Key> optimize_keys() {
  return keys;
}

}  // namespace curlew::io::schema
