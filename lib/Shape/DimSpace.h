// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The owner of dimension symbols: makes, simplifies and compares them, and
// collects what must be checked at run time.
#ifndef KILN_LIB_SHAPE_DIMSPACE_H
#define KILN_LIB_SHAPE_DIMSPACE_H

#include "kiln/Status.h"
#include "lib/Shape/Dim.h"
#include "lib/Shape/DimForms.h"
#include "lib/Shape/SymbolTable.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace kiln {

/// Symbols of one import.
///
/// Each symbol has a canonical form, a polynomial over *atoms* (feed extents,
/// what is found out in the run, and what is no polynomial: quotients, minima
/// ...), so that (s0 * 9) / 9 is s0 again. Invariants: (1) symbols with equal
/// forms resolve to the one with the lowest id; (2) definitions, by which a run
/// computes values, never change when dimensions are merged; only forms do; (3)
/// what is known before the run never becomes something that is not. While a
/// graph is being built there are no symbols: any operation on an unknown
/// dimension gives an unknown one, and an unknown one fits everything. Thread
/// safety: none; one import owns it.
class DimSpace {
public:
  enum class Mode : uint8_t { Import, Building };
  explicit DimSpace(Mode mode = Mode::Import);
  ~DimSpace();
  /// While building, what a run may replace, as a default, says nothing.
  bool isBuilding() const { return mode == Mode::Building; }

  /// The extent of a feed that the graph leaves open; `sample` is the extent of
  /// the run that is being compiled for. A sample decides classes (see isOne)
  /// and equalities (see takeAsEqual) and appears in errors, nothing else.
  Dim feedDim(int32_t feed, int32_t dim, int64_t sample);

  /// A branch or the body of a loop while it lives: what is demanded there is
  /// checked there, and what follows from it holds there alone.
  class Region {
  public:
    /// `number` is told by regionOf(), apart from the root's 0.
    Region(DimSpace &space, int number, bool isAlwaysRun = false);
    ~Region();
    Region(const Region &) = delete;
    Region &operator=(const Region &) = delete;

  private:
    friend class DimSpace;
    DimSpace &space;
    Region *outer;
    int number, outerNumber;
    bool isAlwaysRun;
    /// What was known before the region, once something holds in it alone.
    std::unique_ptr<DimForms> before;
    /// What is 0 in all runs, found out since it began.
    std::vector<Poly> lasting;
  };
  /// How many equalities hold from a node of the region on.
  size_t numEqualities(int inRegion) const;
  /// Whether there are any, in any region.
  bool hasEqualities() const { return !learned.empty(); }
  /// Before a region is inferred, perhaps once more.
  void beginRegion(int number) { learned.erase(number); }
  /// Keeps what holds in all runs from their beginning alone.
  void forgetEqualitiesOfRun();
  /// From now on only what holds in all runs from their beginning is known, and
  /// what the node that is lowered knows by learnUpTo(): one before the node
  /// that demands an equality must not rely on it.
  void beginLowering();
  /// Goes on to a node of the region at which there were so many equalities,
  /// and so many symbols. False where one of them cannot hold: a run that gets
  /// here fails by its guard.
  bool learnUpTo(int inRegion, size_t count, size_t numSymbols);

  /// Forgets the guards from number `first` on.
  void dropGuards(size_t first);
  /// The region in which a guard that code checks is demanded.
  int regionOf(size_t guard) const { return guardRegions[guard]; }

  /// A number that the node of setNode() finds out in the run, its k-th: a
  /// size, at least 0, or any number. The same each time; unknown while
  /// building.
  Dim runDim(int k, bool isSize);
  /// Whether the dimension has one value in a run: no region finds it out.
  bool isFixed(Dim dim) const;
  /// Whether it is such a number of that node.
  bool isOwnRunDim(Dim dim) const;

  /// Node that errors and guards name from now on.
  void setNode(std::string_view name) { node = name; }
  /// The block of its node: nodes of two blocks may have one name.
  void setBlock(int number) { block = number; }

  Dim add(Dim a, Dim b) { return combine(SymbolDef::Kind::Add, a, b); }
  Dim sub(Dim a, Dim b) { return combine(SymbolDef::Kind::Sub, a, b); }
  Dim mul(Dim a, Dim b) { return combine(SymbolDef::Kind::Mul, a, b); }
  /// Rounds down. The caller guards against a divisor of 0; a known 0 gives
  /// unknown.
  Dim floorDiv(Dim a, Dim b) {
    return combine(SymbolDef::Kind::FloorDiv, a, b);
  }
  Dim mod(Dim a, Dim b) { return combine(SymbolDef::Kind::Mod, a, b); }
  Dim max(Dim a, Dim b) { return combine(SymbolDef::Kind::Max, a, b); }
  Dim min(Dim a, Dim b) { return combine(SymbolDef::Kind::Min, a, b); }
  /// That of two extents that can be broadcast.
  Dim broadcastOf(Dim a, Dim b);
  Dim product(const Dims &dims);

  /// The dimension as it is known now: a number where it is one, else the
  /// oldest symbol that equals it.
  Dim resolve(Dim dim) const;
  Dims resolve(const Dims &dims) const;
  SymShape resolve(const SymShape &shape) const;
  bool equal(Dim a, Dim b) const;

  /// Decides whether a dimension is 1; nothing where that is open. For a feed's
  /// extent the sample decides, and the class becomes part of the feed
  /// signature: call it only where the code depends on the answer.
  std::optional<bool> isOne(Dim dim);
  /// Takes two extents of feeds for one where their samples are equal, which
  /// becomes part of the feed signature: feeds that share their batch need no
  /// class for it, and a batch of one no code of its own. False, with no
  /// effect, where a dimension is no extent or the samples differ.
  bool takeAsEqual(Dim a, Dim b);
  /// The number of a dimension on which a rank depends: for a feed's extent the
  /// sample, which becomes part of the feed signature; nothing if not known.
  std::optional<int64_t> takeAsKnown(Dim dim);
  /// True when it cannot be negative; \p byGuards: or when guards forbid it.
  bool isNonNegative(Dim dim, bool byGuards = false) const;
  bool isPositive(Dim dim) const;
  /// The quotient of two numbers where the first is known to be a multiple of
  /// the second, whatever the symbols are; nothing where that is open.
  std::optional<Dim> exactQuotient(Dim a, Dim b);

  /// Two dimensions that must be equal in a run. Returns the better known one.
  /// **Errors**: INVALID_ARGUMENT when they cannot be equal.
  StatusOr<Dim> unify(Dim a, Dim b, const GuardInfo &info);
  /// The broadcast of two dimensions, by TensorFlow's rule: of extents of feeds
  /// that are equal, themselves (takeAsEqual); otherwise classes decide
  /// (isOne), and what they leave open a guard. **Errors**: INVALID_ARGUMENT
  /// when they do not fit.
  StatusOr<Dim> broadcast(Dim a, Dim b, const GuardInfo &info);
  /// Demands a condition: checked now where the numbers are known, else in
  /// every run, or where it stands in a region. **Errors**: INVALID_ARGUMENT
  /// when it cannot hold.
  Status require(Guard::Kind kind, Dim a, Dim b, const GuardInfo &info);
  /// Whether a condition holds in no run, whatever the open sizes are.
  bool isRefuted(Guard::Kind kind, Dim a, Dim b) const;
  /// Demands what never holds: runs that come to this region end by the error.
  void demandNever(const Status &error);
  /// Whether there are runs that do not come to the present region.
  bool mayNotRun() const;

  /// The error of a GuardInfo, with the node; symbols appear as the numbers of
  /// the sample, unknown ones as "?".
  Status error(const GuardInfo &info) const;
  /// "[4,5]", symbols as the numbers of the sample.
  std::string format(const Dims &dims) const;
  /// The value that a dimension has for the samples; nothing for unknown ones.
  std::optional<int64_t> sampleOf(Dim dim) const;

  /// Guards that code checks.
  size_t numRunGuards() const { return runGuards; }
  size_t numSymbols() const { return table.defs.size(); }
  size_t numFormsLookedAt() const { return numLookedAt; } ///< by equalities
  const SymbolTable &symbols() const { return table; }

private:
  // Whether that is known of all runs.
  bool isNonNegative(const Poly &poly) const;
  bool isNegative(const std::optional<Poly> &poly) const;
  bool cannotBeOne(const Poly &poly) const;

  Poly formOf(Dim dim) const;
  /// Whether a form is known in the middle of a run only.
  bool isInRun(const Poly &poly) const;
  /// The definition of a dimension that is the extent of a feed, else null.
  const SymbolDef *feedDefOf(Dim dim) const;
  Dim combine(SymbolDef::Kind kind, Dim a, Dim b);
  /// The result of an operation where it is a polynomial of existing atoms.
  std::optional<Poly> fold(SymbolDef::Kind kind, const Poly &a,
                           const Poly &b) const;
  Dim dimOf(const Poly &form, SymbolDef::Kind kind, Dim a, Dim b);
  int32_t newSymbol(SymbolDef::Kind kind, Dim a, Dim b, int64_t sample);
  /// What is known of the sign of `from` holds for `to`, which stands for it.
  void keepNonNegative(const Poly &from, const Poly &to);
  /// Puts `replacement` for an atom in all forms, with what follows from that.
  void substitute(int32_t atom, Poly replacement);
  void substituteInForms(int32_t atom, const Poly &value);
  /// Appends what follows of other atoms, and what is equal by that.
  void substituteInKeys(int32_t atom, const Poly &value, AtomPolys &pending,
                        PolyPairs &identified);
  /// Takes an atom's holders out of an index, each once, and counts them.
  std::vector<int32_t> take(std::map<int32_t, std::vector<int32_t>> &holders,
                            int32_t atom);
  /// Uses difference == 0 to express an atom; false where that cannot be done.
  bool eliminate(const Poly &difference);
  void takeEqual(Dim left, Dim right); ///< from here on
  void learn(const Poly &left, const Poly &right);
  /// A form of some time as it is now; nothing where it does not fit.
  std::optional<Poly> present(const Poly &form) const;
  Poly formByDefinition(int32_t id);
  void formUpTo(size_t numSymbols);
  /// Where eliminate() cannot: a form that is to count as another one.
  void identify(const Poly &left, const Poly &right);
  /// Keeps what is known before the innermost region, unless it is kept.
  void rememberBefore();
  void addGuard(Guard guard);
  /// As eliminate(), of what holds in all runs.
  void eliminateEverywhere(const Poly &difference);
  /// Goes back to what was known before a region, but keeps what was made.
  void restore(const DimForms &before);

  Mode mode;
  bool isLowering = false;
  int block = 0, region = 0;
  Region *innermost = nullptr;
  std::string node;
  SymbolTable table;
  std::vector<int> guardRegions;
  /// What is checked in a region, which no second guard there is for.
  std::set<std::tuple<int, Guard::Kind, Poly, Poly>> checked;
  size_t runGuards = 0; ///< made so far
  size_t numLookedAt = 0;
  bool isImpossible = false; ///< numbers that differ were to be equal
  std::vector<int64_t> samples;
  DimForms known;
  /// Those that hold in all runs, and by region those that hold from a node on.
  PolyPairs everywhere;
  std::map<int, std::vector<DimEquation>> learned;
  std::map<int, size_t> numLearned; ///< of those, at the node that is lowered
  // By feed and dimension; by block, node and place.
  std::map<std::pair<int32_t, int32_t>, int32_t> feedSymbols;
  std::map<std::tuple<int, std::string, int>, int32_t> runSymbols;
  std::set<int32_t> changing; ///< those that regions find out
};

} // namespace kiln

#endif // KILN_LIB_SHAPE_DIMSPACE_H
