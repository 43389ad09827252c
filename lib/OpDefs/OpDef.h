// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an op is: its arguments, attributes, flags and shape function, read from
// one table per family.
#ifndef KILN_LIB_OPDEFS_OPDEF_H
#define KILN_LIB_OPDEFS_OPDEF_H

#include "kiln/Node.h"
#include "lib/Graph/ArgDef.h"
#include "lib/OpDefs/OpRole.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

class InferenceContext;
class ShapeCall;
/// Sets the dtypes, shapes and, where they follow, contents of a node's
/// outputs.
using InferFn = Status (*)(InferenceContext &);

enum OpFlags : uint32_t {
  noFlags = 0,
  /// Two runs of the node may differ: random ops, variables.
  stateful = 1,
  /// Swapping the two inputs changes nothing.
  commutative = 2,
  /// Reads or writes a variable that may have no value yet.
  allowsUninitializedInput = 4,
  /// The output is the input's own memory where that is a reference: Identity,
  /// Reshape ...
  forwardsRef = 8,
  /// May wait for other runs, or must see what they did meanwhile: a run is cut
  /// here, and the session does the op between two parts of it, without locks.
  cutsRun = 16,
  /// Runs functions of the graph's library, which its attributes name.
  callsFunctions = 32,
  /// A run may feed the output; without an input, it must.
  placeholder = 64,
  /// The output is the value of an attribute.
  constant = 128,
  /// Declares a variable: the output is a reference to it, or its handle.
  variable = 256,
  /// The output is the value of the variable that a handle names.
  readsVariable = 512,
  /// Takes a reference without changing what it refers to.
  keepsRef = 1024,
  /// The outputs depend on the shapes of the inputs alone.
  readsShapes = 2048,
  /// Takes its numbers from a random stream, in every run and in order.
  draws = 4096,
  /// Makes, reads or writes a TensorArray or a stack, which lives for one run.
  usesSlot = 8192,
  /// Prints, or ends the run.
  acts = 16384,
  /// Takes or gives TensorLists, which have no dtype that can be computed with.
  takesLists = 32768,
  /// May run sessions itself, for which the run should hold no locks.
  callsBack = 65536,
  /// Does not look at elements of the types that its attributes name, but for
  /// where they are: takes those of types that Kiln does not compute with.
  movesElements = 131072,
  /// Takes or gives handles of TensorArrays as its tensors: a stack.
  holdsHandles = 262144,
  /// Declares a resource, of constants that are its inputs.
  declares = 524288,
  /// Writes its variable, though what it gives is a value.
  updatesVariable = 1048576,
  /// A host kernel computes it (lib/HostKernels) which code can call: without
  /// effects, or with the flag `acts` one that works on a resource at once.
  /// Elsewhere (cutsAtBody() in HostOps.h) a run is cut.
  hostBody = 2097152,
  /// Nothing flows back through it, as TensorFlow says of it
  /// (tf.NotDifferentiable, version 2.21).
  stopsGradient = 4194304,
  /// Each output is an input as it is, whatever that is, a handle or a list
  /// too: the first; an IdentityN's own; the one that a Merge takes.
  passesOn = 8388608,
  /// Takes numbers of a quantized type for the integers that they are.
  takesQuantized = 16777216,
  /// Takes or gives datasets or other variants that are values between the
  /// parts of a run, and nothing within them.
  takesDatasets = 33554432,
  /// Computes with complex numbers.
  takesComplex = 67108864,
};

/// A line of a schema table. The grammar of the texts (parsed on first use,
/// each once):
///   args:  "x: T, values: N*T, ref: Ref(T), handle: resource, input: Tlist"
///   attrs: "T: numbers; Tidx: {int32, int64} = int32; N: int >= 1;
///           data_format: string {NHWC, NCHW} = NHWC"
/// where an attribute's kind is int, float, bool, string, shape, tensor, type,
/// list(<kind>), a list of types, or the name of a set of types (see typeSet in
/// OpParser.cpp).
struct OpRecord {
  std::string_view name;
  std::string_view inputs;
  std::string_view outputs;
  std::string_view attrs;
  std::string_view doc;
  InferFn infer = nullptr;
  uint32_t flags = noFlags;
  /// The op of the same arguments and meaning that a legacy name stands for.
  std::string_view sameAs = {};
  OpRole role = OpRole::None;
};

/// The schemas of a folder of lib/Ops.
struct OpFamily {
  std::string_view name;
  std::string_view purpose;
  std::span<const OpRecord> records;
};
/// All families. lib/Ops defines it, and is linked wherever schemas are.
std::span<const OpFamily> opFamilies();

enum class AttrKind : uint8_t {
  Int,
  Float,
  Bool,
  String,
  Type,
  Shape,
  Tensor,
  Func
};

struct AttrDef {
  std::string name;
  AttrKind kind = AttrKind::Int;
  bool isList = false;
  /// In TensorFlow's order, types that Kiln does not compute with included;
  /// empty: any.
  std::vector<DType> allowedTypes;
  std::vector<std::string> allowedStrings;
  std::optional<int64_t> minimum;
  std::optional<AttrValue> defaultValue;
};

/// A parsed schema. **Thread safety**: constant. **Ownership**: lives as long
/// as the process.
struct OpDef {
  std::string name;
  std::string family;
  std::vector<ArgDef> inputs;
  std::vector<ArgDef> outputs;
  std::vector<AttrDef> attrs;
  std::string doc;
  InferFn infer = nullptr;
  uint32_t flags = noFlags;
  OpRole role = OpRole::None;
  /// The name to look lowerings and gradients up by: the op's own, or the one
  /// that its legacy name stands for.
  std::string canonicalName;
  /// For ops that users add, the kernel that computes it, and the shape
  /// function behind `infer`, which may be null.
  std::string kernel = {};
  Status (*userShape)(ShapeCall &) = nullptr;

  bool has(OpFlags flag) const { return (flags & flag) != 0; }
  /// Whether it changes the variable that its first input refers to.
  bool writesVariable() const;
  /// Whether it does something besides giving its outputs: it writes a
  /// variable, takes from its random stream, uses a TensorArray or a stack,
  /// prints.
  bool hasEffect() const {
    return writesVariable() || has(draws) || has(usesSlot) || has(acts);
  }
  /// Whether the first output refers to a variable.
  bool givesRef() const { return !outputs.empty() && outputs[0].isRef; }
  /// Whether it takes handles and lists as tensors whose contents it does not
  /// use.
  bool takesHandles() const {
    return has(passesOn) || has(callsFunctions) ||
           role == OpRole::OptionalOfValues || role == OpRole::OptionalGet;
  }
  const AttrDef *findAttr(std::string_view attrName) const;
};

/// Finds an op by its TensorFlow name; null when Kiln does not know it.
/// **Thread safety**: any thread. **Cost**: a hash; the first call for a name
/// parses one line.
const OpDef *lookupOp(std::string_view name);
/// The role of the node's op; None for one that Kiln does not know.
OpRole roleOf(const Node &node);
/// What the names of the kernels of ops that users add begin with.
inline constexpr std::string_view userKernelPrefix = "user:";
/// Adds an op that no table has, for as long as the process lives. **Errors**:
/// ALREADY_EXISTS. **Thread safety**: any thread.
Status addUserOp(OpDef def);
/// All ops of the tables, family by family, in their order.
std::vector<const OpDef *> allOps();

/// Checks a node against its op: number and dtypes of inputs (an Invalid dtype,
/// one not known yet, fits all), kinds and ranges of attributes; attributes
/// with defaults may be missing, and ones that start with "_" mean nothing
/// here.
/// **Errors**: INVALID_ARGUMENT with TensorFlow's texts and the node.
Status checkNode(const Node &node, const OpDef &def);

/// Adds the defaults of attributes that are missing.
void setDefaultAttrs(Node &node, const OpDef &def);

/// The node's attribute, or its default; T() for one that is neither, or no T.
template <class T>
T attrOf(const Node &node, const OpDef &def, std::string_view name) {
  const AttrDef *attr = def.findAttr(name);
  const T *fallback = attr && attr->defaultValue
                          ? attr->defaultValue->template getIf<T>()
                          : nullptr;
  return node.attrOr<T>(name, fallback ? *fallback : T());
}

/// Checks that Kiln computes with the node's dtypes, or stores them where the
/// op does no more than that; import asks, so that a
/// graph may hold nodes that are never run.
/// **Errors**: UNIMPLEMENTED with the node, the attribute and the dtype;
/// INVALID_ARGUMENT with TensorFlow's text where it has no kernel for strings.
Status checkSupported(const Node &node, const OpDef &def);

/// Whether one of the types that the node's attributes name is complex.
bool hasComplexType(const Node &node, const OpDef &def);

/// One output's or input's type.
struct ArgType {
  DType dtype = DType::Invalid;
  bool isRef = false;
};

/// Expands a list of arguments by the node's attributes: one entry a tensor.
/// **Errors**: INVALID_ARGUMENT for missing attributes.
StatusOr<std::vector<ArgType>> expandArgs(std::span<const ArgDef> args,
                                          const Node &node, const OpDef &def);
StatusOr<std::vector<ArgType>> expandArgs(std::span<const ArgDef> args,
                                          const AttrMap &attrs,
                                          std::string_view node,
                                          const OpDef &def);

} // namespace kiln

#endif // KILN_LIB_OPDEFS_OPDEF_H
