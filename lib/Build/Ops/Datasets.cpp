// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Datasets without functions, and iterators: a node each.
#include "kiln/Data.h"

#include "kiln/Functions.h"
#include "kiln/GraphScopes.h"
#include "kiln/ops/Pipeline.h"
#include "lib/Build/Ops/DatasetFunctions.h"
#include "lib/Build/Ops/Helpers.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <limits>

namespace kiln::data {
namespace {

Output number(const Input &value, std::string_view name) {
  return ops::convert(value, name, DType::Int64);
}

Output truth(bool value, std::string_view name) {
  return ops::convert(value, name, DType::Bool);
}

/// The tensors of an element, in a scope of their own.
std::vector<Output> componentsOf(const InputList &given) {
  NameScope scope("normalize_element");
  std::vector<Output> components;
  for (size_t i = 0; i < given.size(); ++i)
    components.push_back(
        ops::convert(given.list()[i], strCat("component_", i)));
  return components;
}

std::vector<DType> dtypesOf(const std::vector<Output> &tensors) {
  std::vector<DType> dtypes;
  for (const Output &tensor : tensors)
    dtypes.push_back(tensor.node ? tensor.dtype() : DType::Invalid);
  return dtypes;
}

std::vector<Shape> shapesOf(const std::vector<Output> &tensors) {
  std::vector<Shape> shapes;
  for (const Output &tensor : tensors)
    shapes.push_back(tensor.node ? tensor.shape() : Shape::unknownRank());
  return shapes;
}

Shape rowShape(const Shape &shape) {
  return shape.hasRank() && shape.rank() > 0 ? Shape(shape.dims().subspan(1))
                                             : Shape::unknownRank();
}

Shape batchShape(int64_t rows, const Shape &shape) {
  if (!shape.hasRank())
    return shape;
  std::vector<int64_t> dims{rows};
  dims.insert(dims.end(), shape.dims().begin(), shape.dims().end());
  auto whole = Shape::fromDims(dims);
  return whole.ok() ? *std::move(whole) : Shape::unknownRank();
}

/// The dataset of files' texts.
template <class Add>
Output addOfFiles(const Input &filenames, const FileOptions &options,
                  const Add &add) {
  const Output names = ops::convert(filenames, "filenames", DType::String);
  const Output compression =
      ops::convert(options.compressionType, "compression_type", DType::String);
  const Output buffer = number(options.bufferBytes, "buffer_size");
  return add(names, compression, buffer);
}

} // namespace

Dataset Dataset::of(const Output &variant, std::vector<DType> dtypes,
                    std::vector<Shape> shapes) {
  return Dataset(variant, std::move(dtypes), std::move(shapes));
}

Dataset Dataset::fromTensors(const InputList &given) {
  const std::vector<Output> components = componentsOf(given);
  std::vector<Shape> shapes = shapesOf(components);
  const Output made = rawOps::tensorDataset(components, shapes);
  return Dataset(made, dtypesOf(components), std::move(shapes));
}

Dataset Dataset::fromTensorSlices(const InputList &given) {
  const std::vector<Output> components = componentsOf(given);
  std::vector<Shape> shapes = shapesOf(components);
  for (Shape &shape : shapes) {
    if (shape.hasRank() && shape.rank() == 0)
      return Dataset(ops::failed(invalidArgumentError(
                                     "Unbatching a tensor is only supported "
                                     "for rank >= 1"),
                                 ""),
                     dtypesOf(components), shapes);
    shape = rowShape(shape);
  }
  const Output made = rawOps::tensorSliceDataset(components, shapes);
  return Dataset(made, dtypesOf(components), std::move(shapes));
}

Dataset Dataset::range(const Input &stop) { return range(0, stop, 1); }

Dataset Dataset::range(const Input &start, const Input &stop,
                       const Input &step) {
  const Output first = number(start, "start"), last = number(stop, "stop"),
               by = number(step, "step");
  std::vector<DType> dtypes{DType::Int64};
  std::vector<Shape> shapes{Shape()};
  const Output made = rawOps::rangeDataset(first, last, by, dtypes, shapes);
  return Dataset(made, std::move(dtypes), std::move(shapes));
}

Dataset Dataset::zip(const std::vector<Dataset> &datasets) {
  std::vector<Output> variants;
  std::vector<DType> dtypes;
  std::vector<Shape> shapes;
  for (const Dataset &part : datasets) {
    variants.push_back(part.handle);
    dtypes.insert(dtypes.end(), part.types.begin(), part.types.end());
    shapes.insert(shapes.end(), part.partShapes.begin(), part.partShapes.end());
  }
  const Output made = rawOps::zipDataset(variants, dtypes, shapes);
  return Dataset(made, std::move(dtypes), std::move(shapes));
}

Dataset Dataset::textLines(const Input &filenames, const FileOptions &options) {
  return Dataset(addOfFiles(filenames, options,
                            [](auto &...parts) {
                              return rawOps::textLineDataset(parts...);
                            }),
                 {DType::String}, {Shape()});
}

Dataset Dataset::records(const Input &filenames, const FileOptions &options) {
  return Dataset(addOfFiles(filenames, options,
                            [](auto &...parts) {
                              return rawOps::tfRecordDataset(parts...);
                            }),
                 {DType::String}, {Shape()});
}

Dataset Dataset::fixedLengthRecords(const Input &filenames, int64_t recordBytes,
                                    const FixedLengthOptions &options) {
  const auto add = [&](const Output &names, const Output &compression,
                       const Output &buffer) {
    const Output header = number(options.headerBytes, "header_bytes"),
                 record = number(recordBytes, "record_bytes"),
                 footer = number(options.footerBytes, "footer_bytes");
    return rawOps::fixedLengthRecordDatasetV2(names, header, record, footer,
                                              buffer, compression);
  };
  return Dataset(addOfFiles(filenames, options.files, add), {DType::String},
                 {Shape()});
}

Dataset Dataset::batch(const Input &size, bool dropRemainder) const {
  const Output rows = number(size, "batch_size");
  const Output drops = truth(dropRemainder, "drop_remainder");
  int64_t known = Shape::unknownDim;
  if (auto values = ops::knownIntegers(rows); dropRemainder && values)
    known = (*values)[0];
  std::vector<Shape> shapes;
  for (const Shape &shape : partShapes)
    shapes.push_back(batchShape(known, shape));
  const Output made =
      rawOps::batchDatasetV2(handle, rows, drops, types, shapes);
  return withShapes(made, std::move(shapes));
}

Dataset Dataset::paddedBatch(const Input &size,
                             const PaddedBatchOptions &options) const {
  const Output rows = number(size, "batch_size");
  const std::vector<Shape> &padded = options.paddedShapes.value_or(partShapes);
  const size_t numValues =
      options.paddingValues ? options.paddingValues->size() : types.size();
  if (padded.size() != types.size() || numValues != types.size())
    return same(ops::failed(
        invalidArgumentError(strCat("expected a shape and a value for each of ",
                                    types.size(), " components, got ",
                                    padded.size(), " and ", numValues)),
        ""));
  std::vector<Output> shapeTensors, values;
  std::vector<Shape> shapes;
  for (const Shape &shape : padded) {
    if (!shape.hasRank())
      return same(ops::failed(
          invalidArgumentError("expected shapes of known rank to pad to"), ""));
    shapes.push_back(batchShape(Shape::unknownDim, shape));
    shapeTensors.push_back(number(
        std::vector<int64_t>(shape.dims().begin(), shape.dims().end()), ""));
  }
  for (size_t i = 0; i < types.size(); ++i) {
    const Input zero = types[i] == DType::String ? Input("") : Input(0);
    values.push_back(
        ops::convert(options.paddingValues ? (*options.paddingValues)[i] : zero,
                     "padding_value", types[i]));
  }
  const Output drops = truth(options.dropRemainder, "drop_remainder");
  const Output made = rawOps::paddedBatchDatasetV2(handle, rows, shapeTensors,
                                                   values, drops, shapes);
  return withShapes(made, std::move(shapes));
}

Dataset Dataset::unbatch() const {
  std::vector<Shape> shapes;
  for (const Shape &shape : partShapes)
    shapes.push_back(rowShape(shape));
  const Output made = rawOps::unbatchDataset(handle, types, shapes);
  return withShapes(made, std::move(shapes));
}

Dataset Dataset::shuffle(const Input &bufferSize,
                         const ShuffleOptions &options) const {
  auto [first, second] = GraphBuilder::current().seedsFor(options.seed);
  // Two zeros are no seeds.
  if (options.seed && first == 0 && second == 0)
    second = std::numeric_limits<int32_t>::max();
  const Output size = number(bufferSize, "buffer_size");
  const Output seed = number(first, "seed"), seed2 = number(second, "seed2");
  return same(rawOps::shuffleDataset(
      handle, size, seed, seed2, types, partShapes,
      {.reshuffleEachIteration = options.reshuffleEachIteration}));
}

Dataset Dataset::repeat(const Input &count) const {
  return same(
      rawOps::repeatDataset(handle, number(count, "count"), types, partShapes));
}

Dataset Dataset::take(const Input &count) const {
  return same(
      rawOps::takeDataset(handle, number(count, "count"), types, partShapes));
}

Dataset Dataset::skip(const Input &count) const {
  return same(
      rawOps::skipDataset(handle, number(count, "count"), types, partShapes));
}

Dataset Dataset::shard(const Input &numShards, const Input &index) const {
  const Output shards = number(numShards, "num_shards");
  return same(rawOps::shardDataset(handle, shards, number(index, "index"),
                                   types, partShapes));
}

Dataset Dataset::concatenate(const Dataset &other) const {
  if (other.types != types)
    return same(
        ops::failed(invalidArgumentError(
                        "Two datasets to concatenate have different types"),
                    ""));
  std::vector<Shape> shapes;
  for (size_t i = 0; i < partShapes.size(); ++i)
    shapes.push_back(commonShape(partShapes[i], other.partShapes[i]));
  const Output made =
      rawOps::concatenateDataset(handle, other.handle, types, shapes);
  return withShapes(made, std::move(shapes));
}

Dataset Dataset::cache(const Input &filename) const {
  return same(rawOps::cacheDataset(
      handle, ops::convert(filename, "filename", DType::String), types,
      partShapes));
}

Dataset Dataset::prefetch(const Input &bufferSize) const {
  return same(rawOps::prefetchDataset(handle, number(bufferSize, "buffer_size"),
                                      types, partShapes));
}

Dataset Dataset::enumerate(const Input &start) const {
  return zip({range(start, std::numeric_limits<int64_t>::max()), *this});
}

Dataset Dataset::ignoreErrors() const {
  return same(rawOps::ignoreErrorsDataset(handle, types, partShapes));
}

Iterator Dataset::oneShotIterator() const {
  const DefinedFunction factory = defun(
      "_make_dataset", {}, [&](const Outputs &) -> Outputs { return handle; },
      {.copiesCaptures = true});
  const Output resource = rawOps::oneShotIterator(
      NameAttrList{.name = factory.name(), .attrs = {}}, types, partShapes);
  return Iterator(resource, nullptr, types, partShapes);
}

Iterator Dataset::initializableIterator(const std::string &sharedName) const {
  const Output resource = rawOps::iteratorV2(sharedName, "", types, partShapes);
  return Iterator(resource, rawOps::makeIterator(handle, resource), types,
                  partShapes);
}

Iterator Iterator::ofStructure(std::vector<DType> dtypes,
                               std::vector<Shape> shapes,
                               const std::string &sharedName) {
  const Output resource = rawOps::iteratorV2(sharedName, "", dtypes, shapes);
  return Iterator(resource, nullptr, std::move(dtypes), std::move(shapes));
}

Iterator Iterator::ofStringHandle(const Input &handle,
                                  std::vector<DType> dtypes,
                                  std::vector<Shape> shapes) {
  const Output resource = rawOps::iteratorFromStringHandleV2(
      ops::convert(handle, "", DType::String),
      {.outputTypes = dtypes, .outputShapes = shapes});
  return Iterator(resource, nullptr, std::move(dtypes), std::move(shapes));
}

Outputs Iterator::next() const {
  return rawOps::iteratorGetNext(resource, types, partShapes);
}

const Node *Iterator::initializerOf(const Dataset &dataset) const {
  bool fits = dataset.dtypes() == types;
  for (size_t i = 0; fits && i < types.size(); ++i)
    fits = partShapes[i].isCompatibleWith(dataset.shapes()[i]);
  if (!fits) {
    ops::failed(invalidArgumentError("Expected output types and shapes of the "
                                     "iterator, but got a dataset of others."),
                "");
    return nullptr;
  }
  return rawOps::makeIterator(dataset.variant(), resource);
}

Output Iterator::stringHandle() const {
  return rawOps::iteratorToStringHandle(resource);
}

} // namespace kiln::data
