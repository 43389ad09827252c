// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of ops that are no code, beside the one of those that are.
#include "lib/HostKernels/HostKernels.h"

#include "lib/Import/LoweringRegistry.h"
#include "lib/OpDefs/Computation.h"
#include "test/unit/StatusMatchers.h"

#include <gmock/gmock.h>

namespace kiln {
namespace {

using testing::fails;

StatusOr<std::unique_ptr<BlockingOp>> refuse(const Node &,
                                             const BlockingSite &) {
  return unimplementedError("refused");
}

TEST(HostKernels, FindsKernelsByOpTypeAndTakesEachOnce) {
  HostKernels &kernels = HostKernels::process();
  EXPECT_EQ(kernels.find("NoSuchOp"), nullptr);
  ASSERT_EQ(
      kernels.add("OpOfATest", {.effect = HostEffect::None, .bindOp = refuse}),
      okStatus());
  const HostKernel *found = kernels.find("OpOfATest");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->bindOp, refuse);
  EXPECT_EQ(found->effect, HostEffect::None);
  EXPECT_THAT(kernels.add("OpOfATest", {}),
              fails(StatusCode::AlreadyExists,
                    "expected a new host kernel, got OpOfATest"));
}

TEST(HostKernels, EveryOpIsComputedAsItsFlagsAndListsSay) {
  for (const OpDef *def : allOps()) {
    const HostKernel *kernel = HostKernels::process().find(def->name);
    EXPECT_EQ(kernel != nullptr, def->has(cutsRun) || def->has(hostBody))
        << def->name;
    // Code calls what has no effect or works on memory at once: it never cuts a
    // run for that. What gives other ranks than it says does.
    const bool isCalled = kernel && kernel->isCalledByCode() &&
                          def->name != "RaggedFillEmptyRows";
    EXPECT_EQ(isCalled, def->has(hostBody)) << def->name;
    EXPECT_EQ(isCalled && kernel->effect == HostEffect::Resource,
              def->has(hostBody) && def->has(acts))
        << def->name;
    EXPECT_TRUE(!kernel ||
                !!kernel->run + !!kernel->bindBody + !!kernel->bindOp == 1)
        << def->name;
    EXPECT_TRUE(!isCalled || !kernel->bindOp) << def->name;
    // Stored code has their attributes.
    for (const AttrDef &attr : def->attrs)
      EXPECT_FALSE(def->has(hostBody) &&
                   (attr.kind == AttrKind::Func ||
                    (attr.kind == AttrKind::Tensor && attr.isList) ||
                    (attr.kind == AttrKind::Bool && attr.isList)))
          << def->name << " " << attr.name;
    using By = Computation::By;
    const By by = computationOf(*def).by;
    const By expected = kernel ? (def->has(hostBody) ? By::HostKernel : By::Cut)
                        : loweringRegistry().lookup(*def).lower ? By::Code
                                                                : By::Elsewhere;
    EXPECT_EQ(by, expected) << def->name << ": a line in OpsWithoutKernel.def";
    const bool hasOwn = loweringRegistry().lookupComplex(*def).lower !=
                        loweringRegistry().lookup(*def).lower;
    EXPECT_TRUE(!hasOwn || def->has(takesComplex)) << def->name;
  }
}

} // namespace
} // namespace kiln
