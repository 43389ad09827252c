// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TFE_Execute: runs an op by the node that it is in its context's graph.
#include "capi/Eager.h"

using namespace kiln;
using namespace kiln::capi;

namespace kiln::capi {

size_t EagerKeyHash::operator()(const EagerKey &key) const noexcept {
  // Attributes tell nodes apart that have all else in common: by their number,
  // and by those that are short.
  size_t hash = std::hash<std::string>()(key.op) + key.attrs.size();
  auto mix = [&](size_t value) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u ^ hash >> 29;
  };
  for (const Output &input : key.inputs) {
    mix(std::hash<const void *>()(input.node));
    mix(static_cast<size_t>(input.index));
  }
  for (const NamedAttr &attr : key.attrs) {
    if (const auto *number = attr.value.getIf<int64_t>())
      mix(static_cast<size_t>(*number));
    else if (const auto *dtype = attr.value.getIf<DType>())
      mix(static_cast<size_t>(*dtype));
    else if (const auto *flag = attr.value.getIf<bool>())
      mix(*flag);
    else if (const auto *text = attr.value.getIf<std::string>())
      mix(std::hash<std::string>()(*text));
  }
  return hash;
}

} // namespace kiln::capi

namespace {

/// A reference stands for a variable or a queue, as a resource does.
bool hasValue(DType dtype, bool isRef) {
  return !isRef && dtype != DType::Resource && dtype != DType::Variant;
}
bool hasValue(const OutputInfo &info) {
  return hasValue(info.dtype, info.isRef);
}

/// TensorFlow's errors for inputs that are not what the op takes.
Status checkInputs(const TFE_Op &op) {
  const AttrMap &attrs = op.description.spec.attrs;
  std::vector<DType> expected;
  for (const OpArgument &argument : op.description.schema()->inputs) {
    const std::vector<DType> dtypes = dtypesOf(argument, attrs);
    expected.insert(expected.end(), dtypes.begin(), dtypes.end());
  }
  if (expected.size() != op.inputs.size())
    return invalidArgumentError("expected " + std::to_string(expected.size()) +
                                " inputs, got " +
                                std::to_string(op.inputs.size()));
  size_t i = 0;
  for (const TFE_TensorHandle &input : op.inputs) {
    const DType wanted = expected[i++], got = static_cast<DType>(input.type);
    if (wanted != got && wanted != DType::Invalid)
      return invalidArgumentError(
          "cannot compute " + op.name + " as input #" + std::to_string(i - 1) +
          "(zero-based) was expected to be a " +
          std::string(dtypeTfName(wanted)) + " tensor but is a " +
          std::string(dtypeTfName(got)) + " tensor");
  }
  return okStatus();
}

/// Whether an op has no value to run for: its results are described by its
/// node, which the ops that take them run with.
bool isDescription(const TFE_Op &op) {
  const OpSchema &schema = *op.description.schema();
  bool describes = !schema.outputs.empty();
  for (const OpArgument &output : schema.outputs)
    for (DType dtype : dtypesOf(output, op.description.spec.attrs))
      // What changes a reference that it is given does run.
      describes &= !hasValue(dtype, output.isRef && schema.inputs.empty());
  return describes;
}

/// Gives a resource without a name one that nobody else has.
void nameResource(TFE_Op &op) {
  // What TensorFlow 2 says instead of a name for one that is nobody else's.
  constexpr std::string_view anonymous = "cd2c89b7-88b7-44c8-ad83-06c2a9158347";
  if (!op.description.schema()->findAttr("shared_name"))
    return;
  AttrMap &attrs = op.description.spec.attrs;
  const AttrValue *name = attrs.find("shared_name");
  const auto *text = name ? name->getIf<std::string>() : nullptr;
  if (!text || text->empty() || *text == anonymous)
    attrs.set("shared_name",
              "kiln/eager/" + std::to_string(++op.context.resources));
}

/// A constant in the place of an input whose value a node keeps.
StatusOr<Output> constantOf(TFE_Context &context, const Tensor &value) {
  NodeSpec spec{.name =
                    "const/" + std::to_string(context.graph.graph->numNodes()),
                .op = "Const"};
  spec.attrs.set("dtype", value.dtype());
  StatusOr<Tensor> copy = value.clone();
  if (!copy.ok())
    return copy.status();
  spec.attrs.set("value", *std::move(copy));
  StatusOr<const Node *> node = context.graph.graph->addNode(std::move(spec));
  if (!node.ok())
    return node.status();
  return Output{*node, 0};
}

/// What the op takes, as outputs of nodes.
StatusOr<std::vector<Output>> inputsOf(TFE_Op &op, bool keepsValues) {
  std::vector<Output> inputs;
  std::map<TF_DataType, int> count;
  for (const TFE_TensorHandle &input : op.inputs) {
    if (!input.value.isValid()) {
      if (input.graph != op.context.graph.graph)
        return invalidArgumentError("expected a handle of the op's context");
      inputs.push_back(input.source);
      continue;
    }
    StatusOr<Output> source =
        keepsValues ? constantOf(op.context, input.value)
                    : op.context.placeholder(static_cast<DType>(input.type),
                                             count[input.type]++);
    if (!source.ok())
      return source.status();
    inputs.push_back(*source);
  }
  return inputs;
}

StatusOr<EagerNode> makeNode(TFE_Op &op, const EagerKey &key,
                             bool isDescription) {
  TFE_Context &context = op.context;
  NodeSpec spec{.name = "op/" + std::to_string(context.graph.graph->numNodes()),
                .op = key.op,
                .inputs = {key.inputs.begin(), key.inputs.end()},
                .attrs = key.attrs,
                .device = key.device};
  StatusOr<const Node *> node = context.graph.graph->addNode(std::move(spec));
  if (!node.ok())
    return node.status();
  EagerNode made{.node = *node, .feeds = {}, .call = {}};
  if (isDescription)
    return made;
  auto handle = op.inputs.begin();
  for (const Output &input : key.inputs)
    if ((handle++)->value.isValid())
      made.feeds.emplace_back(input);
  std::vector<Fetch> fetches;
  for (int i = 0; i < (*node)->numOutputs(); ++i)
    if (hasValue((*node)->output(i)))
      fetches.emplace_back(Output{*node, i});
  StatusOr<Callable> call = context.session->session->makeCallable(
      made.feeds, fetches, {OperationId(*node)});
  if (!call.ok())
    return call.status();
  made.call = *std::move(call);
  return made;
}

/// The op's node, which is added where there is none yet.
StatusOr<EagerNode> nodeFor(TFE_Op &op, bool isDescription) {
  TFE_Context &context = op.context;
  std::lock_guard adding(context.graph.adding);
  StatusOr<std::vector<Output>> inputs = inputsOf(op, isDescription);
  if (!inputs.ok())
    return inputs.status();
  const EagerKey key{op.name, op.device, *std::move(inputs),
                     op.description.spec.attrs};
  {
    std::shared_lock lock(context.finding);
    auto found = context.nodes.find(key);
    if (found != context.nodes.end() &&
        (isDescription || found->second.call.isValid()))
      return found->second;
  }
  StatusOr<EagerNode> made = makeNode(op, key, isDescription);
  if (made.ok()) {
    std::unique_lock lock(context.finding);
    context.nodes.insert_or_assign(key, *made);
  }
  return made;
}

Status missingRoom(int outputs, int room) {
  return invalidArgumentError("Expecting " + std::to_string(outputs) +
                              " outputs, but *num_retvals is " +
                              std::to_string(room));
}

/// The value of a Const, which needs no node: each would stay in the graph.
/// Null for other ops, and for constants that are to be refused.
const TensorConstant *constantIn(const TFE_Op &op) {
  const AttrMap &attrs = op.description.spec.attrs;
  const AttrValue *value = op.name == "Const" ? attrs.find("value") : nullptr;
  const AttrValue *dtype = attrs.find("dtype");
  const auto *constant = value ? value->getIf<TensorConstant>() : nullptr;
  const auto *type = dtype ? dtype->getIf<DType>() : nullptr;
  return constant && type && *type == constant->dtype ? constant : nullptr;
}

Status call(const Callable &node, const TFE_Op &op,
            std::span<const Tensor> feeds, std::span<Tensor> values) {
  if (!op.cancellation)
    return node(feeds, values);
  return node(feeds, values, {.cancel = op.cancellation.get()});
}

Status execute(TFE_Op &op, TFE_TensorHandle **results, int *count) {
  if (Status status = checkInputs(op); !status.ok())
    return status;
  if (const TensorConstant *constant = constantIn(op)) {
    if (*count < 1)
      return missingRoom(1, *count);
    StatusOr<Tensor> value = constant->materialize();
    if (!value.ok())
      return value.status();
    *count = 1;
    results[0] = new TFE_TensorHandle{
        static_cast<TF_DataType>(constant->dtype), *std::move(value), {}, {}};
    return okStatus();
  }
  const bool describes = isDescription(op);
  if (describes)
    nameResource(op);
  StatusOr<EagerNode> node = nodeFor(op, describes);
  if (!node.ok())
    return node.status();
  const int outputs = std::max(node->node->numOutputs(), 0);
  if (*count < outputs)
    return missingRoom(outputs, *count);
  std::vector<Tensor> feeds, values;
  for (const TFE_TensorHandle &input : op.inputs)
    if (input.value.isValid())
      feeds.push_back(input.value);
  for (int i = 0; i < outputs; ++i)
    if (hasValue(node->node->output(i)))
      values.emplace_back();
  if (!describes)
    if (Status status = call(node->call, op, feeds, values); !status.ok())
      return status;
  size_t next = 0;
  for (int i = 0; i < outputs; ++i) {
    const OutputInfo &info = node->node->output(i);
    auto handle = std::make_unique<TFE_TensorHandle>();
    handle->type = static_cast<TF_DataType>(info.dtype);
    if (hasValue(info)) {
      handle->value = std::move(values[next++]);
    } else {
      handle->source = {node->node, i};
      handle->graph = op.context.graph.graph;
    }
    results[i] = handle.release();
  }
  *count = outputs;
  return okStatus();
}

} // namespace

void TFE_Execute(TFE_Op *op, TFE_TensorHandle **retvals, int *num_retvals,
                 TF_Status *status) {
  clearStatus(status);
  const Status result = execute(*op, retvals, num_retvals);
  // An op is told by its name; its node's is nobody's.
  if (!result.ok())
    setStatus(status, Status(result.code(), std::string(result.message())));
}
