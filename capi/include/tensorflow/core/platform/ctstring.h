// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The elements of string tensors as C code sees them: 24 bytes whose two lowest
// bits say where the text is. A small one is inside, a large one in memory of
// malloc(); an offset counts from the element itself, and a view is of memory
// that is somebody else's. The text of the first two ends with a zero.
#ifndef KILN_CAPI_INCLUDE_TENSORFLOW_CORE_PLATFORM_CTSTRING_H
#define KILN_CAPI_INCLUDE_TENSORFLOW_CORE_PLATFORM_CTSTRING_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if !defined(__BYTE_ORDER__) || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the lowest bits come first on little-endian machines alone"
#endif

typedef enum TF_TString_Type {
  TF_TSTR_SMALL = 0,
  TF_TSTR_LARGE = 1,
  TF_TSTR_OFFSET = 2,
  TF_TSTR_VIEW = 3,
  TF_TSTR_TYPE_MASK = 3
} TF_TString_Type;

enum { TF_TString_SmallCapacity = 22 };

// All sizes are shifted by the two bits.
typedef struct TF_TString_Small {
  uint8_t size;
  char str[TF_TString_SmallCapacity + 1];
} TF_TString_Small;
typedef struct TF_TString_Large {
  size_t size;
  size_t cap; // without the zero
  char *ptr;
} TF_TString_Large;
typedef struct TF_TString_Offset {
  uint32_t size;
  uint32_t offset;
  uint32_t count;
} TF_TString_Offset;
typedef struct TF_TString_View {
  size_t size;
  const char *ptr;
  // TensorFlow 2.21 counts references of an owner here. Programs that older
  // headers were compiled into leave whatever was there, so nothing reads it.
  void *owner_ref;
} TF_TString_View;
typedef struct TF_TString_Raw {
  uint8_t raw[24];
} TF_TString_Raw;

typedef struct TF_TString {
  union {
    TF_TString_Small smll;
    TF_TString_Large large;
    TF_TString_Offset offset;
    TF_TString_View view;
    TF_TString_Raw raw;
  } u;
} TF_TString;

static inline TF_TString_Type TF_TString_GetType(const TF_TString *str) {
  return (TF_TString_Type)(str->u.raw.raw[0] & TF_TSTR_TYPE_MASK);
}

static inline void TF_TString_Init(TF_TString *str) {
  memset(str, 0, sizeof(*str));
}

static inline void TF_TString_Dealloc(TF_TString *str) {
  if (TF_TString_GetType(str) != TF_TSTR_LARGE)
    return;
  free(str->u.large.ptr);
  TF_TString_Init(str);
}

static inline size_t TF_TString_GetSize(const TF_TString *str) {
  TF_TString_Type type = TF_TString_GetType(str);
  if (type == TF_TSTR_SMALL)
    return str->u.smll.size >> 2;
  return type == TF_TSTR_OFFSET ? str->u.offset.size >> 2
                                : str->u.large.size >> 2;
}

static inline size_t TF_TString_GetCapacity(const TF_TString *str) {
  TF_TString_Type type = TF_TString_GetType(str);
  if (type == TF_TSTR_SMALL)
    return TF_TString_SmallCapacity;
  return type == TF_TSTR_LARGE ? str->u.large.cap : 0;
}

static inline const char *TF_TString_GetDataPointer(const TF_TString *str) {
  switch (TF_TString_GetType(str)) {
  case TF_TSTR_SMALL:
    return str->u.smll.str;
  case TF_TSTR_LARGE:
    return str->u.large.ptr;
  case TF_TSTR_OFFSET:
    return (const char *)str + str->u.offset.offset;
  default:
    return str->u.view.ptr;
  }
}

// Makes the string a large one with room for capacity bytes, rounded up so that
// blocks are of 16; it keeps the text. Returns null, and changes nothing, where
// there is no memory.
static inline char *TF_TString_MakeLarge(TF_TString *str, size_t capacity) {
  size_t size = TF_TString_GetSize(str);
  int is_large = TF_TString_GetType(str) == TF_TSTR_LARGE;
  size_t block = (capacity + 16) & ~(size_t)15;
  if (block <= capacity)
    return NULL;
  if (is_large && str->u.large.cap == block - 1)
    return str->u.large.ptr;
  char *text = (char *)realloc(is_large ? str->u.large.ptr : NULL, block);
  if (!text)
    return NULL;
  if (!is_large && size)
    memcpy(text, TF_TString_GetDataPointer(str), size);
  str->u.large.ptr = text;
  str->u.large.cap = block - 1;
  str->u.large.size = size << 2 | TF_TSTR_LARGE;
  text[size < block ? size : block - 1] = '\0';
  return text;
}

// Keeps as much of the text as fits; what is new is not written. Null where
// there is no memory.
static inline char *TF_TString_ResizeUninitialized(TF_TString *str,
                                                   size_t new_size) {
  size_t old_size = TF_TString_GetSize(str);
  size_t capacity = TF_TString_GetCapacity(str);
  if (new_size <= TF_TString_SmallCapacity) {
    if (TF_TString_GetType(str) != TF_TSTR_SMALL) {
      TF_TString made;
      TF_TString_Init(&made);
      size_t kept = old_size < new_size ? old_size : new_size;
      if (kept)
        memcpy(made.u.smll.str, TF_TString_GetDataPointer(str), kept);
      TF_TString_Dealloc(str);
      *str = made;
    }
    str->u.smll.size = (uint8_t)(new_size << 2);
    str->u.smll.str[new_size] = '\0';
    return str->u.smll.str;
  }
  // A text that loses much gives half of its memory back.
  if (new_size < old_size && new_size < capacity / 2)
    capacity = capacity / 2;
  else if (new_size > capacity)
    capacity = new_size;
  if (!TF_TString_MakeLarge(str, capacity))
    return NULL;
  str->u.large.size = new_size << 2 | TF_TSTR_LARGE;
  str->u.large.ptr[new_size] = '\0';
  return str->u.large.ptr;
}

static inline char *TF_TString_Resize(TF_TString *str, size_t new_size,
                                      char c) {
  size_t old_size = TF_TString_GetSize(str);
  char *text = TF_TString_ResizeUninitialized(str, new_size);
  if (text && new_size > old_size)
    memset(text + old_size, c, new_size - old_size);
  return text;
}

static inline char *TF_TString_GetMutableDataPointer(TF_TString *str) {
  TF_TString_Type type = TF_TString_GetType(str);
  if (type == TF_TSTR_OFFSET || type == TF_TSTR_VIEW)
    return TF_TString_ResizeUninitialized(str, TF_TString_GetSize(str));
  return type == TF_TSTR_SMALL ? str->u.smll.str : str->u.large.ptr;
}

static inline void TF_TString_Reserve(TF_TString *str, size_t new_cap) {
  size_t size = TF_TString_GetSize(str);
  if (new_cap > TF_TString_SmallCapacity &&
      new_cap > TF_TString_GetCapacity(str))
    (void)TF_TString_MakeLarge(str, new_cap > size ? new_cap : size);
}

static inline void TF_TString_ReserveAmortized(TF_TString *str,
                                               size_t new_cap) {
  size_t twice = 2 * TF_TString_GetCapacity(str);
  if (new_cap > twice / 2)
    TF_TString_Reserve(str, new_cap > twice ? new_cap : twice);
}

static inline void TF_TString_AssignView(TF_TString *dst, const char *src,
                                         size_t size) {
  TF_TString_Dealloc(dst);
  TF_TString_Init(dst);
  dst->u.view.size = size << 2 | TF_TSTR_VIEW;
  dst->u.view.ptr = src;
}

static inline void TF_TString_AppendN(TF_TString *dst, const char *src,
                                      size_t size) {
  size_t old_size = TF_TString_GetSize(dst);
  if (!size)
    return;
  TF_TString_ReserveAmortized(dst, old_size + size);
  char *text = TF_TString_ResizeUninitialized(dst, old_size + size);
  if (text)
    memcpy(text + old_size, src, size);
}

static inline void TF_TString_Append(TF_TString *dst, const TF_TString *src) {
  TF_TString_AppendN(dst, TF_TString_GetDataPointer(src),
                     TF_TString_GetSize(src));
}

static inline void TF_TString_Copy(TF_TString *dst, const char *src,
                                   size_t size) {
  char *text = TF_TString_ResizeUninitialized(dst, size);
  if (text && size)
    memcpy(text, src, size);
}

// A copy of an offset is a view of the same text, as is one of a view.
static inline void TF_TString_Assign(TF_TString *dst, const TF_TString *src) {
  TF_TString_Type type = TF_TString_GetType(src);
  if (dst == src)
    return;
  TF_TString_Dealloc(dst);
  if (type == TF_TSTR_LARGE)
    TF_TString_Copy(dst, TF_TString_GetDataPointer(src),
                    TF_TString_GetSize(src));
  else if (type == TF_TSTR_SMALL)
    *dst = *src;
  else
    TF_TString_AssignView(dst, TF_TString_GetDataPointer(src),
                          TF_TString_GetSize(src));
}

static inline void TF_TString_Move(TF_TString *dst, TF_TString *src) {
  if (dst == src)
    return;
  if (TF_TString_GetType(src) != TF_TSTR_LARGE) {
    TF_TString_Assign(dst, src);
    return;
  }
  TF_TString_Dealloc(dst);
  *dst = *src;
  TF_TString_Init(src);
}

#endif // KILN_CAPI_INCLUDE_TENSORFLOW_CORE_PLATFORM_CTSTRING_H
