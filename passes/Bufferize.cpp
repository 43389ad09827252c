// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kiln-bufferize: gives every tensor of a fused function a place in the run's
// buffer table.
//
// Feeds, constants and variables lie where they lie; a result is written where
// it is returned; an update of a variable is written into the variable by the
// fusion that computes it, unless somebody still reads the old value; what is
// left are temporaries of the arena. A value with several destinations is
// stored several times by the fusion that has it in registers, not copied
// later.
#include "passes/FusedForm.h"
#include "passes/InPlace.h"
#include "passes/Passes.h"

#include "dialect/Types.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/StringMap.h"
#include <map>

namespace kiln::passes {
#define GEN_PASS_DEF_KILNBUFFERIZE
#include "passes/Passes.h.inc"
} // namespace kiln::passes

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {
namespace {

/// An entry of the buffer table.
struct Place {
  BufferKind kind = BufferKind::temporary;
  int64_t index = -1;
  bool isValid() const { return index >= 0; }
  auto operator<=>(const Place &) const = default;
};

/// A stretch of the arena and the op positions between which it is in use.
struct Temporary {
  RankedTensorType type;
  int64_t first, last;
  StringAttr node; ///< that makes the value; may be null
};

/// Where a value is written, and where it is read from afterwards.
struct Storage {
  SmallVector<Place, 2> destinations;
  Place home;
};

Value rootOf(Value value) {
  while (auto reshape = value.getDefiningOp<ReshapeOp>())
    value = reshape.getOperand();
  return value;
}

class Bufferizer {
public:
  Bufferizer(ModuleOp module, func::FuncOp function)
      : module(module), function(function), block(function.front()),
        top(OpBuilder::atBlockBegin(&block)), builder(function.getContext()) {}

  void run() {
    number();
    placeUpdates();
    placeValues();
    rewrite();
    finish();
  }

private:
  //===--- What there is --------------------------------------------------===//

  void number() {
    for (auto variable : module.getOps<VariableOp>())
      variables[variable.getSymName()] = variable.getIndex();
    for (Operation &op : block) {
      position[&op] = position.size();
      for (Value operand : op.getOperands())
        lastUse[rootOf(operand)] = position[&op];
      if (auto read = dyn_cast<VarReadOp>(op))
        reads[variables.lookup(read.getVariable())].push_back(read);
    }
  }

  int64_t positionOf(Operation *op) const { return position.lookup(op); }

  //===--- Variables ------------------------------------------------------===//

  /// Decides for each var_write whether the fusion that computes the value
  /// writes the variable itself.
  void placeUpdates() {
    for (auto write : block.getOps<VarWriteOp>()) {
      int64_t variable = variables.lookup(write.getVariable());
      int64_t at = positionOf(write);
      Value value = rootOf(write.getValue());
      if (auto fusion = value.getDefiningOp<FusionOp>();
          fusion && canUpdateInPlace(fusion, value, write, variable)) {
        storage[value].destinations.push_back({BufferKind::variable, variable});
        at = positionOf(fusion);
        inPlace.insert(write);
      }
      writes[variable].push_back(at);
    }
  }

  bool canUpdateInPlace(FusionOp fusion, Value value, VarWriteOp write,
                        int64_t variable) {
    int64_t from = positionOf(fusion), to = positionOf(write);
    // A run that ends early must not leave half an update behind, and what
    // writes a variable cannot be cancelled.
    if (fusion.mayFail() || takesLong(fusion))
      return false;
    for (int64_t earlier : writes.lookup(variable))
      if (earlier >= from)
        return false;
    for (VarReadOp read : reads.lookup(variable)) {
      int64_t at = positionOf(read);
      if (at > from && at < to)
        return false;
      if (at < from && lastUseOf(read) > from && !isOnlyReturned(read))
        return false;
    }
    unsigned result = cast<OpResult>(value).getResultNumber();
    for (auto [index, operand] : llvm::enumerate(fusion.getIns()))
      if (auto read = rootOf(operand).getDefiningOp<VarReadOp>())
        if (variables.lookup(read.getVariable()) == variable &&
            !canWriteInPlace(fusion, result,
                             fusion.getBody().getArgument(index)))
          return false;
    return true;
  }

  int64_t lastUseOf(Value value) const { return lastUse.lookup(value); }

  /// Whether all uses of the read after its fusion are the return: it is copied
  /// where it stands anyway.
  bool isOnlyReturned(VarReadOp read) {
    return llvm::all_of(read->getUsers(), [&](Operation *user) {
      return isa<func::ReturnOp>(user) ||
             (isa<FusionOp>(user) && positionOf(user) < lastUseOf(read));
    });
  }

  /// Whether the variable is written after `from` and not after `to`: a value
  /// read at `from` is gone at `to`.
  bool isOverwritten(int64_t variable, int64_t from, int64_t to) const {
    auto it = writes.find(variable);
    return it != writes.end() && llvm::any_of(it->second, [&](int64_t at) {
             return at > from && at < to;
           });
  }

  //===--- Places ---------------------------------------------------------===//

  Place newTemporary(Operation *op, RankedTensorType type, int64_t first,
                     int64_t last) {
    auto node = op->getLoc()->findInstanceOf<NameLoc>();
    temporaries.push_back(
        {type, first, last, node ? node.getName() : StringAttr()});
    return {BufferKind::temporary,
            static_cast<int64_t>(temporaries.size()) - 1};
  }

  void placeValues() {
    for (BlockArgument feed : block.getArguments())
      storage[feed].home = {BufferKind::feed, feed.getArgNumber()};
    for (auto [index, operand] :
         llvm::enumerate(block.getTerminator()->getOperands()))
      storage[rootOf(operand)].destinations.push_back(
          {BufferKind::result, static_cast<int64_t>(index)});
    for (Operation &op : block.without_terminator()) {
      if (auto constant = dyn_cast<ConstantRefOp>(op)) {
        storage[constant].home = {BufferKind::constant,
                                  static_cast<int64_t>(constant.getIndex())};
        constants = std::max<int64_t>(constants, constant.getIndex() + 1);
      } else if (auto read = dyn_cast<VarReadOp>(op)) {
        placeRead(read);
      } else if (!isa<ReshapeOp>(op)) {
        for (Value result : op.getResults())
          placeResult(&op, result);
      }
    }
  }

  /// A read value stays in its variable unless that is overwritten while the
  /// value is needed.
  void placeRead(VarReadOp read) {
    int64_t variable = variables.lookup(read.getVariable());
    Storage &own = storage[read];
    int64_t from = positionOf(read), to = lastUseBeforeReturn(read);
    if (isOverwritten(variable, from, to))
      own.home =
          newTemporary(read, cast<RankedTensorType>(read.getType()), from, to);
    else
      own.home = {BufferKind::variable, variable};
  }

  /// The last position at which the value is needed, its copies for results
  /// apart.
  int64_t lastUseBeforeReturn(Value value) {
    int64_t last =
        value.getDefiningOp() ? positionOf(value.getDefiningOp()) : 0;
    SmallVector<Value> views = {value};
    while (!views.empty())
      for (Operation *user : views.pop_back_val().getUsers()) {
        if (auto reshape = dyn_cast<ReshapeOp>(user))
          views.push_back(reshape.getResult());
        else if (!isa<func::ReturnOp>(user) && !inPlace.contains(user))
          last = std::max(last, positionOf(user));
      }
    return last;
  }

  void placeResult(Operation *op, Value result) {
    Storage &own = storage[result];
    int64_t from = positionOf(op), to = lastUseBeforeReturn(result);
    // Later readers take a destination that keeps the value as long as they
    // need it.
    for (const Place &place : own.destinations)
      if (place.kind == BufferKind::result ||
          !isOverwritten(place.index, from, to))
        own.home = place;
    bool storesMany = isa<FusionOp>(op);
    if (!storesMany && own.destinations.size() == 1)
      return;
    if (!own.home.isValid() || !storesMany)
      own.home = newTemporary(op, cast<RankedTensorType>(result.getType()),
                              from, storesMany ? to : std::max(to, from + 1));
  }

  //===--- Rewriting ------------------------------------------------------===//

  Value buffer(Place place, RankedTensorType type) {
    MemRefType bufferType = bufferTypeOf(type);
    if (place.kind == BufferKind::initialized)
      bufferType = MemRefType::get({ShapedType::kDynamic}, top.getI8Type());
    Value &value = buffers[place];
    if (!value)
      value = BufferOp::create(top, function.getLoc(), bufferType, place.kind,
                               place.index);
    return value;
  }

  Value bufferOf(Value value) {
    return buffer(storage[rootOf(value)].home,
                  cast<RankedTensorType>(value.getType()));
  }

  void rewrite() {
    SmallVector<Operation *> old;
    for (Operation &op : block)
      if (!isa<BufferOp>(op))
        old.push_back(&op);
    builder.setInsertionPointToEnd(&block);
    for (Value feed : block.getArguments())
      copyToDestinations(feed, feed.getLoc());
    for (Operation *op : old) {
      if (auto fusion = dyn_cast<FusionOp>(op))
        rewriteFusion(fusion);
      else if (auto read = dyn_cast<VarReadOp>(op))
        rewriteRead(read);
      else if (auto write = dyn_cast<VarWriteOp>(op))
        rewriteWrite(write);
      else if (auto call = dyn_cast<RuntimeCallOp>(op))
        rewriteCall(call);
      else if (auto reserve = dyn_cast<RandomReserveOp>(op))
        rewriteReserve(reserve);
      else if (auto initialized = dyn_cast<VarIsInitializedOp>(op))
        rewriteInitialized(initialized);
      else if (isa<ConstantRefOp>(op))
        copyToDestinations(op->getResult(0), op->getLoc());
    }
    for (Operation *op : llvm::reverse(old))
      op->erase();
    builder.setInsertionPointToEnd(&block);
    func::ReturnOp::create(builder, function.getLoc());
  }

  /// A fusion of nothing: moves a value from one buffer to another.
  void copy(Place from, Place to, RankedTensorType type, Location loc) {
    if (from == to)
      return;
    beginWritesBefore(to);
    auto fusion = FusionOp::create(builder, loc, TypeRange(),
                                   ValueRange(buffer(from, type)),
                                   ValueRange(buffer(to, type)));
    OpBuilder::InsertionGuard guard(builder);
    Block *body = builder.createBlock(&fusion.getBody());
    Value argument = body->addArgument(type, loc);
    YieldOp::create(builder, loc, ValueRange(argument));
  }

  void copyToDestinations(Value value, Location loc) {
    const Storage &own = storage[value];
    for (const Place &place : own.destinations)
      copy(own.home, place, cast<RankedTensorType>(value.getType()), loc);
  }

  /// The first write of a variable makes the run's locks exclusive.
  void beginWritesBefore(Place place) {
    if (place.kind == BufferKind::variable && !std::exchange(writing, true))
      BeginWritesOp::create(builder, function.getLoc());
  }

  void rewriteFusion(FusionOp fusion) {
    SmallVector<Value> ins, outs, yielded;
    auto yield = cast<YieldOp>(fusion.getBody().front().getTerminator());
    for (Value operand : fusion.getIns())
      ins.push_back(bufferOf(operand));
    for (auto [result, value] :
         llvm::zip_equal(fusion.getResults(), yield.getValues())) {
      const Storage &own = storage[result];
      SmallVector<Place> places(own.destinations.begin(),
                                own.destinations.end());
      if (!llvm::is_contained(places, own.home))
        places.push_back(own.home);
      for (const Place &place : places) {
        beginWritesBefore(place);
        outs.push_back(buffer(place, cast<RankedTensorType>(result.getType())));
        yielded.push_back(value);
      }
    }
    auto bufferized =
        FusionOp::create(builder, fusion.getLoc(), TypeRange(), ins, outs);
    bufferized.getBody().takeBody(fusion.getBody());
    fusion.getBody().emplaceBlock(); // erased with the op
    auto moved = cast<YieldOp>(bufferized.getBody().front().getTerminator());
    moved.getValuesMutable().assign(yielded);
    if (bufferized.mayFail())
      stopOnFailure(fusion.getLoc());
  }

  void rewriteRead(VarReadOp read) {
    auto type = cast<RankedTensorType>(read.getType());
    Place variable = {BufferKind::variable,
                      variables.lookup(read.getVariable())};
    const Storage &own = storage[read];
    copy(variable, own.home, type, read.getLoc());
    for (const Place &place : own.destinations)
      copy(variable, place, type, read.getLoc());
  }

  void rewriteWrite(VarWriteOp write) {
    Place variable = {BufferKind::variable,
                      variables.lookup(write.getVariable())};
    auto type = cast<RankedTensorType>(write.getValue().getType());
    Value value = rootOf(write.getValue());
    if (!inPlace.contains(write))
      copy(storage[value].home, variable,
           cast<RankedTensorType>(value.getType()), write.getLoc());
    Value flag = buffer({BufferKind::initialized, variable.index}, type);
    Value zero = arith::ConstantIndexOp::create(builder, write.getLoc(), 0);
    Value one = arith::ConstantIntOp::create(builder, write.getLoc(), 1, 8);
    memref::StoreOp::create(builder, write.getLoc(), one, flag,
                            ValueRange(zero));
  }

  void rewriteCall(RuntimeCallOp call) {
    SmallVector<Value> ins, outs;
    for (Value operand : call.getIns())
      ins.push_back(bufferOf(operand));
    for (Value result : call.getResults())
      outs.push_back(bufferOf(result));
    RuntimeCallOp::create(builder, call.getLoc(), TypeRange(), call.getCallee(),
                          ins, outs, call.getTypes(), call.getNumbers(),
                          call.getStrings());
    for (Value result : call.getResults())
      copyToDestinations(result, call.getLoc());
  }

  void rewriteReserve(RandomReserveOp reserve) {
    ReserveStreamOp::create(builder, reserve.getLoc(), reserve.getStream(),
                            reserve.getSymbols(), reserve.getValues(),
                            bufferOf(reserve.getResult()));
    copyToDestinations(reserve.getResult(), reserve.getLoc());
  }

  void rewriteInitialized(VarIsInitializedOp op) {
    Value flag =
        buffer({BufferKind::initialized, variables.lookup(op.getVariable())},
               cast<RankedTensorType>(op.getType()));
    Value zero = arith::ConstantIndexOp::create(builder, op.getLoc(), 0);
    Value value =
        memref::LoadOp::create(builder, op.getLoc(), flag, ValueRange(zero));
    memref::StoreOp::create(builder, op.getLoc(), value,
                            bufferOf(op.getResult()), ValueRange(zero));
    copyToDestinations(op.getResult(), op.getLoc());
  }

  /// What follows runs only if nothing has failed.
  void stopOnFailure(Location loc) {
    // Beside the last such part, not inside it: nests as deep as a graph is
    // long would overflow the stack of whoever walks them.
    builder.setInsertionPointToEnd(&block);
    Value failed = FailedOp::create(builder, loc, builder.getI1Type());
    Value yes = arith::ConstantIntOp::create(builder, loc, 1, 1);
    Value fine = arith::XOrIOp::create(builder, loc, failed, yes);
    auto rest = scf::IfOp::create(builder, loc, fine, /*withElseRegion=*/false);
    builder.setInsertionPointToStart(&rest.getThenRegion().front());
  }

  //===--- Attributes -----------------------------------------------------===//

  void finish() {
    int64_t feeds = block.getNumArguments(), results = function.getNumResults();
    block.eraseArguments(0, feeds);
    function.setFunctionType(FunctionType::get(function.getContext(), {}, {}));
    function.setAllArgAttrs(ArrayRef<DictionaryAttr>());
    function.setAllResultAttrs(ArrayRef<DictionaryAttr>());
    module->setAttr("kiln.buffer_counts",
                    top.getDenseI64ArrayAttr(
                        {feeds, constants,
                         static_cast<int64_t>(variables.size()), results}));
    SmallVector<Attribute> tenants;
    for (const Temporary &temporary : temporaries) {
      SmallVector<int64_t> symbols, values;
      for (const Extent &extent : extentsOf(temporary.type)) {
        symbols.push_back(extent.symbol);
        values.push_back(extent.value);
      }
      tenants.push_back(top.getDictionaryAttr({
          top.getNamedAttr("bytes", top.getI64IntegerAttr(storageBytes(
                                        temporary.type.getElementType()))),
          top.getNamedAttr("first", top.getI64IntegerAttr(temporary.first)),
          top.getNamedAttr("last", top.getI64IntegerAttr(temporary.last)),
          top.getNamedAttr("node", temporary.node ? temporary.node
                                                  : top.getStringAttr("")),
          top.getNamedAttr("symbols", top.getDenseI64ArrayAttr(symbols)),
          top.getNamedAttr("values", top.getDenseI64ArrayAttr(values)),
      }));
    }
    module->setAttr("kiln.temporaries", top.getArrayAttr(tenants));
  }

  ModuleOp module;
  func::FuncOp function;
  Block &block;
  OpBuilder top;     ///< makes the buffers, before everything else
  OpBuilder builder; ///< appends the new ops

  llvm::StringMap<int64_t> variables;
  llvm::DenseMap<Operation *, int64_t> position;
  llvm::DenseMap<Value, int64_t> lastUse;
  llvm::DenseMap<int64_t, SmallVector<VarReadOp>> reads;
  llvm::DenseMap<int64_t, SmallVector<int64_t>>
      writes; ///< by variable: positions at which it really changes
  llvm::DenseSet<Operation *> inPlace; ///< var_writes that a fusion does
  llvm::DenseMap<Value, Storage> storage;
  std::map<Place, Value> buffers;
  SmallVector<Temporary> temporaries;
  int64_t constants = 0;
  bool writing = false;
};

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
      Bufferizer(getOperation(), function).run();
    }
  }
};

} // namespace
} // namespace kiln::passes
