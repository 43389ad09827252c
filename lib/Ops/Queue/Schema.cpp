// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schemas of Queue: queues, staging areas, accumulators, barriers, mutexes
// and what is done with them. Host kernels compute them, and runs are cut at
// them.
#include "lib/Ops/Families.h"
#include "lib/Ops/Queue/Shape.h"

namespace kiln {
namespace {

using namespace shapes;

#define KILN_STAGE(name, inputs, outputs, types, doc, infer)                   \
  {name,                                                                       \
   inputs,                                                                     \
   outputs,                                                                    \
   "capacity: int >= 0 = 0; memory_limit: int >= 0 = 0; dtypes: "              \
   "list(type)" types "; container: string =; shared_name: string =",          \
   doc,                                                                        \
   infer,                                                                      \
   stateful | cutsRun}
#define KILN_STAGE_MAP(name, inputs, outputs, types, doc, infer)               \
  KILN_STAGE(name, inputs, outputs, types, doc, infer),                        \
      KILN_STAGE("Ordered" name, inputs, outputs, types, doc, infer)

#define KILN_ACCUMULATOR(prefix, handle)                                       \
  {prefix "ConditionalAccumulator",                                            \
   "",                                                                         \
   "handle: " handle,                                                          \
   "dtype: numbers; shape: shape; container: string =; shared_name: string "   \
   "=; reduction_type: string {MEAN, SUM} = MEAN",                             \
   "Gradients that are added up until an op takes their mean or sum.",         \
   inferAccumulator,                                                           \
   stateful},                                                                  \
      {prefix "AccumulatorApplyGradient",                                      \
       "handle: " handle ", local_step: int64, gradient: dtype",               \
       "",                                                                     \
       "dtype: numbers",                                                       \
       "Adds a gradient, unless it is of a step before the accumulator's.",    \
       inferQueueNone,                                                         \
       stateful | cutsRun},                                                    \
      {prefix "AccumulatorTakeGradient",                                       \
       "handle: " handle ", num_required: int32",                              \
       "average: dtype",                                                       \
       "dtype: numbers",                                                       \
       "Waits for so many gradients, and takes all there are.",                \
       inferTakenGradient,                                                     \
       stateful | cutsRun},                                                    \
      {prefix "AccumulatorNumAccumulated",                                     \
       "handle: " handle,                                                      \
       "num_accumulated: int32",                                               \
       "",                                                                     \
       "The number of gradients that have been added up.",                     \
       inferQueueScalar,                                                       \
       stateful | cutsRun},                                                    \
  {                                                                            \
    prefix "AccumulatorSetGlobalStep",                                         \
        "handle: " handle ", new_global_step: int64", "", "",                  \
        "Sets the step below which gradients are dropped.", inferQueueNone,    \
        stateful | cutsRun                                                     \
  }

constexpr OpRecord records[] = {
    KILN_ACCUMULATOR("", "Ref(string)"),
    KILN_ACCUMULATOR("Resource", "resource"),
    {"SparseConditionalAccumulator", "", "handle: Ref(string)",
     "dtype: numbers; shape: shape; container: string =; shared_name: string "
     "=; reduction_type: string {MEAN, SUM} = MEAN",
     "A ConditionalAccumulator of rows.", inferAccumulator, stateful},
    {"SparseAccumulatorApplyGradient",
     "handle: Ref(string), local_step: int64, gradient_indices: int64, "
     "gradient_values: dtype, gradient_shape: int64",
     "", "dtype: numbers; has_known_shape: bool",
     "Adds rows, unless they are of a step before the accumulator's.",
     inferQueueNone, stateful | cutsRun},
    {"SparseAccumulatorTakeGradient",
     "handle: Ref(string), num_required: int32",
     "indices: int64, values: dtype, shape: int64", "dtype: numbers",
     "Waits for so many gradients, and takes the rows that there are.",
     inferTakenRows, stateful | cutsRun},
    {"Barrier", "", "handle: Ref(string)",
     "component_types: list(type) >= 1; shapes: list(shape) = []; capacity: "
     "int = -1; container: string =; shared_name: string =",
     "Elements whose components come one by one, by keys.", inferBarrier,
     stateful},
    {"BarrierInsertMany", "handle: Ref(string), keys: string, values: T", "",
     "T: type; component_index: int",
     "Puts a component into the element of each key.", inferQueueNone,
     stateful | cutsRun},
    {"BarrierTakeMany", "handle: Ref(string), num_elements: int32",
     "indices: int64, keys: string, values: component_types",
     "component_types: list(type) >= 1; allow_small_batch: bool = false; "
     "wait_for_incomplete: bool = false; timeout_ms: int = -1",
     "Waits for so many whole elements, and takes them in the order in which "
     "their keys were first seen.",
     inferTakenElements, stateful | cutsRun},
    {"BarrierClose", "handle: Ref(string)", "",
     "cancel_pending_enqueues: bool = false",
     "Lets no new element in, or no component at all.", inferQueueNone,
     stateful | cutsRun},
    {"BarrierReadySize", "handle: Ref(string)", "size: int32", "",
     "The number of whole elements.", inferQueueScalar, stateful | cutsRun},
    {"BarrierIncompleteSize", "handle: Ref(string)", "size: int32", "",
     "The number of elements that lack components.", inferQueueScalar,
     stateful | cutsRun},
    {"MutexV2", "", "resource: resource",
     "container: string =; shared_name: string =",
     "A lock that runs hold one after the other.", inferAccumulator, stateful},
    {"MutexLock", "mutex: resource", "mutex_lock: variant", "",
     "Waits for the lock, and holds it while the output is used.",
     inferQueueScalar, stateful | cutsRun | takesDatasets},
    {"ConsumeMutexLock", "mutex_lock: variant", "", "", "Releases the lock.",
     inferQueueNone, stateful | cutsRun | takesDatasets},
    {"FIFOQueueV2", "", "handle: resource",
     "component_types: list(type) >= 1; shapes: list(shape) = []; capacity: "
     "int = -1; container: string =; shared_name: string =",
     "A queue that gives elements back in the order they came.", inferQueue,
     stateful},
    {"FIFOQueue", "", "handle: Ref(string)",
     "component_types: list(type) >= 1; shapes: list(shape) = []; capacity: "
     "int = -1; container: string =; shared_name: string =",
     "FIFOQueueV2 by reference.", inferQueue, stateful},
    {"PaddingFIFOQueueV2", "", "handle: resource",
     "component_types: list(type) >= 1; shapes: list(shape) = []; "
     "capacity: int = -1; container: string =; shared_name: string =",
     "A FIFOQueue whose elements may differ in some dimensions: batches of "
     "them are filled up with zeros.",
     inferQueue, stateful},
    {"PaddingFIFOQueue", "", "handle: Ref(string)",
     "component_types: list(type) >= 1; shapes: list(shape) = []; "
     "capacity: int = -1; container: string =; shared_name: string =",
     "PaddingFIFOQueueV2 by reference.", inferQueue, stateful},
    {"RandomShuffleQueueV2", "", "handle: resource",
     "component_types: list(type) >= 1; shapes: list(shape) = []; "
     "capacity: int = -1; min_after_dequeue: int = 0; seed: int = 0; "
     "seed2: int = 0; container: string =; shared_name: string =",
     "A queue that gives elements back in random order.", inferQueue, stateful},
    {"RandomShuffleQueue", "", "handle: Ref(string)",
     "component_types: list(type) >= 1; shapes: list(shape) = []; "
     "capacity: int = -1; min_after_dequeue: int = 0; seed: int = 0; "
     "seed2: int = 0; container: string =; shared_name: string =",
     "RandomShuffleQueueV2 by reference.", inferQueue, stateful},
    {"PriorityQueueV2", "", "handle: resource",
     "component_types: list(type) = []; shapes: list(shape); capacity: "
     "int = -1; container: string =; shared_name: string =",
     "A queue whose first component, which no attribute names, is an int64 "
     "priority: the smallest comes out first.",
     inferQueue, stateful},
    {"PriorityQueue", "", "handle: Ref(string)",
     "component_types: list(type) = []; shapes: list(shape); capacity: "
     "int = -1; container: string =; shared_name: string =",
     "PriorityQueueV2 by reference.", inferQueue, stateful},
    {"QueueEnqueueV2", "handle: resource, components: Tcomponents", "",
     "Tcomponents: list(type) >= 1; timeout_ms: int = -1",
     "Puts one element into the queue; waits while it is full.", inferQueueNone,
     stateful | cutsRun},
    {"QueueEnqueueManyV2", "handle: resource, components: Tcomponents", "",
     "Tcomponents: list(type) >= 1; timeout_ms: int = -1",
     "Puts elements into the queue, sliced along dimension 0; waits while it "
     "is full.",
     inferQueueNone, stateful | cutsRun},
    {"QueueDequeueV2", "handle: resource", "components: component_types",
     "component_types: list(type) >= 1; timeout_ms: int = -1",
     "Takes one element; waits while the queue is empty.", inferDequeue,
     stateful | cutsRun},
    {"QueueDequeueManyV2", "handle: resource, n: int32",
     "components: component_types",
     "component_types: list(type) >= 1; timeout_ms: int = -1",
     "Takes n elements, as one batch; waits for all of them.", inferDequeueMany,
     stateful | cutsRun},
    {"QueueDequeueUpToV2", "handle: resource, n: int32",
     "components: component_types",
     "component_types: list(type) >= 1; timeout_ms: int = -1",
     "Takes n elements, or what a closed queue has left.", inferDequeueUpTo,
     stateful | cutsRun},
    {"QueueCloseV2", "handle: resource", "",
     "cancel_pending_enqueues: bool = false",
     "Lets nothing more in; comes after the enqueues that wait, or cancels "
     "them.",
     inferQueueNone, stateful | cutsRun},
    {"QueueIsClosedV2", "handle: resource", "is_closed: bool", "",
     "True when the queue is closed.", inferQueueScalar, stateful | cutsRun},
    {"QueueSizeV2", "handle: resource", "size: int32", "",
     "The number of elements in the queue.", inferQueueScalar,
     stateful | cutsRun},
    {"QueueEnqueue", "handle: Ref(string), components: Tcomponents", "",
     "Tcomponents: list(type) >= 1; timeout_ms: int = -1",
     "Puts one element into the queue; waits while it is full, by reference.",
     inferQueueNone, stateful | cutsRun | stopsGradient},
    {"QueueEnqueueMany", "handle: Ref(string), components: Tcomponents", "",
     "Tcomponents: list(type) >= 1; timeout_ms: int = -1",
     "Puts elements into the queue, sliced along dimension 0; waits while it "
     "is full, by reference.",
     inferQueueNone, stateful | cutsRun | stopsGradient},
    {"QueueDequeue", "handle: Ref(string)", "components: component_types",
     "component_types: list(type) >= 1; timeout_ms: int = -1",
     "Takes one element; waits while the queue is empty, by reference.",
     inferDequeue, stateful | cutsRun | stopsGradient},
    {"QueueDequeueMany", "handle: Ref(string), n: int32",
     "components: component_types",
     "component_types: list(type) >= 1; timeout_ms: int = -1",
     "Takes n elements, as one batch; waits for all of them, by reference.",
     inferDequeueMany, stateful | cutsRun | stopsGradient},
    {"QueueDequeueUpTo", "handle: Ref(string), n: int32",
     "components: component_types",
     "component_types: list(type) >= 1; timeout_ms: int = -1",
     "Takes n elements, or what a closed queue has left, by reference.",
     inferDequeueUpTo, stateful | cutsRun | stopsGradient},
    {"QueueClose", "handle: Ref(string)", "",
     "cancel_pending_enqueues: bool = false",
     "Lets nothing more in; comes after the enqueues that wait, or cancels "
     "them, by reference.",
     inferQueueNone, stateful | cutsRun | stopsGradient},
    {"QueueIsClosed", "handle: Ref(string)", "is_closed: bool", "",
     "True when the queue is closed, by reference.", inferQueueScalar,
     stateful | cutsRun},
    {"QueueSize", "handle: Ref(string)", "size: int32", "",
     "The number of elements in the queue, by reference.", inferQueueScalar,
     stateful | cutsRun | stopsGradient},
    KILN_STAGE("Stage", "values: dtypes", "", " >= 1",
               "Leaves a tuple; waits while the area is full.", inferQueueNone),
    KILN_STAGE("Unstage", "", "values: dtypes", " >= 1",
               "Takes the oldest tuple; waits for one.", inferUnstage),
    KILN_STAGE("StagePeek", "index: int32", "values: dtypes", " >= 1",
               "Copies the tuple at a place; waits for it.", inferUnstage),
    KILN_STAGE("StageSize", "", "size: int32", "", "The number of tuples.",
               inferQueueScalar),
    KILN_STAGE("StageClear", "", "", "", "Drops all tuples.", inferQueueNone),
    KILN_STAGE_MAP("MapStage",
                   "key: int64, indices: int32, values: fake_dtypes", "",
                   "; fake_dtypes: list(type) >= 1",
                   "Leaves components of the tuple of a key, which is there "
                   "with the last of them; waits while the area is full.",
                   inferQueueNone),
    KILN_STAGE_MAP(
        "MapPeek", "key: int64, indices: int32", "values: dtypes", " >= 1",
        "Copies components of the tuple of a key; waits for it.", inferUnstage),
    KILN_STAGE_MAP(
        "MapUnstage", "key: int64, indices: int32", "values: dtypes", " >= 1",
        "Takes components of the tuple of a key; waits for it.", inferUnstage),
    KILN_STAGE_MAP("MapUnstageNoKey", "indices: int32",
                   "key: int64, values: dtypes", " >= 1",
                   "Takes components of the tuple of the smallest key; waits "
                   "for one.",
                   inferUnstage),
    KILN_STAGE_MAP("MapSize", "", "size: int32", "",
                   "The number of whole tuples.", inferQueueScalar),
    KILN_STAGE_MAP("MapIncompleteSize", "", "size: int32", "",
                   "The number of tuples that lack components.",
                   inferQueueScalar),
    KILN_STAGE_MAP("MapClear", "", "", "", "Drops all tuples.", inferQueueNone),
};

} // namespace

OpFamily queueFamily() {
  return {"Queue", "queues and staging areas, at which runs wait", records};
}

} // namespace kiln
