// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The object code of the kernels that the process has compiled, whatever
// function brought them.
#ifndef KILN_LIB_JIT_KERNELTABLE_H
#define KILN_LIB_JIT_KERNELTABLE_H

#include "lib/Loader/Hasher.h"
#include "passes/Passes.h"
#include "runtime/threads/ForkMutex.h"

#include <list>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace kiln {

/// An object that defines one function of kiln-share-kernels and needs no other
/// object.
using KernelObject = std::shared_ptr<const std::string>;

/// Objects by digests of what they do and of what they were made for; the least
/// recently used go first beyond `maxBytes`. Thread safety: all functions.
class KernelTable {
public:
  /// Some thousands of contractions.
  static constexpr size_t maxBytes = size_t(64) << 20;

  explicit KernelTable(size_t limit = maxBytes) : limit(limit) {}
  static KernelTable &process();

  /// Null for none.
  KernelObject find(const Digest &key);
  void insert(const Digest &key, KernelObject object);
  size_t bytes() const;

private:
  using Entries = std::list<std::pair<Digest, KernelObject>>;
  const size_t limit;
  mutable ForkMutex mutex; ///< guards the rest
  Entries entries;         ///< the last used first
  std::map<Digest, Entries::iterator> places;
  size_t held = 0;
};

/// What one compilation takes from the table and brings to it.
///
/// Two that bring the same kernel at the same time both compile it: to wait for
/// one that may be cancelled is not worth it. Thread safety: one thread.
class KernelUses final : public passes::KernelLibrary {
public:
  /// Begins a compilation. `made` is all that the code depends on beside the
  /// kernel; with `isOpen` false nothing is taken.
  void begin(const Digest &made, bool isOpen);
  bool has(llvm::StringRef name) override;
  /// What has() found, in order.
  const std::vector<KernelObject> &taken() const { return objects; }
  bool isOpen() const { return open; }
  void bring(std::string_view name, KernelObject object) const;

private:
  Digest keyOf(std::string_view name) const;
  Digest madeFor = {};
  bool open = false;
  std::vector<KernelObject> objects;
};

} // namespace kiln

#endif // KILN_LIB_JIT_KERNELTABLE_H
