// SPDX-License-Identifier: BSD-3-Clause
#include "fem/model/face_parts.hpp"

#include <utility>

#include "fem/space.hpp"

namespace curlew::fem {

std::vector<FacePart> FaceCondition::parts(const Model&, const NedelecSpace&,
                                           const std::vector<std::string>&) const {
  return {};
}

std::vector<FacePart> face_parts(const Model& model, const NedelecSpace& space) {
  std::vector<FacePart> parts;
  for (std::size_t b = 0; b < model.boundaries.size(); ++b)
    for (FacePart& part : model.boundaries[b].condition->parts(model, space, model.boundaries[b].regions)) {
      part.boundary = b;
      parts.push_back(std::move(part));
    }
  return parts;
}

}  // namespace curlew::fem
