// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the attributes of nodes that declare queues, with TensorFlow's checks
// and texts.
#include "lib/Ops/Queue/HostQueueSpecs.h"

#include "kiln/Node.h"
#include "lib/OpDefs/HandleSource.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"
#include "runtime/abi/Container.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace kiln {
namespace {

/// By the op types that declare queues, which all come as V2, too.
std::optional<QueueKind> kindOf(std::string_view op) {
  if (op.ends_with("V2"))
    op.remove_suffix(2);
  for (QueueKind kind : {QueueKind::Fifo, QueueKind::PaddingFifo,
                         QueueKind::RandomShuffle, QueueKind::Priority})
    if (queueTypeName(kind) == op)
      return kind;
  return std::nullopt;
}

std::string shapesText(std::span<const Shape> shapes) {
  std::string text;
  for (const Shape &shape : shapes)
    text += strCat(text.empty() ? "" : ", ", shape.toString());
  return strCat("[", text, "]");
}

Status checkShapes(const QueueSpec &spec) {
  const bool isPadding = spec.kind == QueueKind::PaddingFifo;
  for (const Shape &shape : spec.shapes) {
    if (isPadding && !shape.hasRank())
      return invalidArgumentError(
          strCat("shape ", shape.toString(), " must have known rank."));
    if (!isPadding && !shape.isFullyDefined())
      return invalidArgumentError(
          strCat("Shape ", shape.toString(), " is not fully defined"));
  }
  if (isPadding && spec.shapes.empty())
    return invalidArgumentError(
        strCat("Shapes must be provided for all components, but received ",
               spec.types.size(), " dtypes and 0 shapes."));
  if (!spec.shapes.empty() && spec.shapes.size() != spec.types.size())
    return invalidArgumentError(strCat(
        "Different number of component types.  Types: ", typesText(spec.types),
        ", Shapes: ", shapesText(spec.shapes)));
  return okStatus();
}

StatusOr<QueueSpec> readSpec(const Node &node) {
  QueueSpec spec;
  spec.kind = *kindOf(node.op());
  spec.name = node.attrOr<std::string>("shared_name", "");
  spec.capacity = node.attrOr<int64_t>("capacity", -1);
  spec.types = node.attrOr<std::vector<DType>>("component_types", {});
  spec.shapes = node.attrOr<std::vector<Shape>>("shapes", {});
  spec.minAfterDequeue = node.attrOr<int64_t>("min_after_dequeue", 0);
  spec.seed = node.attrOr<int64_t>("seed", 0);
  spec.seed2 = node.attrOr<int64_t>("seed2", 0);
  if (spec.name.starts_with("_"))
    return invalidArgumentError(
        strCat("shared_name cannot start with '_':", spec.name));
  if (spec.kind == QueueKind::Priority) {
    // The priorities, which no attribute names.
    spec.types.insert(spec.types.begin(), DType::Int64);
    if (!spec.shapes.empty())
      spec.shapes.insert(spec.shapes.begin(), Shape());
  }
  if (spec.types.empty())
    return invalidArgumentError("expected a queue of at least one component");
  if (spec.minAfterDequeue < 0)
    return invalidArgumentError(
        strCat("min_after_dequeue ", spec.minAfterDequeue, " must be >= 0"));
  if (spec.capacity >= 0 && spec.minAfterDequeue >= spec.capacity &&
      spec.kind == QueueKind::RandomShuffle)
    return invalidArgumentError(strCat("min_after_dequeue ",
                                       spec.minAfterDequeue,
                                       " must be < capacity ", spec.capacity));
  KILN_RETURN_IF_ERROR(checkShapes(spec));
  return spec;
}

/// TensorFlow's number for a queue without a bound.
int64_t capacityOf(const QueueSpec &spec) {
  return spec.capacity < 0 ? INT32_MAX : spec.capacity;
}

/// A node must say of its queue what the one said that made it.
Status checkShared(const Node &node, const Queue &queue,
                   const QueueSpec &spec) {
  const QueueSpec &known = queue.spec();
  if (known.kind != spec.kind)
    return invalidArgumentError(
        strCat("Expected ", queueTypeName(known.kind), ", found ", node.op()));
  auto differ = [&](std::string_view what, const auto &has,
                    std::string_view was, const auto &got) {
    return invalidArgumentError(strCat("Shared queue '", known.name, "' has ",
                                       what, " ", has, " but requested ", what,
                                       was, got));
  };
  if (known.capacity != spec.capacity)
    return differ("capacity", capacityOf(known), " was ", capacityOf(spec));
  if (known.minAfterDequeue != spec.minAfterDequeue)
    return differ("min_after_dequeue", known.minAfterDequeue, " was ",
                  strCat(spec.minAfterDequeue, "."));
  if (known.seed != spec.seed || known.seed2 != spec.seed2)
    return invalidArgumentError(
        strCat("Shared queue '", known.name, "' has random seeds (", known.seed,
               ", ", known.seed2, ") but requested seeds are (", spec.seed,
               ", ", spec.seed2, ")."));
  if (known.types != spec.types)
    return differ("component types", typesText(known.types), " were ",
                  typesText(spec.types));
  // TensorFlow asks every priority queue for the shape of its priorities, which
  // one without shapes does not have.
  std::vector<Shape> requested = spec.shapes;
  if (spec.kind == QueueKind::Priority && requested.empty())
    requested.emplace_back();
  if (!std::equal(known.shapes.begin(), known.shapes.end(), requested.begin(),
                  requested.end(), [](const Shape &a, const Shape &b) {
                    return a.isCompatibleWith(b);
                  }))
    return differ("component shapes", shapesText(known.shapes), " were ",
                  shapesText(requested));
  return okStatus();
}

} // namespace

std::string typesText(std::span<const DType> types) {
  std::string text;
  for (DType type : types)
    text += strCat(text.empty() ? "" : ", ", dtypeTfName(type));
  return text;
}

bool declaresQueue(const Node &node) { return kindOf(node.op()).has_value(); }

StatusOr<const Node *> declaringNode(const Output &handle) {
  KILN_ASSIGN_OR_RETURN(const Node *node, sourceOfHandle(handle));
  return node && declaresQueue(*node) ? node : nullptr;
}

StatusOr<std::shared_ptr<Queue>> findQueue(const Node &node,
                                           ResourceUser &resources) {
  KILN_ASSIGN_OR_RETURN(QueueSpec spec, readSpec(node));
  ResourceKey key{ResourceKey::Kind::Queue,
                  canonicalContainer(node.attrOr<std::string>("container", "")),
                  spec.name.empty() ? node.name() : spec.name};
  KILN_ASSIGN_OR_RETURN(std::shared_ptr<Queue> queue,
                        resources.findOrCreateQueue(key, spec));
  KILN_RETURN_IF_ERROR(checkShared(node, *queue, spec));
  return queue;
}

} // namespace kiln
