// SPDX-License-Identifier: BSD-3-Clause
#include "base/control_group.hpp"

#include <algorithm>
#include <fstream>
#include <optional>
#include <string>

namespace curlew {
namespace {

namespace fs = std::filesystem;

/// The number at the begin of a file; none where there is no file or another word ("max").
std::optional<double> number_in(const fs::path& file) {
  std::ifstream in(file);
  double value = 0;
  return in >> value ? std::optional<double>(value) : std::nullopt;
}

/// The number after a word in a file of such pairs; 0 if the word is missing.
double number_behind(const fs::path& file, const std::string& word) {
  std::ifstream in(file);
  std::string name;
  for (double value = 0; in >> name >> value;)
    if (name == word) return value;
  return 0;
}

void limit_cores(double quota, double period, GroupLimits& limits) {
  if (quota > 0 && period > 0) limits.cores = std::min(limits.cores, quota / period);
}

/// The system counts cached pages of files as used memory; they are free on demand.
void limit_memory(double limit, double used, double droppable, GroupLimits& limits) {
  const double left = std::max(0.0, limit - std::max(0.0, used - droppable));
  if (left < double(limits.memory)) limits.memory = std::size_t(left);
}

void limit_by_version_2(const fs::path& group, GroupLimits& limits) {
  std::ifstream processor(group / "cpu.max");
  double quota = 0, period = 0;
  if (processor >> quota >> period) limit_cores(quota, period, limits);  // else "max 100000"
  if (const auto most = number_in(group / "memory.max"))
    limit_memory(*most, number_in(group / "memory.current").value_or(0),
                 number_behind(group / "memory.stat", "inactive_file"), limits);
}

void limit_by_version_1(const fs::path& group, GroupLimits& limits) {
  if (const auto quota = number_in(group / "cpu.cfs_quota_us"))  // -1: none
    limit_cores(*quota, number_in(group / "cpu.cfs_period_us").value_or(0), limits);
  if (const auto most = number_in(group / "memory.limit_in_bytes"))
    limit_memory(*most, number_in(group / "memory.usage_in_bytes").value_or(0),
                 number_behind(group / "memory.stat", "total_inactive_file"), limits);
}

/// The group and all above it. In a container its path may be that of the host, of which only the top of the
/// mount exists: missing folders limit nothing.
template <class Limit>
void limit_by_all(const fs::path& mount, const fs::path& own, Limit limit) {
  for (fs::path group = own.relative_path();; group = group.parent_path()) {
    limit(mount / group);
    if (group.empty()) return;
  }
}

}  // namespace

GroupLimits group_limits(const fs::path& root) {
  GroupLimits limits;
  const fs::path mount = root / "sys/fs/cgroup";
  std::ifstream groups(root / "proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {  // "4:cpu,cpuacct:/path", of version 2 "0::/path"
    const auto first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const fs::path own = line.substr(second + 1);
    if (controllers.empty())
      limit_by_all(mount, own, [&](const fs::path& group) { limit_by_version_2(group, limits); });
    else
      limit_by_all(mount / controllers, own,
                   [&](const fs::path& group) { limit_by_version_1(group, limits); });
  }
  return limits;
}

}  // namespace curlew
