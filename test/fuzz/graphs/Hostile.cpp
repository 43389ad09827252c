// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Changes extents and elements of a set of feeds.
#include "test/fuzz/graphs/Hostile.h"

#include "lib/Support/DTypeDispatch.h"

#include <cstring>
#include <limits>

namespace kiln::fuzz {
namespace {

/// A dimension of a feed that the placeholder leaves open.
struct OpenDim {
  std::string name;
  size_t dim;
};

std::vector<OpenDim> openDims(const Graph &graph, const Feeds &feeds) {
  std::vector<OpenDim> list;
  for (const auto &[name, value] : feeds) {
    const Node *node = graph.lookup(name);
    if (!node)
      continue;
    const Shape &declared = node->outputShape(0);
    for (int dim = 0; dim < value.rank(); ++dim)
      if (!declared.hasRank() || declared.dim(dim) < 0)
        list.push_back({name, size_t(dim)});
  }
  return list;
}

/// The same elements in turn, in another shape.
Tensor resized(const Tensor &tensor, const std::vector<int64_t> &dims) {
  auto made = Tensor::zeros(tensor.dtype(), *Shape::fromDims(dims));
  if (!made.ok())
    return tensor;
  int64_t number = tensor.numElements();
  for (int64_t i = 0; number > 0 && i < made->numElements(); ++i) {
    auto from = static_cast<size_t>(i % number);
    if (tensor.dtype() == DType::String) {
      made->mutableData<String>()[size_t(i)] =
          *String::create(std::string_view(tensor.data<String>()[from]));
      continue;
    }
    size_t size = dtypeSize(tensor.dtype());
    std::memcpy(static_cast<char *>(made->mutableRawData()) + size_t(i) * size,
                static_cast<const char *>(tensor.rawData()) + from * size,
                size);
  }
  return *std::move(made);
}

std::vector<int64_t> dimsOf(const Tensor &tensor) {
  return {tensor.shape().dims().begin(), tensor.shape().dims().end()};
}

int64_t otherExtent(int64_t extent, Random &random) {
  return std::max<int64_t>(
      random.among<int64_t>({0, 0, 1, 1, extent - 1, extent + 1, 2 * extent}),
      0);
}

/// Replaces a number wherever a small tensor of integers has it.
void replaceNumber(Tensor &tensor, int64_t from, int64_t to) {
  if (!isInteger(tensor.dtype()) || tensor.numElements() > 8)
    return;
  Tensor own = resized(tensor, dimsOf(tensor));
  dispatchInteger(own.dtype(), [&]<class T>(T) {
    for (T &element : own.mutableData<T>())
      if (element == static_cast<T>(from))
        element = static_cast<T>(to);
    return 0;
  });
  tensor = own;
}

/// An extent as another one in all feeds, and at times where it is a number.
void changeExtent(Feeds &feeds, const std::vector<OpenDim> &open,
                  Random &random) {
  const OpenDim &of = random.pick(open);
  int64_t from = feeds[of.name].dim(int(of.dim)),
          to = otherExtent(from, random);
  for (const OpenDim &other : open)
    if (feeds[other.name].dim(int(other.dim)) == from) {
      std::vector<int64_t> dims = dimsOf(feeds[other.name]);
      dims[other.dim] = to;
      feeds[other.name] = resized(feeds[other.name], dims);
    }
  if (random.chance(50))
    for (auto &[name, value] : feeds)
      replaceNumber(value, from, to);
}

void changeOne(Feeds &feeds, const std::vector<OpenDim> &open, Random &random) {
  const OpenDim &of = random.pick(open);
  std::vector<int64_t> dims = dimsOf(feeds[of.name]);
  dims[of.dim] = otherExtent(dims[of.dim], random);
  feeds[of.name] = resized(feeds[of.name], dims);
}

/// Sizes are among them: none that would take all of the memory.
constexpr int64_t hostileNumbers[] = {-1, -1, 0, 0, 1, 2, 7, 100, -1000000};

void changeElements(Feeds &feeds, Random &random) {
  auto at = std::next(feeds.begin(), random.below(int(feeds.size())));
  Tensor &tensor = at->second;
  if (tensor.numElements() == 0)
    return;
  Tensor own = resized(tensor, dimsOf(tensor));
  bool isEach = random.chance(30);
  auto last = static_cast<size_t>(own.numElements()),
       begin = isEach ? size_t(0) : size_t(random.below(int(last)));
  if (!isEach)
    last = begin + 1;
  DType dtype = own.dtype();
  if (dtype == DType::String) {
    for (size_t i = begin; i < last; ++i)
      own.mutableData<String>()[i] =
          *String::create(random.among<std::string_view>({"", "x", "-"}));
  } else if (dtype == DType::Bool) {
    for (size_t i = begin; i < last; ++i)
      own.mutableData<bool>()[i] = !own.data<bool>()[i];
  } else if (isFloating(dtype)) {
    float number =
        random.among({std::numeric_limits<float>::quiet_NaN(),
                      std::numeric_limits<float>::infinity(),
                      -std::numeric_limits<float>::infinity(), 0.0f, -1.0f});
    dispatchElement(dtype, [&]<class T>(T) {
      if constexpr (!std::is_same_v<T, bool>)
        for (size_t i = begin; i < last; ++i)
          own.mutableData<T>()[i] = static_cast<T>(number);
      return 0;
    });
  } else if (isInteger(dtype)) {
    int64_t number = random.pick(hostileNumbers);
    dispatchInteger(dtype, [&]<class T>(T) {
      for (size_t i = begin; i < last; ++i)
        own.mutableData<T>()[i] = static_cast<T>(number);
      return 0;
    });
  }
  tensor = own;
}

} // namespace

Feeds hostileFeeds(Maker &maker) {
  Random &random = maker.random;
  Feeds feeds = maker.program.feeds[size_t(random.below(int(numSets)))];
  if (feeds.empty())
    return feeds;
  std::vector<OpenDim> open = openDims(*maker.scope->graph, feeds);
  for (int64_t changes = random.between(1, 2); changes > 0; --changes) {
    int kind = random.below(100);
    if (kind < 35 && !open.empty())
      changeExtent(feeds, open, random);
    else if (kind < 65 && !open.empty())
      changeOne(feeds, open, random);
    else
      changeElements(feeds, random);
  }
  return feeds;
}

} // namespace kiln::fuzz
