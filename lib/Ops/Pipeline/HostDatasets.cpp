// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes datasets of what their ops are given. **Errors**: with TensorFlow's
// texts.
#include "lib/OpDefs/HandleSource.h"
#include "lib/OpDefs/OpDef.h"
#include "lib/Ops/Pipeline/Host.h"
#include "lib/Pipelines/Datasets.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"
#include "runtime/threads/ThreadPool.h"

#include <algorithm>
#include <utility>

namespace kiln {
namespace {

/// The inputs of a call, one after the other.
class Inputs {
public:
  explicit Inputs(const HostCall &call) : left(call.inputs) {}

  StatusOr<DatasetPtr> dataset() {
    KILN_ASSIGN_OR_RETURN(const Tensor *input, next());
    DatasetPtr made = datasetOf(*input);
    if (!made)
      return invalidArgumentError(
          "The given variant does not represent a dataset.");
    return made;
  }
  StatusOr<std::vector<DatasetPtr>> datasets(size_t count) {
    std::vector<DatasetPtr> made;
    for (size_t i = 0; i < count; ++i) {
      KILN_ASSIGN_OR_RETURN(made.emplace_back(), dataset());
    }
    return made;
  }
  template <class T> StatusOr<T> scalar(std::string_view name) {
    KILN_ASSIGN_OR_RETURN(const Tensor *input, next());
    if (input->rank() != 0 || input->dtype() != dtypeOf<T>)
      return invalidArgumentError(strCat(name, " must be a scalar"));
    return input->data<T>()[0];
  }
  StatusOr<Element> tensors(size_t count) {
    Element made;
    for (size_t i = 0; i < count; ++i) {
      KILN_ASSIGN_OR_RETURN(const Tensor *input, next());
      made.push_back(*input);
    }
    return made;
  }
  size_t count() const { return left.size(); }

private:
  StatusOr<const Tensor *> next() {
    if (left.empty())
      return internalError("expected another input, got none");
    const Tensor *first = left.data();
    left = left.subspan(1);
    return first;
  }

  std::span<const Tensor> left;
};

/// A function that a node names, and how many of its captured arguments are
/// values.
struct BoundFunction {
  FunctionPtr function;
  size_t numValues = 0;

  StatusOr<CapturedFunction> with(Inputs &inputs) const {
    KILN_ASSIGN_OR_RETURN(Element captured, inputs.tensors(numValues));
    return CapturedFunction(function, std::move(captured));
  }
};

/// Binds the functions of a node. Its inputs are looked at in order.
class Binding {
public:
  Binding(const Node &node, const BlockingSite &site)
      : node(node), site(site) {}

  void skip(size_t count) { input += static_cast<int>(count); }
  /// The function of an attribute, whose captured arguments are the next
  /// inputs, as many as the list of another attribute.
  StatusOr<BoundFunction> bind(std::string_view attr, std::string_view types) {
    if (!site.functions)
      return internalError("expected functions of a graph, got none");
    const auto count =
        node.attrOr<std::vector<DType>>(types, std::vector<DType>()).size();
    std::vector<const Node *> captured;
    BoundFunction bound;
    for (size_t i = 0; i < count; ++i, ++input) {
      if (node.input(input).dtype() != DType::Resource) {
        captured.push_back(nullptr);
        ++bound.numValues;
        continue;
      }
      KILN_ASSIGN_OR_RETURN(const Node *source,
                            sourceOfHandle(site.handles[handle++]));
      if (!source)
        return unimplementedError(strCat("expected captured input ", i, " (",
                                         quote(node.input(input).name()),
                                         ") to be a resource of the graph"));
      captured.push_back(source);
    }
    KILN_ASSIGN_OR_RETURN(bound.function,
                          site.functions->bind(node, attr, captured));
    return bound;
  }

private:
  const Node &node;
  const BlockingSite &site;
  int input = 0;
  size_t handle = 0;
};

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
  if (dtype != DType::Int64 && dtype != DType::Int32)
    return unimplementedError(
        strCat("expected a range of int32 or int64, got ", dtypeName(dtype)));
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
  BatchSpec batch;
  KILN_ASSIGN_OR_RETURN(batch.size, inputs.scalar<int64_t>("batch_size"));
  if (inputs.count() != 0) {
    KILN_ASSIGN_OR_RETURN(batch.dropsRemainder,
                          inputs.scalar<bool>("drop_remainder"));
  }
  return batched(std::move(input), batch);
}

StatusOr<DatasetPtr> makePaddedBatch(const Node &, Inputs &inputs) {
  const size_t numComponents = (inputs.count() - 2) / 2;
  KILN_ASSIGN_OR_RETURN(DatasetPtr input, inputs.dataset());
  BatchSpec batch;
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
  ShuffleSpec spec;
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

StatusOr<DatasetPtr> makeCache(const Node &, Inputs &inputs) {
  KILN_ASSIGN_OR_RETURN(DatasetPtr input, inputs.dataset());
  KILN_ASSIGN_OR_RETURN(String file, inputs.scalar<String>("filename"));
  if (!file.view().empty())
    return unimplementedError(strCat(
        "expected a cache in memory, got the file ", quote(file.view())));
  return cached(std::move(input));
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
  WindowSpec spec;
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

StatusOr<DatasetPtr> makeRandom(const Node &, Inputs &inputs) {
  KILN_ASSIGN_OR_RETURN(auto seed, inputs.scalar<int64_t>("seed"));
  KILN_ASSIGN_OR_RETURN(auto seed2, inputs.scalar<int64_t>("seed2"));
  return randomNumbers(seed, seed2);
}

/// Options change how TensorFlow computes elements, and not what they are.
StatusOr<DatasetPtr> makeSame(const Node &, Inputs &inputs) {
  return inputs.dataset();
}

StatusOr<DatasetPtr> makeMap(const Node &, DatasetPtr input,
                             const BoundFunction &function, Inputs &inputs) {
  KILN_ASSIGN_OR_RETURN(CapturedFunction captured, function.with(inputs));
  return mapped(std::move(input), std::move(captured));
}

StatusOr<DatasetPtr> makeParallelMap(const Node &node, DatasetPtr input,
                                     const BoundFunction &function,
                                     Inputs &inputs) {
  KILN_ASSIGN_OR_RETURN(CapturedFunction captured, function.with(inputs));
  constexpr std::string_view name = "num_parallel_calls";
  int64_t calls = 0;
  if (node.op() == "ParallelMapDataset") {
    KILN_ASSIGN_OR_RETURN(calls, inputs.scalar<int32_t>(name));
  } else {
    KILN_ASSIGN_OR_RETURN(calls, inputs.scalar<int64_t>(name));
  }
  if (calls < 1 && calls != -1)
    return invalidArgumentError(
        "num_parallel_calls must be greater than zero.");
  return mappedTogether(std::move(input), std::move(captured), calls);
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
  if (spec.cycle == -1) // TensorFlow's AUTOTUNE
    spec.cycle = availableThreads();
  return interleaved(std::move(input), std::move(captured), spec);
}

constexpr std::pair<std::string_view, Make> plainRows[] = {
    {"AssertCardinalityDataset", makeCounted},
    {"AssertNextDataset", makeSame},
    {"BatchDataset", makeBatch},
    {"BatchDatasetV2", makeBatch},
    {"BytesProducedStatsDataset", makeSame},
    {"CacheDataset", makeCache},
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
    {"PrefetchDataset", makeSame},
    {"PrivateThreadPoolDataset", makeSame},
    {"RandomDataset", makeRandom},
    {"RangeDataset", makeRange},
    {"RepeatDataset", makeRepeat},
    {"RewriteDataset", makeSame},
    {"ShardDataset", makeShard},
    {"ShuffleAndRepeatDataset", makeShuffle},
    {"ShuffleDataset", makeShuffle},
    {"SkipDataset", makeSkip},
    {"TakeDataset", makeTake},
    {"TensorDataset", makeTensor},
    {"TensorSliceDataset", makeSlices},
    {"UnbatchDataset", makeUnbatch},
    {"UniqueDataset", makeUnique},
    {"WindowDataset", makeWindows},
    {"ZipDataset", makeZip}};

constexpr std::pair<std::string_view, MakeOfFunction> functionRows[] = {
    {"ExperimentalTakeWhileDataset", makeTakeWhile},
    {"FilterDataset", makeFilter},
    {"FlatMapDataset", makeFlatMap},
    {"InterleaveDataset", makeInterleave},
    {"MapDataset", makeMap},
    {"ParallelInterleaveDatasetV2", makeInterleave},
    {"ParallelInterleaveDatasetV3", makeInterleave},
    {"ParallelInterleaveDatasetV4", makeInterleave},
    {"ParallelMapDataset", makeParallelMap},
    {"ParallelMapDatasetV2", makeParallelMap},
    {"TakeWhileDataset", makeTakeWhile}};

Status give(const HostCall &call, StatusOr<DatasetPtr> made) {
  KILN_RETURN_IF_ERROR(made.status());
  KILN_ASSIGN_OR_RETURN(call.outputs[0], tensorOf(*std::move(made)));
  return okStatus();
}

StatusOr<BoundHostOp> bindPlain(const Node &node, const BlockingSite &) {
  const auto *row = std::ranges::find(
      plainRows, node.op(), &std::pair<std::string_view, Make>::first);
  return BoundHostOp([make = row->second](const HostCall &call) {
    Inputs inputs(call);
    return give(call, make(call.node, inputs));
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
  return BoundHostOp([make = row->second,
                      function = std::move(function)](const HostCall &call) {
    Inputs inputs(call);
    KILN_ASSIGN_OR_RETURN(DatasetPtr input, inputs.dataset());
    return give(call, make(call.node, std::move(input), function, inputs));
  });
}

StatusOr<BoundHostOp> bindScan(const Node &node, const BlockingSite &site) {
  const size_t numStates = node.attrOr<std::vector<DType>>("Tstate", {}).size();
  Binding binding(node, site);
  binding.skip(1 + numStates);
  KILN_ASSIGN_OR_RETURN(BoundFunction function,
                        binding.bind("f", "Targuments"));
  return BoundHostOp(
      [numStates, function = std::move(function)](const HostCall &call) {
        Inputs inputs(call);
        KILN_ASSIGN_OR_RETURN(DatasetPtr input, inputs.dataset());
        KILN_ASSIGN_OR_RETURN(Element state, inputs.tensors(numStates));
        KILN_ASSIGN_OR_RETURN(CapturedFunction captured, function.with(inputs));
        return give(call, scanned(std::move(input), std::move(state),
                                  std::move(captured)));
      });
}

StatusOr<BoundHostOp> bindGenerator(const Node &node,
                                    const BlockingSite &site) {
  Binding binding(node, site);
  std::vector<BoundFunction> functions;
  for (std::string_view name : {"init", "next", "finalize"}) {
    KILN_ASSIGN_OR_RETURN(
        functions.emplace_back(),
        binding.bind(strCat(name, "_func"), strCat("T", name, "_func_args")));
  }
  return BoundHostOp([functions = std::move(functions)](const HostCall &call) {
    Inputs inputs(call);
    std::vector<CapturedFunction> captured;
    for (const BoundFunction &function : functions) {
      KILN_ASSIGN_OR_RETURN(CapturedFunction with, function.with(inputs));
      captured.push_back(std::move(with));
    }
    return give(call, generated(captured[0], captured[1], captured[2]));
  });
}

StatusOr<BoundHostOp> bindGroups(const Node &node, const BlockingSite &site) {
  Binding binding(node, site);
  binding.skip(1);
  std::vector<BoundFunction> functions;
  for (std::string_view name :
       {"key_func", "reduce_func", "window_size_func"}) {
    KILN_ASSIGN_OR_RETURN(
        functions.emplace_back(),
        binding.bind(name, strCat("T", name, "_other_arguments")));
  }
  return BoundHostOp([functions = std::move(functions)](const HostCall &call) {
    Inputs inputs(call);
    KILN_ASSIGN_OR_RETURN(DatasetPtr input, inputs.dataset());
    KILN_ASSIGN_OR_RETURN(CapturedFunction key, functions[0].with(inputs));
    KILN_ASSIGN_OR_RETURN(CapturedFunction reduce, functions[1].with(inputs));
    KILN_ASSIGN_OR_RETURN(CapturedFunction size, functions[2].with(inputs));
    return give(call,
                grouped(std::move(input),
                        {std::move(key), std::move(reduce), std::move(size)}));
  });
}

/// Gives a state, which a function of it and of each element makes anew.
StatusOr<BoundHostOp> bindReduction(const Node &node,
                                    const BlockingSite &site) {
  const size_t numStates = node.attrOr<std::vector<DType>>("Tstate", {}).size();
  Binding binding(node, site);
  binding.skip(1 + numStates);
  KILN_ASSIGN_OR_RETURN(BoundFunction function,
                        binding.bind("f", "Targuments"));
  return BoundHostOp([numStates, function = std::move(function)](
                         const HostCall &call) -> Status {
    Inputs inputs(call);
    KILN_ASSIGN_OR_RETURN(DatasetPtr input, inputs.dataset());
    KILN_ASSIGN_OR_RETURN(Element state, inputs.tensors(numStates));
    KILN_ASSIGN_OR_RETURN(CapturedFunction captured, function.with(inputs));
    StreamTable streams;
    IterationState place;
    PullContext pull{nullptr, &streams};
    KILN_ASSIGN_OR_RETURN(IteratorPtr iterator, input->iterate(place));
    for (;;) {
      Element taken, results, arguments = state;
      KILN_ASSIGN_OR_RETURN(bool has, iterator->next(taken, pull));
      if (!has)
        break;
      arguments.insert(arguments.end(), taken.begin(), taken.end());
      KILN_RETURN_IF_ERROR(captured.call(arguments, results, pull));
      if (results.size() != numStates)
        return invalidArgumentError(strCat("expected a function that gives ",
                                           numStates, " tensors of state, got ",
                                           results.size()));
      state = std::move(results);
    }
    std::move(state.begin(), state.end(), call.outputs.begin());
    return okStatus();
  });
}

} // namespace

void addDatasetKernels(HostKernels &kernels) {
  for (const auto &[name, make] : plainRows)
    kernels.addOwn(name, {.bindBody = bindPlain});
  for (const auto &[name, make] : functionRows)
    kernels.addOwn(name, {.bindBody = bindOfFunction});
  kernels.addOwn("ScanDataset", {.bindBody = bindScan}, {"", "Experimental"});
  kernels.addOwn("GeneratorDataset", {.bindBody = bindGenerator});
  kernels.addOwn("GroupByWindowDataset", {.bindBody = bindGroups},
                 {"", "Experimental"});
  kernels.addOwn("ReduceDataset", {.bindBody = bindReduction});
}

} // namespace kiln
