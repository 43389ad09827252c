// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A .npy file is the magic "\x93NUMPY", two version bytes, the header's length
// (two bytes, from version 2 on four), the header, a Python dict such as
// {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }, and the
// elements.
#include "tools/common/Npy.h"

#include "lib/Support/DataMemory.h"
#include "lib/Support/File.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>
#include <vector>

namespace kiln {
namespace {

constexpr std::string_view magic("\x93NUMPY", 6);
constexpr uint32_t maxItemBytes = 1u << 28;

struct TypeCode {
  std::string_view code;
  DType dtype;
};
constexpr TypeCode typeCodes[] = {
    {"|b1", DType::Bool},
    {"|i1", DType::Int8},
    {"|u1", DType::UInt8},
    {"<i2", DType::Int16},
    {"<u2", DType::UInt16},
    {"<f2", DType::Float16},
    {"<i4", DType::Int32},
    {"<u4", DType::UInt32},
    {"<f4", DType::Float32},
    {"<i8", DType::Int64},
    {"<u8", DType::UInt64},
    {"<f8", DType::Float64},
    {"<c8", DType::Complex64},
    {"<c16", DType::Complex128},
    // What NumPy writes for the type of ml_dtypes, which it does not know.
    {"|V2", DType::BFloat16},
    {"<V2", DType::BFloat16},
};

struct Header {
  DType dtype = DType::Invalid;
  size_t itemBytes = 0;
  bool isUnicode = false; ///< of strings: items of UTF-32
  bool isSwapped = false; ///< big endian
  bool fortranOrder = false;
  Shape shape;
};

Status badFile(std::string what) {
  return invalidArgumentError("not a .npy file: " + std::move(what));
}

/// Reads the header's dict, front to back.
class HeaderParser {
public:
  explicit HeaderParser(std::string_view text) : rest(text) {}

  StatusOr<Header> parse() {
    Header header;
    bool haveDescr = false, haveOrder = false, haveShape = false;
    if (!take("{"))
      return badFile("expected a dict as header");
    while (!take("}")) {
      std::optional<std::string_view> key = takeString();
      if (!key || !take(":"))
        return badFile("expected a key in the header");
      if (*key == "descr") {
        KILN_RETURN_IF_ERROR(parseType(header));
        haveDescr = true;
      } else if (*key == "fortran_order") {
        header.fortranOrder = take("True");
        if (!header.fortranOrder && !take("False"))
          return badFile("expected True or False as fortran_order");
        haveOrder = true;
      } else if (*key == "shape") {
        KILN_ASSIGN_OR_RETURN(header.shape, parseShape());
        haveShape = true;
      } else {
        return badFile("unknown key " + quote(*key) + " in the header");
      }
      if (!take(",") && !rest.starts_with('}'))
        return badFile("expected ',' or '}' in the header");
      skipSpace();
    }
    skipSpace();
    if (!rest.empty() || !haveDescr || !haveOrder || !haveShape)
      return badFile("expected descr, fortran_order and shape as header");
    return header;
  }

private:
  void skipSpace() {
    while (!rest.empty() && (rest.front() == ' ' || rest.front() == '\n'))
      rest.remove_prefix(1);
  }
  bool take(std::string_view token) {
    skipSpace();
    if (!rest.starts_with(token))
      return false;
    rest.remove_prefix(token.size());
    skipSpace();
    return true;
  }
  std::optional<std::string_view> takeString() {
    skipSpace();
    if (rest.empty() || (rest.front() != '\'' && rest.front() != '"'))
      return std::nullopt;
    size_t end = rest.find(rest.front(), 1);
    if (end == rest.npos)
      return std::nullopt;
    std::string_view text = rest.substr(1, end - 1);
    rest.remove_prefix(end + 1);
    return text;
  }
  Status parseType(Header &header) {
    std::optional<std::string_view> code = takeString();
    if (!code)
      return unimplementedError("structured .npy arrays are not supported");
    // NumPy's first character is the order of bytes: '|' where there is none.
    header.isSwapped = code->starts_with('>');
    std::string little(*code);
    if (header.isSwapped)
      little.front() = '<';
    for (const TypeCode &entry : typeCodes)
      if (little == entry.code) {
        header.dtype = entry.dtype;
        header.itemBytes = dtypeSize(entry.dtype);
        return okStatus();
      }
    if (code->starts_with("|S") || little.starts_with("<U"))
      return parseStringType(code->substr(2), (*code)[1] == 'U', header);
    if (*code == "|O")
      return unimplementedError("arrays of objects are Python pickles; save "
                                "strings as array.astype('S')");
    return unimplementedError("expected an array of numbers or strings, got "
                              "the NumPy type " +
                              quote(*code));
  }
  static Status parseStringType(std::string_view length, bool isUnicode,
                                Header &header) {
    uint32_t count = 0;
    auto [end, error] =
        std::from_chars(length.data(), length.data() + length.size(), count);
    if (error != std::errc() || end != length.data() + length.size() ||
        count > maxItemBytes)
      return badFile(strCat("expected the length of the strings to be at most ",
                            maxItemBytes, ", got ", quote(length)));
    header.dtype = DType::String;
    header.isUnicode = isUnicode;
    header.itemBytes = size_t{count} * (isUnicode ? 4 : 1);
    return okStatus();
  }
  StatusOr<Shape> parseShape() {
    std::vector<int64_t> dims;
    if (!take("("))
      return badFile("expected a tuple as shape");
    while (!take(")")) {
      int64_t dim = 0;
      auto [end, error] =
          std::from_chars(rest.data(), rest.data() + rest.size(), dim);
      if (error != std::errc() || dim < 0)
        return badFile("expected dimensions in the shape");
      rest.remove_prefix(static_cast<size_t>(end - rest.data()));
      dims.push_back(dim);
      if (!take(",") && !rest.starts_with(')'))
        return badFile("expected ',' or ')' in the shape");
    }
    return Shape::fromDims(dims);
  }

  std::string_view rest;
};

/// Copies `count` elements whose first axis varies fastest into row-major
/// order.
void copyFromFortranOrder(const char *from, char *out, const Shape &to,
                          int64_t count, size_t size) {
  int rank = to.rank();
  std::vector<int64_t> index(static_cast<size_t>(rank), 0);
  for (int64_t i = 0; i < count; ++i) {
    int64_t source = 0;
    for (int axis = rank - 1; axis >= 0; --axis)
      source = source * to.dim(axis) + index[static_cast<size_t>(axis)];
    std::memcpy(out + static_cast<size_t>(i) * size,
                from + static_cast<size_t>(source) * size, size);
    for (int axis = rank - 1; axis >= 0; --axis) {
      if (++index[static_cast<size_t>(axis)] < to.dim(axis))
        break;
      index[static_cast<size_t>(axis)] = 0;
    }
  }
}

/// How many bytes a code point takes as UTF-8; 0 for one that has no such form.
size_t utf8Size(uint32_t code) {
  if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
    return 0;
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}

/// Writes a code point of `size` bytes; returns the end.
char *writeUtf8(uint32_t code, size_t size, char *out) {
  constexpr uint8_t leads[] = {0, 0, 0xc0, 0xe0, 0xf0};
  for (size_t i = 0; i < size; ++i) {
    uint32_t bits = code >> (6 * (size - 1 - i));
    *out++ =
        static_cast<char>(i == 0 ? leads[size] | bits : 0x80 | (bits & 0x3f));
  }
  return out;
}

/// One item: its bytes without the zeros at the end, or its code points as
/// UTF-8.
StatusOr<String> parseItem(std::string_view item, const Header &header) {
  if (!header.isUnicode)
    return String::create(item.substr(0, item.find_last_not_of('\0') + 1));
  auto codeAt = [&](size_t i) {
    uint32_t code = 0;
    std::memcpy(&code, item.data() + 4 * i, sizeof code);
    return header.isSwapped ? __builtin_bswap32(code) : code;
  };
  size_t count = item.size() / 4, bytes = 0;
  while (count > 0 && codeAt(count - 1) == 0)
    --count;
  for (size_t i = 0; i < count; ++i) {
    size_t size = utf8Size(codeAt(i));
    if (size == 0)
      return badFile(strCat("expected Unicode, got code point ", codeAt(i)));
    bytes += size;
  }
  char *out = nullptr;
  KILN_ASSIGN_OR_RETURN(String text, String::create(bytes, out));
  for (size_t i = 0; i < count; ++i)
    out = writeUtf8(codeAt(i), utf8Size(codeAt(i)), out);
  return text;
}

Status parseStrings(std::string_view items, const Header &header,
                    Tensor &tensor) {
  std::span<String> strings = tensor.mutableData<String>();
  for (size_t i = 0; i < strings.size(); ++i) {
    KILN_ASSIGN_OR_RETURN(
        strings[i],
        parseItem(items.substr(i * header.itemBytes, header.itemBytes),
                  header));
  }
  return okStatus();
}

/// The items of a string tensor, each as long as the longest.
StatusOr<BufferRef> stringItems(const Tensor &tensor, size_t itemBytes) {
  size_t bytes = static_cast<size_t>(tensor.numElements()) * itemBytes;
  BufferRef items = allocateBuffer(bytes);
  if (!items)
    return outOfMemory("the items of an array of strings", bytes);
  auto *out = static_cast<char *>(items->data);
  for (std::string_view text : tensor.data<String>()) {
    if (text.ends_with('\0'))
      return unimplementedError("a string that ends in a zero byte cannot "
                                "stand in a .npy file");
    std::memset(std::ranges::copy(text, out).out, '\0',
                itemBytes - text.size());
    out += itemBytes;
  }
  return items;
}

void swapBytes(char *elements, size_t count, size_t size) {
  for (char *end = elements + count * size; elements < end; elements += size)
    std::reverse(elements, elements + size);
}

/// Fills the tensor with `elements` of the header's form. **Errors**: as
/// parseNpy().
Status fillTensor(std::string_view elements, const Header &header,
                  Tensor &tensor) {
  auto count = static_cast<size_t>(tensor.numElements());
  size_t size = header.itemBytes;
  auto arrange = [&](char *out) {
    if (header.fortranOrder)
      copyFromFortranOrder(elements.data(), out, header.shape,
                           tensor.numElements(), size);
    else if (!elements.empty())
      std::memcpy(out, elements.data(), elements.size());
  };
  if (header.dtype != DType::String) {
    auto *data = static_cast<char *>(tensor.mutableRawData());
    arrange(data);
    if (header.isSwapped)
      swapBytes(data, count, size);
    return okStatus();
  }
  if (!header.fortranOrder)
    return parseStrings(elements, header, tensor);
  BufferRef rowMajor = allocateBuffer(elements.size());
  if (!rowMajor)
    return outOfMemory("an array's items in C order", elements.size());
  arrange(static_cast<char *>(rowMajor->data));
  return parseStrings({static_cast<char *>(rowMajor->data), elements.size()},
                      header, tensor);
}

} // namespace

StatusOr<Tensor> parseNpy(std::string_view bytes) {
  if (bytes.size() < 10 || !bytes.starts_with(magic))
    return badFile("the magic bytes are missing");
  auto byteAt = [&](size_t i) {
    return size_t{static_cast<uint8_t>(bytes[i])};
  };
  size_t version = byteAt(6);
  if (version < 1 || version > 3)
    return badFile(strCat("expected version 1 to 3, got ", version));
  size_t lengthBytes = version == 1 ? 2 : 4;
  size_t start = 8 + lengthBytes;
  if (bytes.size() < start)
    return badFile("it ends in the header");
  size_t headerBytes = 0;
  for (size_t i = 0; i < lengthBytes; ++i)
    headerBytes |= byteAt(8 + i) << (8 * i);
  if (bytes.size() - start < headerBytes)
    return badFile("it ends in the header");
  KILN_ASSIGN_OR_RETURN(Header header,
                        HeaderParser(bytes.substr(start, headerBytes)).parse());

  std::string_view elements = bytes.substr(start + headerBytes);
  KILN_ASSIGN_OR_RETURN(int64_t count, header.shape.numElements());
  size_t size = header.itemBytes;
  bool fits = size == 0
                  ? count == 0 && elements.empty()
                  : static_cast<uint64_t>(count) == elements.size() / size &&
                        elements.size() % size == 0;
  if (!fits)
    return badFile(strCat("expected ", count, " elements for shape ",
                          header.shape.toString(), ", got ", elements.size(),
                          " bytes"));
  if (header.dtype == DType::Bool)
    for (char element : elements)
      if (element != 0 && element != 1)
        return badFile("expected 0 or 1 as bool");
  KILN_ASSIGN_OR_RETURN(Tensor tensor,
                        Tensor::create(header.dtype, header.shape));
  KILN_RETURN_IF_ERROR(fillTensor(elements, header, tensor));
  return tensor;
}

StatusOr<Tensor> readNpy(const std::string &path, size_t maxFileBytes) {
  KILN_ASSIGN_OR_RETURN(FileBytes bytes, readFile(path, maxFileBytes));
  StatusOr<Tensor> tensor = parseNpy(bytes.view());
  if (!tensor.ok())
    return Status(tensor.status().code(),
                  strCat(path, ": ", tensor.status().message()));
  return tensor;
}

namespace {

Status write(const std::string &path, const Tensor &tensor) {
  std::string code;
  BufferRef strings;
  for (const TypeCode &entry : typeCodes)
    if (entry.dtype == tensor.dtype())
      code = entry.code;
  if (tensor.dtype() == DType::String) {
    size_t longest = 1;
    for (std::string_view text : tensor.data<String>())
      longest = std::max(longest, text.size());
    code = strCat("|S", longest);
    KILN_ASSIGN_OR_RETURN(strings, stringItems(tensor, longest));
  }
  if (code.empty())
    return unimplementedError(
        strCat("NumPy has no type for ", dtypeName(tensor.dtype())));
  std::string header =
      strCat("{'descr': '", code, "', 'fortran_order': False, 'shape': ",
             tensor.shape().toTupleString(), ", }");
  // The elements begin at a multiple of 64 bytes, the header ends in '\n'.
  size_t used = magic.size() + 4 + header.size() + 1;
  header.append((64 - used % 64) % 64, ' ');
  header += '\n';
  if (header.size() > 0xffff)
    return unimplementedError("the shape is too long for a .npy file");

  std::string start(magic);
  start += '\1';
  start += '\0';
  start += static_cast<char>(header.size() & 0xff);
  start += static_cast<char>(header.size() >> 8);
  start += header;
  std::string_view elements;
  if (strings)
    elements = {static_cast<const char *>(strings->data), strings->bytes};
  else
    elements = {static_cast<const char *>(tensor.rawData()), tensor.byteSize()};
  return writeFileAtomically(path, start, elements);
}

} // namespace

Status writeNpy(const std::string &path, const Tensor &tensor) {
  Status status = write(path, tensor);
  if (status.ok() || status.message().find(path) != std::string::npos)
    return status;
  return Status(status.code(), strCat(path, ": ", status.message()));
}

} // namespace kiln
