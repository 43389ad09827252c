// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Between programs and the values that the disk cache holds.
#include "lib/Compile/StoredCode.h"

#include "lib/Exec/NativeFrame.h"
#include "lib/JIT/CodeIdentity.h"
#include "lib/JIT/CodeKey.h"
#include "lib/Loader/CodeLoader.h"
#include "lib/Loader/Hasher.h"
#include "lib/OpDefs/OpDef.h"
#include "lib/Support/StatusMacros.h"

#include <algorithm>

namespace kiln {

StatusOr<std::shared_ptr<DiskCache>>
openDiskCache(const SessionOptions &options) {
  KILN_ASSIGN_OR_RETURN(Digest build, buildIdentity());
  KILN_ASSIGN_OR_RETURN(CodeKey key, codeKey(options.code));
  key.isInspected = options.inspect.any();
  Digest generator = Hasher()
                         .add(build)
                         .add(key.digest())
                         .add(options.limits.maxOps)
                         .add(options.limits.maxCodeBytes)
                         .digest();
  return DiskCache::open(options.diskCache, generator);
}

StoredCode::StoredCode(DiskCache &cache, const Block &root,
                       std::span<const FeedView> feeds)
    : cache(cache), root(root), feeds(feeds),
      key(diskKey(root, feeds, cache.generator())) {}

bool StoredCode::accepts(const CompiledFunction &function) const {
  const FunctionInterface &interface = function.interface;
  auto isFeed = [](const ImportedTensor &tensor, const FeedView &feed) {
    return tensor.dtype == feed.dtype && tensor.dims.size() == feed.dims.size();
  };
  // What depends on shapes of variables is not stored under this key.
  return interface.openShapes.empty() &&
         std::equal(interface.feeds.begin(), interface.feeds.end(),
                    feeds.begin(), feeds.end(), isFeed) &&
         interface.fetches.size() == root.results.size() &&
         std::all_of(function.constants.begin(), function.constants.end(),
                     [&](const Digest &constant) {
                       return key.constants.contains(constant) ||
                              function.ownConstants.contains(constant);
                     }) &&
         interfaceMatches(interface, feeds, {});
}

StatusOr<std::shared_ptr<Program>>
StoredCode::load(SessionServices &services) const {
  auto found = cache.find(key.digest, [&](const CompiledFunction &function) {
    return accepts(function);
  });
  if (!found)
    return std::shared_ptr<Program>();
  auto linked = loadCode(found->code, services.options.inspect);
  auto native =
      linked.ok() ? NativeExecutor::make(*std::move(linked), found->code.layout)
                  : StatusOr<std::unique_ptr<NativeExecutor>>(linked.status());
  if (!native.ok())
    return std::shared_ptr<Program>();
  std::vector<Tensor> constants;
  for (const Digest &constant : found->constants) {
    auto ofGraph = key.constants.find(constant);
    constants.push_back(ofGraph != key.constants.end()
                            ? ofGraph->second
                            : found->ownConstants.at(constant));
  }
  KILN_ASSIGN_OR_RETURN(
      auto program, makeNativeProgram(*std::move(found), std::move(constants),
                                      *std::move(native), services));
  program->stats.fromDisk = true;
  return program;
}

bool StoredCode::dependsOnUserOps(const CompiledFunction &function) const {
  bool hasUserOps = false;
  forEachItem(root, [&](const Item &item, const Block &) {
    const OpDef *def = lookupOp(item.node->op());
    hasUserOps |= def && !def->kernel.empty();
  });
  return hasUserOps ||
         std::ranges::any_of(function.code.layout.kernels,
                             [](const KernelUse &use) {
                               return use.name.starts_with(userKernelPrefix);
                             });
}

void StoredCode::store(CompiledFunction &function,
                       std::span<const Tensor> constants) const {
  if (dependsOnUserOps(function))
    return;
  function.setConstants(
      constants.first(
          static_cast<size_t>(function.code.layout.counts.constants)),
      [&](const Tensor &constant) { return digestOf(constant); });
  std::erase_if(function.ownConstants, [&](const auto &own) {
    return key.constants.contains(own.first);
  });
  cache.store(key.digest, function);
  function.ownConstants.clear();
}

} // namespace kiln
