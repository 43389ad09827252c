// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls, branches and loops as kiln.if and kiln.while.
#include "lib/Import/RegionLowering.h"

#include "lib/Import/SizeWriter.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

using namespace mlir;

namespace kiln {
namespace {

/// Goes into a scope and, at the end, back.
class InScope {
public:
  InScope(SymbolicInference &inference, const Block &block)
      : inference(inference), outer(inference.scope()) {
    inference.enter(inference.scopeOf(block));
  }
  ~InScope() { inference.enter(outer); }
  InScope(const InScope &) = delete;
  InScope &operator=(const InScope &) = delete;

private:
  SymbolicInference &inference;
  Scope &outer;
};

bool isLive(const Scope &scope, const Output &output) {
  return scope.live.contains(Scope::key(output));
}

} // namespace

Status RegionLowering::lower(const Item &item) {
  name = state.pathOf(*item.node);
  if (state.runSizes)
    ownDims.assign(state.runSizes->binds.begin(), state.runSizes->binds.end());
  if (item.kind == Item::Kind::Call)
    return lowerCall(item, *item.first);
  if (item.kind == Item::Kind::While)
    return lowerWhile(item);
  if (item.kind == Item::Kind::Fail)
    return lowerFail(item);
  int taken = state.inference.takenBranch(item);
  return taken < 0 ? lowerIf(item)
                   : lowerCall(item, taken == 0 ? *item.first : *item.second);
}

Status RegionLowering::lowerFail(const Item &item) {
  SmallVector<Value> numbers;
  switch (item.failure.reason) {
  case Failure::Reason::DeadFetch:
    state.builder.fail("FailNoValue", item.failure.fetch);
    break;
  case Failure::Reason::EmptyOptional:
    state.builder.fail("FailNoOptional", 0);
    break;
  case Failure::Reason::EndlessFor:
    for (const PlanValue &operand : item.operands)
      numbers.push_back(readLowered(state, operand.output(), reader()));
    state.builder.kernelCall("FailFor", numbers, TypeRange());
    break;
  }
  return okStatus();
}

Type RegionLowering::typeOf(const Output &tensor) {
  const ValueInfo &info = state.inference.info(tensor);
  return state.builder.tensorType(info.shape.dims, info.dtype);
}

void RegionLowering::bindArgs(const Item &item, const Block &block) {
  Scope &inner = state.inference.scopeOf(block);
  for (size_t i = 0; i < block.args.size(); ++i)
    if (const Lowered *known =
            state.scope().findLowered(item.operands[i].output()))
      inner.lowered[Scope::key(block.args[i])] = *known;
}

Status RegionLowering::lowerCall(const Item &item, const Block &block) {
  bindArgs(item, block);
  KILN_RETURN_IF_ERROR(lowerBlock(block));
  Scope &inner = state.inference.scopeOf(block);
  for (size_t i = 0; i < item.results.size(); ++i)
    if (isLive(state.scope(), item.results[i]) && block.results[i].isTensor())
      if (const Lowered *known = inner.findLowered(block.results[i].output()))
        state.scope().lowered[Scope::key(item.results[i])] = *known;
  return okStatus();
}

void RegionLowering::moveSlots(const Item &item, SmallVector<SlotMove> moves,
                               bool keeps) {
  llvm::erase_if(moves, [](SlotMove move) { return move.from == move.to; });
  SlotSpace &slots = state.inference.slots();
  auto apply = [&](SlotMove move) {
    SmallVector<int64_t> numbers = {slots.numberOf(move.to),
                                    slots.numberOf(move.from)};
    if (!move.copies)
      numbers.push_back(keeps);
    state.builder.kernelCall(move.copies ? "ListCopy" : "SlotPick", {},
                             TypeRange(), numbers);
  };
  // What lies where another goes steps aside first.
  for (SlotMove &move : moves)
    if (llvm::any_of(moves,
                     [&](SlotMove other) { return other.to == move.from; })) {
      int aside = slots.slotOf(state.scope().block.path, &item,
                               strCat("aside ", move.from));
      if (!move.copies)
        slots.pick(aside, move.from, move.from);
      apply({move.from, aside, move.copies});
      move.from = aside;
    }
  for (SlotMove move : moves)
    apply(move);
}

Value RegionLowering::truth(const Output &tensor) {
  state.sizes->begin();
  Value value = readTruth(state, tensor, reader());
  state.sizes->end();
  return value;
}

Status RegionLowering::checkCondition(const Item &item,
                                      const Output &condition) {
  KILN_RETURN_IF_ERROR(check(condition, "the condition"));
  // TensorFlow makes a Switch of the node, which takes a scalar; the function
  // call that it is otherwise takes all that has elements for true.
  const SymShape &shape = state.inference.info(condition).shape;
  if (shape.rank() == 0 ||
      !item.node->attrOr<bool>("_lower_using_switch_merge", false))
    return okStatus();
  return invalidArgumentError(
      strCat("The second input must be a scalar, but it has shape ",
             state.inference.dims().format(shape.dims)));
}

StatusOr<Value> RegionLowering::condition(const Item &item) {
  KILN_RETURN_IF_ERROR(checkCondition(item, item.condition.output()));
  if (!item.number)
    return truth(item.condition.output());
  Value value = readLowered(state, item.condition.output(), reader());
  IrBuilder &ir = state.builder;
  if (IrBuilder::typeOf(value).getRank() != 0)
    return invalidArgumentError("expected branch_index to be a scalar");
  return ir.compare(ir::Predicate::eq, value,
                    ir.scalarInt(IrBuilder::elementOf(value), *item.number));
}

std::vector<Value> RegionLowering::values(const std::vector<PlanValue> &tensors,
                                          TypeRange types) {
  std::vector<Value> list;
  IrBuilder &ir = state.builder;
  std::vector<size_t> places; // of what has dimensions that differ by path
  SmallVector<int64_t> binds;
  for (auto [i, pair] : llvm::enumerate(llvm::zip_equal(tensors, types))) {
    const auto &[tensor, type] = pair;
    auto wanted = cast<RankedTensorType>(type);
    Value given = tensor.isTensor()
                      ? readLowered(state, tensor.output(), reader())
                      : Value();
    // What is bound has the extents of the value, which is empty where no op
    // uses it.
    ir::Extents extents = ir::extentsOf(wanted);
    bool isBound = false;
    for (auto [d, extent] : llvm::enumerate(extents)) {
      if (extent.isKnown() || !llvm::is_contained(ownDims, extent.symbol))
        continue;
      if (given && ir::extentsOf(given)[d] == extent)
        continue; // the iteration leaves it as it is
      if (!llvm::is_contained(binds, extent.symbol))
        binds.push_back(extent.symbol);
      extent = given ? ir::extentsOf(given)[d] : ir::Extent::known(0);
      isBound = true;
    }
    auto own = ir::tensorTypeOf(extents, wanted.getElementType());
    if (given)
      list.push_back(ir.reshape(given, own));
    else if (isa<ir::StringType>(own.getElementType()))
      list.push_back(
          ir.broadcast(state.store(Tensor::scalar(std::string_view())), own));
    else
      list.push_back(
          ir.splatInt(own, tensor.isConstant() ? tensor.number() : 0));
    if (isBound)
      places.push_back(i);
  }
  if (places.empty())
    return list;
  SmallVector<Value> operands;
  SmallVector<Type> results;
  for (size_t i : places) {
    operands.push_back(list[i]);
    results.push_back(types[i]);
  }
  auto bind = ir::BindOp::create(ir.opBuilder(), ir.location(), results, binds,
                                 operands);
  for (auto [i, result] : llvm::zip_equal(places, bind.getResults()))
    list[i] = result;
  return list;
}

Status RegionLowering::lowerIf(const Item &item) {
  IrBuilder &ir = state.builder;
  OpBuilder &builder = ir.opBuilder();
  Location loc = ir.location();
  KILN_ASSIGN_OR_RETURN(Value decides, condition(item));
  // What the branches yield: the results that are live.
  std::vector<size_t> yielded, slots;
  SmallVector<Type> types;
  for (size_t i = 0; i < item.results.size(); ++i)
    if (isLive(state.scope(), item.results[i])) {
      const ValueInfo &info = state.inference.info(item.results[i]);
      if (isSlot(item.results[i]))
        slots.push_back(i);
      if (info.dtype == DType::Resource || isSlot(item.results[i]))
        continue; // the branches give one variable: see below
      KILN_RETURN_IF_ERROR(check(item.results[i], strCat("result ", i)));
      yielded.push_back(i);
      types.push_back(typeOf(item.results[i]));
    }
  auto branch = ir::IfOp::create(builder, loc, types, decides);
  VariableVersions::Place before = state.variables.place();
  VariableVersions::Place ends[2];
  for (int i = 0; i < 2; ++i) {
    const Block &block = i == 0 ? *item.first : *item.second;
    OpBuilder::InsertionGuard guard(builder);
    mlir::Block &to = i == 0 ? branch.thenBlock() : branch.elseBlock();
    builder.setInsertionPointToEnd(&to);
    state.variables.returnTo(before);
    VariableVersions::MayNotRun mayNotRun(state.variables, to);
    SizeWriter::Region region(*state.sizes);
    bindArgs(item, block);
    KILN_RETURN_IF_ERROR(lowerBlock(block));
    ir.setLocation(loc);
    SmallVector<SlotMove> moves;
    for (size_t k : slots)
      moves.push_back({-1, slotOf(item.results[k]), isList(item.results[k])});
    InScope scope(state.inference, block);
    // What fails gives nothing.
    const bool fails = state.scope().failure.has_value();
    for (auto [k, move] : llvm::zip_equal(slots, moves))
      move.from = block.results[k].isTensor() && !fails
                      ? slotOf(block.results[k].output())
                      : move.to;
    moveSlots(item, std::move(moves));
    std::vector<PlanValue> given;
    for (size_t k : yielded)
      given.push_back(fails ? PlanValue() : block.results[k]);
    ir::YieldOp::create(builder, loc, values(given, types));
    ends[i] = state.variables.place();
  }
  // What comes behind comes behind a branch that has not failed.
  if (state.inference.scopeOf(*item.first).failure)
    ends[0] = ends[1];
  else if (state.inference.scopeOf(*item.second).failure)
    ends[1] = ends[0];
  state.variables.join(before, {ends[0], ends[1]});
  state.sizes->bind(ownDims);
  for (auto [k, result] : llvm::zip_equal(yielded, branch.getResults()))
    state.scope().lowered[Scope::key(item.results[k])].value = result;
  return state.inference.errorInside(item) ? okStatus()
                                           : forwardVariables(item);
}

Status RegionLowering::forwardVariables(const Item &item) {
  for (size_t k = 0; k < item.results.size(); ++k) {
    if (!isLive(state.scope(), item.results[k]) ||
        state.inference.info(item.results[k]).dtype != DType::Resource ||
        isSlot(item.results[k]))
      continue;
    const Scope &firstScope = state.inference.scopeOf(*item.first),
                &secondScope = state.inference.scopeOf(*item.second);
    auto find = [&](const Scope &scope, const PlanValue &value) {
      return value.isTensor() ? scope.findLowered(value.output()) : nullptr;
    };
    const Lowered *first = find(firstScope, item.first->results[k]),
                  *second = find(secondScope, item.second->results[k]);
    // What fails, or gives nothing, decides nothing.
    if (firstScope.failure || item.first->results[k].isNone())
      first = second;
    if (secondScope.failure || item.second->results[k].isNone())
      second = first;
    if (!first || !second || first->variable < 0 ||
        first->variable != second->variable)
      return unimplementedError(
          strCat("expected both branches to give one variable as result ", k,
                 ", got two"));
    state.scope().lowered[Scope::key(item.results[k])] = *first;
  }
  return okStatus();
}

Status RegionLowering::findCarried(const Item &item, LoopValues &values) {
  const Block &before = *item.first;
  Scope &outer = state.scope();
  Scope &first = state.inference.scopeOf(before);
  for (size_t i = 0; i < before.args.size(); ++i) {
    if (!isLive(first, before.args[i]))
      continue;
    if (first.isInvariant[i]) {
      if (const Lowered *known = outer.findLowered(item.operands[i].output()))
        first.lowered[Scope::key(before.args[i])] = *known;
      continue;
    }
    int entry = slotOf(item.operands[i].output());
    InScope scope(state.inference, before);
    if (int slot = slotOf(before.args[i]); slot >= 0) {
      values.slots.push_back(i);
      values.entering.push_back({entry, slot, isList(before.args[i])});
      continue;
    }
    KILN_RETURN_IF_ERROR(check(before.args[i], strCat("loop variable ", i)));
    if (state.inference.info(before.args[i]).dtype == DType::Resource)
      return unimplementedError(
          strCat("expected loop variable ", i,
                 " to be the same variable in every iteration, got another"));
    values.carried.push_back(i);
    values.carriedTypes.push_back(typeOf(before.args[i]));
  }
  return okStatus();
}

Status RegionLowering::findForwarded(const Item &item, LoopValues &values) {
  const Block &before = *item.first, &body = *item.second;
  Scope &outer = state.scope();
  Scope &second = state.inference.scopeOf(body);
  for (size_t i = 0; i < before.results.size(); ++i) {
    if (!isLive(outer, item.results[i]) && !isLive(second, body.args[i]))
      continue;
    if (auto alias = second.aliases.find(Scope::key(body.args[i]));
        alias != second.aliases.end()) {
      if (const Lowered *known =
              alias->second.first->findLowered(alias->second.second)) {
        second.lowered[Scope::key(body.args[i])] = *known;
        outer.lowered[Scope::key(item.results[i])] = *known;
      }
      continue;
    }
    InScope scope(state.inference, before);
    const Output &given = before.results[i].output();
    if (isSlot(given))
      continue;
    KILN_RETURN_IF_ERROR(check(given, strCat("loop value ", i)));
    if (state.inference.info(given).dtype == DType::Resource)
      return unimplementedError(
          strCat("expected loop value ", i,
                 " to be the same variable in every iteration, got another"));
    values.forwarded.push_back(i);
    values.forwardedTypes.push_back(typeOf(given));
  }
  return okStatus();
}

Status RegionLowering::lowerTest(const Item &item, const LoopValues &loop,
                                 mlir::Block &block) {
  const Block &before = *item.first;
  Scope &first = state.inference.scopeOf(before);
  OpBuilder &builder = state.builder.opBuilder();
  Location loc = state.builder.location();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(&block);
  SizeWriter::Region region(*state.sizes);
  for (auto [i, arg] : llvm::zip_equal(loop.carried, block.getArguments()))
    first.lowered[Scope::key(before.args[i])].value = arg;
  KILN_RETURN_IF_ERROR(lowerBlock(before));
  state.builder.setLocation(loc);
  InScope scope(state.inference, before);
  KILN_RETURN_IF_ERROR(checkCondition(item, before.condition.output()));
  Value decides = truth(before.condition.output());
  std::vector<PlanValue> given;
  for (size_t i : loop.forwarded)
    given.push_back(before.results[i]);
  ir::ConditionOp::create(builder, loc, decides,
                          values(given, loop.forwardedTypes));
  return okStatus();
}

Status RegionLowering::lowerBody(const Item &item, const LoopValues &loop,
                                 mlir::Block &block) {
  const Block &body = *item.second;
  Scope &second = state.inference.scopeOf(body);
  OpBuilder &builder = state.builder.opBuilder();
  Location loc = state.builder.location();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(&block);
  VariableVersions::MayNotRun mayNotRun(state.variables, block);
  SizeWriter::Region region(*state.sizes);
  for (auto [i, arg] : llvm::zip_equal(loop.forwarded, block.getArguments()))
    second.lowered[Scope::key(body.args[i])].value = arg;
  KILN_RETURN_IF_ERROR(lowerBlock(body));
  state.builder.setLocation(loc);
  InScope scope(state.inference, body);
  const bool fails = second.failure.has_value();
  SmallVector<SlotMove> moves;
  for (auto [i, move] : llvm::zip_equal(loop.slots, loop.entering))
    moves.push_back({fails ? move.to : slotOf(body.results[i].output()),
                     move.to, move.copies});
  moveSlots(item, std::move(moves), /*keeps=*/true);
  std::vector<PlanValue> next;
  for (size_t i : loop.carried)
    next.push_back(fails ? PlanValue() : body.results[i]);
  ir::YieldOp::create(builder, loc, values(next, loop.carriedTypes));
  return okStatus();
}

Status RegionLowering::lowerWhile(const Item &item) {
  const Block &before = *item.first, &body = *item.second;
  LoopValues loop;
  KILN_RETURN_IF_ERROR(findCarried(item, loop));
  KILN_RETURN_IF_ERROR(findForwarded(item, loop));
  moveSlots(item, loop.entering);
  std::vector<PlanValue> inits;
  for (size_t i : loop.carried)
    inits.push_back(item.operands[i]);
  IrBuilder &ir = state.builder;
  auto op =
      ir::WhileOp::create(ir.opBuilder(), ir.location(), loop.forwardedTypes,
                          values(inits, loop.carriedTypes));
  state.sizes->bind(ownDims);
  // A value that was read before the loop is another in a later iteration, if
  // the loop writes the variable.
  if (writesVariable(before) || writesVariable(body))
    state.variables.forget();
  VariableVersions::Place entry = state.variables.place();
  KILN_RETURN_IF_ERROR(lowerTest(item, loop, op.beforeBlock()));
  state.sizes->bind(state.inference.scopeOf(before).bound);
  VariableVersions::Place tested = state.variables.place();
  VariableVersions::Place atBody = tested;
  // Values of the first block are not seen in the second.
  for (VariableVersions::Place::Version &version : atBody.versions)
    version.current = Value();
  state.variables.returnTo(atBody);
  KILN_RETURN_IF_ERROR(lowerBody(item, loop, op.afterBlock()));
  state.variables.join(entry, {tested, state.variables.place()});
  for (auto [i, result] : llvm::zip_equal(loop.forwarded, op.getResults()))
    state.scope().lowered[Scope::key(item.results[i])].value = result;
  return okStatus();
}

} // namespace kiln
