// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies of feeds.
#include "lib/Session/CompileTask.h"

#include "lib/Ops/Inference.h"
#include "lib/Support/StatusMacros.h"

namespace kiln {

StatusOr<std::unique_ptr<CompileTask>>
CompileTask::make(std::span<const FeedView> feeds,
                  std::span<const Output> names, Compile compile) {
  std::unique_ptr<CompileTask> task(new CompileTask);
  task->compile = std::move(compile);
  // Views point at both.
  task->values.reserve(feeds.size());
  task->shapes.reserve(feeds.size());
  for (const FeedView &feed : feeds) {
    Tensor &value = task->values.emplace_back();
    const Shape &shape = task->shapes.emplace_back(feed.dims);
    FeedView &view = task->views.emplace_back();
    view.dtype = feed.dtype;
    view.dims = shape.dims();
    // What decides shapes are numbers.
    if (!feed.value || feed.dtype == DType::String ||
        feed.value->numElements() > static_cast<int64_t>(maxContents))
      continue;
    auto copy = feed.value->clone();
    if (!copy.ok())
      return copy.status().withNode(
          names[static_cast<size_t>(&feed - feeds.data())].node->name());
    value = *std::move(copy);
    view.value = &value;
  }
  return task;
}

} // namespace kiln
