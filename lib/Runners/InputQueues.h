// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What queues of an input pipeline have in common.
#ifndef KILN_LIB_RUNNERS_INPUTQUEUES_H
#define KILN_LIB_RUNNERS_INPUTQUEUES_H

#include "kiln/GraphScopes.h"
#include "kiln/Operators.h"
#include "kiln/Summary.h"
#include "kiln/ops/MathOps.h"
#include "kiln/ops/Queue.h"
#include "lib/Support/Strings.h"

namespace kiln {

/// Makes the current graph's status an error.
inline Output refuseInput(std::string text) {
  GraphBuilder::current().fail(invalidArgumentError(std::move(text)));
  return {};
}

/// The last part of the queue's name, which names of its operations begin with.
inline std::string lastNameOf(const Output &queue) {
  const std::string &name = queue.node->name();
  return name.substr(name.rfind('/') + 1);
}

/// Calls what adds a queue on the CPU, apart from branches and control
/// dependencies.
template <class Add> Output addInputQueue(const Add &add) {
  ControlScope lifted = ControlScope::none();
  DeviceScope device("/device:CPU:*");
  return add();
}

inline const Node *addEnqueue(const Output &queue,
                              const std::vector<Output> &values, bool isMany) {
  NameScope scope(lastNameOf(queue) + (isMany ? "_EnqueueMany" : "_enqueue"));
  return isMany
             ? rawOps::queueEnqueueManyV2(queue, values, {.name = scope.name()})
             : rawOps::queueEnqueueV2(queue, values, {.name = scope.name()});
}

inline Output addQueueSize(const Output &queue) {
  return rawOps::queueSizeV2(queue, {.name = lastNameOf(queue) + "_Size"});
}

/// A summary of how full the queue is.
inline void summarizeQueue(const Output &queue, int64_t capacity,
                           const std::string &name) {
  Output size = addQueueSize(queue);
  Output fraction =
      ops::cast(size, DType::Float32) * (1.0 / static_cast<double>(capacity));
  summary::scalar(name, fraction);
}

} // namespace kiln

#endif // KILN_LIB_RUNNERS_INPUTQUEUES_H
