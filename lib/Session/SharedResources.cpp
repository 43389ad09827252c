// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Resets: the sessions end first, so that none is left that knows what is
// cleared.
#include "lib/Session/SharedResources.h"

#include "lib/Session/SessionCore.h"
#include "runtime/abi/Container.h"

namespace kiln {

ResourceManager::ResourceManager()
    : shared(std::make_shared<SharedResources>()) {}
ResourceManager::~ResourceManager() = default;

Status lostResourcesError() {
  return failedPreconditionError("expected resources of sessions that no other "
                                 "thread was in when the process forked");
}

void SharedResources::add(std::weak_ptr<SessionCore> session) {
  std::lock_guard lock(mutex);
  std::erase_if(sessions, [](const auto &known) { return known.expired(); });
  sessions.push_back(std::move(session));
}

Status SharedResources::reset(const std::vector<std::string> &containers) {
  if (isLost)
    return lostResourcesError();
  std::vector<std::string> names;
  for (const std::string &container : containers)
    names.push_back(canonicalContainer(container));
  if (names.empty())
    names.emplace_back();
  // Sessions that begin meanwhile end, too.
  do {
    std::vector<std::weak_ptr<SessionCore>> users;
    {
      std::lock_guard lock(mutex);
      users = sessions;
    }
    for (const auto &user : users)
      if (auto session = user.lock())
        session->endByReset();
  } while (!theTable->clear(names));
  return okStatus();
}

} // namespace kiln
