// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A run that is cut, bound to its session's resources, and the programs of its
// parts.
#ifndef KILN_LIB_EXEC_CUTPLAN_H
#define KILN_LIB_EXEC_CUTPLAN_H

#include "lib/Exec/ProgramExecutor.h"
#include "lib/Exec/ProgramFinder.h"
#include "lib/Exec/SessionServices.h"
#include "lib/Plan/cut/CutGraph.h"
#include "runtime/kernels/BlockingKernel.h"

#include <cstdint>
#include <memory>
#include <optional>

namespace kiln {

/// The units of a cut run with what they need of the session. Parts have no
/// code here: each is asked for (ProgramFinder) with the shapes and dtypes that
/// reach it.
///
/// Ownership: a program's; points into the graph. Thread safety: constant.
class CutPlan : public ProgramExecutor {
public:
  /// **Errors**: as BindBlockingOp; UNIMPLEMENTED with the node of an op that
  /// has no blocking kernel; RESOURCE_EXHAUSTED.
  static StatusOr<std::unique_ptr<CutPlan>>
  make(std::shared_ptr<const CutGraph> graph, int depth,
       SessionServices &services);

  std::unique_ptr<Frame> makeFrame(const Program &program) const override;
  int64_t bytes() const override;
  const CutPlan *cut() const override { return this; }

  /// The ops that cut, those in regions among them, and of these the ones of
  /// another library.
  int64_t numOps() const;
  int64_t numForeignOps() const;
  /// Asks for the programs of the parts whose feeds have a known rank; those of
  /// others are made by the run that comes to them. `feeds` are the run's.
  Status prepareParts(std::span<const FeedView> feeds,
                      SessionServices &services,
                      const WaitControl &control) const;

private:
  std::shared_ptr<const CutGraph> owned; ///< goes last: others refer into it

public:
  const CutGraph &graph;
  /// One a value; valid for constants alone.
  std::vector<Tensor> constants;
  /// One a unit; null for those that are no op.
  std::vector<std::unique_ptr<BlockingOp>> ops;
  /// The plans of a region's blocks.
  struct Inner {
    std::unique_ptr<CutPlan> first, second;
  };
  std::vector<Inner> regions; ///< one a unit
  std::vector<CutPart> parts; ///< one a unit; without a block for others

  explicit CutPlan(std::shared_ptr<const CutGraph> graph)
      : owned(std::move(graph)), graph(*owned) {}
};

/// RESOURCE_EXHAUSTED for a tensor, `what`, of more bytes than a run may have.
Status checkRunBytes(std::string_view what, DType dtype, const Shape &shape,
                     int64_t limit);

/// What a part is fed, as far as it is known before the run.
struct PartFeeds {
  std::vector<Shape> shapes;
  std::vector<FeedView> views; ///< of `shapes`
};
/// None where a rank is not known, or elements that decide one. An extent that
/// is not known is taken to be any but 1. The feeds of a block in a region are
/// not known before the run.
std::optional<PartFeeds> knownFeeds(const CutGraph &graph, const CutUnit &part,
                                    std::span<const FeedView> runFeeds);

} // namespace kiln

#endif // KILN_LIB_EXEC_CUTPLAN_H
