// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the lowering of an op by its name.
#ifndef KILN_LIB_IMPORT_LOWERINGREGISTRY_H
#define KILN_LIB_IMPORT_LOWERINGREGISTRY_H

#include "lib/Import/LoweringContext.h"

#include <initializer_list>
#include <string_view>
#include <unordered_map>

namespace kiln {

/// Lowerings by canonical op name. **Thread safety**: constant once built.
class LoweringRegistry {
public:
  struct Entry {
    std::string_view op;
    LowerFn lower;
  };
  struct Lowering {
    LowerFn lower = nullptr;
    bool computes = false;
  };

  /// Ops that compute: float16 and bfloat16 reach them as float32, and what
  /// they give is rounded. Names must live as long as the registry (literals
  /// do).
  void add(std::initializer_list<Entry> entries) { put(entries, true); }
  /// Ops that only move elements.
  void addMoves(std::initializer_list<Entry> entries) { put(entries, false); }
  /// How ops compute with complex numbers, which they take apart.
  void addComplex(std::initializer_list<Entry> entries) {
    for (const Entry &entry : entries)
      complexLowerings[entry.op] = {entry.lower, true};
  }
  /// Without a function when the op has none.
  Lowering lookup(const OpDef &op) const;
  /// The same for a node of which a type is complex.
  Lowering lookupComplex(const OpDef &op) const;

private:
  void put(std::initializer_list<Entry> entries, bool computes) {
    for (const Entry &entry : entries)
      lowerings[entry.op] = {entry.lower, computes};
  }

  std::unordered_map<std::string_view, Lowering> lowerings, complexLowerings;
};

/// The lowerings of all families. **Thread safety**: any thread; built on first
/// use.
const LoweringRegistry &loweringRegistry();

/// Lowers all ops that users add.
Status lowerUserOp(LoweringContext &ctx);
/// Lowers what another library computes (kiln/ForeignOps.h).
Status lowerForeign(LoweringContext &ctx);
/// Lowers what a host kernel without effects computes (lib/OpDefs/HostOps.h).
Status lowerBody(LoweringContext &ctx);

/// Adds the lowerings of all families. lib/Ops defines it, and is linked
/// wherever graphs are imported.
void registerLowerings(LoweringRegistry &registry);

} // namespace kiln

#endif // KILN_LIB_IMPORT_LOWERINGREGISTRY_H
