// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inputs, outputs, variables and constants for lowerings.
#include "lib/Import/LoweringContext.h"

#include "lib/Import/SizeWriter.h"
#include "lib/OpDefs/HostOps.h"
#include "lib/Support/DTypeDispatch.h"
#include "lib/Support/DataMemory.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"
#include "runtime/abi/Container.h"

#include <algorithm>
#include <cstring>

using namespace mlir;

namespace kiln {

/// Constants of more elements become buffers of the executable: the limit of
/// kiln.constant.
static constexpr int64_t maxInlineElements = 64;

/// Stands for a value where the import has failed.
static Value noValue(IrBuilder &ir, RankedTensorType type) {
  return UnrealizedConversionCastOp::create(ir.opBuilder(), ir.location(), type,
                                            ValueRange())
      .getResult(0);
}

static Status openShapeError(const Output &variable) {
  return unimplementedError(
      strCat("expected variable ", quote(variable.node->name()),
             ", which has no static shape, to have one shape whichever way a "
             "run comes to this place"));
}

Value readLowered(ImportState &state, const Output &output,
                  std::string_view reader) {
  IrBuilder &ir = state.builder;
  const ValueInfo &info = state.inference.info(output);
  RankedTensorType type = ir.tensorType(info.shape.dims, info.dtype);
  const Lowered *found = state.scope().findLowered(output);
  if (found && found->variable >= 0) {
    const Node *viewer = found->viewer;
    Value value = state.variables.read(
        found->variable, ir, viewer ? viewer->name() : std::string(reader),
        found->isAlwaysViewed);
    if (info.dynamicVariable < 0)
      return ir.reshape(value, type);
    if (!value)
      state.failure = openShapeError(output);
    return value ? value : noValue(ir, type);
  }
  if (found && found->value)
    return found->value;
  const Dims *contents = state.inference.contents(output);
  if (!contents) {
    state.failure =
        unimplementedError(strCat("the handle ", quote(output.name()),
                                  " as a value is not "
                                  "implemented"));
    return noValue(ir, type);
  }
  // Known elements become a tensor only where an op asks for one, and for
  // the block that asks: another may not run.
  Location here = ir.location();
  ir.setLocation(
      NameLoc::get(ir.opBuilder().getStringAttr(state.pathOf(*output.node))));
  Value value = ir.contents(type, *contents);
  ir.setLocation(here);
  state.scope().lowered[Scope::key(output)].value = value;
  return value;
}

Value readTruth(ImportState &state, const Output &output,
                std::string_view reader) {
  IrBuilder &ir = state.builder;
  const ValueInfo info = state.inference.info(output);
  if (info.shape.rank() != 0) {
    Dim count = state.inference.dims().product(info.shape.dims);
    Type index = ir.elementType(DType::Int64);
    return ir.compare(ir::Predicate::ne, ir.dimScalar(count, index), 0);
  }
  Value value = readLowered(state, output, reader);
  if (info.dtype == DType::Bool)
    return value;
  if (info.dtype == DType::String)
    value = ir.kernelCall(
        "StringLength", value,
        RankedTensorType::get({}, ir.elementType(DType::Int32)), {0});
  if (ir::isNarrowFloat(IrBuilder::elementOf(value)))
    value = ir.cast(value, ir.opBuilder().getF32Type());
  return ir.compare(ir::Predicate::ne, value, 0);
}

Value LoweringContext::storedInput(int i) {
  Value value = readLowered(state, theNode.input(i), state.pathOf(theNode));
  // Sizes that the run finds out are equal from here on.
  if (seenShape(i))
    value = ir().reshape(
        value, ir().tensorType(inputDims(i), IrBuilder::elementOf(value)));
  return value;
}

Value LoweringContext::input(int i) {
  return seenPart(widened(storedInput(i)), info(i).dtype, i);
}

Value LoweringContext::seenPart(Value value, DType dtype, int i) {
  return call && isComplex(dtype) ? ir().part(value, call->isImaginary(i))
                                  : value;
}

Value LoweringContext::readVariable(int variable) {
  Value value = state.variables.read(variable, ir(), state.pathOf(theNode));
  return seenPart(widened(value), state.variables.at(variable).dtype, 0);
}

Value LoweringContext::truth(int i) {
  return readTruth(state, theNode.input(i), state.pathOf(theNode));
}

RankedTensorType LoweringContext::seen(RankedTensorType type) {
  return computes && ir::isNarrowFloat(type.getElementType())
             ? ir::withElementType(type, ir().opBuilder().getF32Type())
             : type;
}

Value LoweringContext::widened(Value value) {
  return ir().cast(value, seen(IrBuilder::typeOf(value)).getElementType());
}

void LoweringContext::setOutput(int i, Value value) {
  if (call && isComplex(outputInfo(i).dtype)) {
    call->made.outputs[static_cast<size_t>(i)] = value;
    return;
  }
  Type stored = storedOutputType(i).getElementType();
  if (ir::isNarrowFloat(stored))
    value = ir().cast(value, stored);
  place(i).value = value;
}

void LoweringContext::callKernel(llvm::StringRef kernel,
                                 mlir::ValueRange inputs,
                                 llvm::ArrayRef<int64_t> numbers, int first) {
  llvm::SmallVector<mlir::Type> types;
  for (int i = first; i < numOutputs(); ++i)
    types.push_back(outputType(i));
  auto call = ir().kernelCall(kernel, inputs, types, numbers, foundOut());
  for (auto [i, result] : llvm::enumerate(call.getResults()))
    setOutput(first + static_cast<int>(i), result);
}

int LoweringContext::inputRank(int i) const {
  return info(i).dynamicVariable >= 0 ? static_cast<int>(inputDims(i).size())
                                      : info(i).shape.rank();
}

llvm::SmallVector<Value> LoweringContext::allInputs() {
  llvm::SmallVector<Value> inputs;
  for (int i = 0; i < numInputs(); ++i)
    inputs.push_back(input(i));
  return inputs;
}

const Lowered *LoweringContext::loweredInput(int i) const {
  return state.scope().findLowered(theNode.input(i));
}

bool LoweringContext::isVariable(int i) const {
  const Lowered *source = loweredInput(i);
  return source && source->variable >= 0;
}

/// Notes that the elements of a tensor would have to be known.
static void ask(ImportState &state, const Output &tensor) {
  if (std::optional<Output> giver = state.inference.giverOf(tensor))
    state.asked = AskedTensor{*giver};
}

StatusOr<Dims> LoweringContext::contents(int i) const {
  if (const Dims *known = state.inference.sizes(theNode.input(i)))
    return *known;
  ask(state, theNode.input(i));
  return unimplemented(strCat(
      "expected input ", i, " (", quote(theNode.input(i).name()),
      ") to be known before the run, got a value that is computed from data"));
}

StatusOr<std::vector<int64_t>> LoweringContext::ints(int i) const {
  KILN_ASSIGN_OR_RETURN(Dims elements, contents(i));
  std::vector<int64_t> numbers;
  for (Dim element : elements) {
    if (!element.isKnown()) {
      ask(state, theNode.input(i));
      return unimplemented(strCat("expected input ", i, " (",
                                  quote(theNode.input(i).name()),
                                  ") to be constant, got a value that depends "
                                  "on the extents of a feed"));
    }
    numbers.push_back(element.value);
  }
  return numbers;
}

StatusOr<int64_t> LoweringContext::axis(int i, int64_t rank) const {
  KILN_ASSIGN_OR_RETURN(std::vector<int64_t> numbers, ints(i));
  if (numbers.size() != 1 || numbers[0] < -rank || numbers[0] >= rank)
    return invalid(strCat("expected input ", i, " (",
                          quote(theNode.input(i).name()),
                          ") to be an axis in [", -rank, ", ", rank, "), got [",
                          strJoin(numbers, ","), "]"));
  return numbers[0] < 0 ? numbers[0] + rank : numbers[0];
}

int LoweringContext::numOutputs() const {
  int count = 0;
  while (outputInfo(count).dtype != DType::Invalid)
    ++count;
  return count;
}

StatusOr<int> LoweringContext::slot(int i) const {
  if (state.inference.feedOf(theNode.input(i)) >= 0)
    return invalid(strCat("expected input ", i, " (",
                          quote(theNode.input(i).name()),
                          ") to be a TensorArray, a stack or a list of "
                          "this run, got a fed value"));
  if (int slot = state.inference.slotOf(info(i)); slot >= 0)
    return state.inference.slots().numberOf(slot);
  return unimplemented(strCat(
      "expected input ", i, " (", quote(theNode.input(i).name()),
      ") to be one TensorArray, stack or list, got one that is picked in the "
      "run"));
}

void LoweringContext::forward(int i, int j) {
  if (state.inference.slotOf(info(j)) >= 0)
    return; // inference follows it
  const Lowered *source = loweredInput(j);
  if (!source || source->variable < 0) {
    setOutput(i, storedInput(j));
    return;
  }
  // A value of before stays when the variable gets another shape, and with it
  // other memory.
  if (!def.inputs[0].isRef && info(j).dynamicVariable >= 0 &&
      info(j).dtype != DType::Resource) {
    Value value = storedInput(j);
    setOutput(i, state.failure.ok() ? ir().reshape(value, storedOutputType(i))
                                    : value);
    return;
  }
  Lowered view = *source;
  if (!def.inputs[0].isRef) {
    view.viewer = view.viewer ? view.viewer : &theNode;
    view.isAlwaysViewed |= state.variables.isAlwaysReached();
  }
  place(i) = view;
}

Status LoweringContext::declareVariable() {
  ImportedVariable variable = state.inference.dynamicVariables().asDynamic(
      variableOf(theNode, state.scope().block.path));
  if (storedAs(variable.dtype) == DType::Invalid)
    return unimplemented(strCat("variables of dtype ",
                                dtypeName(variable.dtype),
                                " are not implemented"));
  const int open = outputInfo(0).dynamicVariable;
  SymShape shape =
      open < 0 ? toSymShape(variable.shape) : state.inference.entryShape(open);
  // What has no value has no shape either: the first write brings both.
  bool hasShape = shape.rankKnown;
  KILN_ASSIGN_OR_RETURN(
      int index, state.variables.declare(
                     std::move(variable),
                     ir().tensorType(shape.dims, theNode.attrOr<DType>(
                                                     "dtype", DType::Invalid)),
                     ir().location(), open >= 0, hasShape));
  setOutputView(0, index);
  return okStatus();
}

StatusOr<int> LoweringContext::variable(int i) const {
  if (!isVariable(i))
    return invalid(strCat("expected input ", i, " (",
                          quote(theNode.input(i).name()),
                          ") to be a variable, got a value"));
  return loweredInput(i)->variable;
}

Status LoweringContext::writeVariable(int variable, Value value) {
  if (call && isComplex(state.variables.at(variable).dtype)) {
    call->made.variables.push_back({variable, value});
    return okStatus();
  }
  Type stored = state.variables.type(variable).getElementType();
  if (ir::isNarrowFloat(stored))
    value = ir().cast(value, stored);
  if (value.getType() != state.variables.type(variable) &&
      !state.variables.isOpen(variable))
    return unimplemented(
        strCat("expected a value of the variable's static shape, got ",
               ir::toString(ir::extentsOf(value)), " for ",
               ir::toString(ir::extentsOf(state.variables.type(variable)))));
  state.variables.write(variable, value, ir());
  return okStatus();
}

StatusOr<LoweringContext::OfParts>
LoweringContext::lowerParts(LowerFn lower,
                            llvm::function_ref<bool(int)> isImaginary) {
  PartsCall made{isImaginary, {}};
  made.made.outputs.resize(static_cast<size_t>(numOutputs()));
  call = &made;
  Status status = lower(*this);
  call = nullptr;
  KILN_RETURN_IF_ERROR(std::move(status));
  return std::move(made.made);
}

Status LoweringContext::finishUpdate(int variable, Value value) {
  KILN_RETURN_IF_ERROR(writeVariable(variable, value));
  if (numOutputs() > 0)
    setOutputView(0, variable);
  return okStatus();
}

Status LoweringContext::forEach(Value count, ArrayRef<int> written,
                                llvm::function_ref<Status(Value)> body) {
  OpBuilder &builder = ir().opBuilder();
  OpBuilder::InsertionGuard guard(builder);
  auto loop = ir::WhileOp::create(builder, ir().location(), count.getType(),
                                  ir().like(count, 0));
  // A later iteration begins with other values than the first.
  for (int variable : written)
    state.variables.forget(variable);
  VariableVersions::Place entry = state.variables.place();
  builder.setInsertionPointToEnd(&loop.beforeBlock());
  Value number = loop.beforeBlock().getArgument(0);
  ir::ConditionOp::create(builder, ir().location(),
                          ir().compare(ir::Predicate::lt, number, count),
                          number);
  builder.setInsertionPointToEnd(&loop.afterBlock());
  VariableVersions::MayNotRun mayNotRun(state.variables, loop.afterBlock());
  SizeWriter::Region region(*state.sizes);
  number = loop.afterBlock().getArgument(0);
  KILN_RETURN_IF_ERROR(body(number));
  ir::YieldOp::create(
      builder, ir().location(),
      ir().add(number, ir().splatInt(IrBuilder::typeOf(number), 1)));
  state.variables.join(entry, {entry, state.variables.place()});
  return okStatus();
}

/// True when all elements have the same bits.
static bool isUniform(const Tensor &tensor) {
  size_t size = dtypeSize(tensor.dtype());
  if (tensor.numElements() < 2)
    return tensor.numElements() == 1;
  const auto *bytes = static_cast<const char *>(tensor.rawData());
  return std::memcmp(bytes, bytes + size, tensor.byteSize() - size) == 0;
}

static Attribute elementAttr(Type element, const Tensor &tensor, size_t index) {
  const auto *bytes = static_cast<const char *>(tensor.rawData()) +
                      index * dtypeSize(tensor.dtype());
  auto load = [&]<class T>(T value) {
    std::memcpy(&value, bytes, sizeof value);
    return value;
  };
  if (tensor.dtype() == DType::Bool)
    return ir::integerAttr(element, load(uint8_t()) != 0);
  return dispatchElement(tensor.dtype(), [&]<class T>(T) -> Attribute {
    T value = load(T());
    if constexpr (std::is_floating_point_v<T>)
      return FloatAttr::get(element, llvm::APFloat(value));
    else if constexpr (std::is_integral_v<T>)
      return ir::integerAttr(element, static_cast<int64_t>(value));
    else
      return FloatAttr::get(
          element, llvm::APFloat(cast<FloatType>(element).getFloatSemantics(),
                                 llvm::APInt(16, value.bits)));
  });
}

Value ImportState::store(Tensor tensor) {
  Type type = RankedTensorType::get(tensor.shape().dims(),
                                    builder.elementType(tensor.dtype()));
  constants.push_back(std::move(tensor));
  return ir::ConstantRefOp::create(builder.opBuilder(), builder.location(),
                                   type,
                                   static_cast<int64_t>(constants.size()) - 1);
}

/// A constant of strings, or of a type that is not computed with.
StatusOr<Value> LoweringContext::movedConstant(const TensorConstant &constant) {
  if (!constant.value.isValid())
    return outOfMemory("a constant", dtypeSize(constant.dtype))
        .withNode(theNode.name());
  return ir().broadcast(
      state.store(constant.value),
      RankedTensorType::get(constant.shape.dims(),
                            ir().elementType(constant.dtype)));
}

StatusOr<Value> LoweringContext::zero(DType dtype) {
  if (dtype == DType::String)
    return movedConstant(TensorConstant(Tensor::scalar(std::string_view())));
  if (!isSupported(dtype)) {
    KILN_ASSIGN_OR_RETURN(Tensor zero, Tensor::zeros(dtype, Shape()));
    return movedConstant(TensorConstant(std::move(zero)));
  }
  return ir().scalar(ir().elementType(dtype), 0);
}

/// Of two constants, which passes see through; null where they would be large.
StatusOr<Value>
LoweringContext::complexConstant(const TensorConstant &constant) {
  const Tensor &whole = constant.value;
  KILN_ASSIGN_OR_RETURN(int64_t count, constant.shape.numElements());
  if (!whole.isValid() || whole.numElements() > maxInlineElements)
    return Value();
  auto part = [&](bool isImaginary) -> StatusOr<Value> {
    KILN_ASSIGN_OR_RETURN(
        Tensor numbers,
        Tensor::create(partType(constant.dtype), whole.shape()));
    const size_t size = dtypeSize(numbers.dtype());
    const auto *from = static_cast<const char *>(whole.rawData());
    auto *to = static_cast<char *>(numbers.mutableRawData());
    for (size_t i = 0; i < static_cast<size_t>(whole.numElements()); ++i)
      std::memcpy(to + i * size, from + (2 * i + isImaginary) * size, size);
    TensorConstant made(std::move(numbers));
    made.shape = constant.shape;
    return this->constant(made);
  };
  KILN_ASSIGN_OR_RETURN(Value real, part(false));
  KILN_ASSIGN_OR_RETURN(Value imag, part(true));
  return count == 0 ? Value() : ir().complex({real, imag});
}

StatusOr<Value> LoweringContext::constant(const TensorConstant &constant) {
  if (isComplex(constant.dtype) && !constant.opaque) {
    KILN_ASSIGN_OR_RETURN(Value whole, complexConstant(constant));
    if (whole)
      return whole;
  }
  Type element = ir().elementType(constant.dtype);
  if (!element || constant.opaque)
    return unimplemented(strCat("constants of dtype ",
                                dtypeName(constant.dtype),
                                " are not implemented"));
  if (constant.dtype == DType::String || !isSupported(constant.dtype))
    return movedConstant(constant);
  if (!constant.value.isValid())
    return outOfMemory("a constant", dtypeSize(constant.dtype))
        .withNode(theNode.name());
  auto type = RankedTensorType::get(constant.shape.dims(), element);
  const Tensor &tensor = constant.value;
  OpBuilder &builder = ir().opBuilder();
  if (type.getNumElements() > 0 && (constant.isSplat() || isUniform(tensor)))
    return Value(ir::ConstantOp::create(
        builder, ir().location(), type,
        DenseElementsAttr::get(type, elementAttr(element, tensor, 0))));
  if (type.getNumElements() <= maxInlineElements) {
    SmallVector<Attribute> elements;
    for (int64_t i = 0; i < type.getNumElements(); ++i)
      elements.push_back(elementAttr(element, tensor, static_cast<size_t>(i)));
    return Value(
        ir::ConstantOp::create(builder, ir().location(), type,
                               DenseElementsAttr::get(type, elements)));
  }
  return state.store(tensor);
}

Value LoweringContext::reserveRandom() {
  return reserve(intAttr("seed"), intAttr("seed2"), outputDims());
}

Value LoweringContext::countExecution() {
  return reserve(/*seed=*/1, /*seed2=*/0, /*dims=*/{});
}

int64_t LoweringContext::randomStream() {
  return addStream(intAttr("seed"), intAttr("seed2"));
}

int64_t LoweringContext::addStream(int64_t seed, int64_t seed2) {
  state.streams.push_back({state.pathOf(theNode),
                           state.scope().block.path.place + theNode.name(),
                           seed, seed2});
  return static_cast<int64_t>(state.streams.size()) - 1;
}

int64_t LoweringContext::addBody() {
  auto attrsOf = [](const Node &node, const OpDef &def) {
    AttrMap attrs;
    for (const NamedAttr &attr : node.attrs())
      if (def.findAttr(attr.name))
        attrs.set(attr.name, attr.value);
    return attrs;
  };
  ImportedBody body{
      theNode.name(), theNode.op(), {}, {}, attrsOf(theNode, def)};
  if (const Node *declared = resourceOfBody(theNode, def))
    body.resources.push_back({declared->name(), declared->op(),
                              attrsOf(*declared, *lookupOp(declared->op()))});
  for (int i = numHandlesOf(def); i < numInputs(); ++i)
    body.inputs.push_back(inputDType(i));
  state.bodies.push_back(std::move(body));
  return static_cast<int64_t>(state.bodies.size()) - 1;
}

Value LoweringContext::reserve(int64_t seed, int64_t seed2, const Dims &dims) {
  int64_t stream = addStream(seed, seed2);
  SmallVector<int64_t> symbols, values;
  for (Dim dim : dims) {
    symbols.push_back(dim.isSymbol() ? dim.symbol : -1);
    values.push_back(dim.isSymbol() ? 0 : dim.value);
  }
  auto type = RankedTensorType::get({6}, ir().opBuilder().getI32Type());
  return ir::RandomReserveOp::create(ir().opBuilder(), ir().location(), type,
                                     stream, symbols, values);
}

} // namespace kiln
