// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses of slots as loads and stores: what KilnSlot shows is checked one by
// one, and where a check fails nothing has been written yet. Those of numbers
// stand where they are made, all others are functions of the module.
#include "passes/to-llvm/FunctionLowering.h"

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

namespace {

/// What an access needs, as values.
struct Access {
  ir::SlotAccess access;
  Value slot, index, element;
  Value kind; ///< rank and type, as they stand side by side in a KilnSlot
  SmallVector<Value> extents;
  Value bytes;
  Type number; ///< of an element that is one, in memory
};

/// Writes the checks and what is done behind them, at the end of a block.
class AccessEmitter {
public:
  AccessEmitter(OpBuilder &builder, Location loc)
      : builder(builder), loc(loc),
        pointer(LLVM::LLVMPointerType::get(builder.getContext())),
        i1(builder.getI1Type()), i8(builder.getI8Type()),
        i32(builder.getI32Type()), i64(builder.getI64Type()) {}

  /// Ends in `after`, whose argument says whether the access is done.
  void emit(const Access &access, Block *after);

  Value constant(Type type, int64_t value) {
    return LLVM::ConstantOp::create(builder, loc, type,
                                    builder.getIntegerAttr(type, value));
  }
  Value load(Type type, Value address, unsigned alignment) {
    return LLVM::LoadOp::create(builder, loc, type, address, alignment);
  }

private:
  using Predicate = LLVM::ICmpPredicate;

  void store(Value value, Value address, unsigned alignment) {
    LLVM::StoreOp::create(builder, loc, value, address, alignment);
  }
  Value at(Value base, LLVM::GEPArg offset) {
    return LLVM::GEPOp::create(builder, loc, pointer, i8, base, offset,
                               LLVM::GEPNoWrapFlags::inbounds);
  }
  Value field(const Access &access, size_t offset, Type type) {
    return load(type, fieldAddress(access, offset), 8);
  }
  Value fieldAddress(const Access &access, size_t offset) {
    return at(access.slot, static_cast<int32_t>(offset));
  }
  Value compare(Predicate predicate, Value a, Value b) {
    return LLVM::ICmpOp::create(builder, loc, predicate, a, b);
  }
  /// On to the next check, or out with nothing done.
  void demand(Value condition, Block *after) {
    Value notDone = constant(i1, 0);
    Block *from = builder.getInsertionBlock();
    Block *next = builder.createBlock(after);
    builder.setInsertionPointToEnd(from);
    constexpr std::pair<uint32_t, uint32_t> weights{1 << 20, 1};
    LLVM::CondBrOp::create(builder, loc, condition, next, ValueRange(), after,
                           ValueRange(notDone), weights);
    builder.setInsertionPointToEnd(next);
  }

  OpBuilder &builder;
  Location loc;
  Type pointer, i1, i8, i32, i64;
};

void AccessEmitter::emit(const Access &access, Block *after) {
  using ir::SlotAccess;
  static_assert(offsetof(KilnSlot, dtype) == offsetof(KilnSlot, rank) + 4);
  demand(compare(Predicate::eq, field(access, offsetof(KilnSlot, rank), i64),
                 access.kind),
         after);
  Value dims = access.extents.empty()
                   ? Value()
                   : field(access, offsetof(KilnSlot, dims), pointer);
  for (auto [d, extent] : llvm::enumerate(access.extents))
    demand(compare(Predicate::eq,
                   load(i64, at(dims, static_cast<int32_t>(8 * d)), 8), extent),
           after);

  Value size = field(access, offsetof(KilnSlot, size), i64);
  Value one = constant(i64, 1), place = size, newSize;
  if (access.access == SlotAccess::push) {
    demand(compare(Predicate::slt, size,
                   field(access, offsetof(KilnSlot, room), i64)),
           after);
    newSize = LLVM::AddOp::create(builder, loc, size, one);
  } else if (access.access == SlotAccess::pop) {
    demand(compare(Predicate::sgt, size, constant(i64, 0)), after);
    place = newSize = LLVM::SubOp::create(builder, loc, size, one);
  } else {
    place = LLVM::SExtOp::create(builder, loc, i64, access.index);
    demand(compare(Predicate::ult, place, size), after);
  }

  bool isTaken =
      access.access == SlotAccess::read || access.access == SlotAccess::pop;
  Value stateAddress =
      at(field(access, offsetof(KilnSlot, states), pointer), place);
  Value newState = constant(i8, kilnSlotWritten);
  if (isTaken) {
    Value state = load(i8, stateAddress, 1);
    Value known = LLVM::AndOp::create(
        builder, loc, state, constant(i8, kilnSlotWritten | kilnSlotCleared));
    demand(compare(Predicate::eq, known, newState), after);
    newState = LLVM::OrOp::create(
        builder, loc, state,
        load(i8, fieldAddress(access, offsetof(KilnSlot, stateOfRead)), 1));
  } else if (access.access == SlotAccess::write) {
    demand(compare(Predicate::eq, load(i8, stateAddress, 1), constant(i8, 0)),
           after);
  }

  // Nothing fails any more.
  store(newState, stateAddress, 1);
  if (newSize)
    store(newSize, fieldAddress(access, offsetof(KilnSlot, size)), 8);
  Value offset = LLVM::MulOp::create(builder, loc, place, access.bytes);
  Value inSlot = at(field(access, offsetof(KilnSlot, data), pointer), offset);
  Value from = isTaken ? inSlot : access.element,
        to = isTaken ? access.element : inSlot;
  if (access.number) {
    unsigned alignment = access.number.getIntOrFloatBitWidth() / 8;
    store(load(access.number, from, alignment), to, alignment);
  } else {
    LLVM::MemcpyOp::create(builder, loc, to, from, access.bytes,
                           /*isVolatile=*/false);
  }
  LLVM::BrOp::create(builder, loc, ValueRange(constant(i1, 1)), after);
}

/// The module's function that does an access of elements of that rank: their
/// copies dwarf a call, and their checks are long.
LLVM::LLVMFuncOp sharedAccess(ModuleOp module, OpBuilder builder,
                              ir::SlotAccess access, size_t rank) {
  std::string name =
      ("try_slot." + ir::stringifySlotAccess(access) + "." + Twine(rank)).str();
  if (auto made = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
    return made;
  Location loc = builder.getUnknownLoc();
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext()),
       i64 = builder.getI64Type();
  SmallVector<Type> parameters{pointer, builder.getI32Type(), pointer, i64,
                               i64};
  parameters.append(rank, i64);
  builder.setInsertionPointToStart(module.getBody());
  auto function = LLVM::LLVMFuncOp::create(
      builder, loc, name,
      LLVM::LLVMFunctionType::get(builder.getI1Type(), parameters),
      LLVM::Linkage::Internal);
  Block *entry = function.addEntryBlock(builder);
  Block *after = builder.createBlock(
      &function.getBody(), function.getBody().end(), builder.getI1Type(), loc);
  LLVM::ReturnOp::create(builder, loc, after->getArgument(0));
  builder.setInsertionPointToEnd(entry);
  auto arguments = entry->getArguments();
  Access wanted{access,       arguments[0], arguments[1], arguments[2],
                arguments[3], {},           arguments[4], Type()};
  llvm::append_range(wanted.extents, arguments.drop_front(5));
  AccessEmitter(builder, loc).emit(wanted, after);
  return function;
}

} // namespace

LogicalResult FunctionLowering::lowerTrySlot(ir::TrySlotOp op) {
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(op.getType());
  DType dtype = op.getString() ? DType::String : ir::dtypeOf(type);
  AccessEmitter emitter(rewriter, loc);
  ir::Extents extents(ir::extentsOf(type));
  Access access{
      op.getAccess(),
      slotAt(loc, op.getSlot()),
      op.getIndex() ? emitter.load(i32, address(op.getIndex()), 4)
                    : number(loc, i32, 0),
      address(op.getElement()),
      number(loc, i64, type.getRank() | static_cast<int64_t>(dtype) << 32),
      {},
      LLVM::MulOp::create(
          rewriter, loc, product(loc, extents),
          number(loc, i64, ir::storageBytes(type.getElementType()))),
      Type()};
  for (const ir::Extent &extent : extents)
    access.extents.push_back(extentValue(loc, extent));
  if (!extents.empty()) {
    SmallVector<Value> operands{access.slot, access.index, access.element,
                                access.kind, access.bytes};
    llvm::append_range(operands, access.extents);
    auto shared = sharedAccess(function->getParentOfType<ModuleOp>(), rewriter,
                               access.access, extents.size());
    rewriter.replaceOpWithNewOp<LLVM::CallOp>(op, shared, operands);
    return success();
  }
  access.number = cast<MemRefType>(op.getElement().getType()).getElementType();
  Block *before = op->getBlock();
  Block *after = rewriter.splitBlock(before, std::next(op->getIterator()));
  rewriter.replaceOp(op, after->addArgument(rewriter.getI1Type(), loc));
  rewriter.setInsertionPointToEnd(before);
  emitter.emit(access, after);
  return success();
}

} // namespace kiln::passes
