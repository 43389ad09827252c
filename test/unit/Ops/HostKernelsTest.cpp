// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of ops that are no code, beside the one of those that are.
#include "lib/Session/HostKernels.h"

#include "lib/Import/LoweringRegistry.h"
#include "lib/OpDefs/OpDef.h"
#include "test/unit/StatusMatchers.h"

#include <gmock/gmock.h>

#include <set>
#include <sstream>

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
  ASSERT_EQ(kernels.add("OpOfATest", {refuse, HostEffect::None}), okStatus());
  const HostKernel *found = kernels.find("OpOfATest");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->bind, refuse);
  EXPECT_EQ(found->effect, HostEffect::None);
  EXPECT_THAT(kernels.add("OpOfATest", {}),
              fails(StatusCode::AlreadyExists,
                    "expected a new host kernel, got OpOfATest"));
}

/// Ops without a lowering and without a body of their own.
constexpr std::pair<std::string_view, std::string_view> elsewhere[] = {
    {"shapes are known where code is made",
     "Rank Shape ShapeN Size VariableShape"},
    {"a run is given it", "Placeholder PlaceholderV2"},
    {"the plan has it as order, calls, branches and loops",
     "Case ControlTrigger For If Merge NoOp PartitionedCall RefMerge "
     "StatefulPartitionedCall StatelessCase StatelessIf StatelessWhile While"},
    {"the plan takes it apart",
     "OptionalFromValue OptionalGetValue OptionalNone"},
    {"declares a resource, which the ops on it make",
     "ConditionalAccumulator FIFOQueue FIFOQueueV2 FixedLengthRecordReader "
     "FixedLengthRecordReaderV2 HashTable HashTableV2 IdentityReader "
     "IdentityReaderV2 MutableDenseHashTableV2 MutableHashTable "
     "MutableHashTableOfTensors MutableHashTableOfTensorsV2 "
     "MutableHashTableV2 PaddingFIFOQueue PaddingFIFOQueueV2 PriorityQueue "
     "PriorityQueueV2 RandomShuffleQueue RandomShuffleQueueV2 "
     "ResourceConditionalAccumulator SparseConditionalAccumulator "
     "TFRecordReader TFRecordReaderV2 TextLineReader TextLineReaderV2 "
     "WholeFileReader WholeFileReaderV2"}};

TEST(HostKernels, EveryOpHasALoweringABodyOrAReason) {
  std::set<std::string, std::less<>> expected, found;
  for (const auto &[reason, names] : elsewhere) {
    std::istringstream list{std::string(names)};
    for (std::string name; list >> name;)
      EXPECT_TRUE(expected.insert(name).second) << name << " twice";
  }
  for (const OpDef *def : allOps()) {
    const HostKernel *kernel = HostKernels::process().find(def->name);
    EXPECT_EQ(kernel != nullptr, def->has(cutsRun) || def->has(hostBody))
        << def->name;
    // What has no effect never cuts a run for that; what gives other ranks than
    // it says does.
    const bool isPure = kernel && kernel->effect == HostEffect::None;
    EXPECT_EQ(isPure && def->name != "RaggedFillEmptyRows", def->has(hostBody))
        << def->name;
    EXPECT_EQ(kernel && kernel->run, isPure) << def->name;
    // Stored code has their attributes.
    for (const AttrDef &attr : def->attrs)
      EXPECT_FALSE(def->has(hostBody) &&
                   (attr.kind == AttrKind::Func ||
                    (attr.kind == AttrKind::Tensor && attr.isList) ||
                    (attr.kind == AttrKind::Bool && attr.isList)))
          << def->name << " " << attr.name;
    if (!kernel && !loweringRegistry().lookup(*def).lower)
      found.insert(def->name);
  }
  EXPECT_EQ(found, expected);
}

} // namespace
} // namespace kiln
