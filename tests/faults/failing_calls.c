// SPDX-License-Identifier: BSD-3-Clause
// LD_PRELOAD library of tests/faults/run: a disk that is full from the n-th write on, memory that is at an end
// from the n-th request on, and a clock that runs backwards.
//   CURLEW_FAIL_AT=n       writes to files fail with ENOSPC from the n-th on (counted from 1)
//   CURLEW_COUNT_FILE=f    the number of writes goes there at the end, a line for each process
//   CURLEW_NO_MEMORY_AT=n  from the n-th request for 16 KiB and more on (counted from 1) such requests have 1
//   MiB
//                          more than what is in use then
//   CURLEW_COUNT_MEMORY=f  the number of such requests goes there at the end, a line for each process
//   CURLEW_PEAK_FILE=f     the most resident KiB and the open files at the end go there
//   CURLEW_STUCK_FILE=f    factors of a matrix (MUMPS, LAPACK) never return; f is made when one is asked for
//   CURLEW_STOP_AT=end     the process stops (SIGSTOP) at a file, renamed or written, whose name ends so
//   CURLEW_STOP_IN=text    it stops where something has been written to a file whose name holds this text
//   CURLEW_CLOCK_BACK=1    every look at the time of day finds it an hour earlier
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long writes;

static int is_full(void) {
  const char* at = getenv("CURLEW_FAIL_AT");
  const long number = __atomic_add_fetch(&writes, 1, __ATOMIC_RELAXED);
  return at != NULL && number >= atol(at);
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define FULL(value) \
  do {              \
    errno = ENOSPC; \
    return value;   \
  } while (0)

static void stop_at(const char* name, size_t length) {
  const char* end = getenv("CURLEW_STOP_AT");
  if (end == NULL || strlen(end) > length || memcmp(name + length - strlen(end), end, strlen(end)) != 0)
    return;
  raise(SIGSTOP);
}
static void stop_at_file(int file) {
  char link[64], name[4096];
  const char* within = getenv("CURLEW_STOP_IN");
  if (getenv("CURLEW_STOP_AT") == NULL && within == NULL) return;
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  const ssize_t length = readlink(link, name, sizeof name);
  if (length <= 0) return;
  stop_at(name, (size_t)length);
  if (within != NULL && memmem(name, (size_t)length, within, strlen(within)) != NULL) raise(SIGSTOP);
}

int rename(const char* from, const char* to) {
  const int status = NEXT(rename)(from, to);
  if (status == 0) stop_at(to, strlen(to));
  return status;
}
ssize_t write(int file, const void* data, size_t size) {
  if (file > 2 && is_full()) FULL(-1);
  const ssize_t written = NEXT(write)(file, data, size);
  if (written > 0) stop_at_file(file);
  return written;
}
ssize_t pwrite(int file, const void* data, size_t size, off_t at) {
  if (is_full()) FULL(-1);
  const ssize_t written = NEXT(pwrite)(file, data, size, at);
  if (written > 0) stop_at_file(file);
  return written;
}
ssize_t pwrite64(int file, const void* data, size_t size, off64_t at) {
  if (is_full()) FULL(-1);
  const ssize_t written = NEXT(pwrite64)(file, data, size, at);
  if (written > 0) stop_at_file(file);
  return written;
}
size_t fwrite(const void* data, size_t size, size_t count, FILE* file) {
  if (file != stdout && file != stderr && is_full()) FULL(0);
  const size_t written = NEXT(fwrite)(data, size, count, file);
  if (file != stdout && file != stderr && written > 0) stop_at_file(fileno(file));
  return written;
}
int fclose(FILE* file) {  // writes what is still in the buffer
  const int full = file != stdout && file != stderr && is_full();
  const int closed = NEXT(fclose)(file);
  if (full) FULL(EOF);
  return closed;
}

// By the names of the C library: dlsym asks for memory itself.
void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void __libc_free(void*);
void* __libc_memalign(size_t, size_t);
static long requests;

static long in_use, most = -1;  // of such requests; what may be in use from the n-th on
static const long left = 1 << 20;

static int is_exhausted(size_t bytes) {
  if (bytes < 16384) return 0;
  const char* at = getenv("CURLEW_NO_MEMORY_AT");
  const long number = __atomic_add_fetch(&requests, 1, __ATOMIC_RELAXED);
  if (at == NULL || number < atol(at)) return 0;
  if (number == atol(at)) __atomic_store_n(&most, in_use + left, __ATOMIC_RELAXED);
  const long allowed = __atomic_load_n(&most, __ATOMIC_RELAXED);
  if (allowed < 0 || in_use + (long)bytes <= allowed) return 0;
  errno = ENOMEM;
  return 1;
}
static void* counted(void* memory) {
  const size_t size = malloc_usable_size(memory);
  if (size >= 16384) __atomic_add_fetch(&in_use, (long)size, __ATOMIC_RELAXED);
  return memory;
}
static void given_back(size_t size) {
  if (size >= 16384) __atomic_sub_fetch(&in_use, (long)size, __ATOMIC_RELAXED);
}
void* malloc(size_t size) {
  return is_exhausted(size) ? NULL : counted(__libc_malloc(size));
}
void* calloc(size_t count, size_t size) {
  return size != 0 && is_exhausted(count * size) ? NULL : counted(__libc_calloc(count, size));
}
void* realloc(void* old, size_t size) {
  const size_t before = malloc_usable_size(old);
  if (is_exhausted(size)) return NULL;
  void* const memory = __libc_realloc(old, size);
  if (memory == NULL && size != 0) return NULL;
  given_back(before);
  return counted(memory);
}
void free(void* memory) {
  given_back(malloc_usable_size(memory));
  __libc_free(memory);
}
void* memalign(size_t alignment, size_t size) {
  return is_exhausted(size) ? NULL : counted(__libc_memalign(alignment, size));
}
void* aligned_alloc(size_t alignment, size_t size) {
  return memalign(alignment, size);
}
int posix_memalign(void** to, size_t alignment, size_t size) {
  void* const memory = memalign(alignment, size);
  if (memory == NULL) return ENOMEM;
  *to = memory;
  return 0;
}

static void stay_if_asked(void) {
  const char* name = getenv("CURLEW_STUCK_FILE");
  FILE* file = name == NULL ? NULL : fopen(name, "w");
  if (file == NULL) return;
  NEXT(fclose)(file);
  for (;;) pause();
}
// Their arguments are pointers, passed on as they are; there are at most eight.
#define STUCK(name)                                                                   \
  void name(void* a, void* b, void* c, void* d, void* e, void* f, void* g, void* h) { \
    stay_if_asked();                                                                  \
    NEXT(name)(a, b, c, d, e, f, g, h);                                               \
  }
STUCK(zmumps_c)
STUCK(dmumps_c)
STUCK(cmumps_c)
STUCK(smumps_c)
STUCK(zgetrf_)
STUCK(zsytrf_)

static long hours(void) {
  static long looks;
  return getenv("CURLEW_CLOCK_BACK") == NULL ? 0 : __atomic_add_fetch(&looks, 1, __ATOMIC_RELAXED);
}
time_t time(time_t* to) {
  const time_t now = NEXT(time)(NULL) - 3600 * hours();
  if (to != NULL) *to = now;
  return now;
}
int clock_gettime(clockid_t clock, struct timespec* to) {
  const int status = NEXT(clock_gettime)(clock, to);
  if (status == 0 && clock == CLOCK_REALTIME) to->tv_sec -= 3600 * hours();
  return status;
}

static long open_files(void) {
  DIR* folder = opendir("/proc/self/fd");
  long number = -3;  // ".", ".." and the folder itself
  if (folder == NULL) return 0;
  while (readdir(folder) != NULL) ++number;
  closedir(folder);
  return number;
}
// VmHWM: ru_maxrss begins with the memory of the parent process.
static long peak(void) {
  FILE* file = fopen("/proc/self/status", "r");
  char line[256];
  long kibibytes = 0;
  if (file == NULL) return 0;
  while (fgets(line, sizeof line, file) != NULL && sscanf(line, "VmHWM: %ld", &kibibytes) != 1) {
  }
  NEXT(fclose)(file);
  return kibibytes;
}

__attribute__((destructor)) static void tell_peak(void) {
  const char* name = getenv("CURLEW_PEAK_FILE");
  const long files = open_files();
  FILE* file = name == NULL ? NULL : fopen(name, "w");
  if (file == NULL) return;
  fprintf(file, "%ld %ld\n", peak(), files);
  NEXT(fclose)(file);
}
static void tell_number(const char* name, long number) {
  FILE* file = name == NULL ? NULL : fopen(name, "a");
  if (file == NULL) return;
  fprintf(file, "%ld\n", number);
  NEXT(fclose)(file);
}
__attribute__((destructor)) static void tell(void) {
  tell_number(getenv("CURLEW_COUNT_FILE"), writes);
  tell_number(getenv("CURLEW_COUNT_MEMORY"), requests);
}
