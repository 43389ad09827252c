// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the ops that give sizes of the run their values and check them.
#ifndef KILN_LIB_IMPORT_SIZEWRITER_H
#define KILN_LIB_IMPORT_SIZEWRITER_H

#include "lib/Import/LoweringContext.h"

#include <set>

namespace kiln {

/// Puts kiln.define and kiln.guard where their operands have values, and reads
/// numbers that shapes depend on.
///
/// Invariant: before an op that names a symbol of the run stands the op that
/// binds it, and every guard of the items up to that op's.
/// **Ownership**: borrows the state. Thread safety: none.
class SizeWriter {
public:
  /// After inference.
  explicit SizeWriter(ImportState &state)
      : state(state), written(table().defs.size(), table().guards.size()) {}

  /// Before the lowering of an item, also of one that is left out or can only
  /// fail. **Errors**: INVALID_ARGUMENT where what it demands cannot hold
  /// beside what was found out behind its block; its guards are written.
  Status before(const Item &item);
  /// After the lowering of a node.
  void after();
  /// After the lowering of an item with blocks, also of one that is left out:
  /// takes what is of the blocks and was not written there.
  void behind(const Item &item);
  /// Whether guards were written for the present item.
  bool hasChecked() const { return checks; }
  /// Writes the guard that ends every run at this place.
  void fail(size_t guard);
  /// The symbols have values from here on.
  template <class Symbols> void bind(const Symbols &symbols) {
    bound.insert(symbols.begin(), symbols.end());
  }
  /// Around what computes with dimensions at the builder's place.
  void begin();
  void end();

  /// What is written in a region while it lives is not seen behind it.
  class Region {
  public:
    explicit Region(SizeWriter &writer)
        : writer(writer), bound(writer.bound),
          pendingSymbols(writer.pendingSymbols) {}
    ~Region();
    Region(const Region &) = delete;
    Region &operator=(const Region &) = delete;

  private:
    SizeWriter &writer;
    std::set<int32_t> bound, pendingSymbols;
  };

private:
  /// How far the table was looked through.
  struct Progress {
    Progress(size_t symbols, size_t guards)
        : symbols(symbols), guards(guards) {}
    size_t symbols, guards;
  };

  const SymbolTable &table() const { return state.inference.dims().symbols(); }
  bool isAvailable(Dim dim) const {
    return !table().isInRun(dim) || bound.contains(dim.symbol);
  }
  /// Writes what is pending and may stand here.
  void flush();
  /// Makes what the table has up to `end` pending.
  void take(Progress &progress, Progress end);
  /// The same for a symbol that something before its own node computes with,
  /// and for what it is computed from.
  void takeEarly(int32_t id);
  void define(int32_t id);
  void check(size_t guard);
  mlir::Location locationOf(const std::string &node);

  ImportState &state;
  std::set<int32_t> bound;
  /// Through what inference has put there, and through what lowerings do.
  Progress inferred{0, 0}, written;
  std::set<int32_t> pendingSymbols;
  std::set<size_t> pendingGuards;
  /// Whether there is a guard of the present item, and one that is known to
  /// fail.
  bool checks = false, endsRuns = false;
  /// Behind it begins what was written since begin(); null at the start.
  mlir::Operation *last = nullptr;
};

} // namespace kiln

#endif // KILN_LIB_IMPORT_SIZEWRITER_H
