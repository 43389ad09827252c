// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of resource containers.
#ifndef KILN_RUNTIME_ABI_CONTAINER_H
#define KILN_RUNTIME_ABI_CONTAINER_H

#include <string>
#include <string_view>

namespace kiln {

/// The container by the name under which resources are kept: TensorFlow's
/// default one has two, "" and "localhost".
inline std::string canonicalContainer(std::string_view name) {
  return std::string(name == "localhost" ? "" : name);
}

/// Where variables lie that a run makes for itself: no node can name it.
inline constexpr std::string_view temporaryContainer = ":temporary";

} // namespace kiln

#endif // KILN_RUNTIME_ABI_CONTAINER_H
