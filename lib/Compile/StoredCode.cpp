// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Between programs and the values that the disk cache holds.
#include "lib/Compile/StoredCode.h"

#include "lib/Compile/DiskCache.h"
#include "lib/Exec/BindProgram.h"
#include "lib/Exec/NativeFrame.h"
#include "lib/JIT/CodeIdentity.h"
#include "lib/JIT/CodeKey.h"
#include "lib/Loader/Hasher.h"
#include "lib/Loader/Linker.h"
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

StoredCode::StoredCode(SessionServices &services, const Block &root,
                       std::span<const FeedView> feeds)
    : services(services), root(root), feeds(feeds),
      key(diskKey(root, feeds, services.disk->generator())) {}

bool StoredCode::accepts(const CompiledFunction &function) const {
  const FunctionInterface &interface = function.interface;
  auto isFeed = [](const ImportedTensor &tensor, const FeedView &feed) {
    return tensor.dtype == feed.dtype && tensor.dims.size() == feed.dims.size();
  };
  return std::equal(interface.feeds.begin(), interface.feeds.end(),
                    feeds.begin(), feeds.end(), isFeed) &&
         interface.fetches.size() == root.results.size() &&
         std::all_of(function.constants.begin(), function.constants.end(),
                     [&](const Digest &constant) {
                       return key.constants.contains(constant) ||
                              function.folded.contains(constant);
                     }) &&
         signatureMatches(interface.symbols, interface.fedValues, feeds);
}

StatusOr<bool> StoredCode::load(Program &program) const {
  auto found =
      services.disk->find(key.digest, [&](const CompiledFunction &function) {
        return accepts(function);
      });
  if (!found)
    return false;
  auto linked =
      linkObjects(found->code.objects, codeEntryName, services.options.inspect);
  if (!linked.ok())
    return false;
  auto native =
      NativeExecutor::make(*std::move(linked), std::move(found->code.layout));
  if (!native.ok())
    return false;
  std::vector<Tensor> constants;
  for (const Digest &constant : found->constants) {
    auto ofGraph = key.constants.find(constant);
    constants.push_back(ofGraph != key.constants.end()
                            ? ofGraph->second
                            : found->folded.at(constant));
  }
  KILN_RETURN_IF_ERROR(bindProgram(
      std::move(found->interface), std::move(constants),
      [](uint64_t) { return std::string(); }, program));
  program.executor = *std::move(native);
  RunStats &stats = program.stats;
  stats.fromDisk = true;
  stats.opsNative = found->opsNative;
  stats.opsQuick = found->opsQuick;
  stats.opsRuntime = found->opsRuntime;
  stats.opsFolded = found->opsFolded;
  return true;
}

void StoredCode::store(const Program &program, FunctionInterface interface,
                       const CompiledCode &code) const {
  // A user may change kernels and shape functions, whatever they are called.
  bool hasUserOps = false;
  forEachItem(root, [&](const Item &item, const Block &) {
    const OpDef *def = lookupOp(item.node->op());
    hasUserOps |= def && !def->kernel.empty();
  });
  if (hasUserOps ||
      std::any_of(code.layout.kernels.begin(), code.layout.kernels.end(),
                  [](const KernelUse &use) {
                    return use.name.starts_with(userKernelPrefix);
                  }))
    return;
  CompiledFunction function;
  const auto numConstants = static_cast<size_t>(code.layout.counts.constants);
  for (size_t i = 0; i < numConstants; ++i) {
    const Tensor &constant = program.constants[i];
    function.constants.push_back(digestOf(constant));
    if (key.constants.contains(function.constants.back()))
      continue;
    if (constant.dtype() == DType::String)
      return; // not written; none is today
    function.folded.emplace(function.constants.back(), constant);
  }
  for (const FedValue &fed : interface.fedValues)
    if (fed.value.dtype() == DType::String)
      return; // not written; none is today
  function.interface = std::move(interface);
  function.code = code;
  function.opsNative = program.stats.opsNative;
  function.opsQuick = program.stats.opsQuick;
  function.opsRuntime = program.stats.opsRuntime;
  function.opsFolded = program.stats.opsFolded;
  services.disk->store(key.digest, function);
}

} // namespace kiln
