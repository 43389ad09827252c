// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a compiled part of a graph takes, gives and uses: what a session must
// know to run it, as plain data.
#ifndef KILN_LIB_COMPILED_FUNCTIONINTERFACE_H
#define KILN_LIB_COMPILED_FUNCTIONINTERFACE_H

#include "kiln/Attributes.h"
#include "kiln/Tensor.h"
#include "lib/Shape/SymbolTable.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// A variable that the function uses; its place in the list is the `index` of
/// its kiln.variable.
struct ImportedVariable {
  /// The key of its slot: TensorFlow finds the variable by kind, container (in
  /// canonical form) and name (shared_name, or the node's).
  std::string container;
  std::string name;
  bool isResource = false;
  std::string node;
  DType dtype = DType::Invalid;
  Shape shape;
  /// Read before the function itself writes it: must have a value when a run
  /// begins.
  bool needsValue = false;
  /// The first node that reads it so; blamed when it has no value, in the words
  /// of its op.
  std::string reader;
  std::string readerOp;
  bool isWritten = false;
};

/// What an op says of a variable that has no value.
enum class NoValue : uint8_t {
  Uninitialized, ///< any op that takes a reference to it
  Invalid,       ///< an update by handle
  NotFound,      ///< what only reads a handle's variable
  Missing,       ///< anything else that takes a handle: there is no resource
};
/// The same of an op by its name; empty where none is known.
inline NoValue noValueOf(bool isResource, std::string_view op) {
  if (!isResource)
    return NoValue::Uninitialized;
  if (op.starts_with("ResourceApply"))
    return NoValue::Invalid;
  return op.empty() || op == "ReadVariableOp" || op == "DisableCopyOnRead"
             ? NoValue::NotFound
             : NoValue::Missing;
}

/// A variable without a static shape whose shape at the beginning of the run
/// the code depends on: part of the signature. `symbols` know it as a feed
/// behind those that there are, at its place in the list.
struct OpenShape {
  ImportedVariable variable;
  bool isUsed = false; ///< whether anything depends on it
  /// Unknown where the code is for a variable that has no value yet.
  std::optional<int> rank;
};

/// A random node's stream; its place in the list is the `stream` of
/// kiln.random_reserve.
struct ImportedStream {
  std::string node; ///< for errors
  /// What it is found by: two calls of a function are two streams, and so are
  /// two branches of one call (CallPath::place).
  std::string place;
  int64_t seed = 0;
  int64_t seed2 = 0;
};

/// A node that declares what a host kernel works on.
struct ImportedResource {
  std::string node;
  std::string op;
  AttrMap attrs;
};

/// A node that a host kernel computes; its place in the list is the first
/// number of the call of hostBodyKernel or hostEffectKernel.
struct ImportedBody {
  std::string node;
  std::string op;
  /// Those of its handles, which are its first inputs.
  std::vector<ImportedResource> resources;
  std::vector<DType> inputs; ///< the others
  AttrMap attrs;
};

/// A fed tensor whose elements the code depends on: part of the feed signature.
struct FedValue {
  int feed = 0;
  Tensor value;
};

/// What a function takes or gives.
struct ImportedTensor {
  std::string node;
  DType dtype = DType::Invalid;
  /// Known extents and symbols of `symbols`.
  Dims dims;
};

struct FunctionInterface {
  std::vector<ImportedTensor> feeds;
  std::vector<ImportedTensor> fetches;
  std::vector<ImportedVariable> variables;
  std::vector<OpenShape> openShapes;
  std::vector<ImportedStream> streams;
  std::vector<ImportedBody> bodies;
  SymbolTable symbols;
  std::vector<FedValue> fedValues;
};

} // namespace kiln

#endif // KILN_LIB_COMPILED_FUNCTIONINTERFACE_H
