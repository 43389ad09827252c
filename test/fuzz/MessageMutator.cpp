// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Picks a place in a message by reflection and changes it.
#include "test/fuzz/MessageMutator.h"

#include "lib/IO/Wire.h"

#include <algorithm>
#include <google/protobuf/stubs/logging.h>
#include <limits>

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

namespace kiln::fuzz {
namespace {

using namespace google::protobuf;
using Words = std::vector<std::string>;

/// Messages of the tree, with the strings in them.
struct Contents {
  std::vector<Message *> messages;
  Words strings;
};

/// Bounded, since recursive messages may be nested as deep as the parser lets
/// them.
constexpr size_t maxMessages = 4096;

/// Puts the entries of a map in order, which is another in every run otherwise:
/// the same seed is to give the same message.
void sortEntries(Message &message, const FieldDescriptor *map) {
  const Reflection &reflection = *message.GetReflection();
  const FieldDescriptor *key = map->message_type()->map_key();
  auto keyOf = [&](int i) {
    const Message &entry = reflection.GetRepeatedMessage(message, map, i);
    const Reflection &fields = *entry.GetReflection();
    switch (key->cpp_type()) {
    case FieldDescriptor::CPPTYPE_UINT32:
      return std::to_string(fields.GetUInt32(entry, key));
    case FieldDescriptor::CPPTYPE_UINT64:
      return std::to_string(fields.GetUInt64(entry, key));
    default:
      return fields.GetString(entry, key);
    }
  };
  for (int i = 1; i < reflection.FieldSize(message, map); ++i)
    for (int k = i; k > 0 && keyOf(k) < keyOf(k - 1); --k)
      reflection.SwapElements(&message, map, k, k - 1);
}

Contents collect(Message &root) {
  Contents contents;
  contents.messages.push_back(&root);
  for (size_t i = 0;
       i < contents.messages.size() && contents.messages.size() < maxMessages;
       ++i) {
    Message &message = *contents.messages[i];
    const Reflection &reflection = *message.GetReflection();
    std::vector<const FieldDescriptor *> fields;
    reflection.ListFields(message, &fields);
    for (const FieldDescriptor *field : fields) {
      if (field->is_map())
        sortEntries(message, field);
      int count =
          field->is_repeated() ? reflection.FieldSize(message, field) : 1;
      for (int k = 0; k < count; ++k)
        if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE)
          contents.messages.push_back(
              field->is_repeated()
                  ? reflection.MutableRepeatedMessage(&message, field, k)
                  : reflection.MutableMessage(&message, field));
        else if (field->cpp_type() == FieldDescriptor::CPPTYPE_STRING)
          contents.strings.push_back(
              field->is_repeated()
                  ? reflection.GetRepeatedString(message, field, k)
                  : reflection.GetString(message, field));
    }
  }
  return contents;
}

class Mutator {
public:
  Mutator(Message &root, const Words &words, std::mt19937 &random)
      : root(root), words(words), random(random), contents(collect(root)) {}

  void mutateOnce() {
    Message &message = *pick(contents.messages);
    const Descriptor &type = *message.GetDescriptor();
    if (type.field_count() == 0)
      return;
    // Present fields half of the time: most fields are empty.
    std::vector<const FieldDescriptor *> present;
    message.GetReflection()->ListFields(message, &present);
    const FieldDescriptor *field = !present.empty() && below(2)
                                       ? pick(present)
                                       : type.field(below(type.field_count()));
    if (field->is_repeated())
      mutateRepeated(message, field);
    else if (message.GetReflection()->HasField(message, field) && below(6) == 0)
      message.GetReflection()->ClearField(&message, field);
    else
      set(message, field, -1);
  }

private:
  int below(int end) {
    return std::uniform_int_distribution<int>(0, end - 1)(random);
  }
  template <class T> T &pick(std::vector<T> &from) {
    return from[static_cast<size_t>(below(static_cast<int>(from.size())))];
  }

  void mutateRepeated(Message &message, const FieldDescriptor *field) {
    const Reflection &reflection = *message.GetReflection();
    int count = reflection.FieldSize(message, field);
    switch (count == 0 ? 0 : below(6)) {
    case 0:
      return add(message, field);
    case 1:
      reflection.SwapElements(&message, field, below(count), count - 1);
      return reflection.RemoveLast(&message, field);
    case 2:
      return reflection.SwapElements(&message, field, below(count),
                                     below(count));
    default:
      return set(message, field, below(count));
    }
  }

  void add(Message &message, const FieldDescriptor *field) {
    const Reflection &reflection = *message.GetReflection();
    switch (field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_MESSAGE:
      reflection.AddMessage(&message, field);
      break;
    case FieldDescriptor::CPPTYPE_STRING:
      reflection.AddString(&message, field, "");
      break;
    case FieldDescriptor::CPPTYPE_INT32:
      reflection.AddInt32(&message, field, 0);
      break;
    case FieldDescriptor::CPPTYPE_INT64:
      reflection.AddInt64(&message, field, 0);
      break;
    case FieldDescriptor::CPPTYPE_UINT32:
      reflection.AddUInt32(&message, field, 0);
      break;
    case FieldDescriptor::CPPTYPE_UINT64:
      reflection.AddUInt64(&message, field, 0);
      break;
    case FieldDescriptor::CPPTYPE_FLOAT:
      reflection.AddFloat(&message, field, 0);
      break;
    case FieldDescriptor::CPPTYPE_DOUBLE:
      reflection.AddDouble(&message, field, 0);
      break;
    case FieldDescriptor::CPPTYPE_BOOL:
      reflection.AddBool(&message, field, false);
      break;
    case FieldDescriptor::CPPTYPE_ENUM:
      reflection.AddEnumValue(&message, field, 0);
      break;
    }
    set(message, field, reflection.FieldSize(message, field) - 1);
  }

  /// Sets a field, or element `index` of a repeated one.
  void set(Message &message, const FieldDescriptor *field, int index) {
    const Reflection &reflection = *message.GetReflection();
    auto assign = [&](auto setOne, auto setElement, auto value) {
      if (index < 0)
        (reflection.*setOne)(&message, field, value);
      else
        (reflection.*setElement)(&message, field, index, value);
    };
    using R = Reflection;
    switch (field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_MESSAGE:
      return setMessage(index < 0 ? *reflection.MutableMessage(&message, field)
                                  : *reflection.MutableRepeatedMessage(
                                        &message, field, index));
    case FieldDescriptor::CPPTYPE_STRING:
      return assign(&R::SetString, &R::SetRepeatedString, word());
    case FieldDescriptor::CPPTYPE_INT32:
      return assign(&R::SetInt32, &R::SetRepeatedInt32,
                    static_cast<int32_t>(number()));
    case FieldDescriptor::CPPTYPE_INT64:
      return assign(&R::SetInt64, &R::SetRepeatedInt64, number());
    case FieldDescriptor::CPPTYPE_UINT32:
      return assign(&R::SetUInt32, &R::SetRepeatedUInt32,
                    static_cast<uint32_t>(number()));
    case FieldDescriptor::CPPTYPE_UINT64:
      return assign(&R::SetUInt64, &R::SetRepeatedUInt64,
                    static_cast<uint64_t>(number()));
    case FieldDescriptor::CPPTYPE_FLOAT:
      return assign(&R::SetFloat, &R::SetRepeatedFloat,
                    static_cast<float>(real()));
    case FieldDescriptor::CPPTYPE_DOUBLE:
      return assign(&R::SetDouble, &R::SetRepeatedDouble, real());
    case FieldDescriptor::CPPTYPE_BOOL:
      return assign(&R::SetBool, &R::SetRepeatedBool, below(2) == 1);
    case FieldDescriptor::CPPTYPE_ENUM: {
      const EnumDescriptor &type = *field->enum_type();
      int value = below(8) ? type.value(below(type.value_count()))->number()
                           : static_cast<int>(number());
      return assign(&R::SetEnumValue, &R::SetRepeatedEnumValue, value);
    }
    }
  }

  /// A copy of another message of the type, or left as it is for later.
  void setMessage(Message &message) {
    // What was there before is gone: another member of the oneof, for one.
    contents = collect(root);
    std::vector<Message *> alike;
    for (Message *other : contents.messages)
      if (other != &message &&
          other->GetDescriptor() == message.GetDescriptor())
        alike.push_back(other);
    if (alike.empty())
      return;
    std::unique_ptr<Message> copy(message.New());
    copy->CopyFrom(*pick(alike));
    message.CopyFrom(*copy);
    // What stood below the message is gone.
    contents = collect(root);
  }

  std::string word() {
    std::string text =
        below(3) == 0 && !words.empty()
            ? words[static_cast<size_t>(below(static_cast<int>(words.size())))]
        : contents.strings.empty() ? std::string("a")
                                   : pick(contents.strings);
    switch (below(12)) {
    case 0:
      return "^" + text;
    case 1:
      return text + ":" + std::to_string(below(4));
    case 2:
      return text + "/" + std::to_string(below(100));
    case 3: {
      text.resize(text.size() + 8);
      text.resize(LLVMFuzzerMutate(reinterpret_cast<uint8_t *>(text.data()),
                                   text.size() - 8, text.size()));
      return isText(text) ? text : "bytes";
    }
    default:
      return text;
    }
  }
  /// proto3 strings are UTF-8: others would never parse again.
  static bool isText(const std::string &text) {
    return std::ranges::all_of(
        text, [](unsigned char c) { return c >= 0x20 && c < 0x7f; });
  }

  int64_t number() {
    constexpr int64_t hard[] = {-1,
                                0,
                                1,
                                2,
                                3,
                                7,
                                16,
                                64,
                                65,
                                255,
                                int64_t{1} << 16,
                                (int64_t{1} << 31) - 1,
                                int64_t{1} << 31,
                                int64_t{1} << 32,
                                (int64_t{1} << 32) + 1,
                                int64_t{1} << 40,
                                int64_t{1} << 62,
                                std::numeric_limits<int64_t>::max(),
                                std::numeric_limits<int64_t>::min(),
                                -2,
                                -3};
    return below(2) ? below(8)
                    : hard[static_cast<size_t>(
                          below(static_cast<int>(std::size(hard))))];
  }
  double real() {
    constexpr double hard[] = {0.0,
                               -0.0,
                               1.0,
                               -1.0,
                               0.5,
                               3.0e38,
                               1e300,
                               1e-40,
                               -2.5,
                               88.7,
                               std::numeric_limits<double>::infinity(),
                               std::numeric_limits<double>::quiet_NaN()};
    return hard[static_cast<size_t>(below(static_cast<int>(std::size(hard))))];
  }

  Message &root;
  const Words &words;
  std::mt19937 &random;
  Contents contents;
};

} // namespace

void mutateMessage(Message &message, const Words &words, std::mt19937 &random) {
  for (int i = 0, end = 1 + static_cast<int>(random() % 4); i < end; ++i)
    Mutator(message, words, random).mutateOnce();
}

size_t mutateBinary(Message &empty, uint8_t *data, size_t size, size_t maxSize,
                    unsigned seed, const Words &words) {
  std::mt19937 random(seed);
  if (random() % 8 == 0)
    return LLVMFuzzerMutate(data, size, maxSize);
  LogSilencer silencer;
  if (!empty.ParseFromArray(data, static_cast<int>(size)))
    empty.Clear();
  mutateMessage(empty, words, random);
  auto bytes = io::serialize(empty, GraphDefFormat::Binary, maxSize);
  if (!bytes.ok())
    return LLVMFuzzerMutate(data, size, maxSize);
  std::copy(bytes->begin(), bytes->end(), data);
  return bytes->size();
}

} // namespace kiln::fuzz
