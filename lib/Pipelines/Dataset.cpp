// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Datasets as tensors.
#include "lib/Pipelines/Dataset.h"

#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <utility>

namespace kiln {
Status PullContext::poll() const {
  const int32_t code = cancelCode(state);
  if (code == 0)
    return okStatus();
  return errorStatus(code == static_cast<int32_t>(StatusCode::DeadlineExceeded)
                         ? ErrorKind::DeadlineExceeded
                         : ErrorKind::Cancelled,
                     {});
}

Status DatasetIterator::save(StateWriter &) const {
  return unimplementedError(
      "expected an iterator that can be saved, got one of a dataset that "
      "cannot");
}

Status DatasetIterator::restore(StateReader &, PullContext &) {
  return unimplementedError(
      "expected an iterator that can be restored, got one of a dataset that "
      "cannot");
}

Status saveInput(const IteratorPtr &input, StateWriter &to) {
  to.flag(input != nullptr);
  return input ? input->save(to) : okStatus();
}

Status restoreInput(IteratorPtr &input, StateReader &from, PullContext &pull) {
  bool isThere;
  KILN_RETURN_IF_ERROR(from.flag(isThere));
  if (!isThere) {
    input.reset();
    return okStatus();
  }
  if (!input)
    return internalError("expected an input to restore, got none");
  return input->restore(from, pull);
}

Status checkDatasetDepth(int depth) {
  if (depth <= Dataset::maxDepth)
    return okStatus();
  return resourceExhaustedError(strCat("expected datasets nested at most ",
                                       Dataset::maxDepth, " deep, got ",
                                       depth));
}

StatusOr<Tensor> tensorOf(DatasetPtr dataset) {
  KILN_RETURN_IF_ERROR(checkDatasetDepth(dataset->depth));
  std::vector<VariantPtr> variants{std::move(dataset)};
  return tensorOfVariants(Shape(), std::move(variants));
}

DatasetPtr datasetOf(const Tensor &tensor) {
  return tensor.rank() == 0 ? variantAt<Dataset>(tensor) : nullptr;
}

} // namespace kiln
