// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collects the host kernels, family by family.
#include "lib/HostKernels/HostKernels.h"

#include "lib/HostKernels/ImmediateOp.h"
#include "lib/OpDefs/OpDef.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <cassert>
#include <mutex>

namespace kiln {

StatusOr<std::unique_ptr<BlockingOp>>
HostKernel::bind(const Node &node, const BlockingSite &site) const {
  if (bindOp)
    return bindOp(node, site);
  KILN_ASSIGN_OR_RETURN(BoundHostOp body, bindForCode(node, site));
  return makeImmediateOp(node, site.files, std::move(body));
}

StatusOr<BoundHostOp> HostKernel::bindForCode(const Node &node,
                                              const BlockingSite &site) const {
  return bindBody ? bindBody(node, site) : StatusOr<BoundHostOp>(run);
}

HostKernels::HostKernels() { addHostKernels(*this); }

HostKernels &HostKernels::process() {
  static HostKernels &kernels = *new HostKernels;
  return kernels;
}

Status HostKernels::add(std::string opType, HostKernel kernel) {
  std::lock_guard lock(mutex);
  auto [place, isNew] = kernels.emplace(std::move(opType), kernel);
  return isNew ? okStatus()
               : alreadyExistsError(
                     strCat("expected a new host kernel, got ", place->first));
}

const HostKernel *HostKernels::find(std::string_view opType) const {
  std::lock_guard lock(mutex);
  auto found = kernels.find(opType);
  return found == kernels.end() ? nullptr : &found->second;
}

void HostKernels::addBodies(std::initializer_list<HostBody> bodies) {
  for (const HostBody &body : bodies)
    addOwn(body.opType, {.effect = body.effect, .run = body.run});
}

void HostKernels::addOwn(std::string_view name, HostKernel kernel,
                         Names prefixes, Names suffixes) {
  for (std::string_view prefix : prefixes)
    for (std::string_view suffix : suffixes)
      if (std::string opType = strCat(prefix, name, suffix); lookupOp(opType)) {
        Status added = add(std::move(opType), kernel);
        assert(added.ok() && "an op type has one host kernel");
        (void)added;
      }
}

} // namespace kiln
