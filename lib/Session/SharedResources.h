// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The resources of one or several sessions, and which sessions these are.
#ifndef KILN_LIB_SESSION_SHAREDRESOURCES_H
#define KILN_LIB_SESSION_SHAREDRESOURCES_H

#include "kiln/ResourceManager.h"
#include "runtime/resources/ResourceTable.h"

#include <atomic>
#include <memory>
#include <string>
#include <vector>

namespace kiln {

class SessionCore;

/// What is said of resources that are lost.
Status lostResourcesError();

/// What is behind a ResourceManager, or a session's own.
///
/// Thread safety: all functions; `mutex` guards the list of sessions; isLost is
/// an atomic. In a child of fork() it is lost when a session that uses it is:
/// locks of its variables may be held forever.
class SharedResources {
public:
  static std::shared_ptr<SharedResources> of(const ResourceManager &manager) {
    return manager.shared;
  }

  const std::shared_ptr<ResourceTable> &table() const { return theTable; }

  /// Remembers a session that uses the table.
  void add(std::weak_ptr<SessionCore> session);
  /// Ends all sessions, then clears the containers. **Errors**:
  /// FAILED_PRECONDITION when it is lost.
  Status reset(const std::vector<std::string> &containers);

  /// For the child of a fork(), which has one thread.
  void markLost() { isLost = true; }
  bool wasLost() const { return isLost; }

private:
  const std::shared_ptr<ResourceTable> theTable =
      std::make_shared<ResourceTable>();
  std::atomic<bool> isLost{false};
  ForkMutex mutex;
  std::vector<std::weak_ptr<SessionCore>> sessions;
};

} // namespace kiln

#endif // KILN_LIB_SESSION_SHAREDRESOURCES_H
