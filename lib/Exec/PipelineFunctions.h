// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of pipelines: each is a request of its own, whose programs are
// found as a run's are.
#ifndef KILN_LIB_EXEC_PIPELINEFUNCTIONS_H
#define KILN_LIB_EXEC_PIPELINEFUNCTIONS_H

#include "lib/Exec/ProgramFinder.h"
#include "lib/Exec/SessionServices.h"
#include "lib/Pipelines/ElementFunction.h"

#include <memory>

namespace kiln {

/// Binds functions of a library to a session.
///
/// What it binds may outlive the session: calls fail then. **Ownership**:
/// borrows the services. Thread safety: constant.
class PipelineFunctions final : public FunctionBinder {
public:
  PipelineFunctions(std::shared_ptr<const FunctionLibrary> library,
                    SessionServices &services)
      : library(std::move(library)), services(services) {}

  StatusOr<FunctionPtr>
  bind(const Node &node, std::string_view attr,
       std::span<const Node *const> captured) const override;
  int64_t maxBytes() const override {
    return services.options.limits.maxRunBytes;
  }

private:
  const std::shared_ptr<const FunctionLibrary> library;
  SessionServices &services;
};

} // namespace kiln

#endif // KILN_LIB_EXEC_PIPELINEFUNCTIONS_H
