/* SPDX-License-Identifier: BSD-3-Clause
   Before a program (LD_PRELOAD): the path of every file that it opens is a line of the file that
   CURLEW_TEST_OPENED names. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static void note(const char* path) {
  const char* list = getenv("CURLEW_TEST_OPENED");
  if (list == NULL || path == NULL) return;
  const int file = (int)syscall(SYS_openat, AT_FDCWD, list, O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (file < 0) return;
  char line[4096];
  const int length = snprintf(line, sizeof line, "%s\n", path);
  if (length > 0 && write(file, line, (size_t)length) != length) abort();
  close(file);
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

#define OPEN(name)                                       \
  int name(const char* path, int flags, ...) {           \
    va_list more;                                        \
    va_start(more, flags);                               \
    const int mode = va_arg(more, int);                  \
    va_end(more);                                        \
    note(path);                                          \
    return NEXT(name)(path, flags, mode);                \
  }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                     \
  int name(int folder, const char* path, int flags, ...) { \
    va_list more;                                        \
    va_start(more, flags);                               \
    const int mode = va_arg(more, int);                  \
    va_end(more);                                        \
    note(path);                                          \
    return NEXT(name)(folder, path, flags, mode);        \
  }
OPENAT(openat)
OPENAT(openat64)

#define FOPEN(name)                                      \
  FILE* name(const char* path, const char* mode) {       \
    note(path);                                          \
    return NEXT(name)(path, mode);                       \
  }
FOPEN(fopen)
FOPEN(fopen64)
