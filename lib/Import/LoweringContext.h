// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the lowering of an op sees of its node.
#ifndef KILN_LIB_IMPORT_LOWERINGCONTEXT_H
#define KILN_LIB_IMPORT_LOWERINGCONTEXT_H

#include "lib/Import/ImportState.h"

namespace kiln {

class LoweringContext;

/// Writes the ops of one node, and sets outputs without known contents.
using LowerFn = Status (*)(LoweringContext &);

/// The dtype of a complex number's parts; any other as it is.
constexpr DType partType(DType dtype) {
  return dtype == DType::Complex64    ? DType::Float32
         : dtype == DType::Complex128 ? DType::Float64
                                      : dtype;
}

/// One call of a lowering. Before it the importer has made sure that dtypes and
/// shapes of all inputs and outputs are known, so that types and inputs need no
/// error handling; behind it the importer checks that every output has the type
/// that inference found. Ownership: borrows the state. Thread safety: none.
///
/// An op that computes sees float16 and bfloat16 as float32: inputs and
/// variables are widened where they are read, outputs and variables rounded
/// where they are set. So such an op rounds its results once, or, with
/// IrBuilder::RoundSteps, each step of a formula, as TensorFlow's kernels do
/// that are formulas of Eigen's.
class LoweringContext {
public:
  LoweringContext(ImportState &state, const Node &node, const OpDef &def,
                  bool computes)
      : state(state), theNode(node), def(def), computes(computes) {}

  const Node &node() const { return theNode; }
  const OpDef &opDef() const { return def; }
  IrBuilder &ir() { return state.builder; }
  DimSpace &dims() { return state.inference.dims(); }

  // Inputs.
  int numInputs() const { return theNode.numInputs(); }
  /// The value; a view of a variable is read here.
  Value input(int i);
  const Dims &inputDims(int i) const {
    const SymShape *seen = seenShape(i);
    return seen ? seen->dims : info(i).shape.dims;
  }
  int inputRank(int i) const;
  DType inputDType(int i) const { return seen(info(i).dtype); }
  /// As readTruth().
  Value truth(int i);
  /// The elements that a shape depends on, as numbers and symbols. **Errors**:
  /// UNIMPLEMENTED with the input.
  StatusOr<Dims> contents(int i) const;
  /// The elements as numbers. **Errors**: UNIMPLEMENTED with the input.
  StatusOr<std::vector<int64_t>> ints(int i) const;
  /// An axis, counted from the front. **Errors**: also INVALID_ARGUMENT when it
  /// is not in [-rank, rank).
  StatusOr<int64_t> axis(int i, int64_t rank) const;

  /// The symbols that this node finds out, in the order of its outputs.
  llvm::ArrayRef<int64_t> foundOut() const {
    return state.runSizes ? llvm::ArrayRef(state.runSizes->binds)
                          : llvm::ArrayRef<int64_t>();
  }

  // Outputs.
  int numOutputs() const;
  /// Whether anything computes with an output.
  bool isLive(int i) const {
    return state.scope().live.contains({&theNode, i});
  }
  const Dims &outputDims(int i = 0) const { return outputInfo(i).shape.dims; }
  DType outputDType(int i = 0) const { return seen(outputInfo(i).dtype); }
  RankedTensorType outputType(int i = 0) { return seen(storedOutputType(i)); }
  /// What setOutput leaves: float16 and bfloat16 as they are.
  RankedTensorType storedOutputType(int i) {
    return ir().tensorType(outputDims(i), outputDType(i));
  }
  void setOutput(int i, Value value);
  /// Sets the outputs from `first` on to what a kernel gives, which binds the
  /// sizes that the node finds out.
  void callKernel(llvm::StringRef kernel, mlir::ValueRange inputs,
                  llvm::ArrayRef<int64_t> numbers = {}, int first = 0);
  llvm::SmallVector<Value> allInputs();
  /// Output i is input j, also where that is a view or a handle. A view keeps
  /// to its own shape.
  void forward(int i, int j);
  /// True when input i is a view of a variable or its handle.
  bool isVariable(int i) const;

  // Attributes, with the schema's default where the node says nothing.
  bool boolAttr(std::string_view name) const { return attr<bool>(name); }
  int64_t intAttr(std::string_view name) const { return attr<int64_t>(name); }
  float floatAttr(std::string_view name) const { return attr<float>(name); }
  std::string stringAttr(std::string_view name) const {
    return attr<std::string>(name);
  }
  DType typeAttr(std::string_view name) const {
    return seen(attr<DType>(name));
  }
  std::vector<int64_t> intsAttr(std::string_view name) const {
    return attr<std::vector<int64_t>>(name);
  }
  std::vector<float> floatsAttr(std::string_view name) const {
    return attr<std::vector<float>>(name);
  }

  // Variables.
  /// Output 0 is a view (reference) or the handle of the variable that the node
  /// declares.
  Status declareVariable();
  /// The variable that input i refers to. **Errors**: INVALID_ARGUMENT when it
  /// is none, for example because it is fed.
  StatusOr<int> variable(int i) const;
  Value readVariable(int variable);
  mlir::Type variableElement(int variable) {
    return ir().elementType(seen(state.variables.at(variable).dtype));
  }
  /// **Errors**: UNIMPLEMENTED when the value has another shape than the
  /// variable's static one.
  Status writeVariable(int variable, Value value);
  Value isInitialized(int variable) {
    return state.variables.isInitialized(variable, ir());
  }
  void setOutputView(int i, int variable) { place(i).variable = variable; }
  /// Writes, and gives the view that an op on references has as output.
  Status finishUpdate(int variable, Value value);
  /// Writes a loop for the numbers 0, 1, ... below a count, all i64 scalars.
  /// `body` is called once, and may write the variables `written`.
  Status forEach(Value count, llvm::ArrayRef<int> written,
                 llvm::function_ref<Status(Value number)> body);

  // TensorArrays, stacks and lists.
  /// What code calls the slot that input i names. **Errors**: UNIMPLEMENTED
  /// where data picks it, INVALID_ARGUMENT where it is fed.
  StatusOr<int> slot(int i) const;
  /// As slot(), of an output that names one.
  int outputSlot(int i) const {
    return state.inference.slots().numberOf(
        state.inference.slotOf(outputInfo(i)));
  }

  // Complex numbers.
  Parts inputParts(int i) { return ir().parts(input(i)); }
  void setOutput(int i, const Parts &parts) {
    setOutput(i, ir().complex(parts));
  }
  /// What a lowering has set: a value for each output, null for one that it
  /// set to something else than complex numbers, and variables with values.
  struct OfParts {
    llvm::SmallVector<Value> outputs;
    llvm::SmallVector<std::pair<int, Value>> variables;
  };
  /// Calls a lowering for real numbers. It sees the imaginary part of each
  /// complex input of which that is asked, the real part of the others (of a
  /// variable as of input 0), and real numbers where outputs are complex. What
  /// it gives those and variables is not set, but returned.
  StatusOr<OfParts> lowerParts(LowerFn lower,
                               llvm::function_ref<bool(int)> isImaginary);

  /// A tensor as kiln.constant or kiln.constant_ref.
  StatusOr<Value> constant(const TensorConstant &constant);
  StatusOr<Value> movedConstant(const TensorConstant &constant);
  /// 0 (all bits), false or the empty string as a scalar.
  StatusOr<Value> zero(DType dtype);
  /// Takes as many samples of the node's own stream as output 0 has elements.
  Value reserveRandom();
  /// The number of the node's own stream, for a kernel that takes of it itself.
  int64_t randomStream();
  int64_t addBody();      ///< the node's number among the function's bodies
  Value countExecution(); ///< how often the session has come to the node

  Status unimplemented(std::string message) const {
    return unimplementedError(std::move(message)).withNode(theNode.name());
  }
  Status invalid(std::string message) const {
    return invalidArgumentError(std::move(message)).withNode(theNode.name());
  }

private:
  int64_t addStream(int64_t seed, int64_t seed2);
  Value reserve(int64_t seed, int64_t seed2, const Dims &dims);
  const ValueInfo &info(int i) const {
    return state.inference.info(theNode.input(i));
  }
  const ValueInfo &outputInfo(int i) const {
    return state.inference.computed(theNode, i);
  }
  /// An input's shape as this node sees it, where sizes of the run are equal as
  /// it demands, or where it is a variable without a static one; else null.
  const SymShape *seenShape(int i) const {
    if (info(i).dynamicVariable >= 0)
      return state.inference.dynamicInput(theNode, i);
    if (!state.runSizes)
      return nullptr;
    auto found = state.runSizes->inputs.find(i);
    return found == state.runSizes->inputs.end() ? nullptr : &found->second;
  }
  /// Where output i is kept; a fed output is not, its feed stands there.
  Lowered &place(int i) {
    bool isFed = state.inference.feedOf({&theNode, i}) >= 0;
    return isFed ? dropped : state.scope().lowered[{&theNode, i}];
  }
  const Lowered *loweredInput(int i) const;
  /// The value of input i as inference sees it, of its own type.
  Value storedInput(int i);
  /// The type, or value, as the lowering sees it.
  RankedTensorType seen(RankedTensorType type);
  Value widened(Value value);
  DType seen(DType dtype) const { return call ? partType(dtype) : dtype; }
  /// Of complex numbers the part that lowerParts() is called for.
  Value seenPart(Value value, DType dtype, int i);
  StatusOr<Value> complexConstant(const TensorConstant &constant);
  template <class T> T attr(std::string_view name) const {
    return attrOf<T>(theNode, def, name);
  }

  ImportState &state;
  const Node &theNode;
  const OpDef &def;
  bool computes;
  Lowered dropped;
  /// Of lowerParts(), while it lasts.
  struct PartsCall {
    llvm::function_ref<bool(int)> isImaginary;
    OfParts made;
  };
  PartsCall *call = nullptr;
};

} // namespace kiln

#endif // KILN_LIB_IMPORT_LOWERINGCONTEXT_H
