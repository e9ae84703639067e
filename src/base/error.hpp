// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The errors that end a program, one type per exit status. Wrong input is thrown where it is found; internal
// errors are asserts; numerical outcomes that the caller can handle are return values.

#include <stdexcept>
#include <string>

namespace curlew {

struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};
/// Exit status 1: not converged, singular.
struct NumericalError : Error {
  using Error::Error;
};
/// Exit status 2: a file, key or value is wrong. The message says what is wrong and what would be right.
struct InputError : Error {
  using Error::Error;
};
/// Exit status 3: memory, disk or device do not suffice. The message says what is needed and what is
/// available.
struct ResourceError : Error {
  using Error::Error;
};
/// Exit status 130: the user pressed Ctrl-C, or the process was asked to end.
struct Interrupted : Error {
  Interrupted() : Error("interrupted") {}
};

enum ExitStatus : int {
  exit_done = 0,
  exit_numerical = 1,
  exit_input = 2,
  exit_resource = 3,
  exit_interrupted = 130
};

/// Makes Ctrl-C, SIGTERM, SIGHUP and SIGXCPU set a flag instead of ending the process; long loops call
/// check_interrupt.
void install_interrupt_handler();
/// A second Ctrl-C ends the process without unwinding; `cleanup` is called first, from the signal handler.
void at_forced_exit(void (*cleanup)() noexcept);
/// Throws Interrupted after Ctrl-C. Cheap: an atomic read.
void check_interrupt();
/// For parallel loops, which must not throw: they skip remaining work, and check_interrupt is called after
/// them.
bool is_interrupted() noexcept;

}  // namespace curlew
