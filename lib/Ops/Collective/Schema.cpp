// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schemas of Collective: what the processes that train together do with
// each other's tensors, under Horovod's names.
#include "lib/Ops/Collective/Shape.h"
#include "lib/Ops/Families.h"

namespace kiln {
namespace {

using namespace shapes;

#define KILN_REDUCED "T: {uint8, int8, int32, int64, float16, float32, float64}"
#define KILN_MOVED                                                             \
  "T: {uint8, int8, uint16, int16, int32, int64, float16, float32, float64, "  \
  "bool}"
#define KILN_SCATTERED "T: {int32, int64, float16, float32, float64}"
#define KILN_FACTORS "; prescale_factor: float; postscale_factor: float"
#define KILN_SCOPE "; ignore_name_scope: bool = false; "
#define KILN_SET "process_set_id: int = 0"
#define KILN_NUMBER "num_tensors: int >= 1; "

constexpr uint32_t collective = stateful | acts | hostBody;
constexpr uint32_t fact = stateful | hostBody | stopsGradient;

constexpr OpRecord records[] = {
    {"HorovodAllgather", "tensor: T", "output: T",
     KILN_MOVED KILN_SCOPE KILN_SET,
     "The tensors of all ranks, one behind the other along axis 0.",
     inferGathered, collective},
    {"HorovodAllreduce", "tensor: T", "sum: T",
     KILN_REDUCED "; reduce_op: int" KILN_FACTORS KILN_SCOPE KILN_SET,
     "Combines the tensors of all ranks element by element.", inferReduced,
     collective},
    {"HorovodAlltoall", "tensor: T, splits: int32",
     "output: T, received_splits: int32", KILN_MOVED KILN_SCOPE KILN_SET,
     "Gives each rank some of the rows, and takes those of all ranks.",
     inferExchanged, collective},
    {"HorovodBroadcast", "tensor: T", "output: T",
     KILN_MOVED "; root_rank: int" KILN_SCOPE KILN_SET,
     "The tensor of one rank.", inferReduced, collective},
    {"HorovodGroupedAllgather", "tensors: num_tensors*T",
     "outputs: num_tensors*T", KILN_MOVED KILN_SCOPE KILN_NUMBER KILN_SET,
     "Allgather of several tensors.", inferGathered, collective},
    {"HorovodGroupedAllreduce", "tensors: num_tensors*T", "sum: num_tensors*T",
     KILN_REDUCED
     "; reduce_op: int" KILN_FACTORS KILN_SCOPE KILN_NUMBER KILN_SET,
     "Allreduce of several tensors at once.", inferReduced, collective},
    {"HorovodGroupedReducescatter", "tensors: num_tensors*T",
     "outputs: num_tensors*T",
     KILN_SCATTERED
     "; reduce_op: int" KILN_SCOPE KILN_NUMBER KILN_SET KILN_FACTORS,
     "Reducescatter of several tensors.", inferScattered, collective},
    {"HorovodJoin", "", "output: int32", "",
     "Takes part with zeros in the reductions of the other ranks until all "
     "have "
     "joined; the rank that did so last.",
     inferRankNumber, collective | stopsGradient},
    {"HorovodLocalRank", "", "local_rank: int32", "",
     "The rank among those of its machine.", inferRankNumber, fact},
    {"HorovodLocalSize", "", "local_size: int32", "",
     "The number of ranks of this machine.", inferRankNumber, fact},
    {"HorovodProcessSetIncluded", "", "included: int32", KILN_SET,
     "Whether the rank is one of a set: 0 or 1; -2 for a set that is not "
     "there.",
     inferRankNumber, fact},
    {"HorovodRank", "", "rank: int32", "", "The number of this process.",
     inferRankNumber, fact},
    {"HorovodReducescatter", "tensor: T", "output: T",
     KILN_SCATTERED "; reduce_op: int" KILN_SCOPE KILN_SET KILN_FACTORS,
     "This rank's share, along axis 0, of what all tensors combine to.",
     inferScattered, collective},
    {"HorovodSize", "", "size: int32", KILN_SET,
     "The number of ranks of a set; -2 for a set that is not there.",
     inferRankNumber, fact},
};

} // namespace

OpFamily collectiveFamily() {
  return {"Collective", "what processes that train together exchange", records};
}

} // namespace kiln
