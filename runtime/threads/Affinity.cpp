// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many CPUs this process may use: its affinity mask and its cgroup's quota.
#include "runtime/threads/ThreadPool.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <sched.h>
#include <string>
#include <thread>

namespace kiln {
namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE *)>;

/// The first line of a file, without its end; empty when there is none.
std::string firstLine(const std::string &path) {
  File file(std::fopen(path.c_str(), "re"), std::fclose);
  char line[512];
  if (!file || !std::fgets(line, sizeof line, file.get()))
    return {};
  line[std::strcspn(line, "\n")] = 0;
  return line;
}

/// CPUs worth of a "quota period" pair; 0 when it sets no limit.
int quotaOf(const std::string &quota, const std::string &period) {
  long long quotaMicroseconds = std::atoll(quota.c_str()),
            periodMicroseconds = std::atoll(period.c_str());
  if (quotaMicroseconds <= 0 || periodMicroseconds <= 0)
    return 0;
  return static_cast<int>(
      std::max(1ll, quotaMicroseconds / periodMicroseconds));
}

/// The limit of the process's cgroup, or of the root that a container sees as
/// such; 0 without a limit.
int cgroupQuota() {
  std::string own = firstLine("/proc/self/cgroup"); // version 2: "0::/path"
  std::string path = own.starts_with("0::") ? own.substr(3) : std::string();
  for (const std::string &folder :
       {"/sys/fs/cgroup" + path, std::string("/sys/fs/cgroup")}) {
    std::string line =
        firstLine(folder + "/cpu.max"); // "max 100000" or "150000 100000"
    size_t space = line.find(' ');
    if (space != std::string::npos)
      if (int quota = quotaOf(line.substr(0, space), line.substr(space + 1)))
        return quota;
  }
  const std::string first = "/sys/fs/cgroup/cpu/"; // version 1
  return quotaOf(firstLine(first + "cpu.cfs_quota_us"),
                 firstLine(first + "cpu.cfs_period_us"));
}

} // namespace

int availableThreads() noexcept {
  int threads = static_cast<int>(std::thread::hardware_concurrency());
  cpu_set_t mask;
  if (sched_getaffinity(0, sizeof mask, &mask) == 0)
    threads = CPU_COUNT(&mask);
  if (int quota = cgroupQuota())
    threads = std::min(threads, quota);
  return std::max(threads, 1);
}

} // namespace kiln
