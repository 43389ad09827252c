// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kiln-try-slots: lets loops do without a call what loads and stores do to
// elements of TensorArrays, stacks and lists.
//
// The kernels stay the one place that knows all rules and errors: what is done
// without them is what they would have done, told by KilnSlot.
#include "passes/Passes.h"

#include "dialect/Kiln.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

#include <optional>

namespace kiln::passes {
#define GEN_PASS_DEF_KILNTRYSLOTS
#include "passes/Passes.h.inc"
} // namespace kiln::passes

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {
namespace {

/// What a kernel does to one element: the index is its first operand, the
/// element its only result or the operand behind the index.
struct AccessOf {
  StringRef kernel;
  SlotAccess access;
};
constexpr AccessOf accesses[] = {
    {"ListGet", SlotAccess::read},  {"ListPop", SlotAccess::pop},
    {"ListPush", SlotAccess::push}, {"ListSet", SlotAccess::set},
    {"SlotPop", SlotAccess::pop},   {"SlotPush", SlotAccess::push},
    {"SlotRead", SlotAccess::read}, {"SlotWrite", SlotAccess::write},
};

std::optional<SlotAccess> accessOf(RuntimeCallOp call) {
  const auto *found = llvm::find_if(accesses, [&](const AccessOf &entry) {
    return entry.kernel == call.getCallee();
  });
  return found == std::end(accesses) ? std::nullopt
                                     : std::optional(found->access);
}

/// A number of the function, which no table holds.
Value numberBehind(Value buffer) {
  auto cast = buffer.getDefiningOp<memref::CastOp>();
  auto number = cast ? cast.getSource().getDefiningOp<memref::AllocaOp>()
                     : memref::AllocaOp();
  return number && number.getType().getNumElements() == 1 ? number : Value();
}

/// Legal for elements of shapes that are known before the call; worth its code
/// in loops.
class Rewriter {
public:
  explicit Rewriter(func::FuncOp function)
      : function(function), builder(function.getContext()) {}

  void visit(RuntimeCallOp call) {
    std::optional<SlotAccess> access = accessOf(call);
    if (!access || !call->getParentOfType<LoopLikeOpInterface>() ||
        call.getNumbers()[0] < 0) // one that moves
      return;
    bool isTaken = *access == SlotAccess::read || *access == SlotAccess::pop;
    bool hasIndex = *access != SlotAccess::push && *access != SlotAccess::pop;
    size_t place = isTaken ? call.getIns().size() : hasIndex;
    if (call->getNumOperands() <= place || call.isFoundOut(place))
      return;
    Location loc = call.getLoc();
    builder.setInsertionPoint(call);
    auto attempt = TrySlotOp::create(
        builder, loc, *access, static_cast<uint64_t>(call.getNumbers()[0]),
        hasIndex ? call.getIns()[0] : Value(),
        call->getOperand(static_cast<unsigned>(place)),
        call.getTensorType(place),
        llvm::is_contained(call.getStrings(), static_cast<int64_t>(place)));
    auto branch = scf::IfOp::create(builder, loc, attempt.getDone(),
                                    /*withElseRegion=*/true);
    call->moveBefore(branch.elseBlock()->getTerminator());
    for (OpOperand &operand : call->getOpOperands())
      if (Value number = numberBehind(operand.get()))
        passCopy(call, operand, number);
  }

private:
  /// Gives the call a copy of a number.
  void passCopy(RuntimeCallOp call, OpOperand &operand, Value number) {
    Location loc = call.getLoc();
    bool isResult = operand.getOperandNumber() >= call.getIns().size();
    builder.setInsertionPointToStart(&function.front());
    Value copy = memref::AllocaOp::create(builder, loc,
                                          cast<MemRefType>(number.getType()));
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    Value passed =
        memref::CastOp::create(builder, loc, operand.get().getType(), copy);
    if (isResult)
      builder.setInsertionPointAfter(call);
    else
      builder.setInsertionPoint(call);
    Value from = isResult ? copy : number, to = isResult ? number : copy;
    Value value = memref::LoadOp::create(builder, loc, from, zero);
    memref::StoreOp::create(builder, loc, value, to, zero);
    operand.set(passed);
  }

  func::FuncOp function;
  OpBuilder builder;
};

struct KilnTrySlotsPass : impl::KilnTrySlotsBase<KilnTrySlotsPass> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      SmallVector<RuntimeCallOp> calls;
      function.walk([&](RuntimeCallOp call) { calls.push_back(call); });
      for (RuntimeCallOp call : calls)
        Rewriter(function).visit(call);
    }
  }
};

} // namespace
} // namespace kiln::passes
