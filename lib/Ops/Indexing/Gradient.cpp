// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients of scatters, segments and gathers by index tuples.
#include "lib/Autodiff/GradientCall.h"

namespace kiln {
namespace {

/// Rows where the indices name rows alone, otherwise a sum by indices.
void gatherNdGradient(GradientCall &call) {
  Output indices = call.in(1);
  bool isResource = call.node.op() == "ResourceGatherNd";
  Output shape = isResource
                     ? addOp("VariableShape", {call.in(0)},
                             {{"out_type", indices.dtype()}})
                     : ops::shape(call.in(0), {.outType = indices.dtype()});
  if (indices.shape().rank() == 2 && indices.shape().dim(1) == 1)
    return call.set(0, IndexedSlices{call.grad(),
                                     ops::squeeze(indices, {.axis = {-1}}),
                                     shape});
  call.set(0, addOp("ScatterNd", {indices, call.grad(), shape}));
}

Output gatherNd(const Output &params, const Output &indices) {
  return addOp("GatherNd", {params, indices});
}

void registerScatters(GradientRegistry &registry) {
  registry.add({"GatherNd", "ResourceGatherNd"}, gatherNdGradient);
  registry.add({"ScatterNd"}, [](GradientCall &call) {
    call.set(1, gatherNd(call.grad(), call.in(0)));
  });
  registry.add({"ScatterNdNonAliasingAdd", "TensorScatterAdd"},
               [](GradientCall &call) {
                 call.set(0, call.grad());
                 call.set(2, gatherNd(call.grad(), call.in(1)));
               });
  registry.add({"TensorScatterSub"}, [](GradientCall &call) {
    call.set(0, call.grad());
    call.set(2, -gatherNd(call.grad(), call.in(1)));
  });
  registry.add({"TensorScatterUpdate"}, [](GradientCall &call) {
    Output updates = gatherNd(call.grad(), call.in(1));
    call.set(0, addOp("TensorScatterUpdate",
                      {call.grad(), call.in(1), ops::zerosLike(call.in(2))}));
    call.set(2, updates);
  });
  // Shared among those that are equal to the result.
  registry.add(
      {"TensorScatterMax", "TensorScatterMin"}, [](GradientCall &call) {
        Output indices = call.in(1), x = call.in(0), updates = call.in(2);
        Output dy = call.grad();
        DType dtype = dy.dtype();
        Output isX = ops::cast(addOp("Equal", {x, call.out()}), dtype);
        Output chosen = gatherNd(call.out(), indices);
        Output isUpdate = ops::cast(addOp("Equal", {updates, chosen}), dtype);
        Output count = addOp("TensorScatterAdd", {isX, indices, isUpdate});
        Output share = dy / ops::where(addOp("Equal", {count, 0.0}),
                                       ops::onesLike(count), count);
        call.set(0, isX * share);
        call.set(2, isUpdate * gatherNd(share, indices));
      });
  registry.add({"SparseToDense"}, [](GradientCall &call) {
    // Where no index points, the default stands.
    Output dy = call.grad();
    Output indices = call.in(0);
    if (indices.shape().rank() == 1)
      indices = ops::expandDims(indices, -1);
    Output values = gatherNd(dy, indices);
    call.set(2, values);
    call.set(3, ops::subtract(ops::reduceSum(dy), ops::reduceSum(values)));
  });
}

Output gather(const Output &params, const Output &indices) {
  return ops::gather(params, indices);
}

/// Gathers rows by segment, zeros for those of no segment (below 0).
/// **Source**: _GatherDropNegatives.
struct PickedRows {
  explicit PickedRows(const Output &ids)
      : ids(ids), clipped(addOp("Maximum", {ids, ops::zerosLike(ids)})) {}

  Output isThere(const Output &gathered) {
    if (mask.node)
      return mask;
    Output isSegment = ids >= 0;
    Output shape = ops::shape(isSegment);
    Output others = ops::fill(
        ops::expandDims(ops::rank(gathered) - ops::rank(isSegment), 0), 1);
    Output spread =
        addOp("Reshape", {isSegment, ops::concat({shape, others}, 0)});
    return mask =
               addOp("LogicalAnd",
                     {spread, ops::onesLike(gathered, {.dtype = DType::Bool})});
  }
  Output of(const Output &params) {
    Output gathered = gather(params, clipped);
    Output there = isThere(gathered);
    return addOp("SelectV2", {there, gathered, ops::zerosLike(gathered)});
  }
  Output ids, clipped, mask;
};

void segmentExtremum(GradientCall &call) {
  Output x = call.in(0), ids = call.in(1), dy = call.grad();
  Output gathered = gather(call.out(), ids);
  Output isChosen = addOp("Equal", {x, gathered});
  Output count = addOp("SegmentSum", {ops::cast(isChosen, dy.dtype()), ids});
  Output share = gather(ops::divide(dy, count), ids);
  call.set(0, ops::where(isChosen, share, ops::zerosLike(gathered)));
}

void unsortedExtremum(GradientCall &call) {
  PickedRows rows(call.in(1));
  Output dy = call.grad();
  Output gathered = rows.of(call.out());
  Output isChosen = addOp("LogicalAnd", {addOp("Equal", {call.in(0), gathered}),
                                         rows.isThere(gathered)});
  Output count = addOp("UnsortedSegmentSum", {ops::cast(isChosen, dy.dtype()),
                                              call.in(1), call.in(2)});
  Output share = rows.of(ops::divide(dy, count));
  call.set(0, addOp("SelectV2", {isChosen, share, ops::zerosLike(share)}));
}

/// The product of the others: the quotient where no element is 0, and where one
/// is, the product of the others for that one alone.
void segmentProduct(GradientCall &call) {
  bool isUnsorted = call.node.op() == "UnsortedSegmentProd";
  Output x = call.in(0), ids = call.in(1), dy = call.grad();
  auto reduced = [&](const char *sorted, const char *unsorted,
                     const Output &data) {
    return isUnsorted ? addOp(unsorted, {data, ids, call.in(2)})
                      : addOp(sorted, {data, ids});
  };
  Output isZero = addOp("Equal", {x, 0.0});
  Output zeros = reduced("SegmentSum", "UnsortedSegmentSum",
                         ops::cast(isZero, DType::Int32));
  dy = addOp("SelectV2", {zeros > 1, ops::zerosLike(dy), dy});
  Output nonZero = addOp("SelectV2", {isZero, ops::onesLike(x), x});
  Output others = reduced("SegmentProd", "UnsortedSegmentProd", nonZero);
  PickedRows rows(ids);
  Output quotient = gather(call.out(), rows.clipped) / nonZero;
  Output partial =
      addOp("SelectV2", {isZero, gather(others, rows.clipped), quotient});
  call.set(0, (isUnsorted ? rows.of(dy) : gather(dy, ids)) * partial);
}

void registerSegments(GradientRegistry &registry) {
  registry.add({"SegmentSum"}, [](GradientCall &call) {
    call.set(0, gather(call.grad(), call.in(1)));
  });
  registry.add({"SegmentMean"}, [](GradientCall &call) {
    Output ids = call.in(1), dy = call.grad();
    Output others = ops::fill(ops::expandDims(ops::rank(call.in(0)) - 1, 0), 1);
    Output shape = ops::concat({ops::shape(ids), others}, 0);
    Output ones = ops::ones(shape, {.dtype = dy.dtype()});
    Output scaled = ops::divide(dy, addOp("SegmentSum", {ones, ids}));
    call.set(0, gather(scaled, ids));
  });
  registry.add({"SegmentMax", "SegmentMin"}, segmentExtremum);
  registry.add({"SegmentProd", "UnsortedSegmentProd"}, segmentProduct);
  registry.add({"UnsortedSegmentSum"}, [](GradientCall &call) {
    call.set(0, PickedRows(call.in(1)).of(call.grad()));
  });
  registry.add({"UnsortedSegmentMax", "UnsortedSegmentMin"}, unsortedExtremum);
  for (const char *kind : {"Sum", "Mean", "SqrtN"})
    for (const char *suffix : {"", "WithNumSegments"})
      registry.add(
          {std::string("SparseSegment") + kind + suffix},
          [op = std::string("SparseSegment") + kind +
                "Grad"](GradientCall &call) {
            Output rows = ops::shape(call.in(0))[0];
            call.set(0, addOp(op, {call.grad(), call.in(1), call.in(2), rows}));
          });
}

/// The gradient of a product of a matrix given by its elements with a dense
/// one.
void sparseProduct(GradientCall &call) {
  Output indices = call.in(0), values = call.in(1), shape = call.in(2);
  Output b = call.in(3), dy = call.grad();
  bool adjointA = call.attr<bool>("adjoint_a");
  bool adjointB = call.attr<bool>("adjoint_b");
  Output db = addOp("SparseTensorDenseMatMul", {indices, values, shape, dy},
                    {{"adjoint_a", !adjointA}});
  call.set(3, adjointB ? conjugated(ops::transpose(db)) : db);
  auto column = [&](int64_t i) {
    return ops::stridedSlice(
        indices, {int64_t{0}, i}, {int64_t{0}, i + 1}, {1, 1},
        {.beginMask = 1, .endMask = 1, .shrinkAxisMask = 2});
  };
  Output rows = column(0), columns = column(1);
  Output partsA = gather(dy, adjointA ? columns : rows);
  Output partsB =
      gather(adjointB ? ops::transpose(b) : b, adjointA ? rows : columns);
  if (!adjointB)
    partsB = conjugated(partsB);
  Output sums = ops::reduceSum(partsA * partsB, -1);
  call.set(1, adjointA ? conjugated(sums) : sums);
}

} // namespace

void registerIndexingGradients(GradientRegistry &registry) {
  registerScatters(registry);
  registerSegments(registry);
  registry.add({"SparseTensorDenseMatMul"}, sparseProduct);
}

} // namespace kiln
