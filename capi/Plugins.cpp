// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ops and kernels that C code registered, as the process's foreign library.
#include "capi/Plugins.h"

#include "kiln/ForeignOps.h"
#include "kiln/Messages.h"

#include <algorithm>
#include <deque>
#include <map>

namespace kiln::capi {
namespace {

/// A kernel with its state for one node.
struct BoundKernel {
  const TF_KernelBuilder *kernel;
  void *state;
  KernelNode node;
};

/// Finds kernels by the attributes of nodes. Nothing goes that was added, so
/// that pointers to it stay good. **Thread safety**: all functions.
class Registry final : public ForeignLibrary {
public:
  Status addOp(OpSchema schema, ShapeFunction shape);
  void addKernel(std::unique_ptr<TF_KernelBuilder> kernel) {
    std::lock_guard lock(mutex);
    kernels.push_back(std::move(kernel));
  }
  std::vector<OpKernel> allKernels() const;
  bool hasOp(std::string_view op) const {
    std::lock_guard lock(mutex);
    return shapes.contains(op);
  }
  ShapeFunction shapeOf(std::string_view op) const {
    std::lock_guard lock(mutex);
    auto found = shapes.find(op);
    return found == shapes.end() ? nullptr : found->second;
  }

  StatusOr<int64_t> prepare(const Node &node) override;
  StatusOr<std::vector<Shape>> infer(const Node &node,
                                     std::span<const Shape> inputs,
                                     std::span<const Tensor>) override {
    return inferShapes(node, inputs);
  }
  StatusOr<std::vector<Tensor>> compute(int64_t call,
                                        std::vector<Tensor> inputs) override;

private:
  StatusOr<const TF_KernelBuilder *> kernelFor(const Node &node) const;

  mutable std::mutex mutex;
  std::map<std::string, ShapeFunction, std::less<>> shapes;
  std::vector<std::unique_ptr<TF_KernelBuilder>> kernels;
  std::deque<BoundKernel> bound;
  /// A node of one name, op and attributes keeps its kernel, whatever runs
  /// need it: kernels may count their calls.
  std::map<std::string, int64_t> boundByNode;
  bool isSet = false;
};

// Never destroyed: runs may call kernels until the process ends.
Registry &registry() {
  static auto *theRegistry = new Registry;
  return *theRegistry;
}

thread_local OpCollector *collector = nullptr;

Status Registry::addOp(OpSchema schema, ShapeFunction shape) {
  std::lock_guard lock(mutex);
  if (!isSet) {
    if (Status status = setForeignLibrary(*this); !status.ok())
      return status;
    isSet = true;
  }
  if (Status status = registerForeignOp(schema); !status.ok())
    return status;
  if (collector)
    collector->names.push_back(schema.name);
  shapes.emplace(std::move(schema.name), shape);
  return okStatus();
}

std::vector<OpKernel> Registry::allKernels() const {
  std::lock_guard lock(mutex);
  std::vector<OpKernel> all;
  for (const auto &kernel : kernels) {
    OpKernel &described = all.emplace_back();
    described.op = kernel->op;
    described.device = kernel->device;
    described.label = kernel->label;
    described.priority = kernel->priority;
    for (const auto &[attr, type] : kernel->constraints)
      described.constraints.emplace_back(
          attr, std::vector<DType>{static_cast<DType>(type)});
  }
  return all;
}

bool fits(const TF_KernelBuilder &kernel, const Node &node) {
  return kernel.op == node.op() && kernel.device == "CPU" &&
         kernel.label == node.attrOr<std::string>("_kernel", "") &&
         std::ranges::all_of(kernel.constraints, [&](const auto &constraint) {
           return node.attrOr(constraint.first, DType::Invalid) ==
                  static_cast<DType>(constraint.second);
         });
}

StatusOr<const TF_KernelBuilder *> Registry::kernelFor(const Node &node) const {
  const TF_KernelBuilder *best = nullptr;
  for (const auto &kernel : kernels) {
    if (!fits(*kernel, node))
      continue;
    if (best && best->priority == kernel->priority)
      return invalidArgumentError(
          "Multiple OpKernel registrations match NodeDef at the same priority "
          "'{{node " +
          node.name() + "}}'");
    if (!best || kernel->priority > best->priority)
      best = kernel.get();
  }
  if (best)
    return best;
  return invalidArgumentError("No OpKernel was registered to support Op '" +
                              node.op() + "' used by {{node " + node.name() +
                              "}}");
}

StatusOr<int64_t> Registry::prepare(const Node &node) {
  if (!isPluginOp(node.op()))
    return unimplementedError("op '" + node.op() + "' is not implemented");
  KernelNode described(node);
  StatusOr<std::string> key = encodeNodeDef(described.spec);
  if (!key.ok())
    return key.status();
  const TF_KernelBuilder *kernel = nullptr;
  {
    std::lock_guard lock(mutex);
    if (auto known = boundByNode.find(*key); known != boundByNode.end())
      return known->second;
    StatusOr<const TF_KernelBuilder *> found = kernelFor(node);
    if (!found.ok())
      return found.status();
    kernel = *found;
  }
  // Without the lock: it is code of others.
  StatusOr<void *> state = createKernel(*kernel, node);
  if (!state.ok())
    return state.status();
  std::lock_guard lock(mutex);
  auto [place, isNew] =
      boundByNode.emplace(*std::move(key), static_cast<int64_t>(bound.size()));
  if (isNew)
    bound.push_back({kernel, *state, std::move(described)});
  else if (kernel->destroy)
    kernel->destroy(*state);
  return place->second;
}

StatusOr<std::vector<Tensor>> Registry::compute(int64_t call,
                                                std::vector<Tensor> inputs) {
  const BoundKernel *kernel = nullptr;
  {
    std::lock_guard lock(mutex);
    kernel = &bound[static_cast<size_t>(call)];
  }
  return runKernel(*kernel->kernel, kernel->state, kernel->node,
                   std::move(inputs));
}

} // namespace

KernelNode::KernelNode(const Node &node)
    : spec{.name = node.name(),
           .op = node.op(),
           .attrs = node.attrs(),
           .device = node.device()} {
  for (const Output &input : node.inputs()) {
    spec.inputs.push_back(input.index == 0 ? input.node->name() : input.name());
    inputs.push_back(input.dtype());
  }
  for (int i = 0; i < node.numOutputs(); ++i)
    outputs.push_back(node.outputDType(i));
}

Status addPluginOp(OpSchema schema, ShapeFunction shape) {
  return registry().addOp(std::move(schema), shape);
}

void addPluginKernel(std::unique_ptr<TF_KernelBuilder> kernel) {
  registry().addKernel(std::move(kernel));
}

std::vector<OpKernel> pluginKernels() { return registry().allKernels(); }

bool isPluginOp(std::string_view op) { return registry().hasOp(op); }

ShapeFunction shapeFunctionOf(std::string_view op) {
  return registry().shapeOf(op);
}

OpCollector::OpCollector() : outer(collector) { collector = this; }
OpCollector::~OpCollector() { collector = outer; }

} // namespace kiln::capi
