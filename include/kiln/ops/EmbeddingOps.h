// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of parameters that may lie in several parts.
#ifndef KILN_OPS_EMBEDDINGOPS_H
#define KILN_OPS_EMBEDDINGOPS_H

#include "kiln/OpOptions.h"
#include "kiln/PartitionedVariable.h"
#include "kiln/SparseTensor.h"

#include <functional>
#include <optional>
#include <vector>

namespace kiln::ops {

/// A tensor or variable, or several that have its rows.
class EmbeddingParameters {
public:
  template <class T>
    requires std::is_convertible_v<const T &, Input>
  EmbeddingParameters(const T &whole) : parts{Input(whole)} {}
  EmbeddingParameters(const PartitionedVariable &variable)
      : EmbeddingParameters(variable.parts()) {}
  EmbeddingParameters(const std::vector<Variable> &variables)
      : parts(variables.begin(), variables.end()) {}
  EmbeddingParameters(const std::vector<Output> &tensors)
      : parts(tensors.begin(), tensors.end()) {}
  explicit EmbeddingParameters(std::vector<Input> parts)
      : parts(std::move(parts)) {}
  const std::vector<Input> &list() const noexcept { return parts; }

private:
  std::vector<Input> parts;
};

/// What is made of the rows that were found for ids, such as rows of a limited
/// norm.
using RowFunction =
    std::function<Output(const Output &rows, const Output &ids)>;

struct EmbeddingOptions {
  /// "mod": row i is in part i mod n. "div": parts are behind one another, the
  /// first ones of one row more, as PartitionedVariable has them.
  std::string partitionStrategy = "mod";
  std::string name = {};
  RowFunction rowFunction = {};
};
/// Rows of the parameters. **Errors** of the graph: INVALID_ARGUMENT for no
/// parameters and other strategies. **Source**: tf.nn.embedding_lookup,
/// "embedding_lookup".
KILN_EXPORT Output embeddingLookup(const EmbeddingParameters &params,
                                   const Input &ids,
                                   const EmbeddingOptions &options = {});

struct SparseEmbeddingOptions {
  /// As many as there are ids; nothing: ones.
  std::optional<SparseTensor> weights = {};
  /// What is made of the rows of a list of ids: "sum", "mean", or "sqrtn", the
  /// sum by the root of the sum of the weights' squares.
  std::string combiner = "mean";
  std::string partitionStrategy = "mod";
  std::string name = {};
  RowFunction rowFunction = {};
};
/// Rows of the parameters, weighted and put together for each row of the ids.
/// **Errors** of the graph: as embeddingLookup(), and INVALID_ARGUMENT for
/// other combiners. **Source**: tf.nn.embedding_lookup_sparse,
/// "embedding_lookup_sparse".
KILN_EXPORT Output embeddingLookupSparse(
    const EmbeddingParameters &params, const SparseTensor &ids,
    const SparseEmbeddingOptions &options = {});

struct SafeEmbeddingOptions {
  std::optional<SparseTensor> sparseWeights = {};
  std::string combiner = "mean";
  /// Whose row rows without an id get; nothing: zeros.
  std::optional<int64_t> defaultId = {};
  std::string name = {};
  std::string partitionStrategy = "div";
  RowFunction rowFunction = {};
};
/// The same for ids of which some are below 0 or weigh nothing, which are left
/// out, and rows that have none. **Shapes**: ids: [..., n]. **Source**:
/// tf.nn.safe_embedding_lookup_sparse, "embedding_lookup".
KILN_EXPORT Output safeEmbeddingLookupSparse(
    const EmbeddingParameters &weights, const SparseTensor &sparseIds,
    const SafeEmbeddingOptions &options = {});

} // namespace kiln::ops

#endif // KILN_OPS_EMBEDDINGOPS_H
