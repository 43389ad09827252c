// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers values, finds their last uses, and puts what ops refer to into the
// program's lists.
#include "lib/Translate/Translation.h"

#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"
#include "lib/Translate/Translator.h"

#include "mlir/IR/Location.h"

#include <algorithm>
#include <limits>

using namespace mlir;

namespace kiln {
namespace eval {
namespace {

template <class T, class Source>
Range append(std::vector<T> &list, const Source &source) {
  Range range{static_cast<uint32_t>(list.size()), 0};
  list.insert(list.end(), source.begin(), source.end());
  range.size = static_cast<uint32_t>(list.size()) - range.begin;
  return range;
}

/// A number that does not fit is no symbol of any run.
Dim dimOf(int64_t symbol, int64_t number) {
  constexpr int64_t most = std::numeric_limits<int32_t>::max();
  return symbol < 0
             ? Dim::known(number)
             : Dim::ofSymbol(static_cast<int32_t>(std::min(symbol, most)));
}

StringAttr nodeOf(Operation *op) {
  auto name = op->getLoc()->findInstanceOf<NameLoc>();
  return name ? name.getName() : StringAttr();
}

/// By op: the values that it is the last in its block to use, itself or inside
/// of its regions.
std::vector<SmallVector<Value, 2>> lastUses(mlir::Block &block) {
  // The terminator's operands outlive the block.
  DenseSet<Value> seen(llvm::from_range, block.getTerminator()->getOperands());
  std::vector<SmallVector<Value, 2>> last;
  for (Operation &op : llvm::reverse(block.without_terminator())) {
    SmallVector<Value, 2> &own = last.emplace_back();
    op.walk([&](Operation *user) {
      for (Value operand : user->getOperands())
        if (operand.getParentBlock() == &block && seen.insert(operand).second)
          own.push_back(operand);
    });
    for (Value result : op.getResults())
      if (!seen.contains(result))
        own.push_back(result);
  }
  std::ranges::reverse(last);
  return last;
}

/// Whether what waits may also run after the op. What binds symbols changes
/// shapes.
bool isMovable(Operation *op) {
  return isa<ir::VarReadOp>(op) ||
         (isa<ir::TensorOp>(op) && op->getNumRegions() == 0 &&
          isMemoryEffectFree(op) &&
          !isa<ir::BindOp, ir::DefineOp, ir::GuardOp, ir::RuntimeCallOp>(op));
}

} // namespace

bool mayGiveView(Operation *op) {
  if (auto slice = dyn_cast<ir::SliceOp>(op))
    return !slice.getDynamicStarts();
  return isa<ir::BroadcastOp, ir::ReshapeOp, ir::TransposeOp>(op);
}

StatusOr<Tensor> tensorOf(Attribute value) {
  auto elements = dyn_cast<DenseElementsAttr>(value);
  DType dtype = elements ? ir::dtypeOf(elements.getType()) : DType::Invalid;
  if (dtype == DType::Invalid)
    return unimplementedError(
        "expected a constant of numbers or bools, stored densely");
  Shape shape;
  if (!elements.isSplat())
    shape = Shape(std::span<const int64_t>(elements.getType().getShape()));
  KILN_ASSIGN_OR_RETURN(Tensor tensor, Tensor::create(dtype, shape));
  // Attributes may pack bools.
  if (dtype != DType::Bool)
    std::copy_n(elements.getRawData().data(), tensor.byteSize(),
                static_cast<char *>(tensor.mutableRawData()));
  else if (elements.isSplat())
    *static_cast<bool *>(tensor.mutableRawData()) =
        elements.getSplatValue<bool>();
  else
    llvm::copy(elements.getValues<bool>(),
               static_cast<bool *>(tensor.mutableRawData()));
  return tensor;
}

uint32_t Translator::addType(RankedTensorType type) {
  auto [found, isNew] =
      types.try_emplace(type, static_cast<uint32_t>(program.types.size()));
  if (!isNew)
    return found->second;
  Type made;
  made.dtype = ir::dtypeOf(type);
  made.dims.begin = static_cast<uint32_t>(program.dims.size());
  for (const ir::Extent &extent : ir::extentsOf(type))
    program.dims.push_back(dimOf(extent.symbol, extent.value));
  made.dims.size = static_cast<uint32_t>(program.dims.size()) - made.dims.begin;
  if (type.hasStaticShape())
    made.elements = type.getNumElements();
  program.types.push_back(made);
  return found->second;
}

ValueId Translator::addValue(Value value) {
  auto [found, isNew] =
      values.try_emplace(value, static_cast<ValueId>(program.values.size()));
  if (isNew)
    program.values.push_back(addType(cast<RankedTensorType>(value.getType())));
  return found->second;
}

Range Translator::addValues(ValueRange list) {
  Range range{static_cast<uint32_t>(program.ids.size()),
              static_cast<uint32_t>(list.size())};
  for (Value value : list)
    program.ids.push_back(addValue(value));
  return range;
}

Range Translator::addNumbers(ArrayRef<int64_t> numbers) {
  return append(program.numbers, numbers);
}

Range Translator::addDims(ArrayRef<int64_t> symbols,
                          ArrayRef<int64_t> numbers) {
  SmallVector<Dim> dims;
  for (auto [symbol, number] : llvm::zip_equal(symbols, numbers))
    dims.push_back(dimOf(symbol, number));
  return append(program.dims, dims);
}

Range Translator::addNode(Operation *op) {
  StringAttr name = nodeOf(op);
  if (!name)
    return {};
  Range &place = nodes[name];
  if (place.size == 0) {
    place = {static_cast<uint32_t>(program.names.size()),
             static_cast<uint32_t>(name.size())};
    program.names.append(name.data(), name.size());
  }
  return place;
}

StatusOr<ConstantOp> Translator::addConstant(Attribute value) {
  auto found = constants.find(value);
  if (found != constants.end())
    return found->second;
  KILN_ASSIGN_OR_RETURN(Tensor tensor, tensorOf(value));
  ConstantOp made{static_cast<uint32_t>(program.constants.size()),
                  cast<DenseElementsAttr>(value).isSplat()};
  program.constants.push_back(std::move(tensor));
  constants[value] = made;
  return made;
}

StatusOr<int64_t> Translator::variableOf(Operation *user,
                                         FlatSymbolRefAttr name) {
  if (variables.empty())
    for (auto variable :
         user->getParentOfType<ModuleOp>().getOps<ir::VariableOp>())
      variables[variable.getSymNameAttr()] =
          static_cast<int64_t>(variable.getIndex());
  auto found = variables.find(name.getAttr());
  if (found == variables.end())
    return internalError(
        strCat("expected a variable ", name.getValue().str(), ", got none"));
  return found->second;
}

StatusOr<Op> Translator::makeOp(Operation *op) {
  auto isTensor = [](mlir::Type type) { return isa<RankedTensorType>(type); };
  if (!llvm::all_of(op->getOperandTypes(), isTensor) ||
      !llvm::all_of(op->getResultTypes(), isTensor))
    return internalError(strCat("expected an op on tensors, got ",
                                op->getName().getStringRef().str()));
  Op made;
  KILN_ASSIGN_OR_RETURN(made.what, translateOp(op, *this));
  made.operands = addValues(op->getOperands());
  made.results = addValues(op->getResults());
  made.mayGiveView = mayGiveView(op);
  return made;
}

Status Translator::addLateSplats(mlir::Block &block, std::vector<Op> &ops) {
  if (isa<func::FuncOp>(block.getParentOp()))
    return okStatus();
  if (!runSymbols)
    runSymbols = ir::findRunSymbols(
        block.getParentOp()->getParentOfType<func::FuncOp>());
  llvm::SetVector<Operation *> splats;
  for (Operation &op : block)
    for (Value value : op.getOperands())
      if (auto splat = value.getDefiningOp<ir::ConstantOp>();
          splat && splat->getBlock() != &block &&
          ir::isBoundInRun(value.getType(), *runSymbols))
        splats.insert(splat);
  for (Operation *splat : splats) {
    KILN_ASSIGN_OR_RETURN(ops.emplace_back(), makeOp(splat));
  }
  return okStatus();
}

StatusOr<uint32_t> Translator::addBlock(mlir::Block &block) {
  Block made;
  made.arguments = addValues(block.getArguments());
  std::vector<Op> ops;
  KILN_RETURN_IF_ERROR(addLateSplats(block, ops));
  auto last = lastUses(block);
  for (auto [op, values] : llvm::zip_equal(block.without_terminator(), last)) {
    StatusOr<Op> translated = makeOp(&op);
    if (!translated.ok()) {
      StringAttr node = nodeOf(&op);
      return translated.status().withNode(node ? node.getValue() : StringRef());
    }
    Op &record = *translated;
    record.node = addNode(&op);
    record.last = addValues(values);
    record.isMovable = isMovable(&op);
    record.isLastEffect = lastEffects.contains(&op);
    addRows(&op, record);
    ops.push_back(record);
  }
  made.ops = append(program.ops, ops);
  OperandRange results = block.getTerminator()->getOperands();
  made.results = addValues(results);
  llvm::SetVector<Value> forgotten(block.args_begin(), block.args_end());
  for (Value value : results)
    if (value.getParentBlock() == &block)
      forgotten.insert(value);
  made.own = addValues(forgotten.getArrayRef());
  llvm::SmallDenseSet<Value> given;
  made.givesOwn = llvm::all_of(results, [&](Value value) {
    return value.getParentBlock() == &block && given.insert(value).second;
  });
  program.blocks.push_back(made);
  return static_cast<uint32_t>(program.blocks.size() - 1);
}

} // namespace eval

StatusOr<eval::Program> translate(func::FuncOp function,
                                  ArrayRef<Operation *> lastEffects) {
  if (!function.getBody().hasOneBlock())
    return internalError("expected a function of one block");
  Block &block = function.getBody().front();
  auto isTensor = [](mlir::Type type) { return isa<RankedTensorType>(type); };
  if (!llvm::all_of(block.getArgumentTypes(), isTensor))
    return internalError("expected a function on tensors");
  eval::Translator translator(lastEffects);
  KILN_ASSIGN_OR_RETURN(uint32_t entry, translator.addBlock(block));
  eval::Program &program = translator.program;
  program.entry = entry;
  for (Value value : block.getTerminator()->getOperands()) {
    Operation *op = value.getDefiningOp();
    program.resultNodes.push_back(op ? translator.addNode(op) : eval::Range());
  }
  program.trim();
  return std::move(program);
}

} // namespace kiln
