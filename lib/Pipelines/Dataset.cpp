// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Datasets as tensors.
#include "lib/Pipelines/Dataset.h"

#include "lib/Support/DataMemory.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <new>

namespace kiln {
namespace {

struct DatasetBuffer : Buffer {
  explicit DatasetBuffer(DatasetPtr made) : dataset(std::move(made)) {
    data = &dataset;
    release = releaseDataset;
    writable = false;
  }
  static void releaseDataset(Buffer *base) noexcept {
    delete static_cast<DatasetBuffer *>(base);
  }

  DatasetPtr dataset;
};

} // namespace

Status PullContext::poll() const {
  const int32_t code = cancelCode(state);
  if (code == 0)
    return okStatus();
  return errorStatus(code == static_cast<int32_t>(StatusCode::DeadlineExceeded)
                         ? ErrorKind::DeadlineExceeded
                         : ErrorKind::Cancelled,
                     {});
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
  auto *buffer = new (std::nothrow) DatasetBuffer(std::move(dataset));
  if (!buffer)
    return outOfMemory(DType::Variant, Shape(), sizeof(DatasetBuffer));
  return Tensor::fromBuffer(DType::Variant, Shape(), BufferRef::adopt(buffer));
}

DatasetPtr datasetOf(const Tensor &tensor) {
  const Buffer *buffer = tensor.bufferRef().get();
  if (!buffer || buffer->release != DatasetBuffer::releaseDataset)
    return nullptr;
  return static_cast<const DatasetBuffer *>(buffer)->dataset;
}

} // namespace kiln
