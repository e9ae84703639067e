// SPDX-License-Identifier: BSD-3-Clause
// LD_PRELOAD library of faults_script_test: makes a sound program lose something that tests/faults/run must
// find. It stands before failing_calls.so, which then stops the program in the middle of the loss.
//   CURLEW_LOSE=half      a file gets its name with half of its content; the rest follows
//   CURLEW_LOSE=kept      a file for --resume does not get its name
//   CURLEW_LOSE=lock      a lock that another process holds is taken anyway
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int loses(const char* what) {
  const char* asked = getenv("CURLEW_LOSE");
  return asked != NULL && strcmp(asked, what) == 0;
}

static int rename_half(const char* from, const char* to) {
  const int file = open(from, O_RDWR | O_CLOEXEC);
  struct stat status;
  char* rest = NULL;
  int renamed = -1;
  if (file < 0) return -1;
  if (fstat(file, &status) == 0) {
    const off_t half = status.st_size / 2;
    const size_t size = (size_t)(status.st_size - half);
    rest = malloc(size + 1);
    if (rest != NULL && pread(file, rest, size, half) == (ssize_t)size && ftruncate(file, half) == 0) {
      renamed = NEXT(rename)(from, to);
      if (pwrite(file, rest, size, half) != (ssize_t)size) renamed = -1;
    }
  }
  free(rest);
  close(file);
  return renamed;
}

int rename(const char* from, const char* to) {
  if (loses("half")) return rename_half(from, to);
  if (loses("kept") && strstr(to, "/solved_") != NULL) return unlink(from);
  return NEXT(rename)(from, to);
}

int flock(int file, int operation) {
  const int status = NEXT(flock)(file, operation);
  return loses("lock") ? 0 : status;
}
