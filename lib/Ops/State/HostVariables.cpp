// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the variable that a handle stands for.
#include "lib/HostKernels/HostKernels.h"
#include "lib/HostKernels/ImmediateOp.h"
#include "lib/OpDefs/DeclaredVariables.h"
#include "lib/OpDefs/HandleSource.h"
#include "lib/OpDefs/OpDef.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"
#include "runtime/resources/ResourceTable.h"
#include "runtime/resources/VariableSlot.h"

namespace kiln {

/// Takes the value away; returns whether there was one.
static bool clear(VariableSlot &slot) {
  // Nothing but a caller that holds the lock ends these early.
  if (!slot.lock().acquire(LockMode::Update))
    return false;
  if (!slot.lock().upgrade()) {
    slot.lock().release(LockMode::Update);
    return false;
  }
  const bool had = slot.isInitialized();
  slot.setInitialized(false);
  slot.lock().releaseExclusive();
  return had;
}

/// Takes a variable's value away. **Errors**: UNIMPLEMENTED for handles of
/// other resources, and of variables that data picks. The op's: NOT_FOUND with
/// TensorFlow's text.
static StatusOr<std::unique_ptr<BlockingOp>>
bindDestroyResource(const Node &node, const BlockingSite &site) {
  KILN_ASSIGN_OR_RETURN(const Node *declared, sourceOfHandle(site.handles[0]));
  const OpDef *def = declared ? lookupOp(declared->op()) : nullptr;
  if (!def || !def->has(variable))
    return unimplementedError(strCat("expected input 0 (",
                                     quote(node.input(0).name()),
                                     ") to be a variable of the graph"))
        .withNode(node.name());
  DeclaredVariable variable = declaredVariable(*declared, {});
  ResourceKey key{variable.isResource ? ResourceKey::Kind::ResourceVariable
                                      : ResourceKey::Kind::Variable,
                  std::move(variable.container), std::move(variable.name)};
  KILN_ASSIGN_OR_RETURN(
      std::shared_ptr<VariableSlot> slot,
      site.resources.findOrCreateVariable(key, variable.dtype, variable.shape));
  const bool isLenient = node.attrOr<bool>("ignore_lookup_error", true);
  return makeImmediateOp(
      node, site.files, [slot = std::move(slot), isLenient](const HostCall &) {
        return clear(*slot) || isLenient
                   ? okStatus()
                   : notFoundError(
                         strCat("Resource ", slot->name(), " does not exist."));
      });
}

void addStateKernels(HostKernels &kernels) {
  kernels.addOwn("DestroyResourceOp",
                 {.effect = HostEffect::Apart, .bindOp = bindDestroyResource});
}

} // namespace kiln
