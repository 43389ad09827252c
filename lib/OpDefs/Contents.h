// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Helpers of shape functions that follow the elements of small integer tensors.
#ifndef KILN_LIB_OPDEFS_CONTENTS_H
#define KILN_LIB_OPDEFS_CONTENTS_H

#include "lib/OpDefs/Inference.h"

#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace kiln {

/// The extents of a small tensor: all known, at most maxContents elements.
std::optional<std::vector<int64_t>> smallExtents(const SymShape &shape);

/// The row-major position of an index. With `broadcast`, the index may have
/// more dimensions than the extents (they are aligned at the right), and an
/// extent of 1 fits any index.
size_t flatIndex(std::span<const int64_t> extents,
                 std::span<const int64_t> index, bool broadcast = false);

/// Sets the elements of an output of a known small shape, index by index.
void setContentsByIndex(
    InferenceContext &context, int output, const SymShape &shape,
    const std::function<Dim(std::span<const int64_t> index)> &element);

/// The tensor of a Const of one element; null for any other node.
/// **Ownership**: points into the node.
const Tensor *singleElement(const Node &node);

/// The number of such a Const of floats or signed integers; a denormal is a
/// zero of its sign, as in a run.
std::optional<double> constantNumber(const Node &node);
/// What a Cast makes of such a number.
double castNumber(const Node &cast, double number);
bool isCast(const Node &node);

/// The elements as plain numbers; nothing where one is not a known number.
std::optional<std::vector<int64_t>> knownNumbers(const Dims *contents);

/// The single element of input i that a shape depends on; unknown where it is
/// not known.
Dim scalarContents(const InferenceContext &context, int i);
/// The same of an axis or the like. **Errors**: INVALID_ARGUMENT for an input
/// that is no scalar.
StatusOr<Dim> scalarArgument(const InferenceContext &context, int i);

/// As scalarContents(), of a size or what one is computed from.
Dim scalarSize(const InferenceContext &context, int i);
/// As scalarContents(), of what changes from run to run (Demand::Amounts).
Dim scalarAmount(const InferenceContext &context, int i);

/// True for the types whose known elements inference keeps: signed integers and
/// bool, in which shapes, axes and indices come.
bool hasContents(DType dtype);

/// The elements of such a tensor of at most maxContents; nothing for others.
std::optional<Dims> contentsOf(const Tensor &tensor);

/// The number as an element of the dtype: narrow integers wrap. Unknown for a
/// dtype without contents, and for a size as one of 8 or 16 bits.
/// **Difference**: a product or sum of sizes in 32 bits is what it would be in
/// 64, where TensorFlow wraps.
Dim wrapped(DType dtype, Dim dim);

/// Where the run finds out how long the vector is that input i gives, and with
/// it the rank of output 0: takes that for the rank that the graph declares, if
/// it does, which the run then checks. To be asked before the elements.
Status takeDeclaredRank(InferenceContext &context, int i);

/// Demands that a shape has no more elements than can be counted, as far as
/// its sizes are numbers. Products of sizes that the run finds out are computed
/// there, where one that does not fit is an error; the sizes of feeds are those
/// of memory that there is.
Status checkElementCount(InferenceContext &context, const Dims &sizes);

/// A vector's extents as a shape (takeDeclaredRank()), from the contents of
/// input i; the rank from its shape where the elements are unknown.
/// **Errors**: a dimension below 0 with TensorFlow's text "Dimension -1 must be
/// >= 0"; those of checkElementCount().
StatusOr<SymShape> shapeFromContents(InferenceContext &context, int i);

} // namespace kiln

#endif // KILN_LIB_OPDEFS_CONTENTS_H
