// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the state that outlives runs has in common, whatever its kind.
#ifndef KILN_RUNTIME_RESOURCES_RESOURCE_H
#define KILN_RUNTIME_RESOURCES_RESOURCE_H

#include <cstddef>

namespace kiln {

/// A variable, a queue: something that nodes find in a ResourceTable.
class Resource {
public:
  virtual ~Resource() = default;
  /// The memory that it is for. **Thread safety**: no lock is needed.
  virtual size_t heldBytes() const noexcept { return 0; }
  /// Lets go of what calls functions of its only user, who is about to leave:
  /// it can still run them. Waits for no run of theirs.
  virtual void end() noexcept {}

protected:
  Resource() = default;
};

} // namespace kiln

#endif // KILN_RUNTIME_RESOURCES_RESOURCE_H
