// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rewrites kiln ops on buffers into loads from KilnRunArgs and calls through
// its table of runtime functions.
#include "passes/to-llvm/LowerKilnToLlvm.h"

#include "passes/LayoutAttributes.h"
#include "passes/to-llvm/FunctionLowering.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace kiln::passes {

LogicalResult ModuleFacts::initialize(ModuleOp module) {
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
  runSymbols = findRunSymbols(module);
  return success();
}

int32_t ModuleFacts::nodeIndex(Location location) {
  StringAttr name;
  location->walk([&](Location part) {
    if (auto named = dyn_cast<NameLoc>(part))
      name = named.getName();
    return name ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (!name)
    return -1;
  return nodes.insert({name, static_cast<int32_t>(nodes.size())}).first->second;
}

/// True for an array that its address alone describes: no code asks a buffer
/// for its size.
static bool isPlain(Type type) {
  auto array = dyn_cast<MemRefType>(type);
  return array && array.getLayout().isIdentity() && array.getRank() == 1;
}

LogicalResult FunctionLowering::run() {
  if (function.isExternal()) {
    declare();
    return success();
  }
  takePointers();
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

void FunctionLowering::takePointers() {
  Block &entry = function.front();
  rewriter.setInsertionPointToStart(&entry);
  for (BlockArgument argument : entry.getArguments()) {
    Type type = argument.getType();
    if (!isPlain(type))
      continue;
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : argument.getUses())
      uses.push_back(&use);
    argument.setType(pointer);
    Value array = arrayAt(argument, cast<MemRefType>(type));
    for (OpOperand *use : uses)
      use->set(array);
  }
  function.setFunctionType(rewriter.getFunctionType(entry.getArgumentTypes(),
                                                    function.getResultTypes()));
}

void FunctionLowering::declare() {
  SmallVector<Type> types{pointer};
  for (Type type : function.getArgumentTypes())
    types.push_back(isPlain(type) ? pointer : type);
  function.setFunctionType(
      rewriter.getFunctionType(types, function.getResultTypes()));
}

void FunctionLowering::addArgs() {
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

LogicalResult FunctionLowering::lower(Operation *op) {
  if (auto buffer = dyn_cast<ir::BufferOp>(op))
    return lowerBuffer(buffer);
  if (auto symbol = dyn_cast<ir::SymbolOp>(op)) {
    rewriter.replaceOp(op, cast(symbolValue(op->getLoc(), symbol.getId()),
                                rewriter.getIndexType()));
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
  if (auto access = dyn_cast<ir::TrySlotOp>(op))
    return lowerTrySlot(access);
  if (auto reserve = dyn_cast<ir::ReserveStreamOp>(op))
    return lowerReserveStream(reserve);
  if (auto set = dyn_cast<ir::SetSymbolOp>(op)) {
    store(set.getValue(), symbolAddress(op->getLoc(), set.getId()));
    rewriter.eraseOp(op);
    return success();
  }
  if (auto allocate = dyn_cast<ir::AllocateOp>(op))
    return lowerAllocate(allocate);
  if (isa<ir::MarkTailOp>(op)) {
    rewriter.replaceOp(op, call(op->getLoc(), RuntimeSymbol::MarkTail, state));
    return success();
  }
  if (auto release = dyn_cast<ir::ReleaseTailOp>(op)) {
    call(op->getLoc(), RuntimeSymbol::ReleaseTail, {state, release.getMark()});
    rewriter.eraseOp(op);
    return success();
  }
  if (auto mark = dyn_cast<ir::MarkRegionOp>(op))
    return callOrStop(op, RuntimeSymbol::MarkRegion,
                      {state, number(op->getLoc(), i64,
                                     static_cast<int64_t>(mark.getMark()))});
  if (auto loop = dyn_cast<ir::ParallelForOp>(op))
    return lowerParallelFor(loop);
  if (auto call = dyn_cast<func::CallOp>(op)) {
    SmallVector<Value> operands{args};
    for (Value operand : call.getOperands())
      operands.push_back(isPlain(operand.getType()) ? address(operand)
                                                    : operand);
    call.getOperandsMutable().assign(operands);
    return success();
  }
  return op->emitOpError(
      "expected a bufferized op, got one that has no lowering to LLVM");
}

LogicalResult FunctionLowering::lowerBuffer(ir::BufferOp op) {
  Location loc = op.getLoc();
  auto type = cast<MemRefType>(op.getType());
  if (auto memory = ir::memoryOf(type); memory != ir::MemorySpace::host)
    return op.emitOpError("expected a buffer in the host's memory, got one in "
                          "that of a ")
           << ir::stringifyMemorySpace(*memory);
  Value place = placeOf(op);
  if (!place)
    return failure();
  Value data = load(loc, pointer, place, /*isInvariant=*/!op.getLate());
  rewriter.replaceOp(op, arrayAt(data, type));
  return success();
}

Value FunctionLowering::arrayAt(Value data, MemRefType type) {
  Location loc = data.getLoc();
  auto descriptor =
      MemRefDescriptor::poison(rewriter, loc, converter.convertType(type));
  descriptor.setAllocatedPtr(rewriter, loc, data);
  descriptor.setAlignedPtr(rewriter, loc, data);
  descriptor.setConstantOffset(rewriter, loc, 0);
  if (type.hasStaticShape())
    descriptor.setConstantSize(rewriter, loc, 0, type.getDimSize(0));
  descriptor.setConstantStride(rewriter, loc, 0, 1);
  return cast(descriptor, type);
}

LogicalResult FunctionLowering::callIntrinsic(Operation *op, StringRef name) {
  rewriter.replaceOpWithNewOp<LLVM::CallIntrinsicOp>(
      op, op->getResultTypes().front(), rewriter.getStringAttr(name),
      op->getOperands());
  return success();
}

LogicalResult FunctionLowering::lowerReport(ir::ReportErrorOp op) {
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

Value FunctionLowering::mustStop(Location loc) {
  Value both =
      LLVM::LoadOp::create(rewriter, loc, i64, state, 8, false, false, false,
                           false, LLVM::AtomicOrdering::monotonic);
  return LLVM::ICmpOp::create(rewriter, loc, LLVM::ICmpPredicate::ne, both,
                              number(loc, i64, 0));
}

LogicalResult FunctionLowering::lowerPoll(Operation *op) {
  leaveIf(mustStop(op->getLoc()), op);
  return success();
}

LogicalResult FunctionLowering::lowerParallelFor(ir::ParallelForOp op) {
  Location loc = op.getLoc();
  auto module = function->getParentOfType<ModuleOp>();
  auto task = module.lookupSymbol<func::FuncOp>(op.getTask());
  if (!task)
    return op.emitOpError("expected a function, got ") << op.getTask();
  SmallVector<Type> fields{pointer};
  for (Type type : op.getCaptures().getTypes()) {
    Type field = isPlain(type) ? pointer : converter.convertType(type);
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
    LLVM::StoreOp::create(rewriter, loc,
                          isPlain(value.getType()) ? address(value)
                                                   : cast(value, fields[i + 1]),
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
    for (auto [i, type] : llvm::enumerate(op.getCaptures().getTypes())) {
      Value value = LLVM::LoadOp::create(rewriter, loc, fields[i + 1],
                                         slot(body->getArgument(0), i + 1));
      operands.push_back(isPlain(type) ? value : cast(value, type));
    }
    func::CallOp::create(rewriter, loc, task.getName(), TypeRange(), operands);
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

Value FunctionLowering::call(Location loc, RuntimeSymbol symbol,
                             ArrayRef<Value> operands) {
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

void FunctionLowering::leaveIf(Value stop, Operation *op) {
  Block *before = op->getBlock();
  Block *after = rewriter.splitBlock(before, op->getIterator());
  rewriter.setInsertionPointToEnd(before);
  constexpr std::pair<uint32_t, uint32_t> weights{1, 1 << 20};
  LLVM::CondBrOp::create(rewriter, op->getLoc(), stop, exitBlock(),
                         ValueRange(), after, ValueRange(), weights);
  rewriter.eraseOp(op);
}

Block *FunctionLowering::exitBlock() {
  if (!exit) {
    OpBuilder::InsertionGuard guard(rewriter);
    exit = rewriter.createBlock(&function.getBody(), function.getBody().end());
    func::ReturnOp::create(rewriter, function.getLoc());
  }
  return exit;
}

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
    if (function.isExternal() && !isSharedKernel(function.getName()))
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
