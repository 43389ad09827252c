// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Assertions on the values, ranks and types of tensors.
#ifndef KILN_OPS_CHECKOPS_H
#define KILN_OPS_CHECKOPS_H

#include "kiln/OpOptions.h"

#include <optional>

namespace kiln::ops {

// Each adds an operation that ends the run where the check fails; what is to
// wait for it is added in a ControlScope. What the graph itself knows is
// checked at once, and then it is an **error** of the graph, INVALID_ARGUMENT
// with the words of the run's.

struct CheckOptions {
  /// What the message of the run shows; nothing: the condition and the tensors.
  std::optional<InputList> data = {};
  /// How many elements of each tensor the message shows; nothing: 3.
  std::optional<int64_t> summarize = {};
  /// What the message begins with.
  std::optional<std::string> message = {};
  std::string name = {};
};
/// **Source**: tf.assert_equal, "assert_equal".
KILN_EXPORT const Node *assertEqual(const Input &x, const Input &y,
                                    const CheckOptions &options = {});
/// **Source**: tf.assert_none_equal, "assert_none_equal".
KILN_EXPORT const Node *assertNoneEqual(const Input &x, const Input &y,
                                        const CheckOptions &options = {});
/// **Source**: tf.assert_less, "assert_less".
KILN_EXPORT const Node *assertLess(const Input &x, const Input &y,
                                   const CheckOptions &options = {});
/// **Source**: tf.assert_less_equal, "assert_less_equal".
KILN_EXPORT const Node *assertLessEqual(const Input &x, const Input &y,
                                        const CheckOptions &options = {});
/// **Source**: tf.assert_greater, "assert_greater".
KILN_EXPORT const Node *assertGreater(const Input &x, const Input &y,
                                      const CheckOptions &options = {});
/// **Source**: tf.assert_greater_equal, "assert_greater_equal".
KILN_EXPORT const Node *assertGreaterEqual(const Input &x, const Input &y,
                                           const CheckOptions &options = {});
/// **Source**: tf.assert_negative, "assert_negative".
KILN_EXPORT const Node *assertNegative(const Input &x,
                                       const CheckOptions &options = {});
/// **Source**: tf.assert_positive, "assert_positive".
KILN_EXPORT const Node *assertPositive(const Input &x,
                                       const CheckOptions &options = {});
/// **Source**: tf.assert_non_negative, "assert_non_negative".
KILN_EXPORT const Node *assertNonNegative(const Input &x,
                                          const CheckOptions &options = {});
/// **Source**: tf.assert_non_positive, "assert_non_positive".
KILN_EXPORT const Node *assertNonPositive(const Input &x,
                                          const CheckOptions &options = {});

struct AssertNearOptions {
  /// Ten times the distance from 1 to the next number of the dtype, where there
  /// is nothing; the other tolerance likewise.
  std::optional<Input> rtol = {};
  std::optional<Input> atol = {};
  std::optional<InputList> data = {};
  std::optional<int64_t> summarize = {};
  std::optional<std::string> message = {};
  std::string name = {};
};
/// |x - y| < atol + rtol * |y|. **Source**: tf.assert_near, "assert_near".
KILN_EXPORT const Node *assertNear(const Input &x, const Input &y,
                                   const AssertNearOptions &options = {});

/// **Source**: tf.assert_rank, "assert_rank".
KILN_EXPORT const Node *assertRank(const Input &x, const Input &rank,
                                   const CheckOptions &options = {});
/// **Source**: tf.assert_rank_at_least, "assert_rank_at_least".
KILN_EXPORT const Node *assertRankAtLeast(const Input &x, const Input &rank,
                                          const CheckOptions &options = {});
/// **Source**: tf.assert_rank_in, "assert_rank_in".
KILN_EXPORT const Node *assertRankIn(const Input &x, const InputList &ranks,
                                     const CheckOptions &options = {});

// What the graph always knows.

struct StaticCheckOptions {
  std::optional<std::string> message = {};
  std::string name = {};
};
/// **Source**: tf.assert_integer, "assert_integer".
KILN_EXPORT const Node *assertInteger(const Input &x,
                                      const StaticCheckOptions &options = {});
/// **Source**: tf.assert_type, "assert_type".
KILN_EXPORT const Node *assertType(const Input &tensor, DType dtype,
                                   const StaticCheckOptions &options = {});
struct AssertScalarOptions {
  std::string name = {};
  std::optional<std::string> message = {};
};
/// Returns the tensor. **Source**: tf.assert_scalar, "assert_scalar".
KILN_EXPORT Output assertScalar(const Input &tensor,
                                const AssertScalarOptions &options = {});

/// Whether no element is below the one before it. **Source**:
/// tf.is_non_decreasing, "is_non_decreasing".
KILN_EXPORT Output isNonDecreasing(const Input &x,
                                   const OpOptions &options = {});
/// Whether each element is above the one before it. **Source**:
/// tf.is_strictly_increasing, "is_strictly_increasing".
KILN_EXPORT Output isStrictlyIncreasing(const Input &x,
                                        const OpOptions &options = {});

} // namespace kiln::ops

#endif // KILN_OPS_CHECKOPS_H
