// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Messages of what runs and steers a graph beside its nodes: queue runners,
// contexts of control flow.
#include "lib/IO/Formats.h"
#include "lib/IO/Wire.h"
#include "lib/IO/proto/Training.pb.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <limits>

namespace kiln {
namespace {

/// How deep contexts nest: two messages each.
constexpr int maxDepth = 200;

std::vector<std::string>
toVector(const google::protobuf::RepeatedPtrField<std::string> &values) {
  return {values.begin(), values.end()};
}

void encode(const ContextDef &context, proto::ValuesDef &message) {
  message.mutable_values()->Assign(context.values.begin(),
                                   context.values.end());
  for (const auto &[outside, inside] : context.externalValues)
    (*message.mutable_external_values())[outside] = inside;
}

void decode(const proto::ValuesDef &message, ContextDef &context) {
  context.values = toVector(message.values());
  context.externalValues.insert(message.external_values().begin(),
                                message.external_values().end());
}

void encode(const ContextDef &context, proto::CondContextDef &message);
void encode(const ContextDef &context, proto::WhileContextDef &message);

template <class Message>
void encodeNested(const ContextDef &context, Message &message) {
  for (const ContextDef &nested : context.nested) {
    proto::ControlFlowContextDef &inner = *message.add_nested_contexts();
    if (nested.isWhile)
      encode(nested, *inner.mutable_while_ctxt());
    else
      encode(nested, *inner.mutable_cond_ctxt());
  }
}

void encode(const ContextDef &context, proto::CondContextDef &message) {
  message.set_context_name(context.name);
  message.set_pred_name(context.predName);
  message.set_pivot_name(context.pivotName);
  message.set_branch(context.branch);
  encode(context, *message.mutable_values_def());
  encodeNested(context, message);
}

void encode(const ContextDef &context, proto::WhileContextDef &message) {
  message.set_context_name(context.name);
  message.set_parallel_iterations(static_cast<int>(std::min<int64_t>(
      context.parallelIterations, std::numeric_limits<int>::max())));
  message.set_back_prop(context.backProp);
  message.set_swap_memory(context.swapMemory);
  message.set_pivot_name(context.loopCondName);
  message.set_pivot_for_pred_name(context.pivotForPredName);
  message.set_pivot_for_body_name(context.pivotForBodyName);
  message.mutable_loop_exit_names()->Assign(context.loopExitNames.begin(),
                                            context.loopExitNames.end());
  message.mutable_loop_enter_names()->Assign(context.loopEnterNames.begin(),
                                             context.loopEnterNames.end());
  message.set_maximum_iterations_name(context.maximumIterationsName);
  encode(context, *message.mutable_values_def());
  encodeNested(context, message);
}

ContextDef decode(const proto::CondContextDef &message);
ContextDef decode(const proto::WhileContextDef &message);

template <class Message>
void decodeNested(const Message &message, ContextDef &context) {
  for (const proto::ControlFlowContextDef &nested : message.nested_contexts()) {
    if (nested.has_cond_ctxt())
      context.nested.push_back(decode(nested.cond_ctxt()));
    else if (nested.has_while_ctxt())
      context.nested.push_back(decode(nested.while_ctxt()));
  }
}

ContextDef decode(const proto::CondContextDef &message) {
  ContextDef context;
  context.name = message.context_name();
  context.predName = message.pred_name();
  context.pivotName = message.pivot_name();
  context.branch = message.branch();
  decode(message.values_def(), context);
  decodeNested(message, context);
  return context;
}

ContextDef decode(const proto::WhileContextDef &message) {
  ContextDef context;
  context.isWhile = true;
  context.name = message.context_name();
  context.parallelIterations = message.parallel_iterations();
  context.backProp = message.back_prop();
  context.swapMemory = message.swap_memory();
  context.loopCondName = message.pivot_name();
  context.pivotForPredName = message.pivot_for_pred_name();
  context.pivotForBodyName = message.pivot_for_body_name();
  context.loopExitNames = toVector(message.loop_exit_names());
  context.loopEnterNames = toVector(message.loop_enter_names());
  context.maximumIterationsName = message.maximum_iterations_name();
  decode(message.values_def(), context);
  decodeNested(message, context);
  return context;
}

} // namespace

StatusOr<std::string> encodeQueueRunnerDef(const QueueRunnerDef &runner) {
  proto::QueueRunnerDef message;
  message.set_queue_name(runner.queueName);
  message.mutable_enqueue_op_name()->Assign(runner.enqueueOpNames.begin(),
                                            runner.enqueueOpNames.end());
  message.set_close_op_name(runner.closeOpName);
  message.set_cancel_op_name(runner.cancelOpName);
  for (StatusCode code : runner.closedCodes)
    message.add_queue_closed_exception_types(
        static_cast<proto::error::Code>(code));
  return io::serialize(message, GraphDefFormat::Binary);
}

StatusOr<QueueRunnerDef> decodeQueueRunnerDef(std::string_view bytes) {
  proto::QueueRunnerDef message;
  KILN_RETURN_IF_ERROR(io::parseBinary(bytes, maxDepth, message));
  QueueRunnerDef runner{message.queue_name(),
                        toVector(message.enqueue_op_name()),
                        message.close_op_name(),
                        message.cancel_op_name(),
                        {}};
  for (int code : message.queue_closed_exception_types()) {
    if (code <= 0 || code > static_cast<int>(StatusCode::Unauthenticated))
      return invalidArgumentError(
          strCat("expected the code of an error, got ", code));
    runner.closedCodes.push_back(static_cast<StatusCode>(code));
  }
  return runner;
}

StatusOr<std::string> encodeContextDef(const ContextDef &context) {
  if (context.isWhile) {
    proto::WhileContextDef message;
    encode(context, message);
    return io::serialize(message, GraphDefFormat::Binary);
  }
  proto::CondContextDef message;
  encode(context, message);
  return io::serialize(message, GraphDefFormat::Binary);
}

StatusOr<ContextDef> decodeContextDef(std::string_view bytes, bool isWhile) {
  if (isWhile) {
    proto::WhileContextDef message;
    KILN_RETURN_IF_ERROR(io::parseBinary(bytes, maxDepth, message));
    return decode(message);
  }
  proto::CondContextDef message;
  KILN_RETURN_IF_ERROR(io::parseBinary(bytes, maxDepth, message));
  return decode(message);
}

} // namespace kiln
