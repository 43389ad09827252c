// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sequences of the final beams of a search, which know the beam of the step
// before that they go on from.
#include "lib/Ops/Sparse/Host.h"

#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>

namespace kiln::host {
namespace {

Status checkShapes(const HostCall &call) {
  const Shape steps = call.inputs[0].shape(), parents = call.inputs[1].shape(),
              lengths = call.inputs[2].shape(), end = call.inputs[3].shape();
  if (steps.rank() != 3)
    return invalidArgumentError(
        strCat("step_ids must be a 3-tensor, saw shape: ", steps.toString()));
  if (lengths.rank() != 1)
    return invalidArgumentError(
        strCat("max_sequence_lengths must be a vector, saw shape: ",
               lengths.toString()));
  if (end.rank() != 0)
    return invalidArgumentError(
        strCat("end_token must be a scalar, saw shape: ", end.toString()));
  if (!(steps == parents))
    return invalidArgumentError(
        strCat("step_ids.shape must match parent_ids.shape.  but shapes are: ",
               steps.toString(), " and ", parents.toString()));
  if (steps.dim(1) != lengths.dim(0))
    return invalidArgumentError(
        strCat("batch size dimensions step_ids.shape[1] and "
               "max_seqeuence_lengths.shape[0] must match.  but shapes are: ",
               steps.toString(), " and ", lengths.toString()));
  return okStatus();
}

/// Tensors [time, batch, beams] of the call.
struct Beams {
  std::span<const int32_t> steps, parents;
  std::span<int32_t> out;
  int64_t batches, width;
  int32_t end;

  size_t at(int64_t time, int64_t batch, int64_t beam) const {
    return static_cast<size_t>((time * batches + batch) * width + beam);
  }

  /// One final beam, of so many steps, from the last to the first.
  Status trace(int64_t length, int64_t batch, int64_t beam) const {
    int64_t source = beam;
    for (int64_t time = length - 1; time >= 0; --time) {
      if (source < 0 || source >= width)
        return invalidArgumentError(strCat("Saw invalid parent id ", source,
                                           " at (batch, time, beam) == (",
                                           batch, ", ", time, ", ", beam, ")"));
      out[at(time, batch, beam)] = steps[at(time, batch, source)];
      source = parents[at(time, batch, source)];
    }
    bool isOver = false;
    for (int64_t time = 0; time < length; ++time) {
      int32_t &id = out[at(time, batch, beam)];
      if (isOver)
        id = end;
      isOver |= id == end;
    }
    return okStatus();
  }
};

} // namespace

Status gatherTree(const HostCall &call) {
  KILN_RETURN_IF_ERROR(checkShapes(call));
  const Shape shape = call.inputs[0].shape();
  KILN_ASSIGN_OR_RETURN(call.outputs[0], Tensor::zeros(DType::Int32, shape));
  const Beams beams{.steps = call.inputs[0].data<int32_t>(),
                    .parents = call.inputs[1].data<int32_t>(),
                    .out = call.outputs[0].mutableData<int32_t>(),
                    .batches = shape.dim(1),
                    .width = shape.dim(2),
                    .end = call.inputs[3].data<int32_t>()[0]};
  std::ranges::fill(beams.out, beams.end);
  const std::span<const int32_t> lengths = call.inputs[2].data<int32_t>();
  for (int64_t batch = 0; batch < beams.batches; ++batch)
    for (int64_t beam = 0; beam < beams.width; ++beam)
      KILN_RETURN_IF_ERROR(beams.trace(
          std::min<int64_t>(shape.dim(0), lengths[static_cast<size_t>(batch)]),
          batch, beam));
  return okStatus();
}

} // namespace kiln::host
