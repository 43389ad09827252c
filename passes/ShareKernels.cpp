// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kiln-share-kernels: compiles equal fusions once, as a function of their
// buffers whose name says what it does.
#include "passes/Passes.h"
#include "passes/analysis/RunSymbols.h"
#include "passes/schedule/KernelFusions.h"
#include "passes/to-llvm/LowerKilnToLlvm.h"

#include "dialect/Kiln.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"

namespace kiln::passes {
#define GEN_PASS_DEF_KILNSHAREKERNELS
#include "passes/Passes.h.inc"
} // namespace kiln::passes

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {
namespace {

/// The distinct buffers of a fusion, in order; empty where two values stand for
/// one buffer.
SmallVector<Value> distinctBuffers(FusionOp fusion) {
  llvm::SetVector<Value> values(fusion->operand_begin(), fusion->operand_end());
  llvm::SmallDenseSet<std::pair<int64_t, int64_t>> places;
  for (Value value : values) {
    auto buffer = value.getDefiningOp<BufferOp>();
    if (!buffer || !places
                        .insert({static_cast<int64_t>(buffer.getKind()),
                                 static_cast<int64_t>(buffer.getIndex())})
                        .second)
      return {};
  }
  return values.takeVector();
}

/// Whether the op's emitter asks where a buffer comes from.
bool asksForTable(Operation &op) {
  auto concat = dyn_cast<ConcatOp>(op);
  return concat && concat->getNumOperands() > maxInlineParts;
}

/// Legal to move into a function: it cannot fail, since a failure names its
/// node; it writes no variable, since polls stay out of loops that do; and its
/// emitter asks no buffer where it comes from.
bool canBeShared(FusionOp fusion) {
  return !fusion.mayFail() &&
         // where polls are put by what the whole loop writes
         !fusion->getParentOfType<LoopLikeOpInterface>() &&
         !distinctBuffers(fusion).empty() &&
         llvm::none_of(fusion.getOuts(),
                       [](Value out) {
                         auto kind = out.getDefiningOp<BufferOp>().getKind();
                         return kind == BufferKind::variable ||
                                kind == BufferKind::initialized;
                       }) &&
         llvm::none_of(fusion.getBody().front(), asksForTable);
}

bool isContraction(FusionOp fusion) {
  return llvm::any_of(fusion.getBody().front(),
                      [](Operation &op) { return ir::isContraction(&op); });
}

/// Equal fusions of few ops, or copies, as a recurrent network that was
/// unrolled has: their code takes longer to make than the calls ever take.
constexpr size_t manyEqual = 4;

/// Worth a call, which takes a few nanoseconds: bodies whose code is long, and
/// those that come often.
bool isWorthSharing(ArrayRef<FusionOp> group, int64_t minOps) {
  auto ops = FusionOp(group.front()).getBody().front().without_terminator();
  return group.size() >= manyEqual ||
         (group.size() > 1 && std::distance(ops.begin(), ops.end()) >= minOps);
}

/// Puts the ops behind their operands in the order in which the results ask for
/// them, so that the order in which nodes were fused makes no difference.
void orderByUse(Block &body) {
  SetVector<Operation *> order;
  SmallVector<std::pair<Operation *, unsigned>> stack{
      {body.getTerminator(), 0}};
  while (!stack.empty()) {
    auto &[op, next] = stack.back();
    if (next == op->getNumOperands()) {
      order.insert(op);
      stack.pop_back();
      continue;
    }
    Operation *operand = op->getOperand(next++).getDefiningOp();
    if (operand && operand->getBlock() == &body && !order.contains(operand))
      stack.push_back({operand, 0});
  }
  for (Operation *op : order)
    op->moveBefore(&body, body.end());
}

llvm::hash_code hashOf(FusionOp fusion) {
  llvm::hash_code hash = llvm::hash_value(fusion->getNumOperands());
  for (Operation &op : fusion.getBody().front())
    hash =
        llvm::hash_combine(hash, OperationEquivalence::computeHash(
                                     &op, OperationEquivalence::ignoreHashValue,
                                     OperationEquivalence::ignoreHashValue,
                                     OperationEquivalence::IgnoreLocations));
  return hash;
}

/// True when both compute the same from buffers of the same types, and use one
/// buffer for several operands at the same places.
bool areEqual(FusionOp a, FusionOp b) {
  if (a->getAttrDictionary() != b->getAttrDictionary() ||
      a->getOperandTypes() != b->getOperandTypes())
    return false;
  llvm::SmallDenseMap<Value, Value> toRight, toLeft;
  for (auto [left, right] : llvm::zip_equal(a->getOperands(), b->getOperands()))
    if (toRight.insert({left, right}).first->second != right ||
        toLeft.insert({right, left}).first->second != left)
      return false;
  return OperationEquivalence::isRegionEquivalentTo(
      &a.getBody(), &b.getBody(), OperationEquivalence::IgnoreLocations);
}

/// The symbols that a fusion's types name.
void addSymbols(FusionOp fusion, llvm::SmallSetVector<int64_t, 4> &symbols) {
  auto addType = [&](Type type) {
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      for (const Extent &extent : extentsOf(tensor))
        if (!extent.isKnown())
          symbols.insert(extent.symbol);
  };
  llvm::for_each(fusion.getBody().getArgumentTypes(), addType);
  fusion.walk(
      [&](Operation *op) { llvm::for_each(op->getResultTypes(), addType); });
}

/// What a kernel is named by: the text of its function, and which symbols a run
/// binds, since code for them reads them later.
std::string nameOf(func::FuncOp kernel, FusionOp fusion,
                   const RunSymbols &runSymbols) {
  llvm::BLAKE3 hasher;
  std::string text;
  llvm::raw_string_ostream stream(text);
  kernel->print(stream, OpPrintingFlags().useLocalScope());
  llvm::SmallSetVector<int64_t, 4> symbols;
  addSymbols(fusion, symbols);
  for (int64_t symbol : symbols)
    if (runSymbols.contains(symbol))
      stream << " bound " << symbol;
  hasher.update(text);
  return sharedKernelPrefix.str() +
         llvm::toHex(hasher.final<sharedKernelDigits / 2>(),
                     /*LowerCase=*/true);
}

struct KilnShareKernelsPass : impl::KilnShareKernelsBase<KilnShareKernelsPass> {
  using KilnShareKernelsBase::KilnShareKernelsBase;

  explicit KilnShareKernelsPass(KernelLibrary *library) : library(library) {
    contractions = library != nullptr;
  }

  void runOnOperation() override {
    llvm::MapVector<size_t, SmallVector<SmallVector<FusionOp, 1>, 1>> buckets;
    getOperation().walk([&](FusionOp fusion) {
      if (!canBeShared(fusion))
        return;
      orderByUse(fusion.getBody().front());
      auto &groups = buckets[hashOf(fusion)];
      for (auto &group : groups)
        if (areEqual(group.front(), fusion)) {
          group.push_back(fusion);
          return;
        }
      groups.push_back({fusion});
    });
    const RunSymbols runSymbols = findRunSymbols(getOperation());
    for (auto &[hash, groups] : buckets)
      for (auto &group : groups)
        if (isContraction(group.front()) ? group.size() > 1 || contractions
                                         : isWorthSharing(group, minOps))
          share(group, runSymbols);
    getOperation().walk([](BufferOp buffer) {
      if (buffer->use_empty())
        buffer->erase();
    });
  }

private:
  void share(ArrayRef<FusionOp> group, const RunSymbols &runSymbols) {
    FusionOp first = group.front();
    SmallVector<Value> buffers = distinctBuffers(first);
    OpBuilder builder(&getContext());
    builder.setInsertionPointToEnd(getOperation().getBody());
    auto kernel = func::FuncOp::create(
        builder, first.getLoc(), sharedKernelPrefix,
        builder.getFunctionType(ValueRange(buffers).getTypes(), {}));
    kernel.setPrivate();
    Block *entry = kernel.addEntryBlock();
    builder.setInsertionPointToStart(entry);
    IRMapping mapping;
    mapping.map(buffers, entry->getArguments());
    builder.clone(*first, mapping);
    func::ReturnOp::create(builder, first.getLoc());
    kernel.setName(nameOf(kernel, first, runSymbols));
    if (library && library->has(kernel.getName()))
      kernel.eraseBody();
    for (FusionOp fusion : group) {
      builder.setInsertionPoint(fusion);
      // Taken from the table at the call: a register for each of a long row of
      // calls would lie on the stack.
      SmallVector<Value> operands;
      for (Value buffer : distinctBuffers(fusion))
        operands.push_back(
            builder.clone(*buffer.getDefiningOp())->getResult(0));
      func::CallOp::create(builder, fusion.getLoc(), kernel, operands);
      // What was called can only stop itself.
      PollOp::create(builder, fusion.getLoc());
      fusion.erase();
    }
  }

  KernelLibrary *library = nullptr;
};

} // namespace

std::unique_ptr<Pass> createKilnShareKernels(KernelLibrary *library) {
  return std::make_unique<KilnShareKernelsPass>(library);
}

} // namespace kiln::passes
