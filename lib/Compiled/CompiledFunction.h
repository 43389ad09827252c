// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A compiled part of a graph as a value: all that is needed to run it in
// another process, without a compiler.
#ifndef KILN_LIB_COMPILED_COMPILEDFUNCTION_H
#define KILN_LIB_COMPILED_COMPILEDFUNCTION_H

#include "lib/Compiled/CodeLayout.h"
#include "lib/Compiled/Digest.h"
#include "lib/Compiled/FunctionInterface.h"
#include "lib/Compiled/OpFigures.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// What the passes and the code generator make of a module.
struct CompiledCode {
  /// Relocatable; one defines codeEntryName, each may need the others.
  std::vector<std::string> objects;
  CodeLayout layout;
  /// The name of the backend that made the objects, and of the loader that
  /// takes them.
  std::string backend;
};

/// Plain data. **Ownership**: everything but the graph's constants, whose
/// contents may stay where they are and are found again by their digests.
struct CompiledFunction {
  FunctionInterface interface;
  /// The digests of the buffer table's constants, in order; empty where the
  /// function was neither stored nor read.
  std::vector<Digest> constants;
  /// Those constants that the reader cannot have: the passes made them, or it
  /// has no graph.
  std::map<Digest, Tensor> ownConstants;
  CompiledCode code;
  OpCounters ops = {};

  /// Takes the table's constants, by their digests, all as its own.
  template <class DigestOf>
  void setConstants(std::span<const Tensor> table, const DigestOf &digestOf) {
    constants.clear();
    ownConstants.clear();
    for (const Tensor &constant : table) {
      constants.push_back(digestOf(constant));
      ownConstants.emplace(constants.back(), constant);
    }
  }
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
