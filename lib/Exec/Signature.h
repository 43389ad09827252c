// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The key under which the code of a request is found.
#ifndef KILN_LIB_EXEC_SIGNATURE_H
#define KILN_LIB_EXEC_SIGNATURE_H

#include "lib/Plan/Request.h"

#include <cstdint>
#include <span>
#include <vector>

namespace kiln {

/// A feed as far as a signature cares.
struct FeedView {
  DType dtype = DType::Invalid;
  std::span<const int64_t> dims;
  /// Null where prepare() was given none.
  const Tensor *value = nullptr;

  FeedView() = default;
  explicit FeedView(const Tensor &tensor)
      : dtype(tensor.dtype()), dims(tensor.shape().dims()), value(&tensor) {}
};

/// Fetches, targets, feeds with dtypes and ranks, as numbers.
using SignatureKey = std::vector<uint64_t>;
/// Writes the key of a request into `key`, whose memory is used again.
void makeSignatureKey(const RunRequest &request,
                      std::span<const FeedView> feeds, SignatureKey &key);
struct SignatureKeyHash {
  size_t operator()(const SignatureKey &key) const noexcept;
};

} // namespace kiln

#endif // KILN_LIB_EXEC_SIGNATURE_H
