// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Drives import: infers, finds what is live, lowers it in order, and reads
// the fetches.
#include "lib/Import/Import.h"

#include "lib/Import/Liveness.h"
#include "lib/Import/LoweringRegistry.h"
#include "lib/Import/RegionLowering.h"
#include "lib/Import/SizeWriter.h"
#include "lib/OpDefs/Foreign.h"
#include "lib/Support/CheckedMath.h"
#include "lib/Support/DTypeDispatch.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;

namespace kiln {
namespace {

/// One import.
class Importer {
public:
  Importer(MLIRContext &context, const Block &root,
           std::span<const FeedSpec> feeds, VariableShapes *shapes)
      : context(context), root(root), specs(feeds), shapes(shapes),
        inference(root, feeds, shapes), opBuilder(&context), builder(opBuilder),
        module(ModuleOp::create(UnknownLoc::get(&context))),
        state(inference, builder, *module) {}

  StatusOr<ImportedFunction> run(std::optional<AskedTensor> *asked) {
    StatusOr<ImportedFunction> result = write();
    if (asked)
      *asked = state.asked;
    return result;
  }

private:
  StatusOr<ImportedFunction> write() {
    KILN_RETURN_IF_ERROR(inference.run());
    KILN_RETURN_IF_ERROR(createFunction());
    findLive(inference);
    SizeWriter sizes(state);
    state.sizes = &sizes;
    KILN_RETURN_IF_ERROR(lowerBlock());
    KILN_RETURN_IF_ERROR(finishFunction());
    return takeResult();
  }

  Location locationOf(const Node &node) {
    return NameLoc::get(opBuilder.getStringAttr(state.pathOf(node)));
  }

  /// Demands that input i, on whose elements the shape of a tensor depends, is
  /// small enough for import to follow them.
  Status checkFollowed(const Node &node, int i, const Node &blamed) const {
    const SymShape &shape = inference.info(node.input(i)).shape;
    std::optional<int64_t> elements = shape.rankKnown ? 1 : 0;
    for (Dim dim : shape.dims)
      elements = elements && dim.isKnown() ? checkedMul(*elements, dim.value)
                                           : std::nullopt;
    if (!elements || *elements <= static_cast<int64_t>(maxContents))
      return okStatus();
    return unimplementedError(
               strCat("expected input ", i, " (", quote(node.input(i).name()),
                      ") of node ", quote(node.name()),
                      ", on whose value a shape depends, to have at most ",
                      maxContents, " elements, got ", *elements))
        .withNode(blamed.name());
  }

  /// Demands a tensor that native code can hold. `what` is "input 1" or the
  /// like.
  Status checkTensor(const Node &blamed, const Output &tensor,
                     std::string_view what) {
    const ValueInfo &info = inference.info(tensor);
    if (info.dtype == DType::Resource || inference.slotOf(info) >= 0)
      return okStatus();
    if (storedAs(info.dtype) == DType::Invalid)
      return unimplementedError(strCat("dtype ", dtypeName(info.dtype), " of ",
                                       what, " (", quote(tensor.name()),
                                       ") is not implemented"))
          .withNode(blamed.name());
    if (info.dynamicVariable >= 0 && inference.feedOf(tensor) < 0)
      return okStatus(); // another one at every place
    bool known = info.shape.rankKnown;
    for (Dim dim : info.shape.dims)
      known &= !dim.isUnknown();
    if (known)
      return okStatus();
    state.asked = inference.missingTensor();
    const MissingInput *missing = inference.missingInput(*tensor.node);
    if (missing && !missing->isExtents)
      KILN_RETURN_IF_ERROR(checkFollowed(*tensor.node, missing->input, blamed));
    std::string text =
        strCat("expected the shape of ", what, " (", quote(tensor.name()),
               ") to be known before the run, got ", toString(info.shape));
    if (missing)
      text += strCat(": it depends on the ",
                     missing->isExtents ? "extents" : "value", " of input ",
                     missing->input, " (",
                     quote(tensor.node->input(missing->input).name()),
                     ") of node ", quote(tensor.node->name()));
    if (missing && !missing->isExtents)
      text += strCat(", and values of more than ", maxContents,
                     " elements are not followed");
    return unimplementedError(std::move(text)).withNode(blamed.name());
  }

  Status createFunction() {
    SmallVector<Type> types;
    SmallVector<Location> locations;
    for (size_t i = 0; i < specs.size(); ++i) {
      const Output &feed = root.args[i];
      KILN_RETURN_IF_ERROR(checkTensor(*feed.node, feed, "feed"));
      const ValueInfo &info = inference.info(feed);
      if (storedAs(info.dtype) == DType::Invalid)
        return unimplementedError("resources cannot be fed")
            .withNode(feed.node->name());
      types.push_back(builder.tensorType(info.shape.dims, info.dtype));
      locations.push_back(locationOf(*feed.node));
    }
    opBuilder.setInsertionPointToEnd(module->getBody());
    function = func::FuncOp::create(opBuilder, opBuilder.getUnknownLoc(), "run",
                                    opBuilder.getFunctionType(types, {}));
    mlir::Block *body =
        opBuilder.createBlock(&function.getBody(), {}, types, locations);
    for (size_t i = 0; i < specs.size(); ++i)
      state.scope().lowered[Scope::key(root.args[i])].value =
          body->getArgument(static_cast<unsigned>(i));
    return okStatus();
  }

  /// Writes what is live of the block whose scope is entered.
  Status lowerBlock() {
    Scope &scope = state.scope();
    const Item *fails = scope.failure ? scope.failure->end : nullptr;
    for (const Item &item : scope.completedItems()) {
      KILN_ASSIGN_OR_RETURN(bool goesOn, lowerOrFail(item));
      if (!goesOn || inference.noteFailureBehind(scope, item))
        break;
    }
    // A view is read at the end at the latest, as one that is fetched.
    for (const Item &item : scope.completedItems())
      if (item.kind == Item::Kind::Node &&
          lookupOp(item.node->op())->has(forwardsRef))
        demandValues(*item.node);
    if (!scope.failure || !scope.failure->guard)
      return okStatus();
    // What else the item demands is checked first.
    if (scope.failure->end == fails)
      (void)state.sizes->before(*fails);
    state.sizes->fail(*scope.failure->guard);
    return okStatus();
  }
  /// False where the runs that come to the item fail there, which is noted.
  StatusOr<bool> lowerOrFail(const Item &item) {
    Scope &scope = state.scope();
    Status status = state.sizes->before(item), valid;
    const bool isChecked = !status.ok() || state.sizes->hasChecked();
    Operation *last = lastOperation();
    const VariableVersions::Place before =
        isChecked ? state.variables.place() : VariableVersions::Place();
    if (status.ok())
      status = lowerAny(item);
    // No run comes to code that is not valid where guards refuse them all.
    if (status.ok() && isChecked && item.kind == Item::Kind::Node)
      status = valid = verifyBehind(last);
    if (status.ok())
      return true;
    // What all runs come to fails at once, but for what guards say better.
    const bool mayFail =
        scope.mayNotRun || (isChecked && inference.mayFail(scope));
    if (!mayFail || !(isErrorOfRun(status) || !valid.ok()))
      return status;
    eraseBehind(last);
    if (isChecked)
      state.variables.returnTo(before);
    for (int i = 0; i < item.node->numOutputs(); ++i)
      scope.lowered.erase({item.node, i});
    state.failure = okStatus();
    inference.noteFailure(scope, item, std::move(status));
    return false;
  }
  Status lowerAny(const Item &item) {
    if (item.kind != Item::Kind::Node) {
      KILN_RETURN_IF_ERROR(lowerItem(item));
      state.sizes->behind(item);
      return okStatus();
    }
    if (state.scope().liveNodes.contains(item.node)) {
      KILN_RETURN_IF_ERROR(lowerNode(*item.node));
      state.sizes->after();
    }
    if (!lookupOp(item.node->op())->has(forwardsRef))
      demandValues(*item.node);
    return okStatus();
  }

  /// The last op that is written of the present block; null where none is.
  Operation *lastOperation() {
    mlir::Block *block = opBuilder.getInsertionBlock();
    return block->empty() ? nullptr : &block->back();
  }
  void eraseBehind(Operation *last) {
    mlir::Block *block = opBuilder.getInsertionBlock();
    while (lastOperation() != last) {
      block->back().dropAllUses();
      block->back().erase();
    }
    opBuilder.setInsertionPointToEnd(block);
  }
  /// Demands values of the variables that a node takes without looking at
  /// them.
  void demandValues(const Node &node) {
    state.variables.setOp(node.op());
    for (int i : referencesByValue(inference, node))
      if (const Lowered *found = state.scope().findLowered(node.input(i));
          found && found->variable >= 0) {
        builder.setLocation(locationOf(node));
        state.variables.demandValue(found->variable, builder,
                                    state.pathOf(node));
      }
  }
  Status lowerInner(const Block &block) {
    Scope &outer = state.scope();
    Scope &inner = inference.scopeOf(block);
    // What lowerings demand is checked where inference demands the rest.
    std::optional<DimSpace::Region> region;
    if (inner.region != outer.region)
      region.emplace(inference.dims(), inner.region, !inner.mayNotRun);
    inference.enter(inner);
    Status status = lowerBlock();
    inference.enter(outer);
    return status;
  }
  Status lowerItem(const Item &item) {
    if (!state.scope().liveItems.contains(&item))
      return okStatus();
    RegionLowering regions(
        state, [this](const Block &block) { return lowerInner(block); },
        [this, &item](const Output &tensor, std::string_view what) {
          return checkTensor(*item.node, tensor, what);
        });
    builder.setLocation(locationOf(*item.node));
    return regions.lower(item).withNode(item.node->name());
  }

  Status lowerNode(const Node &node) {
    const OpDef &def = *lookupOp(node.op());
    state.variables.setOp(node.op());
    if (inference.isDone(node)) {
      LoweringContext(state, node, def, false).forward(0, 0);
      return okStatus();
    }
    if (const Node *leader = inference.leaderOf(node)) {
      for (int i = 0; i < leader->numOutputs(); ++i)
        if (const Lowered *given = state.scope().findLowered({leader, i}))
          state.scope().lowered[{&node, i}] = *given;
      return okStatus();
    }
    LoweringRegistry::Lowering lowering =
        hasComplexType(node, def) ? loweringRegistry().lookupComplex(def)
                                  : loweringRegistry().lookup(def);
    KILN_RETURN_IF_ERROR(checkHasValues(node));
    Status status = lowering.lower
                        ? checkSupported(node, def)
                        : unimplementedError(
                              strCat("op ", quote(node.op()),
                                     " is not implemented for a value that is "
                                     "computed in the run"));
    if (status.ok())
      status = lowerAs(node, def, lowering);
    if (status.code() == StatusCode::Unimplemented && foreignLibrary() &&
        mayBeForeign(node, def)) {
      Status foreign = lowerAs(node, def, {lowerForeign, /*computes=*/false});
      if (foreign.code() != StatusCode::Unimplemented)
        status = std::move(foreign);
    }
    return status.withNode(node.name());
  }

  /// Without a value a variable has no shape that code could be made for.
  Status checkHasValue(const Node &node, const Output &tensor) {
    const int open = inference.info(tensor).dynamicVariable;
    const Lowered *found = state.scope().findLowered(tensor);
    if (open < 0 || !found || found->variable < 0 ||
        !state.variables.hasNoShape(found->variable))
      return okStatus();
    ImportedVariable variable = state.variables.at(found->variable);
    variable.readerOp = node.op();
    return (shapes ? shapes->noValue(variable)
                   : failedPreconditionError(
                         strCat("expected variable ", quote(variable.name),
                                " to have a value, whose shape decides")))
        .withNode(state.pathOf(node));
  }
  Status checkHasValues(const Node &node) {
    const OpDef &def = *lookupOp(node.op());
    bool passes = (def.has(forwardsRef) || def.has(passesOn)) &&
                  inference.computed(node, 0).dynamicVariable >= 0;
    if (passes || def.has(allowsUninitializedInput) ||
        def.role == OpRole::Assign)
      return okStatus();
    for (const Output &input : node.inputs())
      KILN_RETURN_IF_ERROR(checkHasValue(node, input));
    return okStatus();
  }

  Status lowerAs(const Node &node, const OpDef &def,
                 const LoweringRegistry::Lowering &lowering) {
    for (int i = 0; i < node.numInputs(); ++i)
      KILN_RETURN_IF_ERROR(
          checkTensor(node, node.input(i), strCat("input ", i)));
    LoweringContext ctx(state, node, def, lowering.computes);
    for (int i = 0; i < ctx.numOutputs(); ++i)
      KILN_RETURN_IF_ERROR(checkTensor(node, {&node, i}, strCat("output ", i)));
    builder.setLocation(locationOf(node));
    inference.dims().setNode(node.name());
    KILN_RETURN_IF_ERROR(lowering.lower(ctx).withNode(node.name()));
    KILN_RETURN_IF_ERROR(Status(state.failure).withNode(node.name()));
    return checkOutputs(node, ctx);
  }

  Status checkOutputs(const Node &node, LoweringContext &ctx) const {
    for (int i = 0; i < ctx.numOutputs(); ++i) {
      const Lowered *found = state.scope().findLowered({&node, i});
      if (inference.feedOf({&node, i}) >= 0 ||
          inference.slotOf(inference.computed(node, i)) >= 0 ||
          (found && found->variable >= 0) ||
          (!found && inference.contents({&node, i})))
        continue;
      if (!found || !found->value)
        return internalError(strCat("op ", node.op(), " set no output ", i))
            .withNode(node.name());
      if (Type got = found->value.getType(); got != ctx.storedOutputType(i)) {
        std::string text;
        llvm::raw_string_ostream(text)
            << "expected output " << i << " of op " << node.op()
            << " to have type " << ctx.storedOutputType(i) << ", got " << got;
        return internalError(text).withNode(node.name());
      }
    }
    return okStatus();
  }

  /// Reads the fetches after all writes: a fetched view shows the variable's
  /// last value.
  Status finishFunction() {
    SmallVector<Value> results;
    state.variables.setOp({});
    if (state.scope().failure)
      giveAnything();
    for (const PlanValue &result : root.results) {
      const Output &fetch = result.output();
      KILN_RETURN_IF_ERROR(checkTensor(*fetch.node, fetch, "fetch"));
      const ValueInfo &info = inference.info(fetch);
      builder.setLocation(locationOf(*fetch.node));
      // Handles of older TensorArrays and stacks are strings.
      if (inference.slotOf(info) >= 0) {
        KILN_ASSIGN_OR_RETURN(results.emplace_back(),
                              isStack(*fetch.node) ? stackHandle(*fetch.node)
                                                   : readSlot());
        continue;
      }
      if (storedAs(info.dtype) == DType::Invalid)
        return unimplementedError(
                   strCat(info.dtype == DType::Resource ? "resources" : "lists",
                          " cannot be fetched"))
            .withNode(fetch.node->name());
      KILN_RETURN_IF_ERROR(checkHasValue(*fetch.node, fetch));
      results.push_back(readLowered(state, fetch, fetch.node->name()));
    }
    KILN_RETURN_IF_ERROR(state.failure);
    func::ReturnOp::create(opBuilder, opBuilder.getUnknownLoc(), results);
    function.setFunctionType(opBuilder.getFunctionType(
        function.getArgumentTypes(), ValueRange(results).getTypes()));
    eraseDeadOps();
    return verified(*module);
  }

  /// Fetches that a run does not come to have a type all the same.
  void giveAnything() {
    Scope &scope = state.scope();
    for (const PlanValue &result : root.results) {
      const Output &fetch = result.output();
      Lowered &lowered = scope.lowered[Scope::key(fetch)];
      const bool isString = fetch.dtype() == DType::String;
      if (lowered.value || lowered.variable >= 0 || inference.contents(fetch) ||
          storedAs(fetch.dtype()) == DType::Invalid)
        continue;
      ValueInfo info;
      info.dtype = fetch.dtype();
      info.shape = SymShape::scalar();
      lowered.value = isString
                          ? state.store(Tensor::scalar(std::string_view()))
                          : builder.scalar(builder.elementType(info.dtype), 0);
      scope.tensors[Scope::key(fetch)] = std::move(info);
    }
  }

  /// Whether a program may have the handle that the node gives.
  static bool isStack(const Node &node) { return node.op() == "Stack"; }

  /// A stack's handle: two strings, of which the second names it alone. (Where
  /// TensorFlow counts the stacks of a process, this is the node's number.)
  StatusOr<Value> stackHandle(const Node &node) {
    auto name = node.attrOr<std::string>("stack_name", "");
    std::string own = strCat(name.empty() ? node.name() : name, "_", node.id());
    KILN_ASSIGN_OR_RETURN(Tensor handle,
                          Tensor::fromStrings(Shape({2}), {"_stacks", own}));
    return state.store(std::move(handle));
  }

  /// What stands for a TensorArray, a stack or a list that is fetched: the run
  /// makes it, with the errors that this has, and ends there.
  StatusOr<Value> readSlot() {
    builder.kernelCall("ListFetched", {}, mlir::TypeRange());
    return builder.scalar(builder.elementType(slotFetchType), 0);
  }
  static constexpr DType slotFetchType = DType::Bool;

  /// Drops what lowerings read and then did not use, so that the printed import
  /// shows only the run.
  void eraseDeadOps() {
    function->walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
      if (isOpTriviallyDead(op))
        op->erase();
    });
  }

  /// **Errors**: INTERNAL with the node whose code is not valid.
  Status verified(Operation *op) {
    std::string text, node;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      if (text.empty()) {
        text = diagnostic.str();
        if (auto name = dyn_cast<NameLoc>(diagnostic.getLocation()))
          node = name.getName().str();
      }
      return success();
    });
    if (succeeded(verify(op)))
      return okStatus();
    return internalError(strCat("import made invalid IR: ", text))
        .withNode(node);
  }
  /// The same of what is written of the present block behind an operation.
  Status verifyBehind(Operation *last) {
    mlir::Block *block = opBuilder.getInsertionBlock();
    auto begin = last ? std::next(last->getIterator()) : block->begin();
    for (Operation &op : llvm::make_range(begin, block->end()))
      KILN_RETURN_IF_ERROR(verified(&op));
    return okStatus();
  }

  ImportedTensor describe(const Output &output) const {
    const ValueInfo &info = inference.info(output);
    if (inference.slotOf(info) >= 0 && isStack(*output.node))
      return {output.node->name(), DType::String, {Dim::known(2)}};
    if (inference.slotOf(info) >= 0)
      return {output.node->name(), slotFetchType, {}};
    return {output.node->name(), info.dtype, info.shape.dims};
  }

  static Dims dimsOf(RankedTensorType type) {
    Dims dims;
    for (ir::Extent extent : ir::extentsOf(type))
      dims.push_back(extent.isKnown()
                         ? Dim::known(extent.value)
                         : Dim::ofSymbol(static_cast<int32_t>(extent.symbol)));
    return dims;
  }

  ImportedFunction takeResult() {
    ImportedFunction result;
    for (const Output &feed : root.args)
      result.feeds.push_back(describe(feed));
    for (const PlanValue &fetch : root.results)
      result.fetches.push_back(describe(fetch.output()));
    result.module = std::move(module);
    result.constants = std::move(state.constants);
    for (size_t i = 0; i < result.fetches.size(); ++i)
      if (inference.info(root.results[i].output()).dynamicVariable >= 0)
        result.fetches[i].dims =
            dimsOf(cast<RankedTensorType>(function.getResultTypes()[i]));
    for (size_t i = 0; i < state.variables.size(); ++i)
      if (int variable = static_cast<int>(i);
          state.variables.usesShape(variable))
        inference.dynamicVariables().demand(state.variables.at(variable));
    result.variables = state.variables.take();
    result.openShapes = inference.dynamicVariables().take();
    result.streams = std::move(state.streams);
    result.bodies = std::move(state.bodies);
    result.symbols = inference.dims().symbols();
    result.fedValues = inference.takeFedValues();
    return result;
  }

  MLIRContext &context;
  const Block &root;
  std::span<const FeedSpec> specs;
  VariableShapes *shapes;
  SymbolicInference inference;
  OpBuilder opBuilder;
  IrBuilder builder;
  OwningOpRef<ModuleOp> module;
  ImportState state;
  func::FuncOp function;
};

} // namespace

StatusOr<ImportedFunction> importGraph(MLIRContext &context, const Block &root,
                                       std::span<const FeedSpec> feeds,
                                       std::optional<AskedTensor> *asked,
                                       VariableShapes *shapes) {
  context.loadDialect<ir::KilnDialect, func::FuncDialect>();
  return Importer(context, root, feeds, shapes).run(asked);
}

} // namespace kiln
