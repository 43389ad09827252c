// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A compiled part of a graph as a value: all that is needed to run it in
// another process, without MLIR.
#ifndef KILN_LIB_COMPILED_COMPILEDFUNCTION_H
#define KILN_LIB_COMPILED_COMPILEDFUNCTION_H

#include "lib/Compiled/CodeLayout.h"
#include "lib/Compiled/Digest.h"
#include "lib/Compiled/FunctionInterface.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// What the passes and the code generator make of a module.
struct CompiledCode {
  /// Relocatable; one defines codeEntryName, each may need the others.
  std::vector<std::string> objects;
  CodeLayout layout;
};

/// Plain data. **Ownership**: everything but the graph's constants, whose
/// contents stay where they are and are found again by their digests.
struct CompiledFunction {
  FunctionInterface interface;
  /// Of the buffer table's constants, in order.
  std::vector<Digest> constants;
  /// Those that the passes made, with their digests.
  std::map<Digest, Tensor> folded;
  CompiledCode code;
  /// Ops of the graph by what became of them, for RunStats.
  int64_t opsNative = 0, opsQuick = 0, opsRuntime = 0, opsFolded = 0;
};

/// Writes the value. **Edges**: the same bytes for the same value.
std::string encode(const CompiledFunction &function);
/// Reads what encode() wrote. **Errors**: INVALID_ARGUMENT for bytes that it
/// cannot have written: cut short, of another format, with numbers that point
/// nowhere. Object code is taken as it is. **Cost**: linear in the bytes, in
/// time and memory, whatever they are.
StatusOr<CompiledFunction> decodeCompiledFunction(std::string_view bytes);

} // namespace kiln

#endif // KILN_LIB_COMPILED_COMPILEDFUNCTION_H
