// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tf.gradients: finds what lies between the ys and the xs, and walks it back.
#include "kiln/Gradients.h"

#include "kiln/ops/ControlOps.h"
#include "lib/Autodiff/AggregateGradients.h"
#include "lib/Autodiff/Backward.h"
#include "lib/Autodiff/CustomGradient.h"
#include "lib/Autodiff/FunctionBodies.h"
#include "lib/Autodiff/FunctionGradients.h"
#include "lib/Autodiff/GradientCall.h"
#include "lib/Autodiff/LoopStates.h"
#include "lib/Build/FunctionGraph.h"
#include "lib/Build/UnpublishedNodes.h"
#include "lib/Graph/Function.h"
#include "lib/Graph/TensorText.h"
#include "lib/OpDefs/OpDef.h"
#include "lib/Support/Strings.h"

#include <deque>
#include <unordered_map>
#include <unordered_set>

namespace kiln {

namespace {
thread_local bool isFlat = false;
} // namespace

bool isFlatGradient() noexcept { return isFlat; }

bool isTrainable(DType dtype) {
  return (isFlat && isInteger(dtype)) || isFloating(dtype) ||
         isComplex(dtype) || dtype == DType::Resource ||
         dtype == DType::Variant;
}

Output defaultZeros(const Output &tensor) {
  if (tensor.dtype() != DType::Resource)
    return ops::zerosLike(tensor);
  auto variable = variableOfHandle(tensor);
  return ops::zeros(addOp("VariableShape", {tensor}),
                    {.dtype = variable ? variable->first : DType::Float32});
}

namespace {

/// Whether the node calls functions: their gradient knows what to do where
/// nothing depends on an output.
bool isCall(const Node &node) {
  const OpDef *def = lookupOp(node.op());
  return !def || def->has(callsFunctions);
}

/// Whether the op is a function of the library.
bool isCallByName(BuildState &state, const Node &node) {
  SharedFunctions library = rootOf(state).graph->functionLibrary();
  return library && !lookupOp(node.op()) && library->find(node.op());
}

/// What is said where an op has no gradient.
Status noGradientOf(const Node &node) {
  if (isFlat)
    return notFoundError(
        strCat("No gradient defined for op: ", node.op(),
               ". Please see https://www.tensorflow.org/code/tensorflow/cc/"
               "gradients/README.md for instructions on how to add C++ "
               "gradients."));
  return notFoundError(
             strCat("No gradient defined for operation'", node.name(),
                    "' (op type: ", node.op(),
                    "). In general every operation must have an associated "
                    "`@tf.RegisterGradient` for correct autodiff, which "
                    "this op is lacking. If you want to pretend this "
                    "operation is a constant in your program, you may insert "
                    "`tf.stop_gradient`. This can be useful to silence the "
                    "error in cases where you know gradients are not needed, "
                    "e.g. the forward pass of tf.custom_gradient. Please see "
                    "more details in https://www.tensorflow.org/api_docs/"
                    "python/tf/custom_gradient."))
      .withNode(node.name());
}

/// One call of gradients(). **Source**: gradients_util._GradientsHelper.
class Backward {
public:
  Backward(BuildState &state, const GradientOptions &options)
      : state(state), options(options), hold(state), loops(state) {}

  std::vector<Gradient> run(const std::vector<Output> &ys,
                            const std::vector<Output> &xs) {
    std::vector<Gradient> none(xs.size());
    for (const Output &y : ys)
      learnOutputs(state, *y.node);
    if (!setGradientsOfYs(ys))
      return none;
    for (const Output &x : xs)
      xNodes.insert(x.node);
    findBetween(ys, xs);
    loops.addLoops(between, isBetween);
    if (state.failed())
      return none;
    for (const Node *node : between)
      for (const Output &input : node->inputs())
        if (isBetween.contains(input.node))
          ++pending[input.node];
    std::unordered_set<const Node *> stops = stopNodes(xs);
    std::unordered_set<const Node *> queued;
    for (const Output &y : ys)
      if (pending[y.node] == 0 && isReached.contains(y.node) &&
          queued.insert(y.node).second)
        ready.push_back(y.node);
    for (const Output &exit : loops.unusedExits(pending, queued))
      if (isTrainable(exit.dtype())) {
        setZerosOfExit(exit);
        ready.push_back(exit.node);
      }
    // Enters end the walk in a loop, also where no x is behind them.
    for (const Node *enter : loops.enters())
      if (pending[enter] == 0 && isBetween.insert(enter).second)
        pending[enter] = 1;
    while (!ready.empty()) {
      const Node *node = ready.front();
      ready.pop_front();
      visit(*node, stops.contains(node));
      if (state.failed())
        return none;
      for (const Output &input : node->inputs())
        if (isBetween.contains(input.node))
          giveBack(input);
    }
    loops.finish();
    std::vector<Gradient> results;
    for (const Output &x : xs)
      results.push_back(gradientOf(x));
    return state.failed() ? none : results;
  }

private:
  using Contributions = std::vector<std::vector<Gradient>>;

  std::vector<Gradient> &contributions(const Output &tensor) {
    Contributions &all = received[tensor.node];
    if (all.empty())
      all.resize(static_cast<size_t>(std::max(tensor.node->numOutputs(), 1)));
    return all[static_cast<size_t>(tensor.index)];
  }

  /// One use of a tensor is done.
  void giveBack(const Output &tensor) {
    const Node &node = *tensor.node;
    int left = --pending[&node];
    bool isFirstVisit =
        left > 0 && loops.isLoopSwitch(node) && begun.insert(&node).second;
    if (left != 0 && !isFirstVisit)
      return;
    if (!isLoopExit(node)) {
      ready.push_back(&node);
      return;
    }
    for (const Node *exit : loops.exitReady(
             tensor, [&](const Node &each) { return received.contains(&each); },
             [&](const Output &unused) {
               if (isTrainable(unused.dtype()))
                 setZerosOfExit(unused);
             }))
      ready.push_back(exit);
  }

  void setZerosOfExit(const Output &exit) {
    if (Gradient zeros = loops.of(*exit.node)->zerosForExit(exit);
        !zeros.isNone())
      contributions(exit).push_back(zeros);
  }

  bool fail(Status error) {
    state.fail(std::move(error));
    return false;
  }

  /// What a given gradient must be for a y. **Source**: _DefaultGradYs.
  Status checkGradientOf(const Output &y, const Gradient &given) {
    DType dtype = y.dtype(), got = given.dtype();
    auto isReal = [](DType type) {
      return isFloating(type) || isInteger(type);
    };
    if (isReal(dtype) ? !isReal(got) : isComplex(dtype) && !isComplex(got))
      return invalidArgumentError(
          strCat("Gradient type ", dtypeName(got), " generated for ",
                 isReal(dtype) ? "real or integer-valued" : "complex-valued",
                 " tensor ", tensorText(y), " with type ", dtypeName(dtype),
                 isReal(dtype) ? " must be real or integer" : " must be real"));
    if (!isReal(dtype) && !isComplex(dtype) && dtype != DType::Variant &&
        dtype != DType::Resource)
      return invalidArgumentError(strCat("Tensor ", tensorText(y),
                                         " with type ", dtypeName(dtype),
                                         " must be numeric to obtain a default "
                                         "gradient"));
    return okStatus();
  }

  bool setGradientsOfYs(const std::vector<Output> &ys) {
    if (!options.gradYs.empty() && options.gradYs.size() != ys.size())
      return fail(invalidArgumentError(
          strCat("Length mismatch. Passed ", options.gradYs.size(),
                 " grad_ys for ", ys.size(), " ys")));
    for (size_t i = 0; i < ys.size(); ++i) {
      const Output &y = ys[i];
      auto place = colocated(*y.node);
      Gradient given = options.gradYs.empty() ? Gradient() : options.gradYs[i];
      std::string name = strCat("grad_ys_", i);
      if (isFlat) {
        if (given.isNone())
          given = Output(addOp("OnesLike", {y}));
      } else if (given.isNone()) {
        if (isComplex(y.dtype()))
          return fail(invalidArgumentError(strCat(
              "Gradients of complex tensors (", tensorText(y),
              ") must set grad_ys (y.dtype = ", dtypeName(y.dtype()), ")")));
        if (y.dtype() == DType::String)
          return fail(invalidArgumentError(
              "Expected string, but got 1 of type 'int'."));
        given = ops::ones(ops::shape(y), {.dtype = y.dtype(), .name = name});
      } else {
        if (Status status = checkGradientOf(y, given); !status.ok())
          return fail(status);
        auto copy = [&](const Output &tensor, const char *suffix) {
          if (!tensor.node)
            return tensor;
          const Node *node = state.builder().addOp({.op = "Identity",
                                                    .name = name + suffix,
                                                    .inputs = {Input(tensor)}});
          return Output{node, 0};
        };
        if (given.isSparse()) {
          Output indices = copy(given.slices().indices, "_indices");
          Output values = copy(given.slices().values, "_values");
          given = IndexedSlices{values, indices,
                                copy(given.slices().denseShape, "_shape")};
        } else {
          given = copy(given.tensor(), "");
        }
      }
      if (state.failed())
        return false;
      contributions(y).push_back(given);
    }
    return true;
  }

  /// The nodes on paths of differentiable tensors from the xs to the ys, those
  /// behind before those before them. Two walks: back from the ys, noting
  /// who uses what, and forward from the xs along the notes.
  void findBetween(const std::vector<Output> &ys,
                   const std::vector<Output> &xs) {
    std::unordered_map<const Node *, std::vector<Output>> users;
    std::unordered_set<const Node *> seen;
    std::vector<const Node *> stack;
    auto push = [&](const Node *node) {
      if (!seen.insert(node).second)
        return;
      if (node->numOutputs() < 0)
        learnOutputs(state, *node);
      stack.push_back(node);
    };
    for (const Output &y : ys)
      push(y.node);
    while (!stack.empty()) {
      const Node *node = stack.back();
      stack.pop_back();
      for (const Output &input : node->inputs()) {
        users[input.node].push_back({node, input.index});
        push(input.node);
      }
    }
    std::unordered_set<const Node *> reached;
    for (const Output &x : xs)
      if (seen.contains(x.node) && reached.insert(x.node).second)
        stack.push_back(x.node);
    while (!stack.empty()) {
      const Node *node = stack.back();
      stack.pop_back();
      for (const auto &[user, index] : users[node])
        if (isTrainable(node->outputDType(index)) &&
            reached.insert(user).second)
          stack.push_back(user);
    }
    // A reached node whose results are integers leads nowhere.
    auto add = [&](const Node *node) {
      if (reached.contains(node) && isBetween.insert(node).second)
        between.push_back(node);
    };
    for (const Output &y : ys) {
      add(y.node);
      if (reached.contains(y.node))
        isReached.insert(y.node);
    }
    for (size_t next = 0; next < between.size(); ++next)
      for (const Output &input : between[next]->inputs())
        add(input.node);
  }

  /// Where the walk ends: xs that depend on no other x, and what counts as
  /// constant. **Source**: _StopOps.
  std::unordered_set<const Node *> stopNodes(const std::vector<Output> &xs) {
    std::unordered_set<const Node *> stops;
    for (const Output &x : xs) {
      bool isFirst = true;
      for (const Output &input : x.node->inputs())
        isFirst = isFirst && !isBetween.contains(input.node);
      if (isFirst)
        stops.insert(x.node);
    }
    for (const Output &stop : options.stopGradients)
      stops.insert(stop.node);
    return stops;
  }

  std::unique_ptr<ColocationScope> colocated(const Node &node) {
    return options.colocate ? std::make_unique<ColocationScope>(&node)
                            : nullptr;
  }

  /// Adds up what the node's outputs have received, and goes on to its inputs.
  void visit(const Node &node, bool isStop) {
    auto place = colocated(node);
    std::vector<Gradient> outputs(
        static_cast<size_t>(std::max(node.numOutputs(), 0)));
    bool hasAny = false;
    auto around = loops.enter(node, /*isBefore=*/true);
    if (auto found = received.find(&node); found != received.end())
      for (size_t i = 0; i < found->second.size() && i < outputs.size(); ++i)
        if (auto &list = found->second[i]; !list.empty()) {
          outputs[i] = aggregateGradients(list, node, options.aggregation);
          if (state.failed())
            return;
          list = {outputs[i]};
          hasAny = true;
        }
    around.reset();
    if (isStop || !hasAny)
      return;
    auto inside = loops.enter(node, /*isBefore=*/false);
    if (isLoopVariableOfCaller(node))
      return state.fail(
          invalidArgumentError(
              strCat("Cannot compute gradient inside while loop with respect "
                     "to op '",
                     nearestX(node).name(),
                     "'. We do not support taking the gradient wrt or through "
                     "the initial value of a loop variable. Gradients can be "
                     "computed through loop invariants or wrt the input "
                     "parameters to the loop body."))
              .withNode(node.name()));
    std::string type = node.attrOr<std::string>("_gradient_op_type", node.op());
    auto function = GradientRegistry::global().find(type);
    if (!function)
      function = findCustomGradient(state.builder(), type);
    if (!function && isCallByName(state, node))
      function = namedCallGradient;
    // tf.function names a gradient that lives in its process alone.
    if (!function && node.op().ends_with("PartitionedCall"))
      function = partitionedCallGradient;
    if (!function)
      return state.fail(noGradientOf(node));
    if (!*function)
      return;
    for (size_t i = 0; i < outputs.size(); ++i)
      if (Output output{&node, static_cast<int>(i)};
          outputs[i].isNone() && isTrainable(output.dtype()) && !isCall(node))
        outputs[i] = zerosFor(output);
    GradientCall call(node, std::move(outputs));
    std::vector<Gradient> inputs;
    {
      std::optional<NameScope> names;
      if (!isFlat)
        names.emplace(node.name() + "_grad");
      (*function)(call);
      inputs = call.take();
      if (state.failed())
        return;
      if (options.gate)
        gateTogether(inputs);
    }
    for (size_t i = 0; i < inputs.size(); ++i)
      if (!inputs[i].isNone())
        give(node, static_cast<int>(i), inputs[i]);
  }

  /// The x that is reached first from the node. **Source**:
  /// gradients_util._RaiseNoGradWrtInitialLoopValError.
  const Node &nearestX(const Node &node) const {
    std::deque<const Node *> queue{&node};
    std::unordered_set<const Node *> seen;
    while (!queue.empty()) {
      const Node *next = queue.front();
      queue.pop_front();
      if (!seen.insert(next).second)
        continue;
      if (xNodes.contains(next))
        return *next;
      for (const Output &input : next->inputs())
        queue.push_back(input.node);
    }
    return node;
  }

  /// Whether the node is a loop variable's Switch, and gradients() was called
  /// in that loop's body.
  bool isLoopVariableOfCaller(const Node &node) const {
    if (node.op() != "Switch" && node.op() != "RefSwitch")
      return false;
    auto context = outputContext(state, node);
    return context && context->asWhile() && context == state.scopes().context;
  }

  /// Zeros for an output that nothing depends on; of a Switch they stand in the
  /// branch that is taken instead. **Source**: control_flow_state.ZerosLike.
  Gradient zerosFor(const Output &output) {
    DType dtype = output.dtype();
    const Node &node = *output.node;
    std::optional<std::pair<DType, Shape>> variable;
    if (dtype == DType::Resource) {
      variable = variableOfHandle(output);
      if (!variable)
        return {};
      dtype = variable->first;
    }
    if (loops.isLoopSwitch(node))
      return {};
    if (LoopState *loop = loops.of(node))
      return loop->zerosFor(output);
    if (node.op() != "Switch" && node.op() != "RefSwitch")
      return variable ? Gradient()
                      : Gradient(ops::zerosLike(output, {.optimize = false}));
    // As _SwitchRefOrTensor names it; the other output is alive instead.
    Output other = {addOp("Switch", {node.input(0), node.input(1)}).node,
                    output.index};
    if (!other.node)
      return {};
    Output pivot = addOp("Identity", {other});
    Output shape = variable ? addOp("VariableShape", {other})
                            : ops::shape(other, {.optimize = false});
    ControlScope after({pivot});
    return ops::zeros(shape, {.dtype = dtype});
  }

  void gateTogether(std::vector<Gradient> &gradients) {
    std::vector<ControlInput> all;
    size_t count = 0;
    for (const Gradient &each : gradients)
      if (!each.isNone()) {
        ++count;
        all.emplace_back(each.isSparse() ? each.slices().values.node
                                         : each.tensor().node);
      }
    if (count < 2)
      return;
    NameScope names("tuple");
    const Node *gate = ops::group(all);
    ControlScope after({gate});
    for (Gradient &each : gradients) {
      if (each.isNone())
        continue;
      const Output &value =
          each.isSparse() ? each.slices().values : each.tensor();
      ColocationScope there(value.node, /*ignoreExisting=*/true);
      Output held{state.builder().addOp({.op = "Identity",
                                         .name = "control_dependency",
                                         .inputs = {Input(value)}}),
                  0};
      if (each.isSparse())
        each = IndexedSlices{held, each.slices().indices,
                             each.slices().denseShape};
      else
        each = held;
    }
  }

  void give(const Node &node, int i, const Gradient &gradient) {
    const Output &input = node.input(i);
    if (!gradient.isSparse() && input.dtype() != DType::Resource &&
        !gradient.tensor().shape().isCompatibleWith(input.shape()))
      return state.fail(
          invalidArgumentError(
              strCat("Incompatible shapes between op input and calculated "
                     "input gradient. Forward operation: ",
                     node.name(), ". Input index: ", i,
                     ". Original input shape: ", input.shape().toTupleString(),
                     ". Calculated input gradient shape: ",
                     gradient.tensor().shape().toTupleString()))
              .withNode(node.name()));
    refineShape(gradient, input);
    contributions(input).push_back(gradient);
  }

  /// What is known of a tensor's shape holds for its gradient.
  void refineShape(const Gradient &gradient, const Output &input) {
    const Output &tensor = gradient.tensor();
    if (!gradient.isSparse() && input.dtype() != DType::Resource &&
        input.shape().isFullyDefined() && !tensor.shape().isFullyDefined() &&
        isHeld(state, *tensor.node))
      setShape(state, tensor, input.shape());
  }

  Gradient gradientOf(const Output &x) {
    Gradient found;
    if (auto at = received.find(x.node); at != received.end()) {
      auto &list = at->second[static_cast<size_t>(x.index)];
      if (!list.empty())
        found = aggregateGradients(list, *x.node, options.aggregation);
    }
    if (!found.isNone() || options.unconnected == UnconnectedGradients::None)
      return found;
    return defaultZeros(x);
  }

  BuildState &state;
  const GradientOptions &options;
  /// Loops of gradients are seen whole.
  HoldScope hold;
  LoopStates loops;
  std::vector<const Node *> between;
  std::unordered_set<const Node *> isBetween;
  std::unordered_set<const Node *> isReached; ///< of the ys
  std::unordered_set<const Node *> begun;     ///< loop Switches
  std::unordered_set<const Node *> xNodes;
  std::deque<const Node *> ready;
  std::unordered_map<const Node *, int> pending;
  /// What each output has received; after the visit of its node the sum alone.
  std::unordered_map<const Node *, Contributions> received;
};

/// The argument that stands for a tensor from outside in the body of a
/// function, where there is one. **Source**: _MaybeCaptured.
Output asSeenIn(const BuildState &state, const Output &tensor) {
  if (state.function && tensor.node)
    for (const FunctionGraph::Capture &capture : state.function->captures)
      if (capture.outside == tensor)
        return capture.inside;
  return tensor;
}

} // namespace

std::vector<Gradient> gradientsOf(BuildState &state,
                                  const std::vector<Output> &ys,
                                  const std::vector<Output> &xs,
                                  const GradientOptions &options) {
  NameScope scope(options.name.empty() ? "gradients" : options.name);
  return state.failed() ? std::vector<Gradient>(xs.size())
                        : Backward(state, options).run(ys, xs);
}

std::vector<Gradient> flatGradients(BuildState &state,
                                    const std::vector<Output> &ys,
                                    const std::vector<Output> &xs,
                                    const GradientOptions &options) {
  isFlat = true;
  std::vector<Gradient> results = Backward(state, options).run(ys, xs);
  isFlat = false;
  return results;
}

std::vector<Gradient> gradients(const InputList &ys, const InputList &xs,
                                const GradientOptions &options) {
  std::vector<const Input *> all;
  for (const InputList *list : {&ys, &xs})
    for (const Input &each : list->list())
      all.push_back(&each);
  GraphBuilder builder = builderOf(std::span<const Input *const>(all));
  GraphScope graph(builder);
  NameScope scope(options.name.empty() ? "gradients" : options.name);
  std::vector<Output> yTensors, xTensors;
  for (const Input &y : ys.list())
    yTensors.push_back(builder.convert(y, {.name = "y"}));
  for (const Input &x : xs.list())
    xTensors.push_back(asSeenIn(builder.internals(), builder.convertToRef(x)));
  if (!builder.status().ok())
    return std::vector<Gradient>(xs.size());
  return Backward(builder.internals(), options).run(yTensors, xTensors);
}

} // namespace kiln
