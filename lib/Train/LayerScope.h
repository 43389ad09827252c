// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What layers have in common: scopes, weights, what they refuse.
#ifndef KILN_LIB_TRAIN_LAYERSCOPE_H
#define KILN_LIB_TRAIN_LAYERSCOPE_H

#include "kiln/GraphScopes.h"
#include "kiln/Layers.h"
#include "kiln/PartitionedVariable.h"
#include "kiln/ops/NnOps.h"

#include <span>

namespace kiln::layers {

/// A layer's variable, in parts where the variable scope says so.
class Weight {
public:
  Weight() = default;
  Weight(Variable variable) : variable(std::move(variable)) {}
  Weight(PartitionedVariable variable) : parts(std::move(variable)) {}
  bool isValid() const { return variable.isValid() || !parts.parts().empty(); }
  /// The variable, or the parts put together, once.
  Input input() const {
    return variable.isValid() ? Input(variable) : Input(parts.asTensor());
  }
  operator Input() const { return input(); }

private:
  Variable variable;
  PartitionedVariable parts;
};

struct WeightOptions {
  Shape shape;
  std::optional<Initializer> initializer = {};
  Regularizer regularizer = {};
  Constraint constraint = {};
  bool trainable = true;
  /// The inputs' where it is Invalid.
  DType dtype = DType::Invalid;
};

/// The scopes of a layer, and its input as a tensor.
class LayerScope {
public:
  LayerScope(const Input &given, const std::string &name, std::string kind,
             Reuse reuse = false);

  Output refuse(std::string text) const;
  /// The input, where its rank is at least or just this, and the extent of the
  /// axis is known. **Source**: InputSpec.
  bool check(int rank, bool isLeast, int axis) const;
  /// Only the rank.
  bool checkRank(int rank, bool isLeast) const;
  /// **Source**: Layer.add_weight.
  Weight weight(const std::string &name, WeightOptions options) const;
  /// One in one part, whatever the variable scope says.
  Variable variable(const std::string &name, WeightOptions options) const;

private:
  GetVariableOptions optionsOf(WeightOptions options) const;
  GraphScope graph;
  std::string layer;
  VariableScope scope;

public:
  Output inputs;
};

template <class Options>
Weight kernelOf(const LayerScope &layer, Shape shape, const Options &options) {
  return layer.weight("kernel", {.shape = std::move(shape),
                                 .initializer = options.kernelInitializer,
                                 .regularizer = options.kernelRegularizer,
                                 .constraint = options.kernelConstraint,
                                 .trainable = options.trainable});
}
/// Without useBias none.
template <class Options>
Weight biasOf(const LayerScope &layer, int64_t size, const Options &options) {
  if (!options.useBias)
    return {};
  return layer.weight("bias", {.shape = {size},
                               .initializer = options.biasInitializer,
                               .regularizer = options.biasRegularizer,
                               .constraint = options.biasConstraint,
                               .trainable = options.trainable});
}

/// The result with the bias, where there is one, and the activation.
template <class Options>
Output finished(Output result, const Weight &bias, const Options &options,
                std::string format = "NHWC") {
  if (options.useBias)
    result = ops::biasAdd(result, bias, {.dataFormat = std::move(format)});
  return options.activation && result.node ? options.activation(result)
                                           : result;
}

/// "VALID" of "valid".
std::string upper(std::string text);
/// Nothing, and an error, for another format than "channels_last" and
/// "channels_first".
std::optional<bool> channelsAreLast(const LayerScope &layer,
                                    const std::string &format);

/// The product of the extents as a number of a shape that a graph holds, which
/// is an int32; nothing where one is unknown or the product is larger.
std::optional<int32_t> extentOf(std::span<const int64_t> extents);

} // namespace kiln::layers

#endif // KILN_LIB_TRAIN_LAYERSCOPE_H
