// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sequences of the final beams of a search; the first values are those of
// TensorFlow's own test of the op.
#include "kiln/BuildOps.h"
#include "kiln/DefaultSession.h"
#include "test/unit/StatusMatchers.h"

#include <gmock/gmock.h>

namespace kiln {
namespace {

using ::testing::ElementsAre;
using testing::fails;
using ::testing::HasSubstr;

class GatherTree : public ::testing::Test {
protected:
  /// Steps of one batch with three beams.
  StatusOr<Tensor> traced(const Input &steps, const Input &parents,
                          int32_t length, int64_t end) {
    Output beams = rawOps::gatherTree(ops::expandDims(steps, 1),
                                      ops::expandDims(parents, 1),
                                      std::vector<int32_t>{length}, end);
    auto session = makeSession();
    if (!session.ok())
      return session.status();
    return fetch(**session, beams);
  }
  GraphBuilder graph;
  GraphScope scope{graph};
};

TEST_F(GatherTree, FollowsParentsFromTheEnd) {
  auto beams = traced({{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {-1, -1, -1}},
                      {{0, 0, 0}, {0, 1, 1}, {2, 1, 2}, {-1, -1, -1}}, 3, 10);
  ASSERT_EQ(beams.status(), okStatus());
  EXPECT_THAT(beams->data<int32_t>(),
              ElementsAre(2, 2, 2, 6, 5, 6, 7, 8, 9, 10, 10, 10));
}

TEST_F(GatherTree, BehindTheEndThereIsTheEnd) {
  auto beams = traced({{5, 1}, {2, 5}, {3, 4}}, {{0, 1}, {0, 1}, {0, 1}}, 7, 5);
  ASSERT_EQ(beams.status(), okStatus());
  EXPECT_THAT(beams->data<int32_t>(), ElementsAre(5, 1, 5, 5, 5, 5));
  auto none = traced({{1, 2}}, {{0, 1}}, 0, 9);
  ASSERT_EQ(none.status(), okStatus());
  EXPECT_THAT(none->data<int32_t>(), ElementsAre(9, 9));
}

TEST_F(GatherTree, ParentsMustBeBeams) {
  EXPECT_THAT(
      traced({{1, 2}, {3, 4}}, {{0, 0}, {0, -1}}, 2, 10).status(),
      fails(StatusCode::InvalidArgument,
            HasSubstr("Saw invalid parent id -1 at (batch, time, beam) == "
                      "(0, 0, 1)")));
}

TEST_F(GatherTree, ShapesMustFit) {
  rawOps::gatherTree({{{1}}}, {{{1, 2}}}, {1}, 0);
  EXPECT_THAT(graph.takeStatus(),
              fails(StatusCode::InvalidArgument, HasSubstr("must be equal")));
}

} // namespace
} // namespace kiln
