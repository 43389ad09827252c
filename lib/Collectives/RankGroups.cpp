// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers are given in the order in which groups are made, which all ranks do
// together: so a number means the same group on all of them.
#include "lib/Collectives/RankGroups.h"

#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <numeric>

namespace kiln {

static std::vector<int> allRanks(int count) {
  std::vector<int> ranks(static_cast<size_t>(count));
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

RankGroups::RankGroups(KilnTransport *transport,
                       const CommunicatorOptions &options)
    : theWorld(std::make_shared<RankGroup>(transport, allRanks(transport->size),
                                           turns, options.timeout)) {
  groups[0] = {theWorld->ranks(), theWorld};
}

RankGroups::~RankGroups() {
  theWorld->shutdown();
  groups.clear();
}

StatusOr<int> RankGroups::add(std::vector<int> ranks) {
  std::ranges::sort(ranks);
  const bool isTwice = std::ranges::adjacent_find(ranks) != ranks.end();
  if (ranks.empty() || isTwice || ranks.front() < 0 ||
      ranks.back() >= theWorld->size())
    return invalidArgumentError(strCat("expected ranks in [0, ",
                                       theWorld->size(), "), each once, got ",
                                       strJoin(ranks, ", ")));
  {
    std::lock_guard lock(mutex);
    for (const auto &[number, group] : groups)
      if (group.ranks == ranks)
        return alreadyExistsError(
            strCat("group ", number, " has the ranks ", strJoin(ranks, ", ")));
  }
  const std::string name = strJoin(ranks, ", ");
  KILN_ASSIGN_OR_RETURN(std::shared_ptr<RankGroup> made,
                        theWorld->makeGroup({"addGroup", name}, ranks));
  std::lock_guard lock(mutex);
  groups[next] = {std::move(ranks), std::move(made)};
  return next++;
}

Status RankGroups::remove(int number) {
  if (number == 0)
    return invalidArgumentError("the group of all ranks stays");
  KILN_RETURN_IF_ERROR(find(number).status());
  KILN_RETURN_IF_ERROR(
      theWorld->barrier({"removeGroup", std::to_string(number)}));
  std::lock_guard lock(mutex);
  groups.erase(number);
  return okStatus();
}

std::vector<int> RankGroups::numbers() const {
  std::lock_guard lock(mutex);
  std::vector<int> all;
  for (const auto &[number, group] : groups)
    all.push_back(number);
  return all;
}

StatusOr<NumberedGroup> RankGroups::find(int number) const {
  std::lock_guard lock(mutex);
  auto found = groups.find(number);
  if (found == groups.end())
    return notFoundError(strCat("expected a group of ranks, got ", number));
  return found->second;
}

} // namespace kiln
