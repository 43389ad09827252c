// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps objects, the least recently used shortest.
#include "lib/JIT/KernelTable.h"

#include <mutex>

namespace kiln {

KernelTable &KernelTable::process() {
  static KernelTable &table = *new KernelTable; // compilations outlive main()
  return table;
}

KernelObject KernelTable::find(const Digest &key) {
  std::lock_guard lock(mutex);
  auto found = places.find(key);
  if (found == places.end())
    return nullptr;
  entries.splice(entries.begin(), entries, found->second);
  return entries.front().second;
}

void KernelTable::insert(const Digest &key, KernelObject object) {
  std::lock_guard lock(mutex);
  if (places.contains(key))
    return;
  held += object->size();
  entries.emplace_front(key, std::move(object));
  places[key] = entries.begin();
  while (held > limit) {
    held -= entries.back().second->size();
    places.erase(entries.back().first);
    entries.pop_back();
  }
}

size_t KernelTable::bytes() const {
  std::lock_guard lock(mutex);
  return held;
}

void KernelUses::begin(const Digest &made, bool isOpen) {
  madeFor = made;
  open = isOpen;
  objects.clear();
}

Digest KernelUses::keyOf(std::string_view name) const {
  return Hasher().add(madeFor).add(name).digest();
}

bool KernelUses::has(llvm::StringRef name) {
  if (!open)
    return false;
  KernelObject found = KernelTable::process().find(
      keyOf(std::string_view(name.data(), name.size())));
  if (!found)
    return false;
  objects.push_back(std::move(found));
  return true;
}

void KernelUses::bring(std::string_view name, KernelObject object) const {
  if (open)
    KernelTable::process().insert(keyOf(name), std::move(object));
}

} // namespace kiln
