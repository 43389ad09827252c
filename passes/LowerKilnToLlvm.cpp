// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rewrites kiln ops on buffers into loads from KilnRunArgs and calls through
// its table of runtime functions.
#include "passes/LowerKilnToLlvm.h"
#include "passes/CodeLayout.h"

#include "dialect/Kiln.h"
#include "dialect/Types.h"
#include "runtime/Abi.h"
#include "runtime/Random.h"
#include "runtime/Symbols.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace kiln::passes {
namespace {

/// What the functions of a module share: where each kind of buffer begins in
/// the table, and the nodes and kernels named so far.
struct ModuleFacts {
  SmallVector<int64_t, 6> counts,
      bases; // by ir::BufferKind; the count of temporaries is not checked
  llvm::MapVector<StringAttr, int32_t> nodes, kernels;
  SmallVector<int32_t> kernelNodes; ///< the first that calls each kernel

  LogicalResult initialize(ModuleOp module) {
    FailureOr<BufferCounts> given = bufferCounts(module);
    if (failed(given))
      return failure();
    counts = {given->feeds,     given->constants, given->variables,
              given->variables, given->results,   INT64_MAX};
    int64_t base = 0;
    for (int64_t count : counts) {
      bases.push_back(base);
      base = count == INT64_MAX ? base : base + count;
    }
    return success();
  }

  int32_t nodeIndex(Location location) {
    StringAttr name;
    location->walk([&](Location part) {
      if (auto named = dyn_cast<NameLoc>(part))
        name = named.getName();
      return name ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (!name)
      return -1;
    return nodes.insert({name, static_cast<int32_t>(nodes.size())})
        .first->second;
  }

  int32_t kernelIndex(StringAttr name, Location location) {
    auto [entry, isNew] =
        kernels.insert({name, static_cast<int32_t>(kernels.size())});
    if (isNew)
      kernelNodes.push_back(nodeIndex(location));
    return entry->second;
  }
};

/// Rewrites the kiln ops of one function.
class FunctionLowering {
public:
  FunctionLowering(func::FuncOp function, ModuleFacts &facts,
                   const LLVMTypeConverter &converter)
      : function(function), facts(facts), converter(converter),
        rewriter(function.getContext()),
        pointer(LLVM::LLVMPointerType::get(function.getContext())),
        i32(rewriter.getI32Type()), i64(rewriter.getI64Type()) {}

  LogicalResult run() {
    addArgs();
    SmallVector<Operation *> ops;
    function.walk([&](Operation *op) {
      if (isa<ir::KilnDialect>(op->getDialect()) || isa<func::CallOp>(op))
        ops.push_back(op);
    });
    // The last first: an op that may end the function splits its block, and
    // all that lies behind it moves.
    for (Operation *op : llvm::reverse(ops)) {
      rewriter.setInsertionPoint(op);
      if (failed(lower(op)))
        return failure();
    }
    return success();
  }

private:
  void addArgs() {
    (void)function.insertArgument(0, pointer, {}, function.getLoc());
    Block &entry = function.front();
    rewriter.setInsertionPointToStart(&entry);
    args = entry.getArgument(0);
    Location loc = function.getLoc();
    buffers = loadInvariant(
        loc, pointer, byteOffset(loc, args, offsetof(KilnRunArgs, buffers)));
    symbols = loadInvariant(
        loc, pointer, byteOffset(loc, args, offsetof(KilnRunArgs, symbols)));
    state = loadInvariant(loc, pointer,
                          byteOffset(loc, args, offsetof(KilnRunArgs, state)));
    runtime = loadInvariant(
        loc, pointer, byteOffset(loc, args, offsetof(KilnRunArgs, runtime)));
  }

  LogicalResult lower(Operation *op) {
    if (auto buffer = dyn_cast<ir::BufferOp>(op))
      return lowerBuffer(buffer);
    if (auto symbol = dyn_cast<ir::SymbolOp>(op)) {
      rewriter.replaceOp(op, cast(symbolValue(op->getLoc(), symbol.getId()),
                                  rewriter.getIndexType()));
      return success();
    }
    if (isa<ir::FailedOp>(op)) {
      rewriter.replaceOp(op, mustStop(op->getLoc()));
      return success();
    }
    if (isa<ir::PollOp>(op))
      return lowerPoll(op);
    if (isa<ir::FlushOp>(op))
      return callIntrinsic(op, "llvm.canonicalize");
    if (isa<ir::FenceOp>(op))
      return callIntrinsic(op, "llvm.arithmetic.fence");
    if (isa<ir::BeginWritesOp>(op))
      return callOrStop(op, RuntimeSymbol::BeginWrites, {state});
    if (auto report = dyn_cast<ir::ReportErrorOp>(op))
      return lowerReport(report);
    if (auto call = dyn_cast<ir::RuntimeCallOp>(op))
      return lowerRuntimeCall(call);
    if (auto reserve = dyn_cast<ir::ReserveStreamOp>(op))
      return lowerReserveStream(reserve);
    if (auto mark = dyn_cast<ir::MarkRegionOp>(op))
      return callOrStop(op, RuntimeSymbol::MarkRegion,
                        {state, number(op->getLoc(), i64,
                                       static_cast<int64_t>(mark.getMark()))});
    if (auto loop = dyn_cast<ir::ParallelForOp>(op))
      return lowerParallelFor(loop);
    if (auto call = dyn_cast<func::CallOp>(op)) {
      call.getOperandsMutable().assign(llvm::to_vector(
          llvm::concat<Value>(ValueRange(args), call.getOperands())));
      return success();
    }
    return op->emitOpError(
        "expected a bufferized op, got one that has no lowering to LLVM");
  }

  LogicalResult lowerBuffer(ir::BufferOp op) {
    auto kind = static_cast<size_t>(op.getKind());
    auto index = static_cast<int64_t>(op.getIndex());
    if (index < 0 || index >= facts.counts[kind])
      return op.emitOpError("expected an index below ")
             << facts.counts[kind] << ", got " << index;
    Location loc = op.getLoc();
    Value data = loadInvariant(
        loc, pointer,
        byteOffset(loc, buffers, 8 * (facts.bases[kind] + index)));
    auto type = cast<MemRefType>(op.getType());
    auto descriptor =
        MemRefDescriptor::poison(rewriter, loc, converter.convertType(type));
    descriptor.setAllocatedPtr(rewriter, loc, data);
    descriptor.setAlignedPtr(rewriter, loc, data);
    descriptor.setConstantOffset(rewriter, loc, 0);
    if (type.hasStaticShape())
      descriptor.setConstantSize(rewriter, loc, 0, type.getDimSize(0));
    descriptor.setConstantStride(rewriter, loc, 0, 1);
    rewriter.replaceOp(op, cast(descriptor, type));
    return success();
  }

  LogicalResult callIntrinsic(Operation *op, StringRef name) {
    rewriter.replaceOpWithNewOp<LLVM::CallIntrinsicOp>(
        op, op->getResultTypes().front(), rewriter.getStringAttr(name),
        op->getOperands());
    return success();
  }

  LogicalResult lowerReport(ir::ReportErrorOp op) {
    Location loc = op.getLoc();
    SmallVector<Value> operands{state, number(loc, i32, op.getKind()),
                                number(loc, i32, facts.nodeIndex(loc))};
    if (op.getValues().size() > 3)
      return op.emitOpError("expected at most 3 values, got ")
             << op.getValues().size();
    llvm::append_range(operands, op.getValues());
    operands.resize(6, number(loc, i64, 0));
    call(loc, RuntimeSymbol::ReportError, operands);
    rewriter.eraseOp(op);
    return success();
  }

  /// cancel and errorCode in one load; atomic, so that no loop keeps an old
  /// value.
  Value mustStop(Location loc) {
    Value both =
        LLVM::LoadOp::create(rewriter, loc, i64, state, 8, false, false, false,
                             false, LLVM::AtomicOrdering::monotonic);
    return LLVM::ICmpOp::create(rewriter, loc, LLVM::ICmpPredicate::ne, both,
                                number(loc, i64, 0));
  }

  LogicalResult lowerPoll(Operation *op) {
    leaveIf(mustStop(op->getLoc()), op);
    return success();
  }

  /// The call as runtime/Abi.h has it, on the stack: its tensors with their
  /// extents, its numbers.
  LogicalResult lowerRuntimeCall(ir::RuntimeCallOp op) {
    Location loc = op.getLoc();
    auto numIns = op.getIns().size(), numOuts = op.getOuts().size();
    Value tensors = stackBytes(op, sizeof(KilnTensor) * (numIns + numOuts));
    for (auto [i, buffer] : llvm::enumerate(op->getOperands()))
      storeTensor(op, i,
                  byteOffset(loc, tensors, int64_t(sizeof(KilnTensor) * i)));
    ArrayRef<int64_t> fixed = op.getNumbers();
    Value numbers = stackBytes(op, 8 * fixed.size());
    for (auto [i, value] : llvm::enumerate(fixed))
      store(number(loc, i64, value), byteOffset(loc, numbers, 8 * int64_t(i)));

    Value call = stackBytes(op, sizeof(KilnKernelCall));
    auto field = [&](size_t offset, Value value) {
      store(value, byteOffset(loc, call, static_cast<int64_t>(offset)));
    };
    auto count = [&](size_t value) {
      return number(loc, i32, static_cast<int64_t>(value));
    };
    field(offsetof(KilnKernelCall, state), state);
    field(offsetof(KilnKernelCall, ins), tensors);
    field(offsetof(KilnKernelCall, outs),
          byteOffset(loc, tensors, int64_t(sizeof(KilnTensor) * numIns)));
    field(offsetof(KilnKernelCall, numbers), numbers);
    field(offsetof(KilnKernelCall, numIns), count(numIns));
    field(offsetof(KilnKernelCall, numOuts), count(numOuts));
    field(offsetof(KilnKernelCall, numNumbers), count(fixed.size()));
    field(offsetof(KilnKernelCall, node),
          number(loc, i32, facts.nodeIndex(loc)));

    int32_t kernel = facts.kernelIndex(op.getCalleeAttr(), loc);
    Value table = loadInvariant(
        loc, pointer, byteOffset(loc, args, offsetof(KilnRunArgs, kernels)));
    Value callee =
        loadInvariant(loc, pointer, byteOffset(loc, table, 8 * kernel));
    auto status = LLVM::CallOp::create(
        rewriter, loc, LLVM::LLVMFunctionType::get(i32, {pointer}),
        ValueRange{callee, call});
    leaveUnlessZero(status.getResult(), op);
    return success();
  }

  /// Writes the KilnTensor of value i of a call.
  void storeTensor(ir::RuntimeCallOp op, size_t i, Value tensor) {
    Location loc = op.getLoc();
    RankedTensorType type = op.getTensorType(i);
    ir::Extents extents = ir::extentsOf(type);
    Value dims = stackBytes(op, 8 * extents.size());
    for (auto [d, extent] : llvm::enumerate(extents))
      store(extentValue(loc, extent), byteOffset(loc, dims, 8 * int64_t(d)));
    bool isString =
        llvm::is_contained(op.getStrings(), static_cast<int64_t>(i));
    DType dtype = isString ? DType::String : ir::dtypeOf(type);
    auto field = [&](size_t offset, Value value) {
      store(value, byteOffset(loc, tensor, static_cast<int64_t>(offset)));
    };
    field(offsetof(KilnTensor, data), address(op->getOperand(unsigned(i))));
    field(offsetof(KilnTensor, dims), dims);
    field(offsetof(KilnTensor, dtype),
          number(loc, i32, static_cast<int64_t>(dtype)));
    field(offsetof(KilnTensor, rank), number(loc, i32, type.getRank()));
  }

  LogicalResult lowerReserveStream(ir::ReserveStreamOp op) {
    Location loc = op.getLoc();
    ir::Extents dims;
    for (auto [id, value] : llvm::zip_equal(op.getSymbols(), op.getValues()))
      dims.push_back({value, id});
    Value samples =
        LLVM::MulOp::create(rewriter, loc, product(loc, dims),
                            number(loc, i64, random::samplesTaken(1)));
    return callOrStop(op, RuntimeSymbol::ReserveRandom,
                      {state, number(loc, i32, int64_t(op.getStream())),
                       samples, address(op.getOut())});
  }

  /// parallel_for @task(n, grain) captures(c...) stores the run's args and c in
  /// a struct on the stack and passes a trampoline that reads them back and
  /// calls the task.
  LogicalResult lowerParallelFor(ir::ParallelForOp op) {
    Location loc = op.getLoc();
    auto module = function->getParentOfType<ModuleOp>();
    auto task = module.lookupSymbol<func::FuncOp>(op.getTask());
    if (!task)
      return op.emitOpError("expected a function, got ") << op.getTask();
    SmallVector<Type> fields{pointer};
    for (Type type : op.getCaptures().getTypes()) {
      Type field = converter.convertType(type);
      if (!field)
        return op.emitOpError("expected captures that LLVM can hold, got ")
               << type;
      fields.push_back(field);
    }
    auto context =
        LLVM::LLVMStructType::getLiteral(rewriter.getContext(), fields);
    Value frame;
    {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointToStart(&function.front());
      frame = LLVM::AllocaOp::create(rewriter, loc, pointer, context,
                                     number(loc, i64, 1));
    }
    auto slot = [&](Value base, size_t i) -> Value {
      return LLVM::GEPOp::create(
          rewriter, loc, pointer, context, base,
          ArrayRef<LLVM::GEPArg>{0, static_cast<int32_t>(i)});
    };
    LLVM::StoreOp::create(rewriter, loc, args, slot(frame, 0));
    for (auto [i, value] : llvm::enumerate(op.getCaptures()))
      LLVM::StoreOp::create(rewriter, loc, cast(value, fields[i + 1]),
                            slot(frame, i + 1));

    LLVM::LLVMFuncOp chunk;
    {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPoint(function);
      std::string name = (op.getTask() + ".chunk").str();
      while (module.lookupSymbol(name))
        name += "_";
      chunk = LLVM::LLVMFuncOp::create(
          rewriter, loc, name,
          LLVM::LLVMFunctionType::get(
              LLVM::LLVMVoidType::get(rewriter.getContext()),
              {pointer, i64, i64}),
          LLVM::Linkage::Internal);
      Block *body = chunk.addEntryBlock(rewriter);
      rewriter.setInsertionPointToStart(body);
      SmallVector<Value> operands;
      Type index = rewriter.getIndexType();
      operands.push_back(LLVM::LoadOp::create(rewriter, loc, pointer,
                                              slot(body->getArgument(0), 0)));
      operands.push_back(cast(body->getArgument(1), index));
      operands.push_back(cast(body->getArgument(2), index));
      for (auto [i, type] : llvm::enumerate(op.getCaptures().getTypes()))
        operands.push_back(
            cast(LLVM::LoadOp::create(rewriter, loc, fields[i + 1],
                                      slot(body->getArgument(0), i + 1)),
                 type));
      func::CallOp::create(rewriter, loc, task.getName(), TypeRange(),
                           operands);
      LLVM::ReturnOp::create(rewriter, loc, ValueRange());
    }
    Value target = LLVM::AddressOfOp::create(rewriter, loc, chunk);
    RuntimeSymbol symbol = op.getUninterrupted()
                               ? RuntimeSymbol::ParallelForToTheEnd
                               : RuntimeSymbol::ParallelFor;
    return callOrStop(op, symbol,
                      {target, frame, cast(op.getCount(), i64),
                       cast(op.getGrain(), i64), state});
  }

  /// A call of the runtime; null for a function without result.
  Value call(Location loc, RuntimeSymbol symbol, ArrayRef<Value> operands) {
    auto place = static_cast<int32_t>(symbol);
    auto typeOf = [&](char letter) -> Type {
      switch (letter) {
      case 'i':
        return i32;
      case 'l':
        return i64;
      case 'p':
        return pointer;
      default:
        return LLVM::LLVMVoidType::get(rewriter.getContext());
      }
    };
    std::string_view signature = runtimeSymbolSignatures[place];
    SmallVector<Type> parameters;
    for (char letter : signature.substr(1))
      parameters.push_back(typeOf(letter));
    assert(ValueRange(operands).getTypes() == TypeRange(parameters) &&
           "Symbols.def says otherwise");
    Value callee =
        loadInvariant(loc, pointer, byteOffset(loc, runtime, 8 * place));
    SmallVector<Value> all{callee};
    llvm::append_range(all, operands);
    auto op = LLVM::CallOp::create(
        rewriter, loc,
        LLVM::LLVMFunctionType::get(typeOf(signature[0]), parameters), all);
    return signature[0] == 'v' ? Value() : op.getResult();
  }

  /// Replaces the op by a call that ends the function when it says so.
  LogicalResult callOrStop(Operation *op, RuntimeSymbol symbol,
                           ArrayRef<Value> operands) {
    Location loc = op->getLoc();
    leaveUnlessZero(call(loc, symbol, operands), op);
    return success();
  }

  /// Replaces the op by the end of the function where `status` says so.
  void leaveUnlessZero(Value status, Operation *op) {
    Location loc = op->getLoc();
    leaveIf(LLVM::ICmpOp::create(rewriter, loc, LLVM::ICmpPredicate::ne, status,
                                 number(loc, i32, 0)),
            op);
  }

  /// Replaces the op by the end of the function where `stop` says so, which is
  /// seldom.
  void leaveIf(Value stop, Operation *op) {
    Block *before = op->getBlock();
    Block *after = rewriter.splitBlock(before, op->getIterator());
    rewriter.setInsertionPointToEnd(before);
    constexpr std::pair<uint32_t, uint32_t> weights{1, 1 << 20};
    LLVM::CondBrOp::create(rewriter, op->getLoc(), stop, exitBlock(),
                           ValueRange(), after, ValueRange(), weights);
    rewriter.eraseOp(op);
  }

  Block *exitBlock() {
    if (!exit) {
      OpBuilder::InsertionGuard guard(rewriter);
      exit =
          rewriter.createBlock(&function.getBody(), function.getBody().end());
      func::ReturnOp::create(rewriter, function.getLoc());
    }
    return exit;
  }

  Value cast(Value value, Type type) {
    if (value.getType() == type)
      return value;
    return UnrealizedConversionCastOp::create(rewriter, value.getLoc(), type,
                                              value)
        .getResult(0);
  }
  Value number(Location loc, Type type, int64_t value) {
    return LLVM::ConstantOp::create(rewriter, loc, type,
                                    rewriter.getIntegerAttr(type, value));
  }
  Value byteOffset(Location loc, Value base, int64_t bytes) {
    if (bytes == 0)
      return base;
    return LLVM::GEPOp::create(
        rewriter, loc, pointer, rewriter.getI8Type(), base,
        ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(bytes)},
        LLVM::GEPNoWrapFlags::inbounds);
  }
  /// The tables do not change while the run lasts.
  Value loadInvariant(Location loc, Type type, Value address) {
    return LLVM::LoadOp::create(rewriter, loc, type, address, 8,
                                /*isVolatile=*/false, /*isNonTemporal=*/false,
                                /*isInvariant=*/true);
  }
  Value symbolValue(Location loc, int64_t id) {
    return loadInvariant(loc, i64, byteOffset(loc, symbols, 8 * id));
  }
  Value extentValue(Location loc, const ir::Extent &extent) {
    return extent.isKnown() ? number(loc, i64, extent.value)
                            : symbolValue(loc, extent.symbol);
  }
  Value product(Location loc, ArrayRef<ir::Extent> extents) {
    Value result;
    for (const ir::Extent &extent : extents) {
      Value factor = extentValue(loc, extent);
      result =
          result
              ? LLVM::MulOp::create(rewriter, loc, result, factor).getResult()
              : factor;
    }
    return result ? result : number(loc, i64, 1);
  }
  /// Memory of the function's frame, for an op's call.
  Value stackBytes(Operation *op, size_t bytes) {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(&function.front());
    auto words = static_cast<int64_t>(std::max<size_t>(bytes / 8, 1));
    return LLVM::AllocaOp::create(rewriter, op->getLoc(), pointer, i64,
                                  number(op->getLoc(), i64, words));
  }
  void store(Value value, Value address) {
    LLVM::StoreOp::create(rewriter, value.getLoc(), value, address);
  }
  Value address(Value buffer) {
    Value descriptor = cast(buffer, converter.convertType(buffer.getType()));
    return MemRefDescriptor(descriptor).alignedPtr(rewriter, buffer.getLoc());
  }

  func::FuncOp function;
  ModuleFacts &facts;
  const LLVMTypeConverter &converter;
  IRRewriter rewriter;
  Type pointer, i32, i64;
  Value args, buffers, symbols, state, runtime;
  Block *exit = nullptr;
};

} // namespace

LogicalResult lowerKilnOps(ModuleOp module,
                           const LLVMTypeConverter &converter) {
  ModuleFacts facts;
  if (failed(facts.initialize(module)))
    return failure();
  auto entry = module.lookupSymbol<func::FuncOp>("run");
  if (!entry || entry.isExternal() ||
      entry.getFunctionType().getNumInputs() != 0 ||
      entry.getFunctionType().getNumResults() != 0)
    return module.emitError(
        "expected a function run() without arguments and results");
  WalkResult sizes = module.walk([](memref::DimOp op) {
    return op.getSource().getDefiningOp<ir::BufferOp>()
               ? WalkResult(op.emitOpError("expected an array of known size"))
               : WalkResult::advance();
  });
  if (sizes.wasInterrupted())
    return failure();
  for (func::FuncOp function : module.getOps<func::FuncOp>())
    if (function.isExternal())
      return function.emitOpError("expected a body");
  for (func::FuncOp function : llvm::to_vector(module.getOps<func::FuncOp>()))
    if (failed(FunctionLowering(function, facts, converter).run()))
      return failure();
  entry.setName(entryName);
  SmallVector<StringRef> names;
  for (auto &[name, index] : facts.nodes)
    names.push_back(name.getValue());
  setErrorNodes(module, names);
  SmallVector<KernelUse> kernels;
  for (auto &[name, index] : facts.kernels)
    kernels.push_back(
        {name.str(), facts.kernelNodes[static_cast<size_t>(index)]});
  setKernels(module, kernels);
  return success();
}

} // namespace kiln::passes
