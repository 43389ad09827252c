// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables and queues that several sessions share.
#ifndef KILN_RESOURCEMANAGER_H
#define KILN_RESOURCEMANAGER_H

#include "kiln/Export.h"

#include <memory>

namespace kiln {

class SharedResources;

/// Variables and queues by kind, container and name, for the sessions that are
/// made with it (SessionOptions::resources): what one of them assigns or
/// enqueues the others see, whatever graph they run. A name is the node's
/// `shared_name`, or its own; a queue without a `shared_name` is its session's
/// alone. Two graphs that declare one variable with another dtype or shape do
/// not go together: the second one's runs end with INVALID_ARGUMENT.
///
/// A session that is closed leaves the values; Session::reset() clears them.
/// **Ownership**: sessions share it: it may be dropped before they close.
/// **Thread safety**: all functions; runs of several sessions are atomic to
/// each other as runs of one are. **Source**: the resource manager of a
/// tf.distribute.Server, keyed as TensorFlow keys it. **Difference**: there a
/// variable may be read by a graph that declares another shape.
class KILN_EXPORT ResourceManager {
public:
  ResourceManager();
  ~ResourceManager();
  ResourceManager(const ResourceManager &) = delete;
  ResourceManager &operator=(const ResourceManager &) = delete;

private:
  friend class SharedResources;
  std::shared_ptr<SharedResources> shared;
};

} // namespace kiln

#endif // KILN_RESOURCEMANAGER_H
