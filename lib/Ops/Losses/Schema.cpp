// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schemas of Losses: cross entropies and the precision in the first k.
#include "lib/Ops/Families.h"
#include "lib/Ops/Losses/Shape.h"

namespace kiln {
namespace {

using namespace shapes;

constexpr OpRecord records[] = {
    {"SoftmaxCrossEntropyWithLogits", "features: T, labels: T",
     "loss: T, backprop: T", "T: nnFloats",
     "The cross entropy of each row of labels and the softmax of a row of "
     "logits, and its gradient; with broadcasting.",
     inferCrossEntropy},
    {"SparseSoftmaxCrossEntropyWithLogits", "features: T, labels: Tlabels",
     "loss: T, backprop: T", "T: nnFloats; Tlabels: indexTypes = int64",
     "The cross entropy of rows that are of one class each.",
     inferSparseCrossEntropy},
    {"InTopK", "predictions: float32, targets: T", "precision: bool",
     "k: int; T: indexTypes = int32",
     "True where fewer than k predictions of a row are larger than that of its "
     "target.",
     inferInTopK},
    {"InTopKV2", "predictions: float32, targets: T, k: T", "precision: bool",
     "T: indexTypes = int32",
     "True where fewer than k predictions of a row are larger than that of its "
     "target.",
     inferInTopK},
};

} // namespace

OpFamily lossesFamily() {
  return {"Losses", "cross entropies and the precision in the first k",
          records};
}

} // namespace kiln
