// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients that are made smaller where they are large. Of slices the values
// are.
#ifndef KILN_CLIPPING_H
#define KILN_CLIPPING_H

#include "kiln/Gradients.h"
#include "kiln/OpOptions.h"

#include <optional>
#include <vector>

namespace kiln::ops {

struct ClipByNormOptions {
  /// The norm is over these; over all where there is nothing.
  std::optional<Input> axes = {};
  std::string name = {};
};
/// The tensor, scaled so that its norm is at most this. **Source**:
/// tf.clip_by_norm, "clip_by_norm".
KILN_EXPORT Gradient clipByNorm(const Gradient &t, const Input &clipNorm,
                                const ClipByNormOptions &options = {});
/// The same with the norm by the number of elements. **Source**:
/// tf.clip_by_average_norm, "clip_by_average_norm".
KILN_EXPORT Output clipByAverageNorm(const Input &t, const Input &clipNorm,
                                     const OpOptions &options = {});
/// The root of the sum of all squares; what is none is left out. **Errors** of
/// the graph: INVALID_ARGUMENT where nothing is left. **Source**:
/// tf.global_norm, "global_norm".
KILN_EXPORT Output globalNorm(const std::vector<Gradient> &list,
                              const OpOptions &options = {});

struct ClippedGradients {
  std::vector<Gradient> list;
  Output norm;
};
struct ClipByGlobalNormOptions {
  /// The norm where it is there already.
  Output useNorm = {};
  std::string name = {};
};
/// All of them scaled alike, so that their global norm is at most this.
/// **Edges**: a norm that is not finite makes all NaN. **Source**:
/// tf.clip_by_global_norm, "clip_by_global_norm".
KILN_EXPORT ClippedGradients
clipByGlobalNorm(const std::vector<Gradient> &list, const Input &clipNorm,
                 const ClipByGlobalNormOptions &options = {});

} // namespace kiln::ops

#endif // KILN_CLIPPING_H
