// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a queue is made for.
#ifndef KILN_RUNTIME_RESOURCES_QUEUESPEC_H
#define KILN_RUNTIME_RESOURCES_QUEUESPEC_H

#include "kiln/DType.h"
#include "kiln/Shape.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// Which element comes out next, and whether elements of a batch may differ in
/// shape: PaddingFifo has open dimensions, which a batch fills with zeros.
enum class QueueKind : uint8_t { Fifo, PaddingFifo, RandomShuffle, Priority };

struct QueueSpec {
  /// As error texts name it.
  std::string name;
  /// Elements that it holds at most; negative: any number.
  int64_t capacity = -1;
  /// One a component; a Priority queue's first is an int64 scalar, the smallest
  /// of which comes out first.
  std::vector<DType> types;
  /// One a component, or none: any shapes then. Ranks are known; of PaddingFifo
  /// alone dimensions may not be.
  std::vector<Shape> shapes;
  QueueKind kind = QueueKind::Fifo;
  // For RandomShuffle: how many elements stay until it is closed, and seeds as
  // the graph gives them.
  int64_t minAfterDequeue = 0;
  int64_t seed = 0, seed2 = 0;
};

/// "FIFOQueue" or the like, as errors say it.
constexpr std::string_view queueTypeName(QueueKind kind) {
  constexpr std::string_view names[] = {"FIFOQueue", "PaddingFIFOQueue",
                                        "RandomShuffleQueue", "PriorityQueue"};
  return names[static_cast<size_t>(kind)];
}

} // namespace kiln

#endif // KILN_RUNTIME_RESOURCES_QUEUESPEC_H
