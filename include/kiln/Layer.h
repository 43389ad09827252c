// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What every layer is: an object that makes its variables when it is called
// first, and shares them with each later call.
#ifndef KILN_LAYER_H
#define KILN_LAYER_H

#include "kiln/Weight.h"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kiln::layers {

/// A function of a layer's result.
using Activation = std::function<Output(const Output &)>;

/// What a layer demands of an input. What is not given is free. **Source**:
/// tf.layers.InputSpec.
struct InputSpec {
  DType dtype = DType::Invalid;
  /// Unknown extents are free, too.
  std::optional<Shape> shape = {};
  std::optional<int> rank = {};
  std::optional<int> maxRank = {};
  std::optional<int> minRank = {};
  /// Axes, from the end where they are negative, and their extents.
  std::vector<std::pair<int, int64_t>> axes = {};
};

struct LayerOptions {
  bool trainable = true;
  /// Names the variable scope, made unique, as the kind does where it is empty.
  std::string name = {};
  /// Of the variables; that of the first input where it is Invalid.
  DType dtype = DType::Invalid;
  /// Whether variables that are there are taken.
  Reuse reuse = false;
  /// A loss of each result, by the size of the batch.
  Activation activityRegularizer = {};
};

struct WeightOptions {
  /// The layer's where it is Invalid.
  DType dtype = DType::Invalid;
  /// The variable scope's; Glorot's uniform where it has none.
  std::optional<Initializer> initializer = {};
  /// Its loss is one of the layer's losses.
  Regularizer regularizer = {};
  /// Nothing: true. No variable of a layer that is not trainable is.
  std::optional<bool> trainable = {};
  Constraint constraint = {};
  std::optional<bool> useResource = {};
  /// The variable scope's; an empty one cuts nothing.
  std::optional<Partitioner> partitioner = {};
};

/// A layer. The first call makes the variables in a variable scope of its own:
/// "dense", "dense_1" ...; what each call adds is in the name scope of that.
/// A subclass overrides build() and call(). **Errors** are the graph's.
/// **Thread safety**: none. **Source**: tf.layers.Layer.
class KILN_EXPORT Layer {
public:
  /// The kind is the class's name: "Dense".
  explicit Layer(std::string kind, const LayerOptions &options = {});
  virtual ~Layer();
  Layer &operator=(const Layer &) = delete;

  /// Adds what the layer computes of its inputs. `training` is a bool or a
  /// tensor of one, for layers that ask for it.
  Output operator()(const Input &inputs, const Input &training = false);
  /// Opens the scopes, checks the inputs, builds the layer where it is not yet
  /// built, and calls a function for the results in between.
  std::vector<Output>
  enter(const std::vector<Output> &inputs,
        const std::function<std::vector<Output>()> &results);

  /// Chooses the variable scope before the first call does: this name as it is,
  /// or a scope that is entered again. Later calls do nothing.
  void openScope(std::string_view name);
  void openScope(const VariableScopeHandle &again);
  /// What the scope is entered with at each call; null before.
  const std::optional<VariableScopeHandle> &scope() const { return opened; }

  /// Unique in the graph: "dense_1".
  const std::string &name() const noexcept { return uniqueName; }
  const std::string &kind() const noexcept { return className; }
  /// Of the variables. **Errors** of the graph: INVALID_ARGUMENT before the
  /// first call.
  std::string scopeName() const;
  bool isBuilt() const noexcept { return built; }
  void setBuilt(bool value) noexcept { built = value; }
  bool isTrainable() const noexcept { return options.trainable; }
  void setTrainable(bool value) noexcept { options.trainable = value; }
  void setReuse(Reuse reuse) noexcept { options.reuse = reuse; }
  /// Invalid before the first call, unless it was given.
  DType dtype() const noexcept { return options.dtype; }
  void setDType(DType dtype) noexcept { options.dtype = dtype; }
  void setActivityRegularizer(Activation regularizer) {
    options.activityRegularizer = std::move(regularizer);
  }

  /// None of a layer that is not trainable.
  std::vector<Variable> trainableWeights() const;
  std::vector<Variable> nonTrainableWeights() const;
  /// Those that are trained, then the others.
  std::vector<Variable> weights() const;
  /// How many numbers the variables hold.
  int64_t numParameters() const;
  const std::vector<Output> &losses() const noexcept { return addedLosses; }
  /// None of a layer that is not trainable.
  std::vector<const Node *> updates() const;
  const std::vector<std::optional<InputSpec>> &inputSpec() const noexcept {
    return specs;
  }
  /// Of each input; none for all that may come.
  void setInputSpec(std::vector<std::optional<InputSpec>> inputs) {
    specs = std::move(inputs);
  }
  /// The shape of the result for one of the input, without a graph; nothing
  /// where the layer does not say. **Source**: compute_output_shape.
  virtual std::optional<Shape> outputShape(const Shape &input) const;

  /// Finds or makes a variable in the layer's variable scope. **Source**:
  /// Layer.add_weight.
  Weight addWeight(const std::string &name, const Shape &shape,
                   const WeightOptions &options = {});
  /// Makes a variable one of the layer's, if it is not yet.
  void track(const Variable &variable);
  /// Adds a loss to the layer's and to "regularization_losses".
  void addLoss(const Output &loss);
  /// Adds what a step has to run, which a call puts into "update_ops".
  void addUpdate(const Node *update);

protected:
  /// A layer with the same name, scope and variables.
  Layer(const Layer &) = default;
  /// Makes the variables, for an input of this shape.
  virtual void build(const Shape &input);
  /// The same for a layer of several inputs; calls build() of the first.
  virtual void buildAll(const std::vector<Shape> &inputs);
  virtual Output call(const Output &inputs, const Input &training);
  /// Makes the current graph's status an error.
  Output refuse(std::string text) const;

private:
  void capture(std::optional<std::string_view> name);
  bool fits(const std::vector<Output> &inputs) const;
  void regularize(const std::string &name, const Weight &weight,
                  const Regularizer &regularizer);
  void regularizeActivity(const std::vector<Output> &results);
  void publishUpdates() const;

  std::string className, baseName, uniqueName;
  LayerOptions options;
  bool built = false;
  std::optional<VariableScopeHandle> opened;
  std::vector<std::optional<InputSpec>> specs;
  std::vector<Variable> trained, fixed;
  std::vector<Output> addedLosses;
  std::vector<const Node *> addedUpdates;
};

} // namespace kiln::layers

#endif // KILN_LAYER_H
