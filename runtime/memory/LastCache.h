// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How much the processor keeps at hand.
#ifndef KILN_RUNTIME_MEMORY_LASTCACHE_H
#define KILN_RUNTIME_MEMORY_LASTCACHE_H

#include <cstdint>
#include <string>

namespace kiln {

/// Bytes of the largest data cache that the first CPU has, its own part where
/// groups of CPUs have one each; 32 MiB where Linux does not tell. **Cost**:
/// some files of /sys, once a process. **Thread safety**: any thread.
///
/// Not sysconf(): glibc 2.36 adds up the groups of an AMD processor, those of
/// which a virtual machine has none included.
int64_t lastCacheBytes();

/// The same from the folders index0, index1 … of another one.
int64_t lastCacheBytesIn(const std::string &folder);

} // namespace kiln

#endif // KILN_RUNTIME_MEMORY_LASTCACHE_H
