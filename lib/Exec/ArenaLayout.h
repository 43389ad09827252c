// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where each temporary of a run lies in its arena.
#ifndef KILN_LIB_EXEC_ARENALAYOUT_H
#define KILN_LIB_EXEC_ARENALAYOUT_H

#include "kiln/Status.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace kiln {

/// A tenant: its bytes, and the steps between which it is alive, both included.
struct ArenaTenant {
  int64_t bytes = 0;
  int64_t first = 0;
  int64_t last = 0;
};

/// Places tenants so that those alive at one time do not overlap: the largest
/// first, each at the lowest place that is free while it lives. Offsets are
/// multiples of 64.
///
/// Keeps its working memory, so that a steady state allocates nothing.
class ArenaLayout {
public:
  /// **Errors**: RESOURCE_EXHAUSTED when the sizes do not fit int64. **Cost**:
  /// quadratic in the tenants that live at one time.
  Status place(std::span<const ArenaTenant> tenants);

  std::span<const size_t> offsets() const { return places; }
  size_t bytes() const { return total; }

private:
  std::vector<size_t> places;
  std::vector<size_t> order;
  std::vector<size_t> placed; ///< tenants by offset
  size_t total = 0;
};

} // namespace kiln

#endif // KILN_LIB_EXEC_ARENALAYOUT_H
