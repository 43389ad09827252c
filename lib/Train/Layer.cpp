// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layers as objects: their scopes, variables, losses and updates.
#include "kiln/Layer.h"

#include "kiln/Operators.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/MathOps.h"
#include "lib/Build/BuildState.h"
#include "lib/Support/Strings.h"
#include "lib/Train/InputSpec.h"

#include <algorithm>
#include <map>

namespace kiln::layers {
namespace {

bool isUpper(char c) { return c >= 'A' && c <= 'Z'; }
bool isSmall(char c) { return c >= 'a' && c <= 'z'; }

/// "conv2d" of "Conv2D", "my_layer" of "MyLayer". **Source**:
/// generic_utils.to_snake_case.
std::string snakeCase(const std::string &name) {
  std::string snake;
  for (size_t i = 0; i < name.size(); ++i) {
    const char next = i + 1 < name.size() ? name[i + 1] : 'A';
    // A capital begins a word behind a small letter, or before one.
    if (i > 0 && isUpper(name[i]) &&
        (isSmall(name[i - 1]) || isSmall(next) || (next >= '0' && next <= '9')))
      snake += '_';
    snake += static_cast<char>(isUpper(name[i]) ? name[i] + 32 : name[i]);
  }
  return snake.starts_with("_") ? "private" + snake : snake;
}

/// "dense_1", "dense_2" ... **Source**: backend.unique_object_name.
std::string uniqueLayerName(const std::string &base) {
  std::shared_ptr<void> &slot =
      GraphBuilder::current().attachment("layer names");
  if (!slot)
    slot = std::make_shared<std::map<std::string, int64_t>>();
  auto &counts = *static_cast<std::map<std::string, int64_t> *>(slot.get());
  return strCat(base, "_", ++counts[base]);
}

bool hasFailed() { return GraphBuilder::current().internals().failed(); }

} // namespace

Layer::Layer(std::string kind, const LayerOptions &options)
    : className(std::move(kind)), baseName(options.name),
      uniqueName(options.name), options(options) {
  if (!options.name.empty())
    return;
  baseName = snakeCase(className);
  uniqueName = uniqueLayerName(baseName);
}
Layer::~Layer() = default;

void Layer::capture(std::optional<std::string_view> name) {
  if (opened)
    return;
  if (!name && options.reuse != Reuse(false))
    name = baseName;
  opened =
      name ? VariableScope(*name).handle()
           : VariableScope(std::nullopt, {.defaultName = baseName}).handle();
}
void Layer::openScope(std::string_view name) { capture(name); }
void Layer::openScope(const VariableScopeHandle &again) {
  if (!opened)
    opened = VariableScope(again).handle();
}

std::string Layer::scopeName() const {
  if (opened)
    return opened->name();
  refuse(strCat("No name available for layer scope because the layer \"",
                uniqueName,
                "\" has not been used yet. The scope name  is determined the "
                "first time the layer instance is called. You must therefore "
                "call the layer before querying `scope_name`."));
  return {};
}

Output Layer::refuse(std::string text) const {
  GraphBuilder::current().fail(
      invalidArgumentError(std::move(text)).withNode(uniqueName));
  return {};
}

bool Layer::fits(const std::vector<Output> &inputs) const {
  if (specs.empty() || inputs.empty())
    return true;
  if (specs.size() != inputs.size()) {
    refuse(strCat("Layer ", uniqueName, " expects ", specs.size(),
                  " inputs, but it received ", inputs.size(),
                  " input tensors."));
    return false;
  }
  for (size_t i = 0; i < specs.size(); ++i) {
    if (!specs[i])
      continue;
    if (Status status = checkInput(*specs[i], inputs[i], i, uniqueName);
        !status.ok()) {
      GraphBuilder::current().fail(status.withNode(uniqueName));
      return false;
    }
  }
  return true;
}

std::vector<Output>
Layer::enter(const std::vector<Output> &inputs,
             const std::function<std::vector<Output>()> &results) {
  capture(std::nullopt);
  VariableScope variables(*opened,
                          {.reuse = built ? Reuse(true) : options.reuse,
                           .auxiliaryNameScope = false});
  if (hasFailed() || !fits(inputs))
    return {};
  NameScope names(variables.handle().originalNameScope());
  if (!built) {
    if (dtype() == DType::Invalid && !inputs.empty())
      setDType(inputs[0].dtype());
    std::vector<Shape> shapes;
    for (const Output &input : inputs)
      shapes.push_back(input.shape());
    buildAll(shapes);
    if (hasFailed())
      return {};
    built = true;
  }
  std::vector<Output> all = results();
  if (hasFailed())
    return {};
  regularizeActivity(all);
  publishUpdates();
  return all;
}

Output Layer::operator()(const Input &inputs, const Input &training) {
  GraphScope graph(graphOf(inputs).value_or(GraphBuilder::current()));
  capture(std::nullopt);
  Output given;
  {
    NameScope names(opened->originalNameScope());
    given = GraphBuilder::current().convert(inputs);
  }
  if (!given.node)
    return {};
  std::vector<Output> all = enter(
      {given}, [&] { return std::vector<Output>{call(given, training)}; });
  return all.empty() ? Output() : all[0];
}

void Layer::build(const Shape &) {}
void Layer::buildAll(const std::vector<Shape> &inputs) {
  if (!inputs.empty())
    build(inputs[0]);
}
Output Layer::call(const Output &inputs, const Input &) { return inputs; }
std::optional<Shape> Layer::outputShape(const Shape &) const {
  return std::nullopt;
}

Weight Layer::addWeight(const std::string &name, const Shape &shape,
                        const WeightOptions &given) {
  capture(std::nullopt);
  GraphBuilder graph = GraphBuilder::current();
  if (hasFailed())
    return {};
  auto count = [&] {
    return graph.collectionRef(keys::globalVariables).size();
  };
  const size_t before = count();
  VariableScope variables(*opened,
                          {.reuse = built ? Reuse(true) : options.reuse,
                           .auxiliaryNameScope = false});
  NameScope names(variables.handle().originalNameScope());
  const bool isTrained = given.trainable.value_or(true) && options.trainable;
  DType dtype = given.dtype != DType::Invalid ? given.dtype : options.dtype;
  if (dtype == DType::Invalid)
    dtype = DType::Float32;
  Weight weight = getWeight(
      name, {.shape = shape,
             .dtype = dtype,
             .initializer = given.initializer,
             .constraint = given.constraint ? std::optional(given.constraint)
                                            : std::nullopt,
             .trainable = isTrained,
             .useResource =
                 given.useResource == true ? given.useResource : std::nullopt,
             .partitioner = given.partitioner});
  if (!weight.isValid())
    return weight;
  if (given.regularizer && count() > before)
    regularize(name, weight, given.regularizer);
  // A custom getter may have made it one that is not trained.
  for (const Variable &each : weight.variables())
    (isTrained && each.isTrainable() ? trained : fixed).push_back(each);
  return weight;
}

void Layer::track(const Variable &variable) {
  auto has = [&](const std::vector<Variable> &all) {
    return std::ranges::find(all, variable) != all.end();
  };
  if (variable.isValid() && !has(trained) && !has(fixed))
    (variable.isTrainable() ? trained : fixed).push_back(variable);
}

void Layer::regularize(const std::string &name, const Weight &weight,
                       const Regularizer &regularizer) {
  for (const Variable &each : weight.variables()) {
    NameScope scope(name + "/Regularizer");
    if (Output loss = regularizer(each); loss.node)
      addLoss(loss);
  }
}

void Layer::regularizeActivity(const std::vector<Output> &results) {
  if (!options.activityRegularizer)
    return;
  NameScope scope("ActivityRegularizer");
  for (const Output &result : results) {
    Output loss = options.activityRegularizer(result);
    if (!loss.node)
      continue;
    Output batch = ops::cast(ops::shape(result)[0], loss.dtype());
    addLoss(loss / batch);
  }
}

void Layer::addLoss(const Output &loss) {
  if (!loss.node)
    return;
  addedLosses.push_back(loss);
  GraphBuilder graph = GraphBuilder::current();
  auto all = graph.collectionOf<Output>(keys::regularizationLosses);
  if (std::ranges::find(all, loss) == all.end())
    graph.addToCollection(keys::regularizationLosses, loss);
}

void Layer::addUpdate(const Node *update) {
  if (update)
    addedUpdates.push_back(update);
}

void Layer::publishUpdates() const {
  if (addedUpdates.empty() || !options.trainable)
    return;
  GraphBuilder graph = GraphBuilder::current();
  auto known = graph.collectionOf<const Node *>(keys::updateOps);
  for (const Node *update : addedUpdates)
    if (std::ranges::find(known, update) == known.end()) {
      known.push_back(update);
      graph.addToCollection(keys::updateOps, update);
    }
}

std::vector<Variable> Layer::trainableWeights() const {
  return options.trainable ? trained : std::vector<Variable>();
}
std::vector<Variable> Layer::nonTrainableWeights() const {
  if (options.trainable)
    return fixed;
  std::vector<Variable> all = trained;
  all.insert(all.end(), fixed.begin(), fixed.end());
  return all;
}
std::vector<Variable> Layer::weights() const {
  std::vector<Variable> all = trained;
  all.insert(all.end(), fixed.begin(), fixed.end());
  return all;
}

int64_t Layer::numParameters() const {
  if (!built && weights().empty())
    refuse(strCat("You tried to call `count_params` on ", uniqueName,
                  ", but the layer isn't built. You can build it manually via: "
                  "`",
                  uniqueName, ".build(batch_input_shape)`."));
  int64_t count = 0;
  for (const Variable &each : weights())
    count += each.shape().numElements().valueOr(0);
  return count;
}

std::vector<const Node *> Layer::updates() const {
  return options.trainable ? addedUpdates : std::vector<const Node *>();
}

} // namespace kiln::layers
