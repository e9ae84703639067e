// SPDX-License-Identifier: BSD-3-Clause
// The child that looks at an HDF5 file first has seconds of the processor for it (src/io/hdf5_check.cpp).
// HDF5 loops on one damaged file of some hundred: these seconds would be most of a fuzz target's time. Here a
// limit of seconds is a timer of as many twentieths, which ends the process as the limit does.
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

namespace {

constexpr suseconds_t twentieth = 50'000;  // [us]

}  // namespace

/// Takes the place of the C library's in the targets.
extern "C" int setrlimit(__rlimit_resource_t resource, const rlimit* limit) noexcept {
  if (resource != RLIMIT_CPU) return int(syscall(SYS_setrlimit, resource, limit));
  const auto all = suseconds_t(limit->rlim_cur) * twentieth;
  const itimerval timer{{0, 0}, {all / 1'000'000, all % 1'000'000}};
  return setitimer(ITIMER_PROF, &timer, nullptr);
}
