// SPDX-License-Identifier: BSD-3-Clause
// Sources: man 2 seccomp, man 7 landlock.
#include "mesh/confine.hpp"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>

#include "base/log.hpp"
#include "base/threads.hpp"

namespace curlew::mesh {
namespace {

#if defined(__x86_64__)
constexpr unsigned own_architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr unsigned own_architecture = AUDIT_ARCH_AARCH64;
#else
constexpr unsigned own_architecture =
    0;  // unknown architecture: all system calls would be refused; extend this list
#endif

/// execve and execveat fail with "permission denied", as do all calls of another architecture.
bool forbid_programs() {
  constexpr unsigned refuse = SECCOMP_RET_ERRNO | EACCES;
  sock_filter steps[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, own_architecture, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_execve, 1, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_execveat, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, refuse),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog filter{sizeof steps / sizeof *steps, steps};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

/// Rights to change files in the first version of Landlock.
constexpr __u64 changes = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                          LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
                          LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
                          LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
                          LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;

void allow_changes(int rules, const std::string& folder) {
  landlock_path_beneath_attr rule{changes, open(folder.c_str(), O_PATH | O_CLOEXEC)};
  if (rule.parent_fd < 0) return;  // writing there fails with its own error
  syscall(__NR_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  close(rule.parent_fd);
}

bool forbid_changes_outside(const std::vector<std::string>& folders) {
  landlock_ruleset_attr attributes{};
  attributes.handled_access_fs = changes;
  const auto rules = int(syscall(__NR_landlock_create_ruleset, &attributes, sizeof attributes, 0));
  if (rules < 0) return false;
  for (const auto& folder : folders) allow_changes(rules, folder);
#if defined(__clang__) || defined(__SANITIZE_THREAD__)  // LLVM's OpenMP, which keeps a file there
  allow_changes(rules, "/dev/shm");
#endif
  const bool holds = syscall(__NR_landlock_restrict_self, rules, 0) == 0;
  close(rules);
  return holds;
}

void limit_memory() {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // which reserve terabytes
  const rlimit limit{available_memory(), RLIM_INFINITY};
  setrlimit(RLIMIT_DATA, &limit);
#endif
}

}  // namespace

void confine(const std::vector<std::string>& writable_folders) {
  limit_memory();
  const bool is_bound = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
  if (!is_bound || !forbid_programs())
    log::warn("this kernel has no seccomp: a geometry can run commands; mesh only what you trust");
  if (!is_bound || !forbid_changes_outside(writable_folders))
    log::debug("this kernel has no Landlock: a geometry can write files outside of the output folder");
}

}  // namespace curlew::mesh
