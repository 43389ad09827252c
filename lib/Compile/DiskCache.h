// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled functions in a folder, for the user's other processes and later
// ones.
#ifndef KILN_LIB_COMPILE_DISKCACHE_H
#define KILN_LIB_COMPILE_DISKCACHE_H

#include "kiln/SessionOptions.h"
#include "lib/Compiled/CompiledFunction.h"
#include "lib/Loader/Hasher.h"

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace kiln {

/// A file an entry: a header with key and digest, then encode()'s bytes. Up to
/// `slots` entries have one key; what tells them apart is in their signatures.
///
/// An entry is written beside its place and renamed: no reader sees half of
/// one, and of two writers one wins. What is there and is not a whole entry of
/// its key is a miss, and goes. Nothing is synced: after a crash of the system
/// an entry may be such. The folder is trusted, since it is the user's alone:
/// its code is run.
///
/// Thread safety: all functions, in any number of processes.
class DiskCache {
public:
  static constexpr int slots = 8;

  /// Makes the folder if it is not there. **Errors**: PERMISSION_DENIED for one
  /// that others may read or write or that is another user's; INVALID_ARGUMENT
  /// for what is no folder and for a bound below 1; those of mkdir().
  /// `generator` tells what generates the code; keys are to have it in them.
  static StatusOr<std::shared_ptr<DiskCache>>
  open(const DiskCacheOptions &options, const Digest &generator = {});

  using Accepts = std::function<bool(const CompiledFunction &)>;
  /// The first entry of the key that `accepts` takes. **Edges**: nothing where
  /// reading fails, whatever the reason.
  std::optional<CompiledFunction> find(const Digest &key,
                                       const Accepts &accepts);
  /// Writes an entry, then drops the least recently used beyond the bound. An
  /// entry that cannot be written, or is larger than the bound, is left out.
  void store(const Digest &key, const CompiledFunction &function);

  struct Counts {
    int64_t hits = 0, misses = 0, stores = 0, failedStores = 0;
  };
  Counts counts() const;
  const Digest &generator() const { return theGenerator; }

private:
  DiskCache(const DiskCacheOptions &options, const Digest &generator)
      : folder(options.folder), maxBytes(options.maxBytes),
        theGenerator(generator) {}
  std::string pathOf(const Digest &key, int slot) const;
  bool write(const std::string &path, std::string_view header,
             std::string_view bytes) const;
  void evict() const;
  /// Whether so many bytes more may be beyond the bound: not each entry is
  /// worth a look at all files.
  bool mayBeFull(size_t stored);

  const std::string folder;
  const int64_t maxBytes;
  const Digest theGenerator;
  std::atomic<int64_t> hits{0}, misses{0}, stores{0}, failedStores{0};
  /// Bytes stored since all files were looked at.
  std::atomic<int64_t> unseenBytes{INT64_MAX / 2};
};

} // namespace kiln

#endif // KILN_LIB_COMPILE_DISKCACHE_H
