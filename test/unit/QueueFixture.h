// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs with queues, for the tests of runs that wait.
#ifndef KILN_TEST_UNIT_QUEUEFIXTURE_H
#define KILN_TEST_UNIT_QUEUEFIXTURE_H

#include "test/unit/SessionFixture.h"
#include "test/unit/StatusMatchers.h"

namespace kiln::testing {

/// Adds queues and their ops as Python's queue classes do.
class QueueWriter : public GraphWriter {
public:
  using Types = std::vector<DType>;
  using Shapes = std::vector<Shape>;

  void queue(std::string name, int64_t capacity, Types types, Shapes shapes,
             std::string sharedName = "") {
    add(std::move(name), "FIFOQueueV2", {},
        {{"component_types", std::move(types)},
         {"shapes", std::move(shapes)},
         {"capacity", capacity},
         {"shared_name", std::move(sharedName)}});
  }
  void enqueue(std::string name, std::string queue,
               std::vector<NodeInput> components, Types types) {
    components.insert(components.begin(), std::move(queue));
    add(std::move(name), "QueueEnqueueV2", std::move(components),
        {{"Tcomponents", std::move(types)}});
  }
  void enqueueMany(std::string name, std::string queue,
                   std::vector<NodeInput> components, Types types) {
    components.insert(components.begin(), std::move(queue));
    add(std::move(name), "QueueEnqueueManyV2", std::move(components),
        {{"Tcomponents", std::move(types)}});
  }
  void dequeue(std::string name, std::string queue, Types types,
               std::vector<NodeInput> after = {}) {
    after.insert(after.begin(), std::move(queue));
    add(std::move(name), "QueueDequeueV2", std::move(after),
        {{"component_types", std::move(types)}});
  }
  void dequeueMany(std::string name, std::string queue, std::string count,
                   Types types) {
    add(std::move(name), "QueueDequeueManyV2",
        {std::move(queue), std::move(count)},
        {{"component_types", std::move(types)}});
  }
  void dequeueUpTo(std::string name, std::string queue, std::string count,
                   Types types) {
    add(std::move(name), "QueueDequeueUpToV2",
        {std::move(queue), std::move(count)},
        {{"component_types", std::move(types)}});
  }
  void size(std::string name, std::string queue) {
    add(std::move(name), "QueueSizeV2", {std::move(queue)});
  }
  void isClosed(std::string name, std::string queue) {
    add(std::move(name), "QueueIsClosedV2", {std::move(queue)});
  }
  void close(std::string name, std::string queue, bool cancel = false) {
    add(std::move(name), "QueueCloseV2", {std::move(queue)},
        {{"cancel_pending_enqueues", cancel}});
  }
};

} // namespace kiln::testing

#endif // KILN_TEST_UNIT_QUEUEFIXTURE_H
