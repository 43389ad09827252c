// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kiln-bufferize: rewrites a fused function so that its ops read and write the
// places of their values (bufferize/BufferAssignment.h).
//
// A value with several destinations is stored several times by the fusion that
// has it in registers, not copied later.
#include "passes/LayoutAttributes.h"
#include "passes/Passes.h"
#include "passes/analysis/RunSymbols.h"
#include "passes/bufferize/BufferAssignment.h"
#include "passes/bufferize/DelayUpdates.h"
#include "passes/bufferize/FusedForm.h"
#include "passes/bufferize/ShapeCode.h"
#include "passes/vectorize/Kernels.h"

#include "dialect/Types.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"
#include <map>

namespace kiln::passes {
#define GEN_PASS_DEF_KILNBUFFERIZE
#include "passes/Passes.h.inc"
} // namespace kiln::passes

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {
namespace {

class Bufferizer {
public:
  Bufferizer(ModuleOp module, func::FuncOp function)
      : module(module), function(function), block(function.front()),
        places(module, function), top(OpBuilder::atBlockBegin(&block)),
        builder(function.getContext()) {}

  void run() {
    SmallVector<Operation *> old(llvm::make_pointer_range(block));
    builder.setInsertionPointToEnd(&block);
    for (Value feed : block.getArguments())
      copyToDestinations(feed, feed.getLoc());
    for (Operation *op : old)
      rewrite(op);
    for (Operation *op : llvm::reverse(old))
      op->erase();
    func::ReturnOp::create(builder, function.getLoc());
    finish();
  }

private:
  //===--- Buffers --------------------------------------------------------===//

  Value buffer(Place place, RankedTensorType type) {
    MemRefType bufferType = bufferTypeOf(type);
    if (place.kind == BufferKind::initialized)
      bufferType = MemRefType::get({ShapedType::kDynamic}, top.getI8Type());
    Location loc = function.getLoc();
    if (places.memory(place) != Memory::given)
      return BufferOp::create(builder, loc, bufferType, place.kind, place.index,
                              /*late=*/true);
    // A view may have another type than the value itself.
    Value &value = buffers[{place, bufferType.getAsOpaquePointer()}];
    if (value)
      return value;
    if (place.home == Place::Home::table)
      return value = BufferOp::create(top, loc, bufferType, place.kind,
                                      place.index, /*late=*/false);
    Value &slot = slots[place];
    if (!slot)
      slot = memref::AllocaOp::create(
          top, loc, MemRefType::get({1}, bufferType.getElementType()));
    return value = memref::CastOp::create(top, loc, bufferType, slot);
  }

  /// As buffer(), of a place that is about to be written.
  Value newBuffer(Place place, RankedTensorType type, Location loc) {
    beginWritesBefore(place);
    Memory memory = places.memory(place);
    // Several values of one size, or parts of one, have an optional place.
    bool isOptional = memory == Memory::optional;
    RankedTensorType whole =
        isOptional ? places.temporaries()[static_cast<size_t>(place.index)].type
                   : type;
    if (memory != Memory::given)
      AllocateOp::create(builder, loc, place.kind, place.index, whole,
                         memory == Memory::kept, isOptional);
    return buffer(place, type);
  }

  Value bufferOf(Value value) {
    return buffer(places.of(rootOf(value)).home,
                  cast<RankedTensorType>(value.getType()));
  }

  //===--- Copies ---------------------------------------------------------===//

  struct Move {
    Value value; ///< whose elements go
    Place from, to;
  };

  /// A fusion of nothing: moves a value from one buffer to another.
  void copy(const Move &move, Location loc) {
    if (move.from == move.to)
      return;
    auto type = cast<RankedTensorType>(move.value.getType());
    Value source = buffer(move.from, type);
    auto fusion =
        FusionOp::create(builder, loc, TypeRange(), ValueRange(source),
                         ValueRange(newBuffer(move.to, type, loc)));
    OpBuilder::InsertionGuard guard(builder);
    Block *body = builder.createBlock(&fusion.getBody());
    Value argument = body->addArgument(type, loc);
    YieldOp::create(builder, loc, ValueRange(argument));
  }

  void copyToDestinations(Value value, Location loc) {
    const Storage &own = places.of(value);
    for (const Place &place : own.destinations)
      copy({value, own.home, place}, loc);
  }

  /// Gives each of `targets` its value at once, though some of the values may
  /// lie where others go.
  void flow(Operation *at, ValueRange values, ValueRange targets) {
    SmallVector<Move> moves;
    for (auto [value, target] : llvm::zip_equal(values, targets)) {
      Move move = {rootOf(value), places.of(rootOf(value)).home,
                   places.of(target).home};
      if (move.from != move.to)
        moves.push_back(move);
    }
    while (!moves.empty()) {
      auto *next = llvm::find_if(moves, [&](const Move &move) {
        return llvm::none_of(
            moves, [&](const Move &other) { return other.from == move.to; });
      });
      if (next != moves.end()) {
        copy(*next, at->getLoc());
        moves.erase(next);
        continue;
      }
      // All that is left goes in circles: one of the values steps aside.
      Place aside = places.addScratch(at, moves.front().value);
      copy({moves.front().value, moves.front().from, aside}, at->getLoc());
      moves.front().from = aside;
    }
  }

  //===--- Ops ------------------------------------------------------------===//

  void rewrite(Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case<FusionOp, VarReadOp, VarWriteOp, RuntimeCallOp, RandomReserveOp,
              VarIsInitializedOp, DefineOp, GuardOp, BindOp, IfOp, WhileOp>(
            [&](auto specific) { rewriteOp(specific); })
        .Case<ConstantRefOp>([&](ConstantRefOp constant) {
          copyToDestinations(constant.getResult(), constant.getLoc());
        })
        .Default([](Operation *) {}); // views and terminators
  }

  void rewriteOp(FusionOp fusion) {
    SmallVector<Value> ins, outs, yielded;
    auto yield = cast<YieldOp>(fusion.getBody().front().getTerminator());
    SmallVector<int64_t> written; // by who makes them
    for (auto [i, operand] : llvm::enumerate(fusion.getIns())) {
      if (places.partOf(rootOf(operand)))
        written.push_back(static_cast<int64_t>(i));
      ins.push_back(bufferOf(operand));
    }
    if (!written.empty() && written.size() == ins.size())
      return;
    for (auto [result, value] :
         llvm::zip_equal(fusion.getResults(), yield.getValues())) {
      const Storage &own = places.of(result);
      SmallVector<Place, 2> targets(own.destinations);
      if (!llvm::is_contained(targets, own.home))
        targets.push_back(own.home);
      for (const Place &place : targets) {
        outs.push_back(newBuffer(
            place, cast<RankedTensorType>(result.getType()), fusion.getLoc()));
        yielded.push_back(value);
      }
    }
    auto bufferized =
        FusionOp::create(builder, fusion.getLoc(), TypeRange(), ins, outs);
    if (!written.empty())
      bufferized->setAttr(writtenName, builder.getDenseI64ArrayAttr(written));
    if (const Part *part = places.partOf(fusion.getResult(0)))
      bufferized->setAttr(
          partName, builder.getDenseI64ArrayAttr({part->offset, part->width}));
    bufferized.getBody().takeBody(fusion.getBody());
    fusion.getBody().emplaceBlock(); // erased with the op
    auto moved = cast<YieldOp>(bufferized.getBody().front().getTerminator());
    moved.getValuesMutable().assign(yielded);
    // What follows runs only if nothing has failed.
    if (bufferized.mayFail())
      PollOp::create(builder, fusion.getLoc());
  }

  void rewriteOp(VarReadOp read) {
    Place variable = {Place::Home::table, BufferKind::variable,
                      places.variable(read.getVariable())};
    const Storage &own = places.of(read);
    copy({read, variable, own.home}, read.getLoc());
    for (const Place &place : own.destinations)
      copy({read, variable, place}, read.getLoc());
  }

  void rewriteOp(VarWriteOp write) {
    Place variable = {Place::Home::table, BufferKind::variable,
                      places.variable(write.getVariable())};
    // A view of its root has a shape of its own, which the variable gets.
    Value value = write.getValue();
    if (!places.isWrittenInPlace(write))
      copy({value, places.of(rootOf(value)).home, variable}, write.getLoc());
    Value flag =
        buffer({Place::Home::table, BufferKind::initialized, variable.index},
               cast<RankedTensorType>(value.getType()));
    Value zero = arith::ConstantIndexOp::create(builder, write.getLoc(), 0);
    Value one = arith::ConstantIntOp::create(builder, write.getLoc(), 1, 8);
    memref::StoreOp::create(builder, write.getLoc(), one, flag,
                            ValueRange(zero));
  }

  void rewriteOp(RuntimeCallOp call) {
    if (isNumbersRead(call))
      return emitNumbersRead(builder, call, bufferOf(call.getIns()[0]));
    SmallVector<Value> ins, outs;
    for (Value operand : call.getIns())
      ins.push_back(bufferOf(operand));
    for (auto [i, result] : llvm::enumerate(call.getResults())) {
      Place home = places.of(result).home;
      auto type = cast<RankedTensorType>(result.getType());
      outs.push_back(call.isFoundOut(ins.size() + i)
                         ? buffer(home, type)
                         : newBuffer(home, type, call.getLoc()));
    }
    RuntimeCallOp::create(builder, call.getLoc(), TypeRange(), call.getCallee(),
                          ins, outs, call.getTypes(), call.getNumbers(),
                          call.getStrings(), call.getBinds());
    for (Value result : call.getResults())
      copyToDestinations(result, call.getLoc());
  }

  void rewriteOp(RandomReserveOp reserve) {
    ReserveStreamOp::create(builder, reserve.getLoc(), reserve.getStream(),
                            reserve.getSymbols(), reserve.getValues(),
                            bufferOf(reserve.getResult()));
    copyToDestinations(reserve.getResult(), reserve.getLoc());
  }

  void rewriteOp(VarIsInitializedOp op) {
    Value flag = buffer({Place::Home::table, BufferKind::initialized,
                         places.variable(op.getVariable())},
                        cast<RankedTensorType>(op.getType()));
    Value zero = arith::ConstantIndexOp::create(builder, op.getLoc(), 0);
    Value value =
        memref::LoadOp::create(builder, op.getLoc(), flag, ValueRange(zero));
    memref::StoreOp::create(builder, op.getLoc(), value,
                            bufferOf(op.getResult()), ValueRange(zero));
    copyToDestinations(op.getResult(), op.getLoc());
  }

  void rewriteOp(DefineOp define) {
    if (emitDefine(builder, define))
      PollOp::create(builder, define.getLoc());
  }

  void rewriteOp(GuardOp guard) {
    emitGuard(builder, guard);
    PollOp::create(builder, guard.getLoc());
  }

  /// What an iteration hands on may have a size of before, and flows on first.
  static bool endsIteration(BindOp bind) {
    return llvm::any_of(bind->getUsers(), [](Operation *user) {
      return isa<YieldOp>(user) && isa<WhileOp>(user->getParentOp());
    });
  }
  void rewriteOp(BindOp bind) {
    if (!endsIteration(bind))
      emitBind(builder, bind);
  }

  //===--- Branches and loops ---------------------------------------------===//

  /// A bool of memory in a register.
  Value loadPredicate(Value value, Location loc) {
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    Value byte =
        memref::LoadOp::create(builder, loc, bufferOf(value), ValueRange(zero));
    Value none = arith::ConstantIntOp::create(builder, loc, 0, 8);
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, byte,
                                 none);
  }

  /// The ops of a block of a region, behind what \p to holds.
  void rewriteBlock(Block &from, Block *to) {
    builder.setInsertionPointToEnd(to);
    for (Operation &op : from)
      rewrite(&op);
  }

  void rewriteOp(IfOp op) {
    beginWritesBefore(op);
    Location loc = op.getLoc();
    auto branch =
        scf::IfOp::create(builder, loc, loadPredicate(op.getCondition(), loc),
                          /*withElseRegion=*/true);
    {
      OpBuilder::InsertionGuard guard(builder);
      for (auto [from, to] : {std::pair(&op.thenBlock(), branch.thenBlock()),
                              std::pair(&op.elseBlock(), branch.elseBlock())}) {
        to->clear();
        rewriteBlock(*from, to);
        Operation *yield = from->getTerminator();
        flow(yield, yield->getOperands(), op.getResults());
        scf::YieldOp::create(builder, loc);
      }
    }
    for (Value result : op.getResults())
      copyToDestinations(result, loc);
  }

  void rewriteOp(WhileOp op) {
    beginWritesBefore(op);
    Location loc = op.getLoc();
    flow(op, op.getInits(), op.getBefore().getArguments());
    auto loop = scf::WhileOp::create(builder, loc, TypeRange(), ValueRange());
    {
      OpBuilder::InsertionGuard guard(builder);
      Block *test = builder.createBlock(&loop.getBefore());
      Value mark = markTail(op.beforeBlock(), loc);
      rewriteBlock(op.beforeBlock(), test);
      // Read before a forwarded value may lie in its place.
      ConditionOp condition = op.getCondition();
      Value goesOn = loadPredicate(condition.getCondition(), loc);
      flow(condition, condition.getValues(), op.getAfter().getArguments());
      releaseTail(mark, loc);
      scf::ConditionOp::create(builder, loc, goesOn, ValueRange());
      Block *body = builder.createBlock(&loop.getAfter());
      PollOp::create(builder, loc);
      mark = markTail(op.afterBlock(), loc);
      rewriteBlock(op.afterBlock(), body);
      flow(op.getYield(), op.getYield().getValues(),
           op.getBefore().getArguments());
      for (BindOp bind : op.afterBlock().getOps<BindOp>())
        if (endsIteration(bind))
          emitBind(builder, bind);
      releaseTail(mark, loc);
      scf::YieldOp::create(builder, loc);
    }
    for (Value result : op.getResults())
      copyToDestinations(result, loc);
  }

  /// The beginning of an iteration that takes memory of the arena's tail; null
  /// for others. What iterations hand on is copied to places that keep theirs.
  Value markTail(Block &block, Location loc) {
    bool takes = block
                     .walk([&](Operation *op) {
                       return llvm::any_of(op->getResults(),
                                           [&](Value result) {
                                             return places.isLate(result);
                                           })
                                  ? WalkResult::interrupt()
                                  : WalkResult::advance();
                     })
                     .wasInterrupted();
    return takes ? MarkTailOp::create(builder, loc, builder.getI64Type())
                       .getMark()
                 : Value();
  }
  void releaseTail(Value mark, Location loc) {
    if (mark)
      ReleaseTailOp::create(builder, loc, mark);
  }

  //===--- Locks ----------------------------------------------------------===//

  /// The first write of a variable makes the run's locks exclusive.
  void beginWritesBefore(Place place) {
    if (place.isVariable())
      beginWrites();
  }

  /// A branch or a loop that writes a variable begins to write as a whole: the
  /// runtime is told once a run.
  void beginWritesBefore(Operation *region) {
    if (region->walk([](VarWriteOp) { return WalkResult::interrupt(); })
            .wasInterrupted())
      beginWrites();
  }

  void beginWrites() {
    if (!std::exchange(writing, true))
      BeginWritesOp::create(builder, function.getLoc());
  }

  //===--- Attributes -----------------------------------------------------===//

  void finish() {
    int64_t feeds = block.getNumArguments(), results = function.getNumResults();
    block.eraseArguments(0, feeds);
    function.setFunctionType(FunctionType::get(function.getContext(), {}, {}));
    function.setAllArgAttrs(ArrayRef<DictionaryAttr>());
    function.setAllResultAttrs(ArrayRef<DictionaryAttr>());
    setBufferCounts(
        module, {feeds, places.numConstants(), places.numVariables(), results});
    SmallVector<Temporary> tenants;
    for (const Tenant &tenant : places.temporaries()) {
      Temporary &temporary = tenants.emplace_back();
      for (const Extent &extent : extentsOf(tenant.type))
        temporary.extents.push_back({extent.value, extent.symbol});
      temporary.elementBytes = storageBytes(tenant.type.getElementType());
      temporary.first = tenant.first;
      temporary.last = tenant.last;
      temporary.isOptional = tenant.isOptional;
      if (tenant.node)
        temporary.node = tenant.node.str();
    }
    setTemporaries(module, tenants);
  }

  ModuleOp module;
  func::FuncOp function;
  Block &block;
  BufferAssignment places;
  OpBuilder top;     ///< makes the buffers, before everything else
  OpBuilder builder; ///< appends the new ops
  std::map<std::pair<Place, const void *>, Value> buffers; ///< by type, too
  std::map<Place, Value> slots;
  bool writing = false;
};

/// Where a result's size is known before the run and that of the value which
/// it shows is not, stores it behind the checks that make them equal.
void storeLateViews(func::FuncOp function) {
  RunSymbols symbols = findRunSymbols(function);
  if (symbols.empty())
    return;
  Operation *end = function.front().getTerminator();
  OpBuilder builder(end);
  for (OpOperand &operand : end->getOpOperands()) {
    Value value = operand.get();
    if (isBoundInRun(value.getType(), symbols) ||
        !isBoundInRun(rootOf(value).getType(), symbols))
      continue;
    auto copy =
        FusionOp::create(builder, value.getLoc(), TypeRange(value.getType()),
                         ValueRange(value), ValueRange());
    OpBuilder::InsertionGuard guard(builder);
    Block *body = builder.createBlock(&copy.getBody());
    YieldOp::create(
        builder, value.getLoc(),
        ValueRange(body->addArgument(value.getType(), value.getLoc())));
    operand.set(copy.getResult(0));
  }
}

struct KilnBufferizePass : impl::KilnBufferizeBase<KilnBufferizePass> {
  void runOnOperation() override {
    auto functions = llvm::to_vector(getOperation().getOps<func::FuncOp>());
    // The attributes of the module describe one function.
    if (functions.size() > 1) {
      functions[1].emitOpError("expected one function in the module");
      return signalPassFailure();
    }
    for (func::FuncOp function : functions) {
      if (failed(verifyFusedForm(function)))
        return signalPassFailure();
      storeLateViews(function);
      delayUpdates(function);
      Bufferizer(getOperation(), function).run();
    }
    markLateSymbols(getOperation());
  }
};

} // namespace
} // namespace kiln::passes
