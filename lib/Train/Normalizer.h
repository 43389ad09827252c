// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One call of a batch normalization.
#ifndef KILN_LIB_TRAIN_NORMALIZER_H
#define KILN_LIB_TRAIN_NORMALIZER_H

#include "kiln/LayerClasses.h"

#include <optional>
#include <string>
#include <vector>

namespace kiln::layers {

/// What the layer's build() found out.
struct NormalizedAxes {
  /// Sorted, each once. With virtual batches they count the axis of these.
  std::vector<int> axes;
  /// Of the variables.
  Shape shape;
  DType dtype = DType::Invalid;
  /// The format of the fused op; empty where that does not compute it.
  std::string fusedFormat;
};

/// Adds one call. The moving averages of the layer are variables.
class Normalizer {
public:
  Normalizer(BatchNormalization &layer, const NormalizedAxes &over,
             const Output &inputs, const Input &training);
  Output add();

private:
  using MaybeInput = std::optional<Input>;
  struct Transform {
    MaybeInput scale, offset;
  };
  struct Moved {
    Output r, d, mean, variance;
  };

  Output addFused();
  Output addPlain();
  Output addVirtual();
  Output normalized(Output x);
  /// Applies one transform before another. **Source**: _compose_transforms.
  static Transform composed(const Output &scale, const Output &offset,
                            const Transform &then);
  Transform adjusted(const Output &x, const Transform &then);
  Moved renormed(const Output &mean, const Output &variance);
  Output movedInTraining(const Weight &average, const Output &value);
  Assignment moveAverage(const Weight &average, const Output &value,
                         const Input &momentum) const;
  void update(const Weight &average, const Output &value);
  void updateRenormed(const Output &mean, const Output &variance);
  /// The same where the run does not train.
  Output inTraining(const Output &value, const Input &otherwise) const;
  Input beside(const Input &vector) const;
  const Variable &variableOf(const Weight &weight) const {
    return *weight.variable();
  }

  BatchNormalization &layer;
  const BatchNormalizationOptions &options;
  const NormalizedAxes &over;
  Output inputs;
  Input training;
  std::optional<bool> known;
  int rank;
};

} // namespace kiln::layers

#endif // KILN_LIB_TRAIN_NORMALIZER_H
