// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops that take indices: gathers, scatters, segments, selections.
#include "test/fuzz/graphs/Recipes.h"

#include <algorithm>

namespace kiln::fuzz {
namespace {

Extents joined(Extents first, const Extents &second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

/// \p rank dimensions none of which is empty.
Extents fullDims(Maker &maker, int minRank, int maxRank) {
  Extents dims = maker.randomDims(minRank, maxRank);
  for (Extent &dim : dims)
    if (dim.least() == 0)
      dim = 2;
  return dims;
}

bool gather(Call &call) {
  Extents dims = fullDims(call.maker, 1, 4);
  call.like(dims);
  call.indices(call.maker.randomDims(0, 2), dims[0]);
  return call.done();
}

bool gatherV2(Call &call) {
  Extents dims = fullDims(call.maker, 1, 4);
  int axis = call.random.below(int(dims.size()));
  int batch = call.random.chance(25) ? call.random.below(axis + 1) : 0;
  call.set("batch_dims", int64_t(batch));
  call.like(dims);
  Extents indexDims = joined(Extents(dims.begin(), dims.begin() + batch),
                             call.maker.randomDims(0, 2));
  call.indices(indexDims, dims[size_t(axis)]);
  call.scalar(call.random.chance(30) ? axis - int64_t(dims.size()) : axis);
  return call.done();
}

/// What gather_nd and the scatters share: a tensor's shape, how many of its
/// dimensions an index names, and how many indices there are.
struct NdPlan {
  Extents dims, batch, index, slice;
};

NdPlan planNd(Call &call, int maxRank = 4) {
  NdPlan plan;
  plan.dims = fullDims(call.maker, 1, maxRank);
  int depth = 1 + call.random.below(int(plan.dims.size()));
  plan.batch = call.maker.randomDims(1, 2);
  for (Extent &dim : plan.batch)
    if (dim.of[0] > 9 || dim.of[1] > 9)
      dim = 3;
  plan.index = joined(plan.batch, {int64_t(depth)});
  plan.slice.assign(plan.dims.begin() + depth, plan.dims.end());
  return plan;
}

/// Indices all of which lie in the first `depth` dimensions.
void addNdIndices(Call &call, const NdPlan &plan) {
  int64_t depth = plan.index.back().of[0];
  if (std::exchange(call.maker.isHostile, false)) {
    call.fresh(plan.index, hostileIndices(plan.dims[0]));
    return;
  }
  Extents limits(plan.dims.begin(), plan.dims.begin() + long(depth));
  call.fresh(plan.index, {[limits](Tensor &tensor, size_t set, Random &random) {
                            Extents numbers;
                            for (int64_t i = 0; i < tensor.numElements(); ++i) {
                              int64_t end =
                                  limits[size_t(i) % limits.size()].of[set];
                              numbers.push_back(random.between(0, end - 1));
                            }
                            exactly(numbers).write(tensor, set, random);
                          },
                          isFixed(limits)});
}

bool gatherNd(Call &call) {
  NdPlan plan = planNd(call);
  call.like(plan.dims);
  addNdIndices(call, plan);
  return call.done();
}

bool scatterNd(Call &call) {
  NdPlan plan = planNd(call);
  addNdIndices(call, plan);
  call.like(joined(plan.batch, plan.slice));
  call.in(call.maker.shapeValue(call.next(), plan.dims));
  return call.done();
}

bool tensorScatter(Call &call) {
  NdPlan plan = planNd(call);
  call.like(plan.dims);
  addNdIndices(call, plan);
  call.like(joined(plan.batch, plan.slice));
  return call.done();
}

/// Data whose first dimensions are those of the segment ids.
bool unsortedSegments(Call &call) {
  Extents dims = fullDims(call.maker, 1, 3);
  int64_t segments = call.random.between(1, 7);
  call.like(dims);
  int depth =
      1 + (call.random.chance(30) ? call.random.below(int(dims.size())) : 0);
  Extents idDims(dims.begin(), dims.begin() + depth);
  // A negative id takes no part.
  if (call.random.chance(20))
    call.fresh(idDims, between(-1, double(segments - 1)));
  else
    call.indices(idDims, segments);
  call.scalar(segments);
  return call.done();
}

bool sortedSegments(Call &call) {
  Extents dims = fullDims(call.maker, 1, 3);
  call.like(dims);
  Extent segments = call.random.between(1, 5);
  if (std::exchange(call.maker.isHostile, false))
    call.fresh({dims[0]}, hostileIndices(segments));
  else
    call.fresh({dims[0]}, sortedBelow(segments));
  return call.done();
}

bool sparseSegments(Call &call) {
  Extents dims = fullDims(call.maker, 1, 3);
  Extent picked = call.random.between(1, 6);
  bool isGrad = call.def.name.find("Grad") != std::string::npos;
  int64_t segments = call.random.between(1, 4);
  int64_t rows = call.random.between(2, 5);
  if (isGrad)
    dims[0] = segments;
  call.like(dims);
  bool isUnsorted = call.maker.isHostile && call.random.chance(50);
  if (isUnsorted)
    call.maker.isHostile = false;
  call.indices({picked}, isGrad ? Extent(rows) : dims[0]);
  call.fresh({picked},
             isUnsorted ? hostileIndices(segments) : sortedBelow(segments));
  if (isGrad)
    call.scalar(rows);
  else if (call.def.name.ends_with("NumSegments"))
    call.scalar(segments + call.random.below(3));
  return call.done();
}

bool sparseToDense(Call &call) {
  int64_t rows = call.random.between(1, 5);
  Extent extent = 2 * rows + call.random.below(5);
  DType index = call.type("Tindices");
  // Each at most once, in order.
  Extents rising;
  for (int64_t i = 0; i < rows; ++i)
    rising.push_back(2 * i);
  if (std::exchange(call.maker.isHostile, false))
    call.fresh({rows}, hostileIndices(extent));
  else
    call.fresh({rows}, exactly(rising));
  call.in(call.maker.integers(index, {extent}));
  call.like(call.random.chance(40) ? Extents() : Extents{rows});
  call.like({});
  return call.done();
}

bool oneHot(Call &call) {
  Extents dims = call.maker.randomDims(0, 3);
  int64_t depth = call.random.between(0, 6);
  call.set("axis", call.random.between(-1, int64_t(dims.size())));
  if (std::exchange(call.maker.isHostile, false))
    call.fresh(dims, hostileIndices(depth));
  else
    call.fresh(dims, between(0, double(depth + 1)));
  call.scalar(depth);
  call.like({});
  call.like({});
  return call.done();
}

bool topK(Call &call) {
  Value x = call.any(1, 3);
  int64_t k = call.random.below(int(x.dims.back().least()) + 1);
  if (!call.has("k") && std::exchange(call.maker.isHostile, false))
    k = call.random.among<int64_t>({-1, 10000, INT16_MAX, INT16_MIN});
  if (call.has("k"))
    call.set("k", k);
  else
    call.scalar(k);
  // The order of what is not sorted is not defined.
  call.set("sorted", true);
  return call.done();
}

/// TensorFlow has it for the largest elements of rows alone.
bool approxTopK(Call &call) {
  Value x = call.any(1, 3);
  call.set("k", call.random.below(int(x.dims.back().least()) + 1));
  call.set("is_max_k", true);
  call.set("aggregate_to_topk", true);
  return call.done();
}

/// A block of a sparse matrix.
bool sparseSlice(Call &call) {
  const int64_t rows = call.random.between(1, 6), columns = 4;
  Extents places;
  for (int64_t i = 0; i < rows; ++i)
    if (call.random.chance(70))
      places.insert(places.end(), {i, call.random.below(int(columns))});
  const auto number = static_cast<int64_t>(places.size() / 2);
  call.fresh({number, 2}, std::exchange(call.maker.isHostile, false)
                              ? hostileIndices(rows)
                              : exactly(places));
  call.like({number});
  call.integers({rows, columns});
  call.integers({call.random.between(0, rows), call.random.between(0, 3)});
  call.integers({call.random.between(0, 9), call.random.between(0, 5)});
  return call.done();
}

bool nthElement(Call &call) {
  Value x = call.in(call.maker.like(call.next(), fullDims(call.maker, 1, 3)));
  call.indices({}, x.dims.back());
  return call.done();
}

bool inTopK(Call &call) {
  Extents dims = fullDims(call.maker, 2, 2);
  int64_t k = call.random.between(1, 5);
  if (call.has("k"))
    call.set("k", k);
  call.like(dims);
  call.indices({dims[0]}, dims[1]);
  if (!call.has("k"))
    call.scalar(k);
  return call.done();
}

bool whole(Call &call) {
  call.any();
  return call.done();
}

bool vector(Call &call) {
  call.any(1, 1);
  return call.done();
}

bool uniqueOnAxis(Call &call) {
  Value x = call.any(1, 3);
  bool isVector = x.rank() == 1 && call.random.chance(50);
  if (isVector)
    call.integers({});
  else
    call.integers({int64_t(call.random.below(x.rank()))});
  return call.done();
}

bool listDiff(Call &call) {
  call.any(1, 1);
  call.any(1, 1);
  return call.done();
}

bool dynamicPartition(Call &call) {
  int64_t number = call.random.between(1, 4);
  call.set("num_partitions", number);
  Value x = call.any(0, 3);
  Extents dims(x.dims.begin(),
               x.dims.begin() + call.random.below(x.rank() + 1));
  call.indices(dims, number);
  return call.done();
}

/// Every place is given once or more.
bool dynamicStitch(Call &call) {
  int64_t number = call.random.between(1, 3);
  call.set("N", number);
  std::vector<Extent> counts;
  Extents slice = call.maker.randomDims(0, 2);
  int64_t total = 0;
  for (int64_t i = 0; i < number; ++i) {
    int64_t count = call.random.between(0, 4);
    counts.push_back(count);
    Extents numbers;
    for (int64_t at = 0; at < count; ++at)
      numbers.push_back(total++);
    if (call.maker.isHostile && count > 0) {
      call.maker.isHostile = false;
      numbers[0] = -3;
    }
    call.fresh({count}, exactly(numbers));
  }
  for (const Extent &count : counts)
    call.like(joined({count}, slice));
  return call.done();
}

/// Rows by their numbers, which are taken modulo how many there are.
bool inplace(Call &call) {
  Extents dims = fullDims(call.maker, 1, 3), rows = dims;
  rows[0] = call.random.between(0, 4);
  call.like(dims);
  if (std::exchange(call.maker.isHostile, false))
    call.fresh({rows[0]}, hostileIndices(dims[0]));
  else
    call.fresh({rows[0]}, between(-5, 9));
  call.like(rows);
  return call.done();
}

bool reverseSequence(Call &call) {
  Extents dims = fullDims(call.maker, 2, 4);
  int sequence = call.random.below(int(dims.size()));
  int batch = (sequence + 1 + call.random.below(int(dims.size()) - 1)) %
              int(dims.size());
  call.set("seq_dim", int64_t(sequence));
  call.set("batch_dim", int64_t(batch));
  call.like(dims);
  call.indices({dims[size_t(batch)]}, dims[size_t(sequence)] + Extent(1));
  return call.done();
}

bool sparseCrossEntropy(Call &call) {
  Extents dims = fullDims(call.maker, 2, 2);
  call.like(dims);
  call.indices({dims[0]}, dims[1]);
  return call.done();
}

bool crossEntropy(Call &call) {
  Extents dims = fullDims(call.maker, 2, 2);
  call.like(dims);
  call.fresh(dims, between(0, 1));
  return call.done();
}

constexpr Recipe recipes[] = {
    {"Gather", gather},
    {"GatherV2", gatherV2},
    {"GatherNd", gatherNd},
    {"ScatterNd", scatterNd},
    {"TensorScatterUpdate TensorScatterAdd TensorScatterSub TensorScatterMin "
     "TensorScatterMax ScatterNdNonAliasingAdd",
     tensorScatter},
    {"UnsortedSegmentSum UnsortedSegmentProd UnsortedSegmentMin "
     "UnsortedSegmentMax SegmentSumV2 SegmentProdV2 SegmentMinV2 SegmentMaxV2",
     unsortedSegments},
    {"SegmentSum SegmentProd SegmentMin SegmentMax SegmentMean",
     sortedSegments},
    {"SparseSegmentSum SparseSegmentMean SparseSegmentSqrtN "
     "SparseSegmentSumWithNumSegments SparseSegmentMeanWithNumSegments "
     "SparseSegmentSqrtNWithNumSegments SparseSegmentSumGrad "
     "SparseSegmentMeanGrad SparseSegmentSqrtNGrad SparseSegmentSumGradV2 "
     "SparseSegmentMeanGradV2 SparseSegmentSqrtNGradV2",
     sparseSegments},
    {"SparseToDense", sparseToDense},
    {"OneHot", oneHot},
    {"TopK TopKV2", topK},
    {"ApproxTopK", approxTopK},
    {"SparseSlice", sparseSlice},
    {"NthElement", nthElement},
    {"InTopK InTopKV2", inTopK},
    {"Where", whole},
    {"Unique UniqueWithCounts", vector},
    {"UniqueV2 UniqueWithCountsV2", uniqueOnAxis},
    {"ListDiff", listDiff},
    {"DynamicPartition", dynamicPartition},
    {"DynamicStitch ParallelDynamicStitch", dynamicStitch},
    {"InplaceAdd InplaceSub InplaceUpdate", inplace},
    {"ReverseSequence", reverseSequence},
    {"SparseSoftmaxCrossEntropyWithLogits", sparseCrossEntropy},
    {"SoftmaxCrossEntropyWithLogits", crossEntropy},
};

} // namespace

std::span<const Recipe> indexRecipes() { return recipes; }

} // namespace kiln::fuzz
