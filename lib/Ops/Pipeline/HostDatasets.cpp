// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes datasets of what their ops are given. **Errors**: with TensorFlow's
// texts.
#include "lib/Ops/Pipeline/Host.h"
#include "lib/Ops/Pipeline/HostInputs.h"
#include "lib/Pipelines/Datasets.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"
#include "runtime/threads/ThreadPool.h"

#include <algorithm>
#include <utility>

namespace kiln {
namespace {

/// Makes the dataset of a call.
using Make = StatusOr<DatasetPtr> (*)(const Node &node, Inputs &inputs);
/// The same with a function of the attribute `f` or `predicate`.
using MakeOfFunction = StatusOr<DatasetPtr> (*)(const Node &node,
                                                DatasetPtr input,
                                                const BoundFunction &function,
                                                Inputs &inputs);

StatusOr<DatasetPtr> makeTensor(const Node &, Inputs &inputs) {
  KILN_ASSIGN_OR_RETURN(Element element, inputs.tensors(inputs.count()));
  return oneElement(std::move(element));
}

StatusOr<DatasetPtr> makeSlices(const Node &, Inputs &inputs) {
  KILN_ASSIGN_OR_RETURN(Element components, inputs.tensors(inputs.count()));
  return rowsOf(std::move(components));
}

StatusOr<DatasetPtr> makeRange(const Node &node, Inputs &inputs) {
  KILN_ASSIGN_OR_RETURN(auto start, inputs.scalar<int64_t>("start"));
  KILN_ASSIGN_OR_RETURN(auto stop, inputs.scalar<int64_t>("stop"));
  KILN_ASSIGN_OR_RETURN(auto step, inputs.scalar<int64_t>("step"));
  const auto types = node.attrOr<std::vector<DType>>("output_types", {});
  const DType dtype = types.empty() ? DType::Int64 : types[0];
  if (!isSupported(dtype) || dtype == DType::Bool || dtype == DType::String)
    return invalidArgumentError(
        strCat("Unsupported data type: ", dtypeTfName(dtype)));
  return rangeOf(start, stop, step, dtype);
}

StatusOr<DatasetPtr> makeRepeat(const Node &, Inputs &inputs) {
  KILN_ASSIGN_OR_RETURN(DatasetPtr input, inputs.dataset());
  KILN_ASSIGN_OR_RETURN(auto count, inputs.scalar<int64_t>("count"));
  return repeated(std::move(input), count);
}

StatusOr<DatasetPtr> makeTake(const Node &, Inputs &inputs) {
  KILN_ASSIGN_OR_RETURN(DatasetPtr input, inputs.dataset());
  KILN_ASSIGN_OR_RETURN(auto count, inputs.scalar<int64_t>("count"));
  return firstOf(std::move(input), count);
}

StatusOr<DatasetPtr> makeSkip(const Node &, Inputs &inputs) {
  KILN_ASSIGN_OR_RETURN(DatasetPtr input, inputs.dataset());
  KILN_ASSIGN_OR_RETURN(auto count, inputs.scalar<int64_t>("count"));
  return restOf(std::move(input), count);
}

StatusOr<DatasetPtr> makeShard(const Node &, Inputs &inputs) {
  KILN_ASSIGN_OR_RETURN(DatasetPtr input, inputs.dataset());
  KILN_ASSIGN_OR_RETURN(auto shards, inputs.scalar<int64_t>("num_shards"));
  KILN_ASSIGN_OR_RETURN(auto index, inputs.scalar<int64_t>("index"));
  return shardOf(std::move(input), shards, index);
}

StatusOr<DatasetPtr> makeConcatenation(const Node &, Inputs &inputs) {
  KILN_ASSIGN_OR_RETURN(DatasetPtr first, inputs.dataset());
  KILN_ASSIGN_OR_RETURN(DatasetPtr second, inputs.dataset());
  return concatenated(std::move(first), std::move(second));
}

StatusOr<DatasetPtr> makeZip(const Node &, Inputs &inputs) {
  KILN_ASSIGN_OR_RETURN(auto datasets, inputs.datasets(inputs.count()));
  return zipped(std::move(datasets));
}

StatusOr<DatasetPtr> makeBatch(const Node &, Inputs &inputs) {
  KILN_ASSIGN_OR_RETURN(DatasetPtr input, inputs.dataset());
  BatchSpec batch{.maxBytes = inputs.maxBytes};
  KILN_ASSIGN_OR_RETURN(batch.size, inputs.scalar<int64_t>("batch_size"));
  if (inputs.count() != 0) {
    KILN_ASSIGN_OR_RETURN(batch.dropsRemainder,
                          inputs.scalar<bool>("drop_remainder"));
  }
  return batched(std::move(input), batch);
}

StatusOr<DatasetPtr> makeParallelBatch(const Node &, Inputs &inputs) {
  KILN_ASSIGN_OR_RETURN(DatasetPtr input, inputs.dataset());
  BatchSpec batch{.maxBytes = inputs.maxBytes};
  KILN_ASSIGN_OR_RETURN(batch.size, inputs.scalar<int64_t>("batch_size"));
  KILN_RETURN_IF_ERROR(inputs.scalar<int64_t>("num_parallel_calls").status());
  KILN_ASSIGN_OR_RETURN(batch.dropsRemainder,
                        inputs.scalar<bool>("drop_remainder"));
  return batched(std::move(input), batch);
}

StatusOr<DatasetPtr> makePaddedBatch(const Node &, Inputs &inputs) {
  const size_t numComponents = (inputs.count() - 2) / 2;
  KILN_ASSIGN_OR_RETURN(DatasetPtr input, inputs.dataset());
  BatchSpec batch{.maxBytes = inputs.maxBytes};
  KILN_ASSIGN_OR_RETURN(batch.size, inputs.scalar<int64_t>("batch_size"));
  Padding padding;
  KILN_ASSIGN_OR_RETURN(padding.shapes, inputs.tensors(numComponents));
  KILN_ASSIGN_OR_RETURN(padding.values, inputs.tensors(numComponents));
  if (inputs.count() != 0) {
    KILN_ASSIGN_OR_RETURN(batch.dropsRemainder,
                          inputs.scalar<bool>("drop_remainder"));
  }
  return paddedBatches(std::move(input), batch, std::move(padding));
}

StatusOr<DatasetPtr> makeUnbatch(const Node &, Inputs &inputs) {
  KILN_ASSIGN_OR_RETURN(DatasetPtr input, inputs.dataset());
  return unbatched(std::move(input));
}

StatusOr<DatasetPtr> makeShuffle(const Node &node, Inputs &inputs) {
  KILN_ASSIGN_OR_RETURN(DatasetPtr input, inputs.dataset());
  ShuffleSpec spec{.maxBytes = inputs.maxBytes};
  KILN_ASSIGN_OR_RETURN(spec.bufferSize, inputs.scalar<int64_t>("buffer_size"));
  KILN_ASSIGN_OR_RETURN(spec.seed, inputs.scalar<int64_t>("seed"));
  KILN_ASSIGN_OR_RETURN(spec.seed2, inputs.scalar<int64_t>("seed2"));
  spec.reshuffles = node.attrOr<bool>("reshuffle_each_iteration", true);
  if (inputs.count() == 0)
    return shuffled(std::move(input), spec);
  // ShuffleAndRepeatDataset
  KILN_ASSIGN_OR_RETURN(auto count, inputs.scalar<int64_t>("count"));
  if (count == 0 || count < -1)
    return invalidArgumentError(
        "count must be greater than zero or equal to -1.");
  KILN_ASSIGN_OR_RETURN(DatasetPtr once, shuffled(std::move(input), spec));
  return repeated(std::move(once), count);
}

StatusOr<DatasetPtr> makeErrorless(const Node &, Inputs &inputs) {
  KILN_ASSIGN_OR_RETURN(DatasetPtr input, inputs.dataset());
  return withoutErrors(std::move(input));
}

StatusOr<DatasetPtr> makeCounted(const Node &, Inputs &inputs) {
  KILN_ASSIGN_OR_RETURN(DatasetPtr input, inputs.dataset());
  KILN_ASSIGN_OR_RETURN(auto cardinality,
                        inputs.scalar<int64_t>("cardinality"));
  return counted(std::move(input), cardinality);
}

StatusOr<DatasetPtr> makeWindows(const Node &, Inputs &inputs) {
  KILN_ASSIGN_OR_RETURN(DatasetPtr input, inputs.dataset());
  WindowSpec spec{.maxBytes = inputs.maxBytes};
  KILN_ASSIGN_OR_RETURN(spec.size, inputs.scalar<int64_t>("size"));
  KILN_ASSIGN_OR_RETURN(spec.shift, inputs.scalar<int64_t>("shift"));
  KILN_ASSIGN_OR_RETURN(spec.stride, inputs.scalar<int64_t>("stride"));
  KILN_ASSIGN_OR_RETURN(spec.dropsRemainder,
                        inputs.scalar<bool>("drop_remainder"));
  return windows(std::move(input), spec);
}

StatusOr<DatasetPtr> makeDirected(const Node &node, Inputs &inputs) {
  KILN_ASSIGN_OR_RETURN(DatasetPtr selector, inputs.dataset());
  KILN_ASSIGN_OR_RETURN(auto choices, inputs.datasets(inputs.count()));
  return directed(std::move(selector), std::move(choices),
                  node.attrOr<bool>("stop_on_empty_dataset", false));
}

StatusOr<DatasetPtr> makeUnique(const Node &, Inputs &inputs) {
  KILN_ASSIGN_OR_RETURN(DatasetPtr input, inputs.dataset());
  return unique(std::move(input));
}

StatusOr<DatasetPtr> makeRandom(const Node &node, Inputs &inputs) {
  KILN_ASSIGN_OR_RETURN(auto seed, inputs.scalar<int64_t>("seed"));
  KILN_ASSIGN_OR_RETURN(auto seed2, inputs.scalar<int64_t>("seed2"));
  return randomNumbers(seed, seed2,
                       node.attrOr<bool>("rerandomize_each_iteration", false));
}

/// Options change how TensorFlow computes elements, and not what they are.
StatusOr<DatasetPtr> makeSame(const Node &, Inputs &inputs) {
  return inputs.dataset();
}

constexpr int64_t autotune = -1; ///< TensorFlow's AUTOTUNE

StatusOr<DatasetPtr> makePrefetch(const Node &, Inputs &inputs) {
  KILN_ASSIGN_OR_RETURN(DatasetPtr input, inputs.dataset());
  PrefetchSpec spec{.maxBytes = inputs.maxBytes};
  KILN_ASSIGN_OR_RETURN(spec.bufferSize, inputs.scalar<int64_t>("buffer_size"));
  if (spec.bufferSize < autotune)
    return invalidArgumentError("buffer_size must be >= 0 or set buffer_size "
                                "to be -1 for auto-tuning");
  return prefetched(std::move(input), spec);
}

/// How many elements come of an input by a map: TensorFlow tells where the
/// node says that there are as many.
int64_t lengthBehind(const Node &node, const DatasetPtr &input) {
  return node.attrOr<bool>("preserve_cardinality", false) ? input->cardinality()
                                                          : Dataset::unknown;
}

StatusOr<DatasetPtr> makeMap(const Node &node, DatasetPtr input,
                             const BoundFunction &function, Inputs &inputs) {
  KILN_ASSIGN_OR_RETURN(CapturedFunction captured, function.with(inputs));
  const int64_t count = lengthBehind(node, input);
  return mapped(std::move(input), std::move(captured), count);
}

/// How many elements are made at a time.
template <class T = int64_t> StatusOr<int64_t> takeCalls(Inputs &inputs) {
  KILN_ASSIGN_OR_RETURN(const int64_t calls,
                        inputs.scalar<T>("num_parallel_calls"));
  if (calls < 1 && calls != autotune)
    return invalidArgumentError(
        "num_parallel_calls must be greater than zero.");
  return calls;
}

StatusOr<DatasetPtr> makeParallelMap(const Node &node, DatasetPtr input,
                                     const BoundFunction &function,
                                     Inputs &inputs) {
  KILN_ASSIGN_OR_RETURN(CapturedFunction captured, function.with(inputs));
  KILN_ASSIGN_OR_RETURN(const int64_t calls, node.op() == "ParallelMapDataset"
                                                 ? takeCalls<int32_t>(inputs)
                                                 : takeCalls(inputs));
  const int64_t count = lengthBehind(node, input);
  return mappedTogether(std::move(input), std::move(captured), calls, count);
}

StatusOr<DatasetPtr> makeMapAndBatch(const Node &node, DatasetPtr input,
                                     const BoundFunction &function,
                                     Inputs &inputs) {
  KILN_ASSIGN_OR_RETURN(CapturedFunction captured, function.with(inputs));
  BatchSpec batch{.maxBytes = inputs.maxBytes};
  KILN_ASSIGN_OR_RETURN(batch.size, inputs.scalar<int64_t>("batch_size"));
  KILN_ASSIGN_OR_RETURN(const int64_t calls, takeCalls(inputs));
  KILN_ASSIGN_OR_RETURN(batch.dropsRemainder,
                        inputs.scalar<bool>("drop_remainder"));
  const int64_t count = lengthBehind(node, input);
  return batched(
      mappedTogether(std::move(input), std::move(captured), calls, count),
      batch);
}

StatusOr<DatasetPtr> makeFilter(const Node &, DatasetPtr input,
                                const BoundFunction &function, Inputs &inputs) {
  KILN_ASSIGN_OR_RETURN(CapturedFunction captured, function.with(inputs));
  return filtered(std::move(input), std::move(captured));
}

StatusOr<DatasetPtr> makeTakeWhile(const Node &, DatasetPtr input,
                                   const BoundFunction &function,
                                   Inputs &inputs) {
  KILN_ASSIGN_OR_RETURN(CapturedFunction captured, function.with(inputs));
  return whileTrue(std::move(input), std::move(captured));
}

StatusOr<DatasetPtr> makeFlatMap(const Node &, DatasetPtr input,
                                 const BoundFunction &function,
                                 Inputs &inputs) {
  KILN_ASSIGN_OR_RETURN(CapturedFunction captured, function.with(inputs));
  return interleaved(std::move(input), std::move(captured), {});
}

StatusOr<DatasetPtr> makeInterleave(const Node &, DatasetPtr input,
                                    const BoundFunction &function,
                                    Inputs &inputs) {
  KILN_ASSIGN_OR_RETURN(CapturedFunction captured, function.with(inputs));
  InterleaveSpec spec;
  KILN_ASSIGN_OR_RETURN(spec.cycle, inputs.scalar<int64_t>("cycle_length"));
  KILN_ASSIGN_OR_RETURN(spec.block, inputs.scalar<int64_t>("block_length"));
  if (spec.cycle == autotune)
    spec.cycle = availableThreads();
  return interleaved(std::move(input), std::move(captured), spec);
}

/// The next input, which is not below \p least, which is 0 or 1.
StatusOr<int64_t> takeNumber(Inputs &inputs, std::string_view name,
                             int64_t least) {
  KILN_ASSIGN_OR_RETURN(const int64_t number, inputs.scalar<int64_t>(name));
  if (number < least)
    return invalidArgumentError(
        strCat("`", name, "` must be ", least > 0 ? "> 0" : ">= 0"));
  return number;
}

/// As takeNumber(), or AUTOTUNE; \p bound is how TensorFlow says the least.
StatusOr<int64_t> takeOrTune(Inputs &inputs, std::string_view name,
                             int64_t least, std::string_view bound) {
  KILN_ASSIGN_OR_RETURN(const int64_t number, inputs.scalar<int64_t>(name));
  if (number < least && number != autotune)
    return invalidArgumentError(strCat("`", name,
                                       "` must be `tf.data.AUTOTUNE` or ",
                                       bound, " 0 but is ", number));
  return number;
}

StatusOr<DatasetPtr> makeParallelInterleave(const Node &node, DatasetPtr input,
                                            const BoundFunction &function,
                                            Inputs &inputs) {
  KILN_ASSIGN_OR_RETURN(CapturedFunction captured, function.with(inputs));
  InterleaveSpec spec;
  KILN_ASSIGN_OR_RETURN(spec.cycle,
                        takeOrTune(inputs, "cycle_length", 1, "greater than"));
  KILN_ASSIGN_OR_RETURN(spec.block, takeNumber(inputs, "block_length", 1));
  if (node.op() == "ParallelInterleaveDatasetV4") {
    KILN_RETURN_IF_ERROR(
        takeOrTune(inputs, "buffer_output_elements", 1, ">").status());
    KILN_RETURN_IF_ERROR(
        takeOrTune(inputs, "prefetch_input_elements", 0, ">=").status());
  }
  KILN_ASSIGN_OR_RETURN(const int64_t calls, takeCalls(inputs));
  if (spec.cycle != autotune && calls > spec.cycle)
    return invalidArgumentError(
        strCat("If `cycle_length` is set to a fixed value, "
               "`num_parallel_calls` must be either `tf.data.AUTOTUNE` or a "
               "value less than or equal to `cycle_length`. However, "
               "`num_parallel_calls` is ",
               calls, " and `cycle_length` is ", spec.cycle));
  if (spec.cycle == autotune)
    spec.cycle = availableThreads();
  return interleaved(std::move(input), std::move(captured), spec);
}

/// tf.contrib.data.parallel_interleave().
StatusOr<DatasetPtr> makeContribInterleave(const Node &node, DatasetPtr input,
                                           const BoundFunction &function,
                                           Inputs &inputs) {
  KILN_ASSIGN_OR_RETURN(CapturedFunction captured, function.with(inputs));
  InterleaveSpec spec;
  KILN_ASSIGN_OR_RETURN(spec.cycle, takeNumber(inputs, "cycle_length", 1));
  KILN_ASSIGN_OR_RETURN(spec.block, takeNumber(inputs, "block_length", 1));
  if (!node.findAttr("deterministic"))
    KILN_RETURN_IF_ERROR(inputs.scalar<bool>("sloppy").status());
  KILN_RETURN_IF_ERROR(
      takeNumber(inputs, "buffer_output_elements", 1).status());
  KILN_RETURN_IF_ERROR(
      takeNumber(inputs, "prefetch_input_elements", 0).status());
  return interleaved(std::move(input), std::move(captured), spec);
}

constexpr std::pair<std::string_view, Make> plainRows[] = {
    {"AssertCardinalityDataset", makeCounted},
    {"AssertNextDataset", makeSame},
    {"BatchDataset", makeBatch},
    {"BatchDatasetV2", makeBatch},
    {"BytesProducedStatsDataset", makeSame},
    {"ConcatenateDataset", makeConcatenation},
    {"DirectedInterleaveDataset", makeDirected},
    {"ExperimentalAssertNextDataset", makeSame},
    {"ExperimentalBytesProducedStatsDataset", makeSame},
    {"ExperimentalDirectedInterleaveDataset", makeDirected},
    {"ExperimentalIgnoreErrorsDataset", makeErrorless},
    {"ExperimentalLatencyStatsDataset", makeSame},
    {"ExperimentalMaxIntraOpParallelismDataset", makeSame},
    {"ExperimentalNonSerializableDataset", makeSame},
    {"ExperimentalPrivateThreadPoolDataset", makeSame},
    {"ExperimentalRandomDataset", makeRandom},
    {"ExperimentalUnbatchDataset", makeUnbatch},
    {"ExperimentalUniqueDataset", makeUnique},
    {"FinalizeDataset", makeSame},
    {"IgnoreErrorsDataset", makeErrorless},
    {"LatencyStatsDataset", makeSame},
    {"MaxIntraOpParallelismDataset", makeSame},
    {"ModelDataset", makeSame},
    {"NonSerializableDataset", makeSame},
    {"OptimizeDataset", makeSame},
    {"OptimizeDatasetV2", makeSame},
    {"OptionsDataset", makeSame},
    {"PaddedBatchDataset", makePaddedBatch},
    {"PaddedBatchDatasetV2", makePaddedBatch},
    {"ParallelBatchDataset", makeParallelBatch},
    {"PrefetchDataset", makePrefetch},
    {"PrivateThreadPoolDataset", makeSame},
    {"RandomDataset", makeRandom},
    {"RandomDatasetV2", makeRandom},
    {"RangeDataset", makeRange},
    {"RepeatDataset", makeRepeat},
    {"RewriteDataset", makeSame},
    {"ShardDataset", makeShard},
    {"ShuffleAndRepeatDataset", makeShuffle},
    {"ShuffleAndRepeatDatasetV2", makeShuffle},
    {"ShuffleDataset", makeShuffle},
    {"ShuffleDatasetV3", makeShuffle},
    {"SkipDataset", makeSkip},
    {"TakeDataset", makeTake},
    {"TensorDataset", makeTensor},
    {"TensorSliceDataset", makeSlices},
    {"UnbatchDataset", makeUnbatch},
    {"UniqueDataset", makeUnique},
    {"WindowDataset", makeWindows},
    {"ZipDataset", makeZip}};

constexpr std::pair<std::string_view, MakeOfFunction> functionRows[] = {
    {"ExperimentalMapAndBatchDataset", makeMapAndBatch},
    {"ExperimentalMapDataset", makeMap},
    {"ExperimentalParallelInterleaveDataset", makeContribInterleave},
    {"ExperimentalTakeWhileDataset", makeTakeWhile},
    {"FilterDataset", makeFilter},
    {"FlatMapDataset", makeFlatMap},
    {"InterleaveDataset", makeInterleave},
    {"LegacyParallelInterleaveDatasetV2", makeContribInterleave},
    {"MapAndBatchDataset", makeMapAndBatch},
    {"MapDataset", makeMap},
    {"ParallelFilterDataset", makeFilter},
    {"ParallelInterleaveDataset", makeContribInterleave},
    {"ParallelInterleaveDatasetV2", makeParallelInterleave},
    {"ParallelInterleaveDatasetV3", makeParallelInterleave},
    {"ParallelInterleaveDatasetV4", makeParallelInterleave},
    {"ParallelMapDataset", makeParallelMap},
    {"ParallelMapDatasetV2", makeParallelMap},
    {"TakeWhileDataset", makeTakeWhile}};

StatusOr<BoundHostOp> bindPlain(const Node &node, const BlockingSite &site) {
  const auto *row = std::ranges::find(
      plainRows, node.op(), &std::pair<std::string_view, Make>::first);
  return BoundHostOp(
      [make = row->second, most = maxBytesOf(site)](const HostCall &call) {
        Inputs inputs(call, most);
        return giveDataset(call, make(call.node, inputs));
      });
}

StatusOr<BoundHostOp> bindOfFunction(const Node &node,
                                     const BlockingSite &site) {
  const auto *row =
      std::ranges::find(functionRows, node.op(),
                        &std::pair<std::string_view, MakeOfFunction>::first);
  Binding binding(node, site);
  binding.skip(1);
  KILN_ASSIGN_OR_RETURN(
      BoundFunction function,
      binding.bind(node.findAttr("predicate") ? "predicate" : "f",
                   "Targuments"));
  return BoundHostOp([most = maxBytesOf(site), make = row->second,
                      function = std::move(function)](const HostCall &call) {
    Inputs inputs(call, most);
    KILN_ASSIGN_OR_RETURN(DatasetPtr input, inputs.dataset());
    return giveDataset(call,
                       make(call.node, std::move(input), function, inputs));
  });
}

} // namespace

void addDatasetKernels(HostKernels &kernels) {
  for (const auto &[name, make] : plainRows)
    kernels.addOwn(name, {.bindBody = bindPlain});
  for (const auto &[name, make] : functionRows)
    kernels.addOwn(name, {.bindBody = bindOfFunction});
}

} // namespace kiln
