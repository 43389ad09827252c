// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops of a user's own: a schema, a shape function and a kernel.
// examples/register_op.cpp is a program that does it.
#ifndef KILN_REGISTEROP_H
#define KILN_REGISTEROP_H

#include "kiln/DType.h"
#include "kiln/Export.h"
#include "kiln/Status.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

struct KilnKernelCall;

namespace kiln {

class InferenceContext;
struct ShapeCalls;

/// A dimension that a shape function sees: a number, one that only a run knows,
/// or, while a graph is being built, unknown. A value; a shape function's
/// ShapeCall computes with it.
class ShapeDim {
public:
  /// A number. Negative ones are refused as extents.
  ShapeDim(int64_t number) : value(number), symbol(-1) {}

private:
  friend class ShapeCall;
  ShapeDim(int64_t value, int32_t symbol) : value(value), symbol(symbol) {}

  int64_t value;
  int32_t symbol;
};

/// One call of a shape function. It is called when a node is added to a graph,
/// where much is unknown, and when a run's subgraph is compiled, once for all
/// sizes: it gives formulas, not numbers. Borrows everything; not for other
/// threads.
class KILN_EXPORT ShapeCall {
public:
  int numInputs() const;
  /// -1 when unknown, which no input is when a run is compiled.
  int rank(int input) const;
  /// Axis counts from the front, or from the back below 0; unknown where the
  /// rank is, or has no such axis.
  ShapeDim dim(int input, int axis) const;

  // Unknown where an operand is.
  ShapeDim add(ShapeDim a, ShapeDim b);
  ShapeDim sub(ShapeDim a, ShapeDim b);
  ShapeDim mul(ShapeDim a, ShapeDim b);
  /// Rounds down. **Errors** of the shape function, or of a run: a divisor of
  /// 0.
  ShapeDim floorDiv(ShapeDim a, ShapeDim b);

  /// Demands that two dimensions are equal, now or in every run.
  /// **Errors**: INVALID_ARGUMENT "<message>: 2 vs. 3" with the node.
  Status requireEqual(ShapeDim a, ShapeDim b, std::string_view message);
  /// An INVALID_ARGUMENT about this node.
  Status error(std::string message) const;

  // Attributes by name; 0 or false for one that the op does not have.
  int64_t intAttr(std::string_view name) const;
  bool boolAttr(std::string_view name) const;
  DType typeAttr(std::string_view name) const;

  /// **Errors** of the shape function, or of a run: an extent below 0.
  void setOutput(int output, std::vector<ShapeDim> dims);
  /// The output has the shape of an input, also where its rank is unknown.
  void setOutputLike(int output, int input);

private:
  friend struct ShapeCalls;
  explicit ShapeCall(InferenceContext &context) : context(context) {}
  void demand(Status status);

  InferenceContext &context;
  Status failure; ///< the first of what was demanded
};

/// One call of a kernel: whole tensors, row-major, outputs not yet written.
/// Borrows everything, for as long as the call lasts. Several calls may run at
/// once.
class KILN_EXPORT OpCall {
public:
  int numInputs() const;
  int numOutputs() const;
  DType inputDType(int i) const;
  DType outputDType(int i) const;
  std::span<const int64_t> inputShape(int i) const;
  std::span<const int64_t> outputShape(int i) const;

  /// The elements; none where T is not the tensor's type.
  template <class T> std::span<const T> input(int i) const {
    if (inputDType(i) != dtypeOf<T>)
      return {};
    return {static_cast<const T *>(inputData(i)), elements(inputShape(i))};
  }
  template <class T> std::span<T> output(int i) const {
    if (outputDType(i) != dtypeOf<T>)
      return {};
    return {static_cast<T *>(outputData(i)), elements(outputShape(i))};
  }

  /// Attribute i in the order of the op's `attrs`: an int, a bool (0, 1) or a
  /// type; 0 for a float.
  int64_t intAttr(int i) const;
  /// A float attribute.
  double floatAttr(int i) const;

  /// True once the run is cancelled, is late or has failed: a kernel that takes
  /// long asks now and then, and returns. Whatever it returns, the run ends.
  bool mustStop() const;

private:
  friend int32_t runOpKernel(const KilnKernelCall *,
                             Status (*)(OpCall &)) noexcept;
  explicit OpCall(const KilnKernelCall &call) : call(call) {}

  static size_t elements(std::span<const int64_t> dims) {
    size_t count = 1;
    for (int64_t dim : dims)
      count *= static_cast<size_t>(dim);
    return count;
  }
  const void *inputData(int i) const;
  void *outputData(int i) const;

  const KilnKernelCall &call;
};

/// Calls a kernel; an exception becomes INTERNAL with its text. For opKernel.
KILN_EXPORT int32_t runOpKernel(const KilnKernelCall *call,
                                Status (*compute)(OpCall &)) noexcept;

/// The function that native code and the evaluator call for `compute`.
template <Status (*compute)(OpCall &)>
int32_t opKernel(const KilnKernelCall *call) noexcept {
  return runOpKernel(call, compute);
}

/// What a user says of an op, in the grammar of TensorFlow's op definitions.
struct OpRegistration {
  std::string name; ///< as NodeDefs have it: "MyScale"
  /// "x: T, weights: float32, parts: N*T": a type or the name of a type
  /// attribute. Numbers and bool; no references, resources, strings.
  std::string inputs;
  std::string outputs;
  /// "T: {float32, float64}; k: int >= 1 = 3; offset: float = 0.5; flip: bool =
  /// false".
  std::string attrs;
  std::string doc;
  /// Null: every output has the shape of input 0.
  Status (*shape)(ShapeCall &) = nullptr;
  /// opKernel<compute>. It must give the same bits for the same inputs unless
  /// the op is stateful; an error status ends the run with the node's name.
  int32_t (*kernel)(const KilnKernelCall *) noexcept = nullptr;
  /// Two calls may differ, or do something beside their outputs: the node runs
  /// once a run that needs it, and is never computed while compiling.
  bool isStateful = false;
};

/// Adds an op to those that all graphs of the process may hold: graphs that are
/// built or loaded from then on know it, native code and the evaluator call its
/// kernel, and it works inside of functions, branches and loops. It is never
/// removed. Code with such ops is not kept in the disk cache, which could not
/// notice a changed kernel.
/// **Thread safety**: any thread. **Errors**: ALREADY_EXISTS for the name of an
/// op that Kiln has; INVALID_ARGUMENT for a text that cannot be read or a
/// missing kernel; UNIMPLEMENTED for types other than numbers and bool.
/// **Source**: TensorFlow's REGISTER_OP and REGISTER_KERNEL_BUILDER; there a
/// kernel makes its outputs itself, here their shapes come from the shape
/// function alone.
KILN_EXPORT Status registerOp(const OpRegistration &op);

} // namespace kiln

#endif // KILN_REGISTEROP_H
