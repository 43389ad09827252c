// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The variables of one function while it is written, and the value each has at
// the current place.
#ifndef KILN_LIB_IMPORT_VARIABLEVERSIONS_H
#define KILN_LIB_IMPORT_VARIABLEVERSIONS_H

#include "lib/Import/Import.h"
#include "lib/Import/IrBuilder.h"

#include <initializer_list>
#include <map>
#include <tuple>

namespace kiln {

/// Declares variables as kiln.variable and reads and writes them.
///
/// A write makes a new version, whose value is the written one: a later read of
/// it needs no op. Invariant: at any place at most one value stands for a
/// variable. Ownership: borrows the module. Thread safety: none.
class VariableVersions {
public:
  VariableVersions(mlir::ModuleOp module) : module(module) {}

  /// The variable with this key; declares it the first time. **Errors**:
  /// INVALID_ARGUMENT where another node gives the same variable another dtype
  /// or shape.
  /// One without a static shape `isOpen`: `type` is the one on entry, and means
  /// nothing unless it hasShape.
  StatusOr<int> declare(ImportedVariable variable, RankedTensorType type,
                        mlir::Location loc, bool isOpen, bool hasShape);
  size_t size() const { return list.size(); }
  /// Whether it may take other shapes.
  bool isOpen(int variable) const {
    return states[static_cast<size_t>(variable)].isOpen;
  }
  RankedTensorType type(int variable) const {
    return states[static_cast<size_t>(variable)].type;
  }

  /// Whether one without a static shape has no value here on any way.
  bool hasNoShape(int variable) const {
    const State &state = states[static_cast<size_t>(variable)];
    return state.isShapeless && state.version.generation == 0;
  }
  const ImportedVariable &at(int variable) const {
    return list[static_cast<size_t>(variable)];
  }

  /// The value at this place, null where its shape is not known; `reader` is
  /// blamed if the variable turns out to have none: before the run where the
  /// place is reached in every run, or something that `isAlwaysViewed` says is,
  /// and nothing may have written the variable before, else in the run.
  Value read(int variable, IrBuilder &builder, std::string_view reader,
             bool isAlwaysViewed = false);
  /// The run fails if the variable has no value at this place, as read() says.
  void demandValue(int variable, IrBuilder &builder, std::string_view reader) {
    demandValue(variable, builder, reader, false);
  }
  void write(int variable, Value value, IrBuilder &builder);
  /// A scalar bool.
  Value isInitialized(int variable, IrBuilder &builder);

  /// Whether code depends on the shape that one without a static shape has on
  /// entry: it is read there, or written in place.
  bool usesShape(int variable);
  /// The op that is lowered, which is to blame for what it reads.
  void setOp(const std::string &op) { reading = op; }
  std::vector<ImportedVariable> take() { return std::move(list); }

  /// What is known at one place: the current values, and what has been written
  /// on every way there.
  struct Place {
    struct Version {
      Value current;
      /// The shape of the value at this place; null where the ways to it
      /// differ, or it has none yet.
      RankedTensorType type;
      /// On every way to this place.
      bool isWritten = false;
      /// The run has failed if it has no value here.
      bool isChecked = false;
      /// Another one wherever the variable may have another value.
      int generation = 0;
    };
    std::vector<Version> versions;
  };
  Place place() const;

  /// While it lives, code goes to a block that may not run, which is empty at
  /// first.
  class MayNotRun {
  public:
    MayNotRun(VariableVersions &versions, mlir::Block &block)
        : versions(versions), outer(std::move(versions.unsure)) {
      versions.unsure = {&block, versions.place()};
    }
    ~MayNotRun() { versions.unsure = std::move(outer); }
    MayNotRun(const MayNotRun &) = delete;
    MayNotRun &operator=(const MayNotRun &) = delete;

  private:
    VariableVersions &versions;
    std::pair<mlir::Block *, Place> outer;
  };
  /// Whether every run gets to this place.
  bool isAlwaysReached() const { return !unsure.first; }
  /// Goes on at a place whose values are still to be used; variables that are
  /// new since then have none there.
  void returnTo(const Place &place);
  /// No value of before stands for a variable, or any, any more.
  void forget();
  void forget(int variable) {
    states[static_cast<size_t>(variable)].version.current = Value();
  }
  /// Goes on behind a region that began at `before` and ended at one of `ends`:
  /// a variable that any of them changed has no value here.
  void join(const Place &before, std::initializer_list<Place> ends);

private:
  struct State {
    ir::VariableOp op;
    mlir::FlatSymbolRefAttr symbol;
    RankedTensorType type;
    bool isOpen = false;
    bool isShapeless = false; ///< on entry
    bool isRead = false;
    Place::Version version;
    int numGenerations = 0;
  };
  Place::Version at(const Place &place, size_t i) const;
  void demandValue(int variable, IrBuilder &builder, std::string_view reader,
                   bool isAlwaysViewed);
  void checkValue(size_t variable, IrBuilder &builder, std::string_view reader,
                  bool isAlwaysViewed);

  mlir::ModuleOp module;
  std::string reading;
  std::vector<ImportedVariable> list;
  std::vector<State> states;
  /// The innermost block that may not run, and what was known at its beginning;
  /// null where every run gets.
  std::pair<mlir::Block *, Place> unsure = {};
  std::map<std::tuple<bool, std::string, std::string>, int> indexOfKey;
};

} // namespace kiln

#endif // KILN_LIB_IMPORT_VARIABLEVERSIONS_H
