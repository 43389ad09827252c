// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the host must know of a function's code: how its buffer table is laid
// out, which nodes it can blame, what its regions cost.
#ifndef KILN_LIB_COMPILED_CODELAYOUT_H
#define KILN_LIB_COMPILED_CODELAYOUT_H

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// The function (KilnEntryFn) that the objects of a compiled function define.
inline constexpr std::string_view codeEntryName = "kiln_entry";

/// The buffers that a table begins with; a variable's has a flag beside it. The
/// temporaries come behind.
struct BufferCounts {
  int64_t feeds = 0, constants = 0, variables = 0, results = 0;
  int64_t firstTemporary() const {
    return feeds + constants + 2 * variables + results;
  }
  bool operator==(const BufferCounts &) const = default;
};

/// A tenant of the arena; its bytes are those of its elements, and it is alive
/// from step `first` to step `last`.
struct Temporary {
  struct Extent {
    int64_t value;  ///< where symbol is -1
    int64_t symbol; ///< an id of the executable's symbol table, or -1
    bool operator==(const Extent &) const = default;
  };
  std::vector<Extent> extents;
  int64_t elementBytes = 0;
  int64_t first = 0, last = 0;
  std::string node; ///< that makes the value; may be empty
  /// Where its entry of the table is null, the code takes memory when it first
  /// needs it.
  bool isOptional = false;
  bool operator==(const Temporary &) const = default;
};

/// A function of the registry of kernels that the code calls.
struct KernelUse {
  std::string name;
  int64_t node = -1; ///< the first that calls it, in CodeLayout::nodes; or -1
  bool operator==(const KernelUse &) const = default;
};

/// A sum of products of numbers and symbols of the executable.
struct CostFormula {
  struct Term {
    int64_t factor;
    std::vector<int64_t> symbols;
    bool operator==(const Term &) const = default;
  };
  std::vector<Term> terms;
  /// **Edges**: INT64_MAX when it does not fit.
  int64_t evaluate(std::span<const int64_t> symbols) const;
  bool operator==(const CostFormula &) const = default;
};

/// A fusion or a call of the runtime, with what it costs.
struct CodeRegion {
  std::string name;
  std::vector<std::string> nodes;
  CostFormula flops, bytesRead, bytesWritten;
  bool operator==(const CodeRegion &) const = default;
};

/// Plain data; made by the passes, part by part, and taken out of the module
/// when its code is made.
struct CodeLayout {
  BufferCounts counts;
  std::vector<Temporary> temporaries; ///< in the order of the buffer table
  std::vector<std::string> nodes;     ///< behind KilnRunState::errorNode
  std::vector<KernelUse> kernels;     ///< in the order of KilnRunArgs::kernels
  /// By the numbers of their marks; empty unless the code is to be inspected.
  std::vector<CodeRegion> regions;

  /// The name behind KilnRunState::errorNode; empty for -1.
  std::string_view nodeAt(int32_t index) const {
    return index >= 0 && static_cast<size_t>(index) < nodes.size()
               ? std::string_view(nodes[static_cast<size_t>(index)])
               : std::string_view();
  }
  bool operator==(const CodeLayout &) const = default;
};

} // namespace kiln

#endif // KILN_LIB_COMPILED_CODELAYOUT_H
