// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What features ask of the ops that parse examples.
#ifndef KILN_LIB_BUILD_OPS_FEATUREKEYS_H
#define KILN_LIB_BUILD_OPS_FEATUREKEYS_H

#include "kiln/Status.h"
#include "kiln/ops/ParsingOps.h"

#include <string>
#include <vector>

namespace kiln::ops {

/// Where features stand: in examples, or in the two parts of examples with
/// sequences.
enum class FeatureUse { Example, Context, Sequence };

/// The keys that are parsed, with types, shapes and defaults, in order. Each
/// dense list has one element a dense key. **Source**:
/// parsing_config._ParseOpParams.
struct FeatureKeys {
  /// **Errors**: INVALID_ARGUMENT with TensorFlow's texts.
  static StatusOr<FeatureKeys> of(const Features &features, FeatureUse use);

  std::vector<std::string> sparse, dense;
  std::vector<DType> sparseTypes, denseTypes;
  std::vector<Shape> denseShapes;
  std::vector<std::optional<Input>> denseDefaults;
  std::vector<bool> mayBeMissing;

private:
  Status addSparse(const std::string &key, DType dtype);
  void addDense(const std::string &key, DType dtype, const Shape &shape,
                const std::optional<Input> &otherwise, bool mayMiss);
  Status add(const std::string &key, const Feature &feature, FeatureUse use);
};

/// The key with "_" for what names of nodes cannot have.
std::string nodeNameOf(std::string key);

} // namespace kiln::ops

#endif // KILN_LIB_BUILD_OPS_FEATUREKEYS_H
