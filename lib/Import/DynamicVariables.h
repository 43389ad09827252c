// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The variables of one import that have no static shape, and the shape that
// each has at the current place.
#ifndef KILN_LIB_IMPORT_DYNAMICVARIABLES_H
#define KILN_LIB_IMPORT_DYNAMICVARIABLES_H

#include "lib/Import/Import.h"
#include "lib/Shape/DimSpace.h"

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace kiln {

/// What the nodes that declare and use a variable say of its place in the
/// session's table.
ImportedVariable variableOf(const Node &node, const CallPath &path);

/// Numbers, shapes on entry and shapes at the current place.
///
/// A variable's shape on entry is a part of the signature, as a feed's is,
/// where anything depends on it. Thread safety: none.
class DynamicVariables {
public:
  explicit DynamicVariables(VariableShapes *shapes) : shapes(shapes) {}

  /// What is declared, without its static shape where it has none any more.
  ImportedVariable asDynamic(ImportedVariable declared) const;
  /// It has none, since an assignment that checks no shape may bring another.
  void makeDynamic(const ImportedVariable &declared) {
    madeDynamic.insert(keyOf(declared));
  }

  /// Begins inference again: every variable has the shape on entry.
  void begin() { places.clear(); }
  /// The number of a variable; its shape is asked for the first time. Its
  /// dimensions are those of feed `firstFeed` + number. **Errors**: those of
  /// VariableShapes.
  StatusOr<int> declare(const ImportedVariable &variable, int firstFeed,
                        DimSpace &space);
  SymShape entryShape(int number, int firstFeed, DimSpace &space) const;
  /// The shape at this place: of unknown rank without a value, and where it
  /// depends on the way here.
  const SymShape &shape(int number) const { return places.at(number).shape; }
  /// The same for who looks at it: the code depends on it from now on.
  const SymShape &look(int number) {
    known[static_cast<size_t>(number)].isAsked |= !places.at(number).isWritten;
    return shape(number);
  }
  /// Whether it has no value, whichever way a run comes here.
  bool isShapeless(int number) const {
    return !places.at(number).isWritten && !places.at(number).shape.rankKnown;
  }
  void write(int number, SymShape shape, const Node &writer) {
    places.at(number) = {std::move(shape), true, &writer};
  }
  /// A node in a branch or a loop that decides the shape at this place; null
  /// where none does.
  const Node *writer(int number) const { return places.at(number).writer; }
  struct Shaped {
    SymShape shape;
    bool isWritten = false;
    const Node *writer = nullptr; ///< the last one on some way here
    bool operator==(const Shaped &) const = default;
  };
  /// By number: shapes at one place.
  using Places = std::map<int, Shaped>;
  const Places &place() const { return places; }
  void returnTo(Places place) { places = std::move(place); }
  /// Goes on behind what ended here or at another place.
  void join(const Places &other);

  /// Makes the code depend on a variable's shape on entry.
  void demand(const ImportedVariable &variable) {
    known[static_cast<size_t>(numbers.at(keyOf(variable)))].isAsked = true;
  }
  /// One a number.
  std::vector<OpenShape> take() const;

private:
  using Key = std::tuple<bool, std::string, std::string>;
  static Key keyOf(const ImportedVariable &variable) {
    return {variable.isResource, variable.container, variable.name};
  }
  struct Known {
    ImportedVariable variable;
    Shape onEntry = Shape::unknownRank();
    bool isAsked = false;
  };
  VariableShapes *shapes;
  std::set<Key> madeDynamic; ///< by this import
  std::map<Key, int> numbers;
  std::vector<Known> known;
  Places places;
};

} // namespace kiln

#endif // KILN_LIB_IMPORT_DYNAMICVARIABLES_H
