// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Steps of optimizers: gradients, slots, and the nodes around the updates.
#include "kiln/Optimizer.h"

#include "kiln/GraphScopes.h"
#include "kiln/Operators.h"
#include "kiln/Slots.h"
#include "kiln/ops/Array.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/ControlOps.h"
#include "kiln/ops/Indexing.h"
#include "kiln/ops/MathOps.h"
#include "kiln/ops/Reduction.h"
#include "kiln/ops/Selection.h"
#include "lib/Build/BuildState.h"
#include "lib/Graph/TensorText.h"
#include "lib/Support/Strings.h"

#include <algorithm>

namespace kiln {
namespace {

/// str() of a variable in Python.
std::string pythonText(const Variable &variable) {
  return strCat("<tf.Variable '", variable.name(),
                "' shape=", variable.shape().toTupleString(),
                " dtype=", dtypeName(variable.dtype()),
                variable.isResource() ? "" : "_ref", ">");
}

std::string pythonList(const std::vector<GradientAndVariable> &gradients) {
  std::string text = "[";
  for (const auto &[gradient, variable] : gradients)
    text +=
        strCat(text.size() > 1 ? ", " : "", "\"", pythonText(variable), "\"");
  return text + "]";
}

Status checkDType(DType dtype, const std::string &name,
                  const std::vector<DType> &valid) {
  if (std::ranges::find(valid, dtype) != valid.end())
    return okStatus();
  std::string list;
  for (DType each : valid)
    list += strCat(list.empty() ? "tf." : ", tf.", dtypeName(each));
  return invalidArgumentError(strCat("Invalid type tf.", dtypeName(dtype),
                                     " for ", name, ", expected: [", list,
                                     "]."));
}

/// The variable's or tensor's own name and type.
Status checkDType(const Input &target, const std::vector<DType> &valid) {
  if (const auto *data =
          std::get_if<std::shared_ptr<const VariableData>>(&target.value())) {
    Variable variable = Variable::of(*data);
    return checkDType(variable.dtype(), variable.name(), valid);
  }
  return checkDType(target.output()->dtype(), target.output()->name(), valid);
}

/// Holds all gradients back until all are there.
void gateAll(std::vector<Gradient> &gradients) {
  std::vector<Output> tensors;
  for (const Gradient &gradient : gradients)
    tensors.push_back(gradient.isSparse() ? gradient.slices().values
                                          : gradient.tensor());
  if (std::ranges::none_of(tensors,
                           [](const Output &each) { return each.node; }))
    return;
  tensors = ops::tuple(tensors);
  for (size_t i = 0; i < gradients.size(); ++i)
    if (gradients[i].isSparse())
      gradients[i] = IndexedSlices{tensors[i], gradients[i].slices().indices,
                                   gradients[i].slices().denseShape};
    else
      gradients[i] = tensors[i];
}

} // namespace

Optimizer::Optimizer(std::string name, bool useLocking)
    : ownName(std::move(name)), locking(useLocking) {
  if (ownName.empty())
    GraphBuilder::current().fail(
        invalidArgumentError("Must specify the optimizer name"));
}
Optimizer::~Optimizer() = default;

const Node *Optimizer::minimize(const Output &loss,
                                const MinimizeOptions &options) {
  if (!loss.node)
    return nullptr;
  std::vector<GradientAndVariable> gradients =
      computeGradients(loss, {.variables = options.variables,
                              .gate = options.gate,
                              .aggregation = options.aggregation,
                              .colocate = options.colocate,
                              .gradLoss = options.gradLoss});
  GraphBuilder graph = GraphBuilder::of(loss);
  if (graph.internals().failed())
    return nullptr;
  if (std::ranges::all_of(gradients, [](const GradientAndVariable &each) {
        return each.gradient.isNone();
      })) {
    graph.fail(invalidArgumentError(strCat(
        "No gradients provided for any variable, check your graph for ops that "
        "do not support gradients, between variables ",
        pythonList(gradients), " and loss ", tensorText(loss), ".")));
    return nullptr;
  }
  return applyGradients(
      gradients, {.globalStep = options.globalStep, .name = options.name});
}

std::vector<GradientAndVariable>
Optimizer::computeGradients(const Output &loss,
                            const ComputeGradientsOptions &options) {
  if (!loss.node)
    return {};
  GraphScope current(GraphBuilder::of(loss));
  std::vector<Variable> variables =
      options.variables ? *options.variables : trainableVariables();
  std::vector<Gradient> found = computeGradientsOf(loss, variables, options);
  std::vector<GradientAndVariable> pairs;
  for (size_t i = 0; i < found.size(); ++i)
    pairs.push_back({found[i], variables[i]});
  return pairs;
}

std::vector<Gradient>
Optimizer::computeGradientsOf(const Output &loss, const InputList &targets,
                              const ComputeGradientsOptions &options) {
  if (!loss.node)
    return {};
  GraphBuilder graph = GraphBuilder::of(loss);
  GraphScope current(graph);
  auto refuse = [&](Status error) {
    graph.fail(std::move(error));
    return std::vector<Gradient>();
  };
  std::vector<DType> valid = validDTypes();
  if (Status status = checkDType(loss, valid); !status.ok())
    return refuse(status);
  if (!options.gradLoss.isNone())
    if (Status status = checkDType(options.gradLoss.isSparse()
                                       ? options.gradLoss.slices().values
                                       : options.gradLoss.tensor(),
                                   valid);
        !status.ok())
      return refuse(status);
  if (targets.size() == 0)
    return refuse(invalidArgumentError("No variables to optimize."));
  GradientOptions how{.aggregation = options.aggregation,
                      .colocate = options.colocate,
                      .gate = options.gate == GateGradients::Op};
  if (!options.gradLoss.isNone())
    how.gradYs = {options.gradLoss};
  std::vector<Gradient> found = gradients({loss}, targets, how);
  if (graph.internals().failed())
    return {};
  if (options.gate == GateGradients::Graph)
    gateAll(found);
  for (size_t i = 0; i < found.size(); ++i)
    if (!found[i].isNone())
      if (Status status = checkDType(targets.list()[i], valid); !status.ok())
        return refuse(status);
  return found;
}

const Node *
Optimizer::applyGradients(const std::vector<GradientAndVariable> &gradients,
                          const ApplyGradientsOptions &options) {
  GraphBuilder graph = gradients.empty() ? GraphBuilder::current()
                                         : gradients[0].variable.graph();
  if (graph.internals().failed())
    return nullptr;
  GraphScope current(graph);
  auto refuse = [&](std::string text) {
    graph.fail(invalidArgumentError(std::move(text)));
    return nullptr;
  };
  if (gradients.empty())
    return refuse("No variables provided.");
  std::vector<Variable> updated;
  for (const auto &[gradient, variable] : gradients) {
    if (!variable.op())
      return refuse("expected a variable, got none");
    if (!gradient.isNone())
      updated.push_back(variable);
  }
  if (updated.empty())
    return refuse(strCat("No gradients provided for any variable: ",
                         pythonList(gradients), "."));
  {
    ControlScope lifted = ControlScope::none();
    createSlots(updated);
  }
  NameScope scope(options.name, ownName);
  prepare();
  std::vector<const Node *> updates;
  for (const auto &[gradient, variable] : gradients) {
    if (gradient.isNone())
      continue;
    NameScope update("update_" + variable.op()->name());
    ColocationScope place(variable.op());
    updates.push_back(addStep(gradient, variable));
    if (graph.internals().failed())
      return nullptr;
  }
  const Node *step = nullptr;
  if (const Variable &counter = options.globalStep; !counter.op()) {
    step = finish(updates, scope.name());
  } else {
    ControlScope after({finish(updates, "update")});
    ColocationScope place(counter.op());
    Input one = 1;
    if (counter.isResource())
      one = graph.convert(1, {.dtype = counter.dtype()});
    step = graph.addOp(
        {.op = counter.isResource() ? "AssignAddVariableOp" : "AssignAdd",
         .name = scope.name(),
         .inputs = {Input(counter.handle()), one}});
  }
  if (!step)
    return nullptr;
  std::vector<const Node *> steps =
      graph.collectionOf<const Node *>(keys::trainOp);
  if (std::ranges::find(steps, step) == steps.end())
    graph.addToCollection(keys::trainOp, step);
  return step;
}

const Node *Optimizer::addStep(const Gradient &gradient,
                               const Variable &variable) {
  const Constraint &constraint = variable.constraint();
  if (gradient.isSparse()) {
    if (!constraint)
      return applySparseDuplicates(gradient.slices(), variable);
    GraphBuilder::current().fail(failedPreconditionError(
        "Cannot use a constraint function on a sparse variable."));
    return nullptr;
  }
  const Node *update = applyDense(gradient.tensor(), variable);
  if (!constraint || !update)
    return update;
  ControlScope after({ControlInput(update)});
  return variable.assign(constraint(variable)).operation();
}

Variable Optimizer::slot(const Variable &variable,
                         std::string_view name) const {
  if (auto named = slots.find(name); named != slots.end())
    if (auto found = named->second.find(variable.op());
        found != named->second.end())
      return found->second;
  return {};
}

std::vector<std::string> Optimizer::slotNames() const {
  std::vector<std::string> names;
  for (const auto &[name, all] : slots)
    names.push_back(name);
  return names;
}

std::vector<Variable> Optimizer::variables() const {
  GraphBuilder current = GraphBuilder::current();
  std::vector<Variable> found;
  auto add = [&](const Variable &variable) {
    if (variable.graph() == current)
      found.push_back(variable);
  };
  for (const auto &[key, variable] : others)
    add(variable);
  for (const auto &[name, all] : slots)
    for (const auto &[primary, variable] : all)
      add(variable);
  std::ranges::sort(found, {}, &Variable::name);
  return found;
}

std::vector<std::pair<const Node *, Variable>>
Optimizer::slotsNamed(std::string_view name) const {
  GraphBuilder current = GraphBuilder::current();
  std::vector<std::pair<const Node *, Variable>> pairs;
  if (auto named = slots.find(name); named != slots.end())
    for (const auto &[primary, kept] : named->second)
      if (kept.graph() == current)
        pairs.emplace_back(primary, kept);
  return pairs;
}

Input Optimizer::number(std::string_view, const Input &given) { return given; }
std::vector<DType> Optimizer::validDTypes() {
  return {DType::Float32, DType::Float64, DType::Float16, DType::BFloat16};
}
void Optimizer::createSlots(const std::vector<Variable> &) {}
void Optimizer::prepare() {}

const Node *Optimizer::applySparseDuplicates(const IndexedSlices &gradient,
                                             const Variable &variable) {
  auto unique = rawOps::unique(gradient.indices);
  if (!unique.y.node)
    return nullptr;
  Output sum = rawOps::unsortedSegmentSum(gradient.values, unique.idx,
                                          ops::shape(unique.y)[0]);
  return applySparse({sum, unique.y, gradient.denseShape}, variable);
}

const Node *Optimizer::finish(const std::vector<const Node *> &updates,
                              const std::string &name) {
  return ops::group({updates.begin(), updates.end()}, {.name = name});
}

Variable Optimizer::makeSlot(const Variable &variable,
                             std::string_view slotName, std::string_view opName,
                             const Initializer &initializer) {
  Variable found = slot(variable, slotName);
  if (!found.op()) {
    found = createSlot(variable, initializer, opName);
    if (found.op())
      slots[std::string(slotName)][variable.op()] = found;
  }
  return found;
}

Variable Optimizer::makeSlot(const Variable &variable,
                             std::string_view slotName, std::string_view opName,
                             const Initializer &initializer, const Shape &shape,
                             DType dtype) {
  Variable found = slot(variable, slotName);
  if (!found.op()) {
    found = createSlot(variable, initializer, opName, shape, dtype);
    if (found.op())
      slots[std::string(slotName)][variable.op()] = found;
  }
  return found;
}

Variable Optimizer::zerosSlot(const Variable &variable,
                              std::string_view slotName,
                              std::string_view opName) {
  Variable found = slot(variable, slotName);
  if (!found.op()) {
    found = createZerosSlot(variable, opName);
    if (found.op())
      slots[std::string(slotName)][variable.op()] = found;
  }
  return found;
}

Variable Optimizer::nonSlotVariable(const Input &initialValue,
                                    std::string_view name,
                                    const Variable &place) {
  GraphBuilder graph = place.graph();
  Variable &found = others[{std::string(name), graph.graph().get()}];
  if (!found.op()) {
    GraphScope current(graph);
    ColocationScope beside(place.op());
    found = Variable(initialValue, {.trainable = false,
                                    .name = std::string(name),
                                    .useResource = place.isResource()});
  }
  return found;
}

Variable Optimizer::nonSlotVariable(std::string_view name) const {
  auto found =
      others.find({std::string(name), GraphBuilder::current().graph().get()});
  return found == others.end() ? Variable() : found->second;
}

std::vector<Variable> Optimizer::nonSlotVariables() const {
  std::vector<Variable> all;
  for (const auto &[key, variable] : others)
    all.push_back(variable);
  return all;
}

void Optimizer::prepareNumber(std::string_view name, const Input &given) {
  prepareAs(name, number(name, given));
}

void Optimizer::prepareAs(std::string_view name, const Input &value) {
  constants.insert_or_assign(
      std::string(name),
      GraphBuilder::current().convert(value, {.name = std::string(name)}));
}

Output Optimizer::prepared(std::string_view name) const {
  auto found = constants.find(name);
  return found == constants.end() ? Output() : found->second;
}

Output Optimizer::prepared(std::string_view name,
                           const Variable &variable) const {
  Output found = prepared(name);
  return found.node ? ops::cast(found, variable.dtype()) : found;
}

const Node *Optimizer::addUpdate(const Variable &variable, std::string_view op,
                                 std::vector<OpInput> inputs,
                                 AttrMap attrs) const {
  attrs.set("use_locking", locking);
  return GraphBuilder::current().addOp(
      {.op = strCat(variable.isResource() ? "Resource" : "", op),
       .inputs = std::move(inputs),
       .attrs = std::move(attrs)});
}

void OneOpOptimizer::prepare() { prepareNumber("learning_rate", learningRate); }

const Node *OneOpOptimizer::applyDense(const Output &gradient,
                                       const Variable &variable) {
  return update("Apply", {gradient}, variable);
}

const Node *OneOpOptimizer::applySparse(const IndexedSlices &gradient,
                                        const Variable &variable) {
  return update("SparseApply", {gradient.values, gradient.indices}, variable);
}

std::vector<Optimizer::OpInput>
OneOpOptimizer::inputsOf(const Variable &variable,
                         const std::vector<std::string_view> &slots,
                         const std::vector<std::string_view> &values,
                         const std::vector<OpInput> &gradient) const {
  std::vector<OpInput> inputs{variable.handle()};
  for (std::string_view name : slots)
    inputs.push_back(slot(variable, name).handle());
  for (std::string_view name : values)
    inputs.push_back(prepared(name, variable));
  inputs.insert(inputs.end(), gradient.begin(), gradient.end());
  return inputs;
}

} // namespace kiln
