// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses of slots as loads and stores: what KilnSlot shows is checked one by
// one, and where a check fails nothing has been written yet.
#include "passes/FunctionLowering.h"

using namespace mlir;

namespace kiln::passes {

Value FunctionLowering::slotAt(Location loc, uint64_t number) {
  Value &slot = slots[number];
  if (!slot) {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointAfterValue(runtime);
    slot = call(loc, RuntimeSymbol::SlotOf,
                {state, this->number(loc, i64, int64_t(number))});
  }
  return slot;
}

LogicalResult FunctionLowering::lowerTrySlot(ir::TrySlotOp op) {
  using ir::SlotAccess;
  Location loc = op.getLoc();
  SlotAccess access = op.getAccess();
  auto type = cast<RankedTensorType>(op.getType());
  Type storage = cast<MemRefType>(op.getElement().getType()).getElementType();
  Type i1 = rewriter.getI1Type(), i8 = rewriter.getI8Type();
  DType dtype = op.getString() ? DType::String : ir::dtypeOf(type);
  Value slot = slotAt(loc, op.getSlot()), element = address(op.getElement()),
        index = op.getIndex() ? address(op.getIndex()) : Value();
  ir::Extents extents(ir::extentsOf(type));

  Block *before = op->getBlock();
  Block *after = rewriter.splitBlock(before, std::next(op->getIterator()));
  rewriter.replaceOp(op, after->addArgument(i1, loc));
  rewriter.setInsertionPointToEnd(before);

  auto field = [&](size_t offset) {
    return byteOffset(loc, slot, static_cast<int64_t>(offset));
  };
  auto loadOf = [&](Type type, Value address, unsigned alignment) -> Value {
    return LLVM::LoadOp::create(rewriter, loc, type, address, alignment);
  };
  auto storeTo = [&](Value value, Value address, unsigned alignment) {
    LLVM::StoreOp::create(rewriter, loc, value, address, alignment);
  };
  auto at = [&](Value base, Value offset) -> Value {
    return LLVM::GEPOp::create(rewriter, loc, pointer, i8, base,
                               ArrayRef<LLVM::GEPArg>{offset},
                               LLVM::GEPNoWrapFlags::inbounds);
  };
  auto compare = [&](LLVM::ICmpPredicate predicate, Value a, Value b) -> Value {
    return LLVM::ICmpOp::create(rewriter, loc, predicate, a, b);
  };
  // On to the next check, or out with nothing done.
  auto demand = [&](Value condition) {
    Value notDone = number(loc, i1, 0);
    Block *from = rewriter.getInsertionBlock();
    Block *next = rewriter.createBlock(after);
    rewriter.setInsertionPointToEnd(from);
    constexpr std::pair<uint32_t, uint32_t> weights{1 << 20, 1};
    LLVM::CondBrOp::create(rewriter, loc, condition, next, ValueRange(), after,
                           ValueRange(notDone), weights);
    rewriter.setInsertionPointToEnd(next);
  };

  // Rank and type are one word.
  int64_t kind = type.getRank() | static_cast<int64_t>(dtype) << 32;
  static_assert(offsetof(KilnSlot, dtype) == offsetof(KilnSlot, rank) + 4);
  demand(compare(LLVM::ICmpPredicate::eq,
                 load(loc, i64, field(offsetof(KilnSlot, rank))),
                 number(loc, i64, kind)));
  Value dims = extents.empty()
                   ? Value()
                   : load(loc, pointer, field(offsetof(KilnSlot, dims)));
  for (auto [d, extent] : llvm::enumerate(extents))
    demand(compare(LLVM::ICmpPredicate::eq,
                   load(loc, i64, byteOffset(loc, dims, 8 * int64_t(d))),
                   extentValue(loc, extent)));

  Value size = load(loc, i64, field(offsetof(KilnSlot, size)));
  Value one = number(loc, i64, 1), place = size, newSize;
  if (access == SlotAccess::push) {
    demand(compare(LLVM::ICmpPredicate::slt, size,
                   load(loc, i64, field(offsetof(KilnSlot, room)))));
    newSize = LLVM::AddOp::create(rewriter, loc, size, one);
  } else if (access == SlotAccess::pop) {
    demand(compare(LLVM::ICmpPredicate::sgt, size, number(loc, i64, 0)));
    place = newSize = LLVM::SubOp::create(rewriter, loc, size, one);
  } else {
    place = LLVM::SExtOp::create(rewriter, loc, i64, loadOf(i32, index, 4));
    demand(compare(LLVM::ICmpPredicate::ult, place, size));
  }

  Value stateOf =
      at(load(loc, pointer, field(offsetof(KilnSlot, states))), place);
  Value newState;
  if (access == SlotAccess::read || access == SlotAccess::pop) {
    newState = loadOf(i8, stateOf, 1);
    Value known =
        LLVM::AndOp::create(rewriter, loc, newState,
                            number(loc, i8, kilnSlotWritten | kilnSlotCleared));
    demand(compare(LLVM::ICmpPredicate::eq, known,
                   number(loc, i8, kilnSlotWritten)));
    newState = LLVM::OrOp::create(
        rewriter, loc, newState,
        loadOf(i8, field(offsetof(KilnSlot, stateOfRead)), 1));
  } else {
    if (access == SlotAccess::write)
      demand(compare(LLVM::ICmpPredicate::eq, loadOf(i8, stateOf, 1),
                     number(loc, i8, 0)));
    newState = number(loc, i8, kilnSlotWritten);
  }

  // Nothing fails any more.
  storeTo(newState, stateOf, 1);
  if (newSize)
    store(newSize, field(offsetof(KilnSlot, size)));
  int64_t elementBytes = ir::storageBytes(type.getElementType());
  auto bytes = LLVM::MulOp::create(rewriter, loc, product(loc, extents),
                                   number(loc, i64, elementBytes));
  Value offset = LLVM::MulOp::create(rewriter, loc, place, bytes);
  Value inSlot =
      at(load(loc, pointer, field(offsetof(KilnSlot, data))), offset);
  bool isTaken = access == SlotAccess::read || access == SlotAccess::pop;
  Value from = isTaken ? inSlot : element, to = isTaken ? element : inSlot;
  if (type.hasStaticShape() && type.getNumElements() == 1) {
    auto alignment = static_cast<unsigned>(elementBytes);
    storeTo(loadOf(storage, from, alignment), to, alignment);
  } else {
    LLVM::MemcpyOp::create(rewriter, loc, to, from, bytes,
                           /*isVolatile=*/false);
  }
  LLVM::BrOp::create(rewriter, loc, ValueRange(number(loc, i1, 1)), after);
  return success();
}

} // namespace kiln::passes
