// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sets, crosses, texts of sparse tensors, and what labels sequences.
#ifndef KILN_OPS_SETOPS_H
#define KILN_OPS_SETOPS_H

#include "kiln/OpOptions.h"
#include "kiln/SparseTensor.h"

#include <optional>
#include <vector>

namespace kiln::ops {

// Sets are the elements along the last axis. **Errors** of the graph:
// INVALID_ARGUMENT for sets of other types.

/// How many elements each set has. **Source**: tf.sets.set_size, "SetSize".
KILN_EXPORT Output setSize(const SparseTensor &a, bool validateIndices = true);
/// **Source**: tf.sets.set_intersection.
KILN_EXPORT SparseTensor setIntersection(const TensorOrSparse &a,
                                         const TensorOrSparse &b,
                                         bool validateIndices = true);
/// a without b, or b without a. **Source**: tf.sets.set_difference.
KILN_EXPORT SparseTensor setDifference(const TensorOrSparse &a,
                                       const TensorOrSparse &b,
                                       bool aMinusB = true,
                                       bool validateIndices = true);
/// **Source**: tf.sets.set_union.
KILN_EXPORT SparseTensor setUnion(const TensorOrSparse &a,
                                  const TensorOrSparse &b,
                                  bool validateIndices = true);

struct SparseCrossOptions {
  std::string name = {};
  /// Between the texts of a cross; nothing: "_X_".
  std::optional<Input> separator = {};
};
/// The features that combinations of features are, as texts. **Source**:
/// tf.sparse.cross, "SparseCrossV2".
KILN_EXPORT SparseTensor sparseCross(const std::vector<TensorOrSparse> &inputs,
                                     const SparseCrossOptions &options = {});
struct SparseCrossHashedOptions {
  int64_t numBuckets = 0;
  /// 0: TensorFlow's own.
  int64_t hashKey = 0;
  std::string name = {};
};
/// The same as numbers. **Source**: tf.sparse.cross_hashed, "SparseCross".
KILN_EXPORT SparseTensor
sparseCrossHashed(const std::vector<TensorOrSparse> &inputs,
                  const SparseCrossHashedOptions &options = {});

struct SerializeSparseOptions {
  std::string name = {};
  DType outType = DType::String;
};
/// The three parts as texts. **Source**: tf.serialize_sparse,
/// "SerializeSparse".
KILN_EXPORT Output serializeSparse(const SparseTensor &input,
                                   const SerializeSparseOptions &options = {});
/// Those of each row. **Source**: tf.serialize_many_sparse,
/// "SerializeManySparse".
KILN_EXPORT Output serializeManySparse(
    const SparseTensor &input, const SerializeSparseOptions &options = {});
struct DeserializeSparseOptions {
  /// Where it is known, otherwise -1.
  int64_t rank = -1;
  std::string name = {};
};
/// **Source**: tf.io.deserialize_sparse, "DeserializeSparse".
KILN_EXPORT SparseTensor
deserializeSparse(const Input &serializedSparse, DType dtype,
                  const DeserializeSparseOptions &options = {});
/// **Source**: tf.deserialize_many_sparse, "DeserializeManySparse".
KILN_EXPORT SparseTensor
deserializeManySparse(const Input &serializedSparse, DType dtype,
                      const DeserializeSparseOptions &options = {});

// Sequences.

struct EditDistanceOptions {
  /// By the length of the truth.
  bool normalize = true;
  std::string name = "edit_distance";
};
/// How many insertions, deletions and substitutions there are. **Source**:
/// tf.edit_distance, "edit_distance".
KILN_EXPORT Output editDistance(const SparseTensor &hypothesis,
                                const SparseTensor &truth,
                                const EditDistanceOptions &options = {});

struct CtcLossOptions {
  bool preprocessCollapseRepeated = false;
  bool ctcMergeRepeated = true;
  bool ignoreLongerOutputsThanInputs = false;
  /// The inputs are [time, batch, classes], otherwise [batch, time, classes].
  bool timeMajor = true;
};
/// The loss of labels whose places in a sequence are not known. **Source**:
/// tf.nn.ctc_loss, "CTCLoss".
KILN_EXPORT Output ctcLoss(const SparseTensor &labels, const Input &inputs,
                           const Input &sequenceLength,
                           const CtcLossOptions &options = {});
struct CtcDecoded {
  /// One a path, the most probable first.
  std::vector<SparseTensor> decoded;
  Output logProbabilities;
};
/// The most probable label of each step. **Source**: tf.nn.ctc_greedy_decoder,
/// "CTCGreedyDecoder".
KILN_EXPORT CtcDecoded ctcGreedyDecoder(const Input &inputs,
                                        const Input &sequenceLength,
                                        bool mergeRepeated = true);
/// The most probable sequences. **Source**: tf.nn.ctc_beam_search_decoder,
/// "CTCBeamSearchDecoder".
KILN_EXPORT CtcDecoded ctcBeamSearchDecoder(const Input &inputs,
                                            const Input &sequenceLength,
                                            int64_t beamWidth = 100,
                                            int64_t topPaths = 1,
                                            bool mergeRepeated = true);
struct CollapsedLabels {
  Output labels, lengths;
};
/// Sequences without repetitions of a label. **Source**:
/// tf.nn.collapse_repeated, "collapse_repeated_labels".
KILN_EXPORT CollapsedLabels collapseRepeated(const Input &labels,
                                             const Input &seqLength,
                                             const OpOptions &options = {});

} // namespace kiln::ops

#endif // KILN_OPS_SETOPS_H
