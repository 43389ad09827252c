// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies of feeds.
#include "lib/Compile/CompileTask.h"

#include "lib/OpDefs/Inference.h"
#include "lib/Support/StatusMacros.h"

#include <algorithm>

namespace kiln {

/// What decides shapes are a few numbers; null for other values.
static const Tensor *contentsOf(const FeedView &feed) {
  return feed.value && feed.dtype != DType::String &&
                 feed.dtype != DType::Variant &&
                 feed.value->numElements() <= static_cast<int64_t>(maxContents)
             ? feed.value
             : nullptr;
}

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
    const Tensor *contents = contentsOf(feed);
    if (!contents)
      continue;
    auto copy = contents->clone();
    if (!copy.ok())
      return copy.status().withNode(
          names[static_cast<size_t>(&feed - feeds.data())].node->name());
    value = *std::move(copy);
    view.value = &value;
  }
  return task;
}

bool CompileTask::isFor(std::span<const FeedView> feeds) const {
  auto isSame = [](const FeedView &own, const FeedView &other) {
    const Tensor *contents = contentsOf(other);
    return own.dtype == other.dtype &&
           std::ranges::equal(own.dims, other.dims) &&
           !own.value == !contents &&
           (!contents || contents->hasSameBits(*own.value));
  };
  return std::ranges::equal(views, feeds, isSame);
}

} // namespace kiln
