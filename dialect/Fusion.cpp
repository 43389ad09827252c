// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Printing, parsing and verification of fusions and runtime calls.
#include "dialect/Kiln.h"
#include "dialect/Types.h"

using namespace mlir;

namespace kiln::ir {

// kiln.fusion (%x, %y : T, T) outs(%b : memref) { ^bb0(...): ... } -> T
ParseResult FusionOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<OpAsmParser::UnresolvedOperand> ins, outs;
  SmallVector<Type> inTypes, outTypes, resultTypes;
  auto parseInput = [&]() -> ParseResult {
    OpAsmParser::Argument argument;
    OpAsmParser::UnresolvedOperand operand;
    if (parser.parseArgument(argument, /*allowType=*/true) ||
        parser.parseEqual() || parser.parseOperand(operand) ||
        parser.parseColonType(inTypes.emplace_back()))
      return failure();
    arguments.push_back(argument);
    ins.push_back(operand);
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parseInput))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("outs")) &&
      (parser.parseLParen() || parser.parseOperandList(outs) ||
       parser.parseColonTypeList(outTypes) || parser.parseRParen()))
    return failure();
  if (parser.parseOptionalArrowTypeList(resultTypes) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.parseRegion(*result.addRegion(), arguments) ||
      parser.resolveOperands(ins, inTypes, parser.getNameLoc(),
                             result.operands) ||
      parser.resolveOperands(outs, outTypes, parser.getNameLoc(),
                             result.operands))
    return failure();
  result.addTypes(resultTypes);
  result.addAttribute(getOperandSegmentSizeAttr(),
                      parser.getBuilder().getDenseI32ArrayAttr(
                          {static_cast<int32_t>(ins.size()),
                           static_cast<int32_t>(outs.size())}));
  ensureTerminator(*result.regions.front(), parser.getBuilder(),
                   result.location);
  return success();
}

void FusionOp::print(OpAsmPrinter &printer) {
  printer << " (";
  llvm::interleaveComma(llvm::zip_equal(getBody().getArguments(), getIns()),
                        printer, [&](auto pair) {
                          auto [argument, operand] = pair;
                          printer.printRegionArgument(argument);
                          printer << " = " << operand << " : "
                                  << operand.getType();
                        });
  printer << ")";
  if (!getOuts().empty())
    printer << " outs(" << getOuts() << " : " << getOuts().getTypes() << ")";
  printer.printOptionalArrowTypeList(getResultTypes());
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(),
                                           {getOperandSegmentSizeAttr()});
  printer << " ";
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false,
                      /*printBlockTerminators=*/true);
}

LogicalResult FusionOp::verify() {
  auto arguments = getBody().getArguments();
  // fusion_c1
  if (arguments.size() != getIns().size())
    return emitOpError("expected one block argument for each input (")
           << getIns().size() << "), got " << arguments.size();
  for (auto [argument, operand] : llvm::zip_equal(arguments, getIns())) {
    auto tensor = dyn_cast<RankedTensorType>(argument.getType());
    if (!tensor)
      return emitOpError("expected tensor block arguments, got ")
             << argument.getType();
    auto buffer = dyn_cast<MemRefType>(operand.getType());
    Type expected =
        buffer ? Type(bufferTypeOf(tensor, *memoryOf(buffer))) : Type(tensor);
    if (operand.getType() != expected)
      return emitOpError("expected an input of type ")
             << expected << ", got " << operand.getType();
  }
  // fusion_c2
  if (!getOuts().empty() && getNumResults() != 0)
    return emitOpError("expected either results or output buffers, not both");
  std::optional<MemorySpace> memory;
  for (Value buffer : getOperands()) {
    auto type = dyn_cast<MemRefType>(buffer.getType());
    if (!type)
      continue;
    // fusion_c5
    if (memory.value_or(*memoryOf(type)) != *memoryOf(type))
      return emitOpError("expected buffers of one memory, got some of ")
             << stringifyMemorySpace(*memory) << " and "
             << stringifyMemorySpace(*memoryOf(type));
    memory = memoryOf(type);
  }
  return success();
}

// Runs after the ops of the body are known to be right, the terminator among
// them.
LogicalResult FusionOp::verifyRegions() {
  // fusion_c4
  for (Operation &op : getBody().front().without_terminator())
    if (!isa_and_present<KilnDialect>(op.getDialect()) ||
        op.getNumRegions() != 0 || op.getNumResults() != 1 ||
        !isa<RankedTensorType>(op.getResult(0).getType()))
      return op.emitOpError(
          "expected a kiln op that gives one tensor in a kiln.fusion");
  auto yield = cast<YieldOp>(getBody().front().getTerminator());
  bool bufferized = !getOuts().empty();
  size_t targets = bufferized ? getOuts().size() : getNumResults();
  // fusion_c3
  if (yield.getValues().size() != targets)
    return emitOpError("expected ")
           << targets << " yielded values, got " << yield.getValues().size();
  for (auto [index, value] : llvm::enumerate(yield.getValues())) {
    Type got =
        bufferized ? getOuts()[index].getType() : getResultTypes()[index];
    Type expected =
        bufferized ? Type(bufferTypeOf(cast<RankedTensorType>(value.getType()),
                                       *memoryOf(cast<MemRefType>(got))))
                   : value.getType();
    if (got != expected)
      return emitOpError("expected the target of yielded value ")
             << index << " to be " << expected << ", got " << got;
  }
  return success();
}

bool FusionOp::mayFail() {
  return llvm::any_of(getBody().front().getOps<TensorOp>(),
                      [](TensorOp op) { return op.mayFail(); });
}

LogicalResult RuntimeCallOp::verify() {
  size_t values = getIns().size() +
                  (getOuts().empty() ? getNumResults() : getOuts().size());
  // runtime_call_c1
  if (getTypes().size() != values)
    return emitOpError("expected one tensor type for each operand and result (")
           << values << "), got " << getTypes().size();
  for (Attribute type : getTypes())
    if (!isa<RankedTensorType>(cast<TypeAttr>(type).getValue()))
      return emitOpError("expected ranked tensor types, got ") << type;
  // runtime_call_c2
  if (!getOuts().empty() && getNumResults() != 0)
    return emitOpError("expected either results or output buffers, not both");
  SmallVector<Type> given(getIns().getTypes());
  llvm::append_range(given, getOuts().empty()
                                ? TypeRange(getResultTypes())
                                : TypeRange(getOuts().getTypes()));
  // runtime_call_c3
  for (auto [index, type] : llvm::enumerate(given)) {
    auto tensor = getTensorType(index);
    Type expected =
        isa<MemRefType>(type) ? Type(bufferTypeOf(tensor)) : Type(tensor);
    if (type != expected)
      return emitOpError("expected value ")
             << index << " to be " << expected << ", got " << type;
  }
  // runtime_call_c4
  for (int64_t place : getStrings())
    if (place < 0 || place >= static_cast<int64_t>(values) ||
        !getTensorType(static_cast<size_t>(place))
             .getElementType()
             .isSignlessInteger(64))
      return emitOpError("expected places of 64-bit integers as strings, got ")
             << place;
  // runtime_call_c5
  for (size_t place = 0; place < getIns().size(); ++place)
    if (isFoundOut(place))
      return emitOpError("expected operands of known shapes, got ")
             << getTensorType(place);
  return success();
}

LogicalResult TrySlotOp::verify() {
  bool isByIndex = llvm::is_contained(
      {SlotAccess::read, SlotAccess::write, SlotAccess::set}, getAccess());
  // try_slot_c1
  if (isByIndex != bool(getIndex()))
    return emitOpError("expected an index for read, write and set, got ")
           << (getIndex() ? "one" : "none") << " for "
           << stringifySlotAccess(getAccess());
  if (getIndex() &&
      !cast<MemRefType>(getIndex().getType()).getElementType().isInteger(32))
    return emitOpError("expected an index of 32 bits, got ")
           << getIndex().getType();
  MemRefType expected = bufferTypeOf(cast<RankedTensorType>(getType()));
  // try_slot_c2
  if (getElement().getType() != expected)
    return emitOpError("expected the element to be ")
           << expected << ", got " << getElement().getType();
  return success();
}

int64_t RuntimeCallOp::boundPlace(const Extent &extent) {
  const int64_t *found = llvm::find(getBinds(), extent.symbol);
  return extent.isKnown() || found == getBinds().end()
             ? -1
             : found - getBinds().begin();
}

bool RuntimeCallOp::isFoundOut(size_t place) {
  return llvm::any_of(
      extentsOf(getTensorType(place)),
      [&](const Extent &extent) { return boundPlace(extent) >= 0; });
}

void BufferOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  if (getLate())
    effects.emplace_back(MemoryEffects::Read::get());
}

void SymbolOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  if (getLate())
    effects.emplace_back(MemoryEffects::Read::get());
}

RankedTensorType RuntimeCallOp::getTensorType(size_t place) {
  return cast<RankedTensorType>(cast<TypeAttr>(getTypes()[place]).getValue());
}

void RuntimeCallOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  if (getPure() && getOuts().empty() && getBinds().empty())
    return;
  effects.emplace_back(MemoryEffects::Read::get());
  effects.emplace_back(MemoryEffects::Write::get());
}

} // namespace kiln::ir
