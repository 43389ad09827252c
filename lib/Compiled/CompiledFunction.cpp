// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The format: a version, then the fields in the order of fieldsOf. Numbers are
// eight bytes, little endian; a string or list begins with its length.  Each
// type's fields stand once, for the writer and the reader.
#include "lib/Compiled/CompiledFunction.h"

#include "lib/Support/StatusMacros.h"

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstring>
#include <optional>
#include <tuple>

namespace kiln {
namespace {

/// Changes with the format, in which nothing is optional.
constexpr uint64_t formatVersion = 9;

template <class T, class U>
concept Is = std::same_as<std::remove_const_t<T>, U>;

/// The fields of a type, for the writer and the reader. All of them, in the
/// order of their declaration: where one is missing, this does not compile.
#define KILN_STORED(Type, ...)                                                 \
  template <Is<Type> T> auto fieldsOf(T &record) {                             \
    auto &[__VA_ARGS__] = record;                                              \
    return std::tie(__VA_ARGS__);                                              \
  }
KILN_STORED(Dim, value, symbol)
KILN_STORED(SymbolDef, kind, a, b, node, inRun)
KILN_STORED(Guard, kind, a, b, node, prefix, joiner, suffix, lhsShape, rhsShape,
            asNumbers, code, inRun)
KILN_STORED(DimClass, feed, dim, isOne)
KILN_STORED(DimEquality, feedA, dimA, feedB, dimB)
KILN_STORED(SymbolTable, defs, classes, equalities, guards)
KILN_STORED(ImportedTensor, node, dtype, dims)
KILN_STORED(ImportedVariable, container, name, isResource, node, dtype, shape,
            needsValue, reader, readerOp, isWritten)
KILN_STORED(OpenShape, variable, isUsed, rank)
KILN_STORED(ImportedStream, node, place, seed, seed2)
KILN_STORED(ImportedResource, node, op, attrs)
KILN_STORED(ImportedBody, node, op, resources, inputs, attrs)
KILN_STORED(FedValue, feed, value)
KILN_STORED(FunctionInterface, feeds, fetches, variables, openShapes, streams,
            bodies, symbols, fedValues)
KILN_STORED(BufferCounts, feeds, constants, variables, results)
KILN_STORED(Temporary::Extent, value, symbol)
KILN_STORED(Temporary, extents, elementBytes, first, last, node, isOptional)
KILN_STORED(KernelUse, name, node)
KILN_STORED(CostFormula::Term, factor, symbols)
KILN_STORED(CostFormula, terms)
KILN_STORED(CodeRegion, name, nodes, flops, bytesRead, bytesWritten)
KILN_STORED(CodeLayout, counts, temporaries, nodes, kernels, regions)
KILN_STORED(CompiledCode, objects, layout, backend)
KILN_STORED(CompiledFunction, interface, constants, ownConstants, code, ops)
#undef KILN_STORED

template <Is<EmptyList> T> auto fieldsOf(T &) { return std::tuple<>(); }

/// The last value of an enumeration.
constexpr SymbolDef::Kind lastOf(SymbolDef::Kind) {
  return SymbolDef::Kind::Run;
}
constexpr Guard::Kind lastOf(Guard::Kind) { return Guard::Kind::Divides; }
constexpr StatusCode lastOf(StatusCode) { return StatusCode::Unauthenticated; }

/// Calls body<T>(number) for each kind of attribute that bodies have.
template <class Body> void forEachAttrKind(Body &&body) {
  size_t kind = 0;
  auto call = [&]<class... Kinds>() {
    (body.template operator()<Kinds>(kind++), ...);
  };
  call.template operator()<int64_t, float, bool, std::string, DType, Shape,
                           TensorConstant, EmptyList, std::vector<int64_t>,
                           std::vector<float>, std::vector<std::string>,
                           std::vector<DType>, std::vector<Shape>>();
}

class Writer {
public:
  std::string bytes;

  template <std::integral T> void put(T value) {
    uint64_t number = static_cast<uint64_t>(static_cast<int64_t>(value));
    for (int i = 0; i < 8; ++i)
      bytes += static_cast<char>(number >> (8 * i) & 0xFF);
  }
  template <class T>
    requires std::is_enum_v<T>
  void put(T value) {
    put(static_cast<int64_t>(value));
  }
  void put(const std::string &text) {
    put(text.size());
    bytes += text;
  }
  void put(const Digest &digest) {
    bytes.append(reinterpret_cast<const char *>(digest.data()), digest.size());
  }
  void put(const Shape &shape) {
    put(shape.rank());
    for (int64_t dim : shape.dims())
      put(dim);
  }
  void put(const Tensor &tensor) {
    put(tensor.dtype());
    put(tensor.shape());
    if (tensor.dtype() == DType::String) {
      for (const String &text : tensor.data<String>())
        put(std::string(text.view()));
      return;
    }
    put(std::string(static_cast<const char *>(tensor.rawData()),
                    tensor.byteSize()));
  }
  void put(float value) { put(std::bit_cast<uint32_t>(value)); }
  void put(const std::optional<int> &value) {
    put(value.has_value());
    put(value.value_or(0));
  }
  void put(const OpCounters &counters) {
    for (int64_t counter : counters)
      put(counter);
  }
  void put(const TensorConstant &constant) {
    put(constant.shape);
    put(constant.value);
  }
  void put(const AttrMap &attrs) {
    put(attrs.size());
    for (const NamedAttr &attr : attrs) {
      put(attr.name);
      bool isWritten = false;
      forEachAttrKind([&]<class T>(size_t kind) {
        if (const T *value = attr.value.getIf<T>()) {
          put(kind);
          put(*value);
          isWritten = true;
        }
      });
      if (!isWritten)
        put(int64_t(-1)); // which is no kind: such bytes are refused
    }
  }
  void put(const std::map<Digest, Tensor> &map) {
    put(map.size());
    for (const auto &[digest, tensor] : map) {
      put(digest);
      put(tensor);
    }
  }
  template <class T> void put(const std::vector<T> &list) {
    put(list.size());
    for (const T &element : list)
      put(element);
  }
  template <class T>
    requires requires(const T &f) { fieldsOf(f); }
  void put(const T &value) {
    std::apply([&](const auto &...fields) { (put(fields), ...); },
               fieldsOf(value));
  }
};

/// Each get() is false, and the rest is not read, where bytes are missing or
/// cannot be.
class Reader {
public:
  explicit Reader(std::string_view bytes) : bytes(bytes) {}
  bool atEnd() const { return bytes.empty(); }

  template <std::integral T> bool get(T &value) {
    if (bytes.size() < 8)
      return false;
    uint64_t number = 0;
    for (int i = 0; i < 8; ++i)
      number |=
          uint64_t(static_cast<unsigned char>(bytes[static_cast<size_t>(i)]))
          << (8 * i);
    bytes.remove_prefix(8);
    value = static_cast<T>(number);
    return static_cast<int64_t>(value) == static_cast<int64_t>(number);
  }
  template <class T>
    requires std::is_enum_v<T>
  bool get(T &value) {
    int64_t number;
    if (!get(number) || number < 0 ||
        number > static_cast<int64_t>(lastOf(T())))
      return false;
    value = static_cast<T>(number);
    return true;
  }
  bool get(DType &dtype) {
    int64_t number;
    if (!get(number) || number < 0 || number > 255)
      return false;
    dtype = static_cast<DType>(number);
    return dtypeName(dtype) != dtypeName(DType::Invalid);
  }
  bool get(std::string &text) {
    size_t size;
    if (!get(size) || size > bytes.size())
      return false;
    text = bytes.substr(0, size);
    bytes.remove_prefix(size);
    return true;
  }
  bool get(Digest &digest) {
    if (bytes.size() < digest.size())
      return false;
    std::memcpy(digest.data(), bytes.data(), digest.size());
    bytes.remove_prefix(digest.size());
    return true;
  }
  bool get(Shape &shape) {
    int rank;
    if (!get(rank) || rank < -1 || rank > Shape::maxRank)
      return false;
    shape = rank < 0 ? Shape::unknownRank() : Shape();
    for (int i = 0; i < rank; ++i) {
      int64_t dim;
      if (!get(dim) || dim < Shape::unknownDim)
        return false;
      shape.appendDim(dim);
    }
    return true;
  }
  bool get(Tensor &tensor) {
    DType dtype;
    Shape shape;
    std::string contents;
    if (!get(dtype) || !get(shape))
      return false;
    auto elements = shape.numElements();
    if (!elements.ok() || *elements < 0)
      return false;
    if (dtype == DType::String)
      return getStrings(shape, static_cast<size_t>(*elements), tensor);
    if (!get(contents) || dtypeSize(dtype) == 0 ||
        static_cast<size_t>(*elements) != contents.size() / dtypeSize(dtype) ||
        contents.size() % dtypeSize(dtype) != 0)
      return false;
    auto made = Tensor::create(dtype, shape);
    if (!made.ok())
      return false;
    tensor = *std::move(made);
    if (!contents.empty())
      std::memcpy(tensor.mutableRawData(), contents.data(), contents.size());
    return true;
  }
  bool get(std::optional<int> &value) {
    bool isThere;
    int number;
    if (!get(isThere) || !get(number) || (!isThere && number != 0))
      return false;
    value = isThere ? std::optional(number) : std::nullopt;
    return true;
  }
  bool get(OpCounters &counters) {
    return std::ranges::all_of(counters,
                               [&](int64_t &counter) { return get(counter); });
  }
  bool get(float &value) {
    uint32_t bits;
    bool isThere = get(bits);
    value = std::bit_cast<float>(bits);
    return isThere;
  }
  bool get(TensorConstant &constant) {
    Shape shape;
    Tensor value;
    if (!get(shape) || !get(value) ||
        (!(value.shape() == shape) && value.numElements() != 1))
      return false;
    constant = TensorConstant(std::move(value), std::move(shape));
    return true;
  }
  bool get(AttrMap &attrs) {
    size_t size;
    if (!get(size) || size > bytes.size() / 16)
      return false;
    std::string last;
    for (size_t i = 0; i < size; ++i) {
      std::string name;
      size_t wanted;
      bool isRead = false;
      // In the order of a map.
      if (!get(name) || !get(wanted) || (i > 0 && name <= last))
        return false;
      last = name;
      forEachAttrKind([&]<class T>(size_t kind) {
        T value{};
        if (kind != wanted || !get(value))
          return;
        attrs.set(name, AttrValue(std::move(value)));
        isRead = true;
      });
      if (!isRead)
        return false;
    }
    return true;
  }
  bool get(std::map<Digest, Tensor> &map) {
    size_t size;
    if (!get(size) || size > bytes.size() / std::tuple_size_v<Digest>)
      return false;
    for (size_t i = 0; i < size; ++i) {
      Digest digest;
      // In the order of a map.
      if (!get(digest) || (!map.empty() && digest <= map.rbegin()->first) ||
          !get(map[digest]))
        return false;
    }
    return true;
  }
  template <class T> bool get(std::vector<T> &list) {
    size_t size;
    // Every element has a byte at least: no more memory than bytes allow for.
    if (!get(size) || size > bytes.size() / minBytes<T>())
      return false;
    list.reserve(size);
    for (size_t i = 0; i < size; ++i)
      if (!get(list.emplace_back()))
        return false;
    return true;
  }
  template <class T>
    requires requires(T &f) { fieldsOf(f); }
  bool get(T &value) {
    return std::apply([&](auto &...fields) { return (get(fields) && ...); },
                      fieldsOf(value));
  }

private:
  bool getStrings(const Shape &shape, size_t count, Tensor &tensor) {
    if (count > bytes.size() / 8) // each has its length
      return false;
    auto made = Tensor::create(DType::String, shape);
    if (!made.ok())
      return false;
    tensor = *std::move(made);
    for (String &element : tensor.mutableData<String>()) {
      std::string text;
      if (!get(text))
        return false;
      auto owned = String::create(text);
      if (!owned.ok())
        return false;
      element = *std::move(owned);
    }
    return true;
  }
  /// What an element of a list takes at least.
  template <class T> static constexpr size_t minBytes() {
    if constexpr (requires(T &f) { fieldsOf(f); })
      return 8 * std::tuple_size_v<decltype(fieldsOf(std::declval<T &>()))>;
    else
      return 8;
  }

  std::string_view bytes;
};

/// Whether all that refers to something else refers to what is there.
class References {
public:
  explicit References(const CompiledFunction &function)
      : function(function), interface(function.interface),
        symbols(static_cast<int64_t>(interface.symbols.defs.size())) {}

  bool hold() const {
    return definitionsHold() && signatureHolds() && layoutHolds();
  }

private:
  bool isSymbol(int64_t id) const { return id >= 0 && id < symbols; }
  bool holds(Dim dim) const {
    return dim.isKnown() || dim.isUnknown() || isSymbol(dim.symbol);
  }
  bool hold(const Dims &dims) const {
    return std::ranges::all_of(dims, [&](Dim dim) { return holds(dim); });
  }
  /// The rank of a feed, or of an open shape, which come behind; -1 for none.
  int64_t rankOf(int64_t feed) const {
    if (feed < 0)
      return -1;
    auto number = static_cast<size_t>(feed);
    if (number < interface.feeds.size())
      return static_cast<int64_t>(interface.feeds[number].dims.size());
    number -= interface.feeds.size();
    return number < interface.openShapes.size()
               ? interface.openShapes[number].rank.value_or(-1)
               : -1;
  }
  bool isFeedDim(int64_t feed, int64_t dim) const {
    return dim >= 0 && dim < rankOf(feed);
  }
  bool hold(const CostFormula &formula) const {
    return std::ranges::all_of(
        formula.terms, [&](const CostFormula::Term &term) {
          return std::ranges::all_of(term.symbols,
                                     [&](int64_t id) { return isSymbol(id); });
        });
  }

  bool definitionsHold() const {
    const SymbolTable &table = interface.symbols;
    for (size_t id = 0; id < table.defs.size(); ++id) {
      const SymbolDef &def = table.defs[id];
      if (def.kind == SymbolDef::Kind::Feed) {
        if (!isFeedDim(def.a.value, def.b.value))
          return false;
        continue;
      }
      for (Dim operand : {def.a, def.b})
        if (!operand.isKnown() &&
            !(operand.isSymbol() && static_cast<size_t>(operand.symbol) < id))
          return false;
      // Before the run nothing is computed from what only it knows.
      if (def.inRun != (def.kind == SymbolDef::Kind::Run ||
                        table.isInRun(def.a) || table.isInRun(def.b)))
        return false;
    }
    return true;
  }

  bool signatureHolds() const {
    const SymbolTable &table = interface.symbols;
    return std::ranges::all_of(table.classes,
                               [&](const DimClass &part) {
                                 return isFeedDim(part.feed, part.dim);
                               }) &&
           std::ranges::all_of(table.equalities,
                               [&](const DimEquality &pair) {
                                 return isFeedDim(pair.feedA, pair.dimA) &&
                                        (pair.feedB == -1 ||
                                         isFeedDim(pair.feedB, pair.dimB));
                               }) &&
           std::ranges::all_of(table.guards,
                               [&](const Guard &guard) {
                                 return holds(guard.a) && holds(guard.b) &&
                                        hold(guard.lhsShape) &&
                                        hold(guard.rhsShape);
                               }) &&
           std::ranges::all_of(interface.fedValues,
                               [&](const FedValue &fed) {
                                 return fed.feed >= 0 &&
                                        static_cast<size_t>(fed.feed) <
                                            interface.feeds.size();
                               }) &&
           std::ranges::all_of(interface.openShapes,
                               [](const OpenShape &open) {
                                 return !open.rank ||
                                        (*open.rank >= 0 &&
                                         *open.rank <= Shape::maxRank);
                               }) &&
           tensorsHold(interface.feeds) && tensorsHold(interface.fetches);
  }
  bool tensorsHold(const std::vector<ImportedTensor> &tensors) const {
    return std::ranges::all_of(tensors, [&](const ImportedTensor &tensor) {
      return hold(tensor.dims) &&
             tensor.dims.size() <= static_cast<size_t>(Shape::maxRank);
    });
  }

  bool layoutHolds() const {
    const CodeLayout &layout = function.code.layout;
    auto is = [](int64_t count, size_t size) {
      return count == static_cast<int64_t>(size);
    };
    return is(layout.counts.feeds, interface.feeds.size()) &&
           is(layout.counts.constants, function.constants.size()) &&
           is(layout.counts.variables, interface.variables.size()) &&
           is(layout.counts.results, interface.fetches.size()) &&
           std::ranges::all_of(layout.kernels,
                               [&](const KernelUse &use) {
                                 return use.node >= -1 &&
                                        use.node < static_cast<int64_t>(
                                                       layout.nodes.size());
                               }) &&
           std::ranges::all_of(layout.temporaries,
                               [&](const Temporary &temporary) {
                                 return temporary.elementBytes >= 0 &&
                                        std::ranges::all_of(
                                            temporary.extents,
                                            [&](const auto &extent) {
                                              return extent.symbol == -1 ||
                                                     isSymbol(extent.symbol);
                                            });
                               }) &&
           std::ranges::all_of(layout.regions, [&](const CodeRegion &region) {
             return hold(region.flops) && hold(region.bytesRead) &&
                    hold(region.bytesWritten);
           });
  }

  const CompiledFunction &function;
  const FunctionInterface &interface;
  const int64_t symbols;
};

} // namespace

std::string encode(const CompiledFunction &function) {
  Writer writer;
  writer.put(formatVersion);
  writer.put(function);
  return std::move(writer.bytes);
}

StatusOr<CompiledFunction> decodeCompiledFunction(std::string_view bytes) {
  Reader reader(bytes);
  CompiledFunction function;
  uint64_t version;
  if (!reader.get(version) || version != formatVersion ||
      !reader.get(function) || !reader.atEnd())
    return invalidArgumentError(
        "expected the bytes of a compiled function, got others");
  if (!References(function).hold())
    return invalidArgumentError(
        "expected a compiled function whose parts fit together");
  return function;
}

} // namespace kiln
