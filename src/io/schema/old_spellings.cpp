// SPDX-License-Identifier: BSD-3-Clause
#include "io/schema/old_spellings.hpp"

namespace curlew::io::schema {
namespace {

constexpr OldSpelling all[] = {
    {"solver.ordering", "solver.expert.ordering", ""},
    {"solver.hybrid_memory", "solver.expert.hybrid_memory", ""},
    {"solver.device_memory", "solver.expert.device_memory", ""},
    {"solver.l", "solver.expert.l", ""},
    {"solver.restart", "solver.expert.restart", ""},
    {"solver.shadow", "solver.expert.shadow", ""},
    {"solver.smoothing_steps", "solver.expert.smoothing_steps", ""},
    {"solver.coarse_order", "solver.expert.coarse_order", ""},
    {"solver.coarse_vectors", "solver.expert.coarse_vectors", ""},
    {"solver.preconditioner_steps", "solver.expert.preconditioner_steps", ""},
    {"solver.kept_directions", "solver.expert.kept_directions", ""},
    {"solver.compression_tolerance", "solver.expert.compression_tolerance", ""},
    {"solver.group", "solver.expert.group", ""},
    {"solver.condition", "solver.expert.condition", ""},
    {"solver.mirror_waves", "solver.expert.mirror_waves", ""},
    {"acceleration.relaxed", "solver.expert.relaxed", ""},
    {"truncation.quadrature_degree", "solver.expert.quadrature_degree", ""},
    {"truncation.radiation_precision", "solver.expert.radiation_precision", ""},
    {"boundary[].normal_conductivity", "boundary[].conductivity", ""},
    {"output.near_field[].corner", "output.near_field[].start", ""},
    {"solver.cycle", "", "every level is visited once: a W cycle gains less than it costs"},
    {"solver.recycled_starts", "",
     "an incidence starts from the best of up to 60 earlier solutions where no directions are kept"},
    {"reference", "", "counts to compare with belong beside the output of --info"},
};

}  // namespace

std::span<const OldSpelling> old_spellings() {
  return all;
}

}  // namespace curlew::io::schema
