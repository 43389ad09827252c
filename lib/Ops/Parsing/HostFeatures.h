// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What ops want of the features of examples, and the values that they find.
#ifndef KILN_LIB_OPS_PARSING_HOSTFEATURES_H
#define KILN_LIB_OPS_PARSING_HOSTFEATURES_H

#include "kiln/Node.h"
#include "kiln/Tensor.h"
#include "lib/IO/proto/Example.pb.h"

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace kiln::host {

/// A feature with a shape, whose first dimension may be open.
struct DenseFeature {
  std::string key;
  DType dtype;
  Shape shape;
  Tensor fallback; ///< for an example without it; empty: there must be one
  bool isOpen = false;
  int64_t rowElements = 1; ///< without an open dimension: all of them
};

/// A feature with any number of values; a ragged one has a type of splits.
struct ListFeature {
  std::string key;
  DType dtype;
  DType splits = DType::Invalid;
};

struct Features {
  std::vector<DenseFeature> dense;
  std::vector<ListFeature> sparse, ragged;
};

/// Which of the features a key means.
struct FeaturePlace {
  enum class Kind : uint8_t { Dense, Sparse, Ragged } kind;
  size_t place;
};
using FeatureIndex = std::unordered_map<std::string_view, FeaturePlace>;
/// Where several features have one key, the last is found, as in TensorFlow.
FeatureIndex indexOf(const Features &features);

/// Makes features of keys, shapes, types and fallbacks, of which there are
/// equally many. **Errors**: INVALID_ARGUMENT for a shape of unknown rank or
/// with open dimensions behind the first.
StatusOr<std::vector<DenseFeature>>
denseFeatures(std::span<const std::string> keys, std::span<const DType> dtypes,
              std::span<const Shape> shapes, std::span<const Tensor> fallbacks);
std::vector<ListFeature> listFeatures(std::span<const std::string> keys,
                                      std::span<const DType> dtypes,
                                      std::span<const DType> splits = {});

/// Invalid for a feature that is not set.
DType dtypeOf(const proto::Feature &feature);
int64_t sizeOf(const proto::Feature &feature);
/// "bytes", "float", "int64".
std::string_view listName(DType dtype);
/// Writes all values from element `at` on. There must be room, of the type.
Status writeValues(const proto::Feature &feature, Tensor &to, int64_t at);

/// The values of one feature, row by row: of an example, or of its steps.
class FeatureValues {
public:
  /// Keeps a pointer to it; null, or one that is not set, for no values.
  void addRow(const proto::Feature *feature);
  int64_t numRows() const { return static_cast<int64_t>(rows.size()); }
  int64_t numValues() const { return total; }
  int64_t longestRow() const { return longest; }
  int64_t rowSize(int64_t row) const {
    const proto::Feature *feature = rows[static_cast<size_t>(row)];
    return feature ? sizeOf(*feature) : 0;
  }

  /// All values, one behind the other.
  StatusOr<Tensor> values(DType dtype) const;
  /// For each value its row and its place there; the place alone if `isFlat`.
  StatusOr<Tensor> indices(bool isFlat) const;
  /// Where rows begin and end, from `isEmpty` none.
  StatusOr<Tensor> splits(DType dtype) const;
  /// Rows, each filled up to `rowElements` with a tensor's one element.
  Status writePadded(Tensor &to, int64_t rowElements,
                     const Tensor &padding) const;

private:
  std::vector<const proto::Feature *> rows;
  int64_t total = 0, longest = 0;
};

/// The strings of a tensor.
std::vector<std::string> textsOf(const Tensor &tensor);
/// Copies all elements of a tensor to the place of element `at` of another.
void copyElements(const Tensor &from, Tensor &to, int64_t at);
/// A vector of numbers.
StatusOr<Tensor> vectorOf(std::span<const int64_t> numbers);
/// RESOURCE_EXHAUSTED where the shape's elements cannot be counted or had.
StatusOr<Tensor> tensorOf(DType dtype, const Shape &shape);

} // namespace kiln::host

#endif // KILN_LIB_OPS_PARSING_HOSTFEATURES_H
