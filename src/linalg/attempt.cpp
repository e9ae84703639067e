// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/attempt.hpp"

#include "base/error.hpp"

namespace curlew::linalg {

void Failure::raise() const {
  if (status == exit_done) return;
  if (status == exit_numerical) throw NumericalError(text);
  if (status == exit_input) throw InputError(text);
  if (status == exit_interrupted) throw Interrupted();
  throw ResourceError(text);
}

Failure Attempt::failure() const {
  if (!thrown_) return {};
  try {
    std::rethrow_exception(thrown_);
  } catch (const NumericalError& e) {
    return {exit_numerical, e.what()};
  } catch (const InputError& e) {
    return {exit_input, e.what()};
  } catch (const Interrupted& e) {
    return {exit_interrupted, e.what()};
  } catch (const std::exception& e) {  // memory, for the most part
    return {exit_resource, e.what()};
  }
}

void Attempt::finish(const Failure& other) const {
  if (thrown_) std::rethrow_exception(thrown_);
  other.raise();
}

}  // namespace curlew::linalg
