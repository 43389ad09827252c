// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the iterators that nodes declare or name, and moves them on.
#include "lib/Ops/Pipeline/Host.h"
#include "lib/Ops/Pipeline/HostInputs.h"
#include "lib/Ops/Pipeline/HostOptional.h"
#include "lib/Ops/Pipeline/HostPullOp.h"
#include "lib/Pipelines/Iterator.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"
#include "runtime/abi/Container.h"
#include "runtime/resources/ResourceTable.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace kiln {
namespace {

/// Begins an iterator, moves it on, or tells its name.
class IteratorOp final : public PullOp {
public:
  enum class Kind : uint8_t { Begin, Next, NextOptional, Name, Save, Restore };

  IteratorOp(const Node &node, Kind kind, std::shared_ptr<Iterator> iterator,
             const ResourceUser *owner)
      : kind(kind), iterator(std::move(iterator)), owner(owner),
        failsOnState(node.attrOr<int64_t>("external_state_policy", 0) ==
                     failPolicy),
        declared(node) {}

  Status run(std::span<Tensor> inputs, std::span<Tensor> outputs,
             PullContext &pull) const override {
    std::shared_ptr<Iterator> named;
    if (!iterator) {
      KILN_ASSIGN_OR_RETURN(named, findNamed(inputs));
      inputs = inputs.subspan(1);
    }
    return runOn(iterator ? *iterator : *named, inputs, outputs, pull);
  }

private:
  /// The iterator whose name comes first.
  StatusOr<std::shared_ptr<Iterator>>
  findNamed(std::span<Tensor> inputs) const {
    if (inputs.empty() || inputs[0].dtype() != DType::String ||
        inputs[0].numElements() != 1)
      return invalidArgumentError("string_handle must be a scalar");
    const std::string name(inputs[0].data<String>()[0].view());
    return Iterator::find(name, owner);
  }

  Status runOn(Iterator &on, std::span<Tensor> inputs,
               std::span<Tensor> outputs, PullContext &pull) const {
    switch (kind) {
    case Kind::Begin: {
      KILN_ASSIGN_OR_RETURN(const DatasetPtr dataset,
                            Inputs(inputs, anyBytes).dataset());
      return on.begin(dataset, pull);
    }
    case Kind::Next: {
      Element element;
      KILN_RETURN_IF_ERROR(on.next(element, pull));
      return declared.give(std::move(element), outputs);
    }
    case Kind::NextOptional: {
      Element element;
      KILN_ASSIGN_OR_RETURN(const bool has, on.take(element, pull));
      if (has)
        KILN_RETURN_IF_ERROR(declared.check(element));
      KILN_ASSIGN_OR_RETURN(outputs[0], optionalOf(has ? &element : nullptr));
      return okStatus();
    }
    case Kind::Save: {
      KILN_ASSIGN_OR_RETURN(std::vector<Tensor> values,
                            on.save(!failsOnState, pull));
      std::vector<VariantPtr> saved{
          std::make_shared<SavedIterator>(std::move(values))};
      KILN_ASSIGN_OR_RETURN(outputs[0],
                            tensorOfVariants(Shape(), std::move(saved)));
      return okStatus();
    }
    case Kind::Restore: {
      const auto saved =
          inputs.empty() ? nullptr : variantAt<SavedIterator>(inputs[0]);
      if (!saved)
        return invalidArgumentError(
            "DeserializeIteratorOp: Unable to parse serialized iterator.");
      return on.restore(saved->values, pull);
    }
    case Kind::Name:
      break;
    }
    KILN_ASSIGN_OR_RETURN(outputs[0],
                          Tensor::fromStrings(Shape(), {on.handle()}));
    return okStatus();
  }

  static constexpr int64_t failPolicy = 2; ///< TensorFlow's number for it
  const Kind kind;
  const std::shared_ptr<Iterator> iterator; ///< null: an input names it
  const ResourceUser *const owner;          ///< of iterators that inputs name
  const bool failsOnState;                  ///< when it is saved
  const DeclaredElement declared;
};

constexpr std::pair<std::string_view, IteratorOp::Kind> rows[] = {
    {"DeserializeIterator", IteratorOp::Kind::Restore},
    {"IteratorGetNext", IteratorOp::Kind::Next},
    {"IteratorGetNextAsOptional", IteratorOp::Kind::NextOptional},
    {"IteratorGetNextSync", IteratorOp::Kind::Next},
    {"IteratorToStringHandle", IteratorOp::Kind::Name},
    {"MakeIterator", IteratorOp::Kind::Begin},
    {"SerializeIterator", IteratorOp::Kind::Save}};

/// The iterator that a node declares, made on first use. **Difference**: in
/// TensorFlow sessions that share resources share those with a shared_name.
StatusOr<std::shared_ptr<Iterator>> findIterator(const Node &node,
                                                 const BlockingSite &site) {
  FunctionPtr factory;
  if (node.op() == "OneShotIterator") {
    if (!site.functions)
      return internalError("expected functions of a graph, got none");
    KILN_ASSIGN_OR_RETURN(factory,
                          site.functions->bind(node, "dataset_factory", {}));
  }
  ResourceKey key{ResourceKey::Kind::Iterator,
                  canonicalContainer(node.attrOr<std::string>("container", "")),
                  node.attrOr<std::string>("shared_name", ""), &site.resources};
  // Made without the table's mutex, since iterators have names.
  const std::shared_ptr<Iterator> made =
      Iterator::make(std::move(factory), &site.resources);
  KILN_ASSIGN_OR_RETURN(std::shared_ptr<Resource> resource,
                        site.resources.findOrCreate(std::move(key), node.name(),
                                                    [&] { return made; }));
  return std::static_pointer_cast<Iterator>(std::move(resource));
}

StatusOr<std::unique_ptr<BlockingOp>> bindIteratorOp(const Node &node,
                                                     const BlockingSite &site) {
  const auto *row = std::ranges::find(
      rows, node.op(), &std::pair<std::string_view, IteratorOp::Kind>::first);
  KILN_ASSIGN_OR_RETURN(const Node *declared, sourceOfHandle(site.handles[0]));
  std::shared_ptr<Iterator> iterator;
  if (declared &&
      (declared->op() == "Iterator" || declared->op() == "IteratorV2" ||
       declared->op() == "OneShotIterator")) {
    auto found = findIterator(*declared, site);
    if (!found.ok())
      return found.status().withNode(declared->name());
    iterator = *std::move(found);
  } else if (!declared && node.op() == "MakeIterator") {
    return unimplementedError("expected an iterator of the graph")
        .withNode(node.name());
  }
  return std::unique_ptr<BlockingOp>(std::make_unique<IteratorOp>(
      node, row->second, std::move(iterator), &site.resources));
}

/// A name is the handle.
Status passName(const HostCall &call) {
  call.outputs[0] = call.inputs[0];
  return okStatus();
}

} // namespace

void addIteratorKernels(HostKernels &kernels) {
  for (const auto &[name, kind] : rows)
    kernels.addOwn(name,
                   {.effect = HostEffect::Waits, .bindOp = bindIteratorOp});
  kernels.addOwn("IteratorFromStringHandle", {.run = passName}, {""},
                 {"", HostKernels::secondVersion});
}

} // namespace kiln
