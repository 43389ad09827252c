// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state that outlives runs and that sessions may share: variables and
// queues by kind, container and name.
#ifndef KILN_RUNTIME_RESOURCES_RESOURCETABLE_H
#define KILN_RUNTIME_RESOURCES_RESOURCETABLE_H

#include "runtime/resources/Queue.h"
#include "runtime/resources/VariableSlot.h"
#include "runtime/threads/ForkMutex.h"

#include <compare>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>

namespace kiln {

class ResourceUser;

/// As TensorFlow finds a resource: two nodes with equal keys use the same one.
struct ResourceKey {
  enum class Kind : uint8_t {
    Variable,
    ResourceVariable,
    Queue,
    Table,
    Reader,
    StagingArea,
    Accumulator,
    SparseTensors,
    SessionTensors,
    Iterator,
    Barrier,
    Mutex
  };

  Kind kind = Kind::Variable;
  /// In canonical form (runtime/abi/Container.h).
  std::string container = {};
  std::string name;
  /// The only user that finds it; null where all do.
  const ResourceUser *owner = nullptr;

  auto operator<=>(const ResourceKey &) const = default;
};

/// Resources by key, and their users.
///
/// Invariants: (1) a key has one resource at most, of its kind's type; (2) a
/// variable's index is larger than those of all variables made before, so that
/// locks have one order. Ownership: shared with all users of a resource: one
/// that the table has dropped lives on with them. Thread safety: all functions;
/// `mutex` guards everything, a resource guards itself. The mutex is never held
/// while a SlotLock or another mutex is waited for.
class ResourceTable {
public:
  ResourceTable() = default;
  ResourceTable(const ResourceTable &) = delete;
  ResourceTable &operator=(const ResourceTable &) = delete;

  /// Forgets what is in these containers (in canonical form): a key of theirs
  /// gives a new resource from now on. Does nothing and returns false while
  /// the table has a user.
  [[nodiscard]] bool clear(std::span<const std::string> containers);

  int size() const;
  /// The bytes that all resources hold.
  size_t heldBytes() const;

private:
  friend class ResourceUser;

  mutable ForkMutex mutex;
  std::map<ResourceKey, std::shared_ptr<Resource>> resources;
  int numUsers = 0;
  int64_t numVariables = 0;     ///< ever made
  int64_t numUnnamedQueues = 0; ///< ever made
};

/// A user of a table: a session from its beginning to its end. Thread
/// safety: all functions; the table's mutex guards `isIn`.
class ResourceUser {
public:
  explicit ResourceUser(std::shared_ptr<ResourceTable> table);
  /// As leave().
  ~ResourceUser();
  ResourceUser(const ResourceUser &) = delete;
  ResourceUser &operator=(const ResourceUser &) = delete;

  /// Returns the variable, made on first use (a fully defined shape gets its
  /// buffer then, not its pages). **Errors**, with the key's name: CANCELLED
  /// after leave(); INVALID_ARGUMENT when it is there with another dtype or an
  /// incompatible shape; those of VariableSlot::create().
  StatusOr<std::shared_ptr<VariableSlot>>
  findOrCreateVariable(const ResourceKey &key, DType dtype, const Shape &shape);
  /// Whether the variable is there and VariableSlot::isOpen().
  bool isOpenVariable(const ResourceKey &key) const;
  /// Returns the queue, made on first use. One without a name is this user's
  /// alone and is named "_N_" and the key's name, N counting such queues of the
  /// table; TensorFlow's N counts through the process. **Errors**: CANCELLED
  /// after leave().
  StatusOr<std::shared_ptr<Queue>> findOrCreateQueue(ResourceKey key,
                                                     QueueSpec spec);

  /// Returns another resource, which `make` makes on first use of a name. One
  /// without a name is this user's alone, under the node's. **Errors**:
  /// CANCELLED after leave().
  StatusOr<std::shared_ptr<Resource>>
  findOrCreate(ResourceKey key, std::string_view node,
               const std::function<std::shared_ptr<Resource>()> &make);

  /// Ends what is this user's alone (Resource::end()), before leave().
  void endOwn();
  /// Ends the use: drops what was this user's alone, makes nothing any more.
  void leave();

  ResourceTable &table() const { return *theTable; }

private:
  const std::shared_ptr<ResourceTable> theTable;
  bool isIn = true;
};

} // namespace kiln

#endif // KILN_RUNTIME_RESOURCES_RESOURCETABLE_H
