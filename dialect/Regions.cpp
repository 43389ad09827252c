// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Printing, parsing, verification and control flow of branches and loops.
#include "dialect/Kiln.h"

using namespace mlir;

namespace kiln::ir {

/// Values of `given` types go to `targets`, one for one.
static LogicalResult verifyFlow(Operation *op, const Twine &what,
                                TypeRange given, TypeRange targets) {
  if (given.size() != targets.size())
    return op->emitOpError("expected ")
           << targets.size() << " " << what << "s, got " << given.size();
  for (auto [index, types] : llvm::enumerate(llvm::zip_equal(given, targets)))
    if (std::get<0>(types) != std::get<1>(types))
      return op->emitOpError("expected ")
             << what << " " << index << " to be " << std::get<1>(types)
             << ", got " << std::get<0>(types);
  return success();
}

//===--- kiln.if ----------------------------------------------------------===//

void IfOp::build(OpBuilder &builder, OperationState &state, TypeRange results,
                 Value condition) {
  state.addOperands(condition);
  state.addTypes(results);
  for (int i = 0; i < 2; ++i)
    state.addRegion()->emplaceBlock();
}

LogicalResult IfOp::verify() {
  for (Region *region : {&getThenRegion(), &getElseRegion()}) {
    auto yield = cast<YieldOp>(region->front().getTerminator());
    // if_c1
    if (failed(verifyFlow(yield, "yielded value", yield.getOperandTypes(),
                          getResultTypes())))
      return failure();
  }
  return success();
}

void IfOp::getSuccessorRegions(RegionBranchPoint point,
                               SmallVectorImpl<RegionSuccessor> &successors) {
  if (!point.isParent()) {
    successors.emplace_back(getOperation(), getOperation()->getResults());
    return;
  }
  successors.emplace_back(&getThenRegion());
  successors.emplace_back(&getElseRegion());
}

/// The region that a condition chooses, null where it is not known.
static Region *chosenRegion(IfOp op, Attribute condition) {
  auto elements = dyn_cast_if_present<DenseElementsAttr>(condition);
  if (!elements)
    return nullptr;
  return elements.getSplatValue<bool>() ? &op.getThenRegion()
                                        : &op.getElseRegion();
}

void IfOp::getEntrySuccessorRegions(
    ArrayRef<Attribute> operands,
    SmallVectorImpl<RegionSuccessor> &successors) {
  if (Region *chosen = chosenRegion(*this, operands.front()))
    successors.emplace_back(chosen);
  else
    getSuccessorRegions(RegionBranchPoint::parent(), successors);
}

void IfOp::getRegionInvocationBounds(
    ArrayRef<Attribute> operands, SmallVectorImpl<InvocationBounds> &bounds) {
  Region *chosen = chosenRegion(*this, operands.front());
  for (Region &region : getOperation()->getRegions())
    bounds.emplace_back(chosen == &region, chosen && chosen != &region ? 0 : 1);
}

//===--- kiln.while -------------------------------------------------------===//

void WhileOp::build(OpBuilder &builder, OperationState &state,
                    TypeRange results, ValueRange inits) {
  state.addOperands(inits);
  state.addTypes(results);
  for (TypeRange types : {TypeRange(inits), results})
    state.addRegion()->emplaceBlock().addArguments(
        types, SmallVector<Location>(types.size(), state.location));
}

ConditionOp WhileOp::getCondition() {
  return cast<ConditionOp>(beforeBlock().getTerminator());
}

YieldOp WhileOp::getYield() {
  return cast<YieldOp>(afterBlock().getTerminator());
}

// kiln.while (%a: T = %x) -> (U) { ... kiln.condition } do (%b: U) { ... }
ParseResult WhileOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::Argument> carried, forwarded;
  SmallVector<OpAsmParser::UnresolvedOperand> inits;
  SmallVector<Type> types;
  auto parseCarried = [&]() -> ParseResult {
    if (parser.parseArgument(carried.emplace_back(), /*allowType=*/true) ||
        parser.parseEqual() || parser.parseOperand(inits.emplace_back()))
      return failure();
    types.push_back(carried.back().type);
    return success();
  };
  return failure(parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren,
                                                parseCarried) ||
                 parser.parseOptionalArrowTypeList(result.types) ||
                 parser.parseRegion(*result.addRegion(), carried) ||
                 parser.parseKeyword("do") ||
                 parser.parseArgumentList(forwarded,
                                          AsmParser::Delimiter::Paren,
                                          /*allowType=*/true) ||
                 parser.parseRegion(*result.addRegion(), forwarded) ||
                 parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
                 parser.resolveOperands(inits, types, parser.getNameLoc(),
                                        result.operands));
}

void WhileOp::print(OpAsmPrinter &printer) {
  printer << " (";
  llvm::interleaveComma(llvm::zip_equal(getBefore().getArguments(), getInits()),
                        printer, [&](auto pair) {
                          printer.printRegionArgument(std::get<0>(pair));
                          printer << " = " << std::get<1>(pair);
                        });
  printer << ")";
  printer.printOptionalArrowTypeList(getResultTypes());
  printer << " ";
  printer.printRegion(getBefore(), /*printEntryBlockArgs=*/false);
  printer << " do (";
  llvm::interleaveComma(
      getAfter().getArguments(), printer,
      [&](BlockArgument argument) { printer.printRegionArgument(argument); });
  printer << ") ";
  printer.printRegion(getAfter(), /*printEntryBlockArgs=*/false);
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs());
}

LogicalResult WhileOp::verify() {
  // while_c1 and while_c3
  if (failed(verifyFlow(*this, "first-region argument",
                        beforeBlock().getArgumentTypes(), getOperandTypes())) ||
      failed(verifyFlow(*this, "second-region argument",
                        afterBlock().getArgumentTypes(), getResultTypes())))
    return failure();
  auto condition = dyn_cast<ConditionOp>(beforeBlock().getTerminator());
  if (!condition)
    return emitOpError("expected the first region to end in kiln.condition");
  auto yield = dyn_cast<YieldOp>(afterBlock().getTerminator());
  if (!yield)
    return emitOpError("expected the second region to end in kiln.yield");
  // while_c2
  if (failed(verifyFlow(condition, "forwarded value",
                        condition.getValues().getTypes(), getResultTypes())))
    return failure();
  // while_c4
  return verifyFlow(yield, "yielded value", yield.getOperandTypes(),
                    getOperandTypes());
}

OperandRange WhileOp::getEntrySuccessorOperands(RegionSuccessor) {
  return getInits();
}

void WhileOp::getSuccessorRegions(
    RegionBranchPoint point, SmallVectorImpl<RegionSuccessor> &successors) {
  bool behindFirst =
      isa_and_present<ConditionOp>(point.getTerminatorPredecessorOrNull());
  if (!behindFirst) {
    successors.emplace_back(&getBefore(), getBefore().getArguments());
    return;
  }
  successors.emplace_back(&getAfter(), getAfter().getArguments());
  successors.emplace_back(getOperation(), getOperation()->getResults());
}

//===--- Their terminators ------------------------------------------------===//

MutableOperandRange ConditionOp::getMutableSuccessorOperands(RegionSuccessor) {
  return getValuesMutable();
}

void ConditionOp::getSuccessorRegions(
    ArrayRef<Attribute> operands,
    SmallVectorImpl<RegionSuccessor> &successors) {
  auto loop = cast<WhileOp>((*this)->getParentOp());
  auto known = dyn_cast_if_present<DenseElementsAttr>(operands.front());
  if (!known || known.getSplatValue<bool>())
    successors.emplace_back(&loop.getAfter(), loop.getAfter().getArguments());
  if (!known || !known.getSplatValue<bool>())
    successors.emplace_back(loop.getOperation(), loop->getResults());
}

MutableOperandRange YieldOp::getMutableSuccessorOperands(RegionSuccessor) {
  return getValuesMutable();
}

} // namespace kiln::ir
