// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finding, making and forgetting resources.
#include "runtime/resources/ResourceTable.h"

#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"
#include "runtime/abi/Container.h"
#include "runtime/abi/RunState.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

namespace kiln {
namespace {

std::string describe(DType dtype, const Shape &shape) {
  return strCat(dtypeName(dtype), " ", shape.toString());
}

/// Before any other code knows the slot.
void setToZero(VariableSlot &slot) {
  if (slot.dtype() != DType::String && slot.byteSize() != 0)
    std::memset(slot.data(), 0, slot.byteSize());
  slot.setInitialized(true);
}

using Resources = std::map<ResourceKey, std::shared_ptr<Resource>>;

/// Takes out what `isGone` tells of a key, for the caller to destroy behind the
/// lock.
template <class Fn>
std::vector<std::shared_ptr<Resource>> extract(Resources &resources,
                                               Fn isGone) {
  std::vector<std::shared_ptr<Resource>> gone;
  std::erase_if(resources, [&](auto &entry) {
    if (!isGone(entry.first))
      return false;
    gone.push_back(std::move(entry.second));
    return true;
  });
  return gone;
}

} // namespace

bool ResourceTable::clear(std::span<const std::string> containers) {
  std::vector<std::shared_ptr<Resource>> gone;
  std::lock_guard guard(mutex);
  if (numUsers != 0)
    return false;
  gone = extract(resources, [&](const ResourceKey &key) {
    return std::ranges::find(containers, key.container) != containers.end();
  });
  return true;
}

int ResourceTable::size() const {
  std::lock_guard guard(mutex);
  return static_cast<int>(resources.size());
}

size_t ResourceTable::heldBytes() const {
  std::vector<std::shared_ptr<Resource>> held;
  {
    std::lock_guard guard(mutex);
    for (const auto &[key, resource] : resources)
      held.push_back(resource);
  }
  size_t total = 0;
  for (const auto &resource : held)
    total += resource->heldBytes();
  return total;
}

ResourceUser::ResourceUser(std::shared_ptr<ResourceTable> table)
    : theTable(std::move(table)) {
  std::lock_guard guard(theTable->mutex);
  ++theTable->numUsers;
}

ResourceUser::~ResourceUser() { leave(); }

void ResourceUser::endOwn() {
  std::vector<std::shared_ptr<Resource>> own;
  {
    std::lock_guard guard(theTable->mutex);
    for (const auto &[key, resource] : theTable->resources)
      if (key.owner == this && resource)
        own.push_back(resource);
  }
  for (const std::shared_ptr<Resource> &resource : own)
    resource->end();
}

void ResourceUser::leave() {
  std::vector<std::shared_ptr<Resource>> gone;
  std::lock_guard guard(theTable->mutex);
  if (!std::exchange(isIn, false))
    return;
  --theTable->numUsers;
  gone = extract(theTable->resources,
                 [&](const ResourceKey &key) { return key.owner == this; });
}

StatusOr<std::shared_ptr<VariableSlot>>
ResourceUser::findOrCreateVariable(const ResourceKey &key, DType dtype,
                                   const Shape &shape) {
  std::lock_guard guard(theTable->mutex);
  if (!isIn)
    return errorStatus(ErrorKind::Cancelled, key.name);
  std::shared_ptr<Resource> &place = theTable->resources[key];
  if (place) {
    auto slot = std::static_pointer_cast<VariableSlot>(place);
    if (slot->dtype() != dtype ||
        !slot->declaredShape().isCompatibleWith(shape))
      return Status(StatusCode::InvalidArgument,
                    strCat("expected variable ",
                           describe(slot->dtype(), slot->declaredShape()),
                           ", got ", describe(dtype, shape)),
                    key.name);
    return slot;
  }
  auto slot =
      VariableSlot::create(key.name, theTable->numVariables, dtype, shape);
  if (!slot.ok()) {
    theTable->resources.erase(key);
    return slot;
  }
  // TensorFlow's has whatever lies in its memory.
  if (key.container == temporaryContainer)
    setToZero(**slot);
  ++theTable->numVariables;
  place = *slot;
  return slot;
}

bool ResourceUser::isOpenVariable(const ResourceKey &key) const {
  std::lock_guard guard(theTable->mutex);
  auto found = theTable->resources.find(key);
  return found != theTable->resources.end() && found->second &&
         static_cast<const VariableSlot &>(*found->second).isOpen();
}

StatusOr<std::shared_ptr<Queue>>
ResourceUser::findOrCreateQueue(ResourceKey key, QueueSpec spec) {
  std::lock_guard guard(theTable->mutex);
  if (!isIn)
    return errorStatus(ErrorKind::Cancelled, key.name);
  if (spec.name.empty())
    key.owner = this;
  std::shared_ptr<Resource> &place = theTable->resources[key];
  if (!place) {
    if (spec.name.empty())
      spec.name = strCat("_", theTable->numUnnamedQueues++, "_", key.name);
    place = std::make_shared<Queue>(std::move(spec));
  }
  return std::static_pointer_cast<Queue>(place);
}

StatusOr<std::shared_ptr<Resource>> ResourceUser::findOrCreate(
    ResourceKey key, std::string_view node,
    const std::function<std::shared_ptr<Resource>()> &make) {
  std::lock_guard guard(theTable->mutex);
  if (!isIn)
    return errorStatus(ErrorKind::Cancelled, node);
  if (key.name.empty()) {
    key.owner = this;
    key.name = node;
  }
  std::shared_ptr<Resource> &place = theTable->resources[key];
  if (!place)
    place = make();
  return place;
}

} // namespace kiln
