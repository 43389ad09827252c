// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The only file that knows NumPy's C interface.
#include "python/bind/Arrays.h"

#include "python/bind/Borrow.h"
#include "python/bind/Errors.h"
#include "python/bind/Objects.h"

#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#include <numpy/arrayobject.h>
#include <numpy/arrayscalars.h>

#include <array>
#include <cmath>
#include <cstddef>

namespace kiln::python {
namespace {

namespace nb = nanobind;

/// Type numbers of NumPy's own types; those of ml_dtypes are given out when it
/// is imported.
int typeNumber(DType dtype) {
  switch (dtype) {
  case DType::Float32:
    return NPY_FLOAT32;
  case DType::Float64:
    return NPY_FLOAT64;
  case DType::Float16:
    return NPY_FLOAT16;
  case DType::Int8:
    return NPY_INT8;
  case DType::Int16:
    return NPY_INT16;
  case DType::Int32:
    return NPY_INT32;
  case DType::Int64:
    return NPY_INT64;
  case DType::UInt8:
    return NPY_UINT8;
  case DType::UInt16:
    return NPY_UINT16;
  case DType::UInt32:
    return NPY_UINT32;
  case DType::UInt64:
    return NPY_UINT64;
  case DType::Bool:
    return NPY_BOOL;
  case DType::Complex64:
    return NPY_COMPLEX64;
  case DType::Complex128:
    return NPY_COMPLEX128;
  case DType::String:
    return NPY_OBJECT;
  default:
    return NPY_NOTYPE;
  }
}

/// The integer that a quantized type is, in TensorFlow's arrays the only field
/// of a structure with the type's name; none for others.
DType quantizedAs(DType dtype) {
  switch (dtype) {
  case DType::QInt8:
    return DType::Int8;
  case DType::QUInt8:
    return DType::UInt8;
  case DType::QInt16:
    return DType::Int16;
  case DType::QUInt16:
    return DType::UInt16;
  case DType::QInt32:
    return DType::Int32;
  default:
    return DType::Invalid;
  }
}

/// What numpy.dtype() takes for a type that NumPy has not. Throws.
nb::object foreignType(DType dtype) {
  std::string name(dtypeName(dtype));
  if (DType integer = quantizedAs(dtype); integer != DType::Invalid) {
    nb::list fields;
    fields.append(
        nb::make_tuple(name.c_str(), std::string(dtypeName(integer)).c_str()));
    return fields;
  }
  nb::object types = nb::module_::import_("ml_dtypes");
  if (!nb::hasattr(types, name.c_str()))
    check(unimplementedError("numpy has no type for " + name));
  return types.attr(name.c_str());
}

/// A new reference. Throws.
PyArray_Descr *descrOf(DType dtype) {
  if (int number = typeNumber(dtype); number != NPY_NOTYPE)
    return PyArray_DescrFromType(number);
  static std::array<PyArray_Descr *, 64> descrs{}; // under the GIL
  PyArray_Descr *&descr = descrs.at(static_cast<size_t>(dtype));
  if (!descr && !PyArray_DescrConverter(foreignType(dtype).ptr(), &descr))
    throw nb::python_error();
  Py_INCREF(descr);
  return descr;
}

/// By the name of ml_dtypes' type, wherever it was imported.
DType dtypeOfUserType(const PyArray_Descr *descr) {
  std::string_view name = descr->typeobj->tp_name;
  name.remove_prefix(name.rfind('.') + 1);
  return dtypeFromName(name).value_or(DType::Invalid);
}

/// The dtype of a structure that stands for a quantized type.
DType dtypeOfStructure(PyArray_Descr *descr) {
  PyObject *names = PyDataType_NAMES(descr);
  if (!names || PyTuple_GET_SIZE(names) != 1)
    return DType::Invalid;
  auto dtype = dtypeFromName(utf8(PyTuple_GET_ITEM(names, 0)));
  bool isQuantized =
      dtype && quantizedAs(*dtype) != DType::Invalid &&
      static_cast<size_t>(PyDataType_ELSIZE(descr)) == dtypeSize(*dtype);
  return isQuantized ? *dtype : DType::Invalid;
}

DType dtypeOfDescr(PyArray_Descr *descr) {
  switch (descr->type_num) {
  case NPY_FLOAT32:
    return DType::Float32;
  case NPY_FLOAT64:
    return DType::Float64;
  case NPY_FLOAT16:
    return DType::Float16;
  case NPY_INT8:
    return DType::Int8;
  case NPY_INT16:
    return DType::Int16;
  case NPY_INT32:
    return DType::Int32;
  case NPY_LONG:
  case NPY_LONGLONG:
    return DType::Int64;
  case NPY_UINT8:
    return DType::UInt8;
  case NPY_UINT16:
    return DType::UInt16;
  case NPY_UINT32:
    return DType::UInt32;
  case NPY_ULONG:
  case NPY_ULONGLONG:
    return DType::UInt64;
  case NPY_BOOL:
    return DType::Bool;
  case NPY_COMPLEX64:
    return DType::Complex64;
  case NPY_COMPLEX128:
    return DType::Complex128;
  case NPY_OBJECT:
  case NPY_STRING:
  case NPY_UNICODE:
    return DType::String;
  default:
    if (PyTypeNum_ISUSERDEF(descr->type_num))
      return dtypeOfUserType(descr);
    return descr->type_num == NPY_VOID ? dtypeOfStructure(descr)
                                       : DType::Invalid;
  }
}

Shape shapeOf(PyArrayObject *array) {
  static_assert(sizeof(npy_intp) == sizeof(int64_t));
  return Shape(std::span<const int64_t>(
      reinterpret_cast<const int64_t *>(PyArray_DIMS(array)),
      static_cast<size_t>(PyArray_NDIM(array))));
}

Tensor borrowArray(PyArrayObject *array, DType dtype) {
  BufferRef buffer =
      borrowFrom(reinterpret_cast<PyObject *>(array), PyArray_DATA(array),
                 static_cast<size_t>(PyArray_NBYTES(array)));
  if (!buffer)
    throw std::bad_alloc();
  return check(Tensor::fromBuffer(dtype, shapeOf(array), std::move(buffer)));
}

Tensor copyStrings(PyArrayObject *array) {
  Tensor tensor = check(Tensor::create(DType::String, shapeOf(array)));
  std::span<String> texts = tensor.mutableData<String>();
  auto **items = static_cast<PyObject **>(PyArray_DATA(array));
  for (size_t i = 0; i < texts.size(); ++i) {
    std::string_view bytes;
    if (items[i] && PyBytes_Check(items[i]))
      bytes = {PyBytes_AS_STRING(items[i]),
               static_cast<size_t>(PyBytes_GET_SIZE(items[i]))};
    else if (items[i] && PyUnicode_Check(items[i]))
      bytes = utf8(items[i]);
    else
      throw nb::type_error(("expected bytes or str as elements of a string "
                            "tensor, got " +
                            (items[i] ? typeName(items[i]) : "nothing"))
                               .c_str());
    texts[i] = check(String::create(bytes));
  }
  return tensor;
}

/// What has no array interface may have DLPack's.
nb::object viaDLPack(PyObject *value) {
  if (PyArray_Check(value) || PyArray_CheckAnyScalar(value) ||
      PyList_Check(value) || PyTuple_Check(value) ||
      PyObject_HasAttrString(value, "__array__") ||
      !PyObject_HasAttrString(value, "__dlpack__"))
    return nb::borrow(value);
  return nb::module_::import_("numpy").attr("from_dlpack")(nb::handle(value));
}

/// numpy.asarray(value, dtype), in row-major order and aligned.
nb::object asArray(PyObject *value, DType dtype) {
  nb::object source = viaDLPack(value);
  PyArray_Descr *descr = dtype == DType::Invalid ? nullptr : descrOf(dtype);
  return owned(PyArray_FromAny(source.ptr(), descr, 0, 0,
                               NPY_ARRAY_CARRAY_RO | NPY_ARRAY_NOTSWAPPED |
                                   NPY_ARRAY_FORCECAST | NPY_ARRAY_ENSUREARRAY,
                               nullptr));
}

/// The value as a scalar tensor where it is one already: a scalar of NumPy's
/// of that very type, or a float that the type can hold. An invalid tensor for
/// all others. What NumPy would make of it, without an array in between.
Tensor scalarOf(PyObject *value, DType dtype) {
  bool isFloat = PyFloat_CheckExact(value);
  if (isFloat && dtype == DType::Float32) {
    auto number = static_cast<float>(PyFloat_AS_DOUBLE(value));
    return std::isfinite(number) ? Tensor::scalar(number) : Tensor();
  }
  int type = typeNumber(dtype);
  if (type == NPY_NOTYPE || type == NPY_OBJECT)
    return {};
  nb::object descr = numpyDType(dtype);
  bool isScalar =
      Py_TYPE(value) == reinterpret_cast<PyArray_Descr *>(descr.ptr())->typeobj;
  if (!isScalar && !(isFloat && dtype == DType::Float64))
    return {};
  // Python's float and NumPy's scalars have their value where PyObject ends.
  static_assert(offsetof(PyFloatScalarObject, obval) == sizeof(PyObject) &&
                offsetof(PyCDoubleScalarObject, obval) == sizeof(PyObject) &&
                offsetof(PyFloatObject, ob_fval) == sizeof(PyObject));
  BufferRef buffer = borrowFrom(value, value + 1, dtypeSize(dtype));
  if (!buffer)
    throw std::bad_alloc();
  return check(Tensor::fromBuffer(dtype, {}, std::move(buffer)));
}

PyObject *arrayOfStrings(const Tensor &tensor) {
  std::span<const String> texts = tensor.data<String>();
  auto bytesOf = [](std::string_view bytes) {
    return PyBytes_FromStringAndSize(bytes.data(),
                                     static_cast<Py_ssize_t>(bytes.size()));
  };
  if (tensor.rank() == 0)
    return bytesOf(texts[0]);
  nb::object array = owned(PyArray_SimpleNew(
      tensor.rank(),
      reinterpret_cast<const npy_intp *>(tensor.shape().dims().data()),
      NPY_OBJECT));
  auto **items = static_cast<PyObject **>(
      PyArray_DATA(reinterpret_cast<PyArrayObject *>(array.ptr())));
  for (size_t i = 0; i < texts.size(); ++i) {
    PyObject *item = bytesOf(texts[i]);
    if (!item)
      return nullptr;
    Py_XSETREF(items[i], item);
  }
  return array.release().ptr();
}

void dropBuffer(PyObject *capsule) {
  BufferRef::adopt(
      static_cast<Buffer *>(PyCapsule_GetPointer(capsule, nullptr)));
}

/// Whether nobody else has the memory: Kiln's own, or an array's that nothing
/// but the tensor holds, as those that a callback returned.
bool mayBeWritten(Tensor &tensor) {
  if (!tensor.isUnique())
    return false;
  if (tensor.mutableRawData())
    return true;
  PyObject *object = solelyBorrowed(*tensor.bufferRef().get());
  return object && PyArray_CheckExact(object) &&
         PyArray_CHKFLAGS(reinterpret_cast<PyArrayObject *>(object),
                          NPY_ARRAY_OWNDATA | NPY_ARRAY_WRITEABLE);
}

/// Takes the tensor's reference over.
PyObject *arrayOnBuffer(Tensor &&tensor, PyArray_Descr *descr) {
  bool writable = mayBeWritten(tensor);
  PyObject *array = PyArray_NewFromDescr(
      &PyArray_Type, descr, tensor.rank(),
      reinterpret_cast<const npy_intp *>(tensor.shape().dims().data()), nullptr,
      const_cast<void *>(tensor.rawData()),
      writable ? NPY_ARRAY_CARRAY : NPY_ARRAY_CARRAY_RO, nullptr);
  if (!array)
    return nullptr;
  Buffer *buffer = tensor.bufferRef().get();
  PyObject *capsule = PyCapsule_New(buffer, nullptr, dropBuffer);
  if (!capsule) {
    Py_DECREF(array);
    return nullptr;
  }
  buffer->references.fetch_add(1, std::memory_order_relaxed);
  if (PyArray_SetBaseObject(reinterpret_cast<PyArrayObject *>(array), capsule) <
      0)
    Py_CLEAR(array);
  return array;
}

} // namespace

void importNumPy() {
  if (_import_array() < 0)
    throw nb::python_error();
}

Tensor tensorFromPython(PyObject *value, DType dtype) {
  if (PyArray_CheckExact(value)) {
    auto *array = reinterpret_cast<PyArrayObject *>(value);
    DType own = dtypeOfDescr(PyArray_DESCR(array));
    if ((own == dtype || dtype == DType::Invalid) && own != DType::Invalid &&
        own != DType::String && PyArray_ISCARRAY_RO(array)) [[likely]]
      return borrowArray(array, own);
  }
  if (Tensor scalar = scalarOf(value, dtype); scalar.isValid())
    return scalar;
  nb::object made = asArray(value, dtype);
  auto *array = reinterpret_cast<PyArrayObject *>(made.ptr());
  DType own = dtypeOfDescr(PyArray_DESCR(array));
  if (own == DType::Invalid)
    throw nb::type_error(
        ("expected an array of a type that kiln has, got " +
         std::string(nb::str(nb::handle(reinterpret_cast<PyObject *>(
                                 PyArray_DESCR(array))))
                         .c_str()))
            .c_str());
  if (own != DType::String)
    return borrowArray(array, own);
  if (PyArray_DESCR(array)->type_num != NPY_OBJECT)
    made = asArray(value, DType::String);
  return copyStrings(reinterpret_cast<PyArrayObject *>(made.ptr()));
}

PyObject *arrayFromTensor(Tensor &&tensor, QuantizedForm form) {
  try {
    if (!tensor.isValid())
      return Py_NewRef(Py_None);
    if (tensor.dtype() == DType::String)
      return arrayOfStrings(tensor);
    DType integer = quantizedAs(tensor.dtype());
    bool isInteger =
        form == QuantizedForm::Integers && integer != DType::Invalid;
    PyArray_Descr *descr = descrOf(isInteger ? integer : tensor.dtype());
    if (tensor.rank() == 0) {
      PyObject *scalar =
          PyArray_Scalar(const_cast<void *>(tensor.rawData()), descr, nullptr);
      Py_DECREF(descr);
      return scalar;
    }
    return arrayOnBuffer(std::move(tensor), descr);
  } catch (nb::python_error &error) {
    error.restore();
  } catch (const std::exception &error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
  return nullptr;
}

nb::object numpyDType(DType dtype) {
  return nb::steal(reinterpret_cast<PyObject *>(descrOf(dtype)));
}

DType dtypeFromPython(nb::handle dtype) {
  PyArray_Descr *descr = nullptr;
  if (!PyArray_DescrConverter(dtype.ptr(), &descr))
    throw nb::python_error();
  nb::object holder = nb::steal(reinterpret_cast<PyObject *>(descr));
  return dtypeOfDescr(descr);
}

} // namespace kiln::python
