// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The gradient function of each op type.
#ifndef KILN_LIB_AUTODIFF_GRADIENTREGISTRY_H
#define KILN_LIB_AUTODIFF_GRADIENTREGISTRY_H

#include "kiln/Gradients.h"

#include <functional>
#include <initializer_list>
#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace kiln {

class GradientCall;

/// Thread safety: any thread; `functions` is guarded by `mutex`.
class GradientRegistry {
public:
  using Function = std::function<void(GradientCall &)>;

  /// The process's, with the gradients of all of Kiln's ops.
  static GradientRegistry &global();

  /// For the families' files, whose names are distinct.
  void add(std::initializer_list<std::string_view> types, Function function);
  /// An empty function says that nothing flows back through the op.
  Status insert(std::string_view type, Function function);
  /// Nothing for an unknown type; an empty function where nothing flows back.
  std::optional<Function> find(std::string_view type) const;

private:
  mutable std::mutex mutex;
  std::map<std::string, Function, std::less<>> functions;
};

/// Adds the gradients of all families. lib/Ops defines it, and is linked
/// wherever gradients are built.
void registerGradients(GradientRegistry &registry);

} // namespace kiln

#endif // KILN_LIB_AUTODIFF_GRADIENTREGISTRY_H
