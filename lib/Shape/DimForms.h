// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Canonical forms of dimensions: polynomials over atoms, and what is known of
// them.
#ifndef KILN_LIB_SHAPE_DIMFORMS_H
#define KILN_LIB_SHAPE_DIMFORMS_H

#include "lib/Shape/SymbolTable.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

namespace kiln {

/// Coefficients by monomial; a monomial is the sorted list of its atoms, which
/// are symbols, empty for the constant. No zeros.
using Poly = std::map<std::vector<int32_t>, int64_t>;
/// An atom's operation and operands in canonical form.
using AtomKey = std::tuple<SymbolDef::Kind, Poly, Poly>;

std::optional<int64_t> constantOf(const Poly &poly);
// Nothing where a coefficient does not fit.
std::optional<Poly> polyAdd(const Poly &a, const Poly &b, int64_t scaleOfB);
std::optional<Poly> polyMul(const Poly &a, const Poly &b);
/// The quotient where it is a polynomial.
std::optional<Poly> polyFloorDiv(const Poly &a, const Poly &b);
/// Whether a term has it as a factor.
bool hasAtom(const Poly &poly, int32_t atom);
std::optional<Poly> substituted(const Poly &poly, int32_t atom,
                                const Poly &replacement);

using PolyPairs = std::vector<std::pair<Poly, Poly>>;
using AtomPolys = std::vector<std::pair<int32_t, Poly>>;

/// Two forms that are equal, found when there were so many symbols: the forms
/// of later ones follow from it.
struct DimEquation {
  Poly left, right;
  size_t numSymbols;
};

/// What is known of the symbols of a DimSpace at one place.
struct DimForms {
  std::vector<Poly> forms; ///< one a symbol
  /// While nodes are lowered: of the forms, those that are made from their
  /// definitions so far; others are atoms.
  size_t numFormed = 0;
  std::map<Poly, int32_t> symbolOfForm;
  /// Forms that were found equal to others though no atom follows from that
  /// (n * m = 20), and what stands for them, which is no key.
  std::map<Poly, Poly> representatives;
  /// Forms that guards keep from being negative from here on.
  std::set<Poly> nonNegative;
  /// Forms that are equal to one that cannot be negative, which their own atoms
  /// do not show: an extent that a run finds out times a repetition, in the
  /// place of the extent that is equal to it.
  std::set<Poly> likeExtents;
  /// Operands of the atoms that are computed from others.
  std::map<int32_t, AtomKey> keyOfAtom;
  std::map<AtomKey, int32_t> atomOfKey;
  /// By atom the symbols whose form holds it, and the computed atoms whose
  /// operands do; besides perhaps some that have held it. An equality costs
  /// what it changes, not a walk over all forms.
  std::map<int32_t, std::vector<int32_t>> formsWith, keysWith;

  // Not inline: maps of maps are a second of compile time a file.
  DimForms();
  DimForms(const DimForms &);
  DimForms(DimForms &&) noexcept;
  DimForms &operator=(const DimForms &);
  DimForms &operator=(DimForms &&) noexcept;
  ~DimForms();

  /// Nothing is known of so many symbols.
  void reset(size_t numSymbols);
  void setForm(int32_t id, Poly form);
  /// A form's symbol is the oldest that has it.
  void nameForm(int32_t id);
  /// Whether a symbol that was an atom is none any more, or others hold it.
  bool isUsed(int32_t id) const;
  void setKey(int32_t id, AtomKey key);
  /// Puts `value` for the atom in likeExtents.
  void substituteInExtents(int32_t atom, const Poly &value);

  /// Whether the atom is part of the form, or of operands in it.
  bool mentions(const Poly &poly, int32_t atom) const;
  /// The form that stands for those that count as this one.
  const Poly &representative(const Poly &form) const;
};

} // namespace kiln

#endif // KILN_LIB_SHAPE_DIMFORMS_H
