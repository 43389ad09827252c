// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A graph's collections: one list of items for C++ and Python.
#include "python/bind/front/Collections.h"

#include "python/bind/Gil.h"
#include "python/bind/Objects.h"
#include "python/bind/front/Call.h"

#include <nanobind/stl/string.h>

namespace kiln::python::front {
namespace nb = nanobind;
namespace {

/// What stands for an item in Python.
struct Companion {
  nb::object object;
};

/// An item that Python has no object for: C++ alone looks into it.
struct OpaqueItem {
  CollectionItem item;
};

std::vector<ItemKind> &kinds() {
  static std::vector<ItemKind> all;
  return all;
}

PyObject *objectIn(const CollectionItem &item) {
  const auto *held = std::any_cast<Companion>(&item.companion);
  return held ? held->object.ptr() : nullptr;
}

/// What texts and numbers are in C++.
std::any plainValue(PyObject *object) {
  if (PyUnicode_Check(object) || PyBytes_Check(object))
    return textFrom(object);
  if (PyLong_Check(object)) {
    int overflow = 0;
    int64_t number = PyLong_AsLongLongAndOverflow(object, &overflow);
    return overflow ? std::any() : std::any(number);
  }
  if (PyFloat_Check(object))
    return static_cast<float>(PyFloat_AS_DOUBLE(object));
  return {};
}

/// What scopes filter by: the object's name, if it has one.
std::string nameOf(nb::handle object) {
  if (!nb::hasattr(object, "name"))
    return {};
  nb::object name = object.attr("name");
  return PyUnicode_Check(name.ptr()) ? std::string(utf8(name.ptr()))
                                     : std::string();
}

nb::list itemsOf(const GraphObject &graph, const std::string &key,
                 const std::string &scope) {
  // The objects of the items that have none yet stay with them. Making one may
  // call anything.
  for (size_t i = 0; i < graph.builder.collectionRef(key).size(); ++i) {
    CollectionItem item = graph.builder.collectionRef(key)[i];
    if (objectIn(item))
      continue;
    std::ignore = objectOf(item);
    if (i < graph.builder.collectionRef(key).size())
      graph.builder.collectionRef(key)[i].companion = item.companion;
  }
  nb::list items;
  for (CollectionItem &item : graph.builder.collection(key, scope))
    items.append(objectOf(item));
  return items;
}

void setItems(GraphObject &graph, const std::string &key,
              const nb::list &objects) {
  std::vector<CollectionItem> items;
  for (nb::handle object : objects)
    items.push_back(itemFrom(object));
  graph.builder.collectionRef(key) = std::move(items);
}

} // namespace

int visitCollections(const GraphBuilder &graph, visitproc visit, void *arg) {
  if (graph.outer())
    return 0; // they are the root's
  for (const std::string &key : graph.collectionKeys())
    for (const CollectionItem &item : graph.collectionRef(key))
      Py_VISIT(objectIn(item));
  return 0;
}

void clearCollections(const GraphBuilder &graph) {
  if (graph.outer())
    return;
  for (const std::string &key : graph.collectionKeys()) {
    std::vector<CollectionItem> dropped;
    std::swap(dropped, graph.collectionRef(key));
  }
}

CollectionItem itemFrom(nb::handle object) {
  if (VariableObject *variable = variableFrom(object.ptr()))
    return {variable->variable.name(), variable->variable};
  if (TensorObject *tensor = tensorFrom(object.ptr()))
    return {tensor->output.name(), tensor->output};
  if (OperationObject *operation = operationFrom(object.ptr()))
    return {operation->node->name(), operation->node};
  const OpaqueItem *opaque;
  if (nb::try_cast(object, opaque) && opaque)
    return opaque->item;
  CollectionItem item{nameOf(object), plainValue(object.ptr()),
                      Companion{nb::borrow(object)}};
  for (const ItemKind &kind : kinds())
    if (!item.value.has_value())
      item.value = kind.from(object.ptr());
  return item;
}

nb::object objectOf(CollectionItem &item) {
  if (PyObject *object = objectIn(item))
    return nb::borrow(object);
  if (const auto *variable = std::any_cast<Variable>(&item.value))
    return objectOf(*variable);
  if (const auto *tensor = std::any_cast<Output>(&item.value))
    return objectOf(*tensor);
  if (const auto *node = std::any_cast<const Node *>(&item.value))
    return objectOf(*node);
  nb::object made;
  if (const auto *text = std::any_cast<std::string>(&item.value))
    made = nb::bytes(text->data(), text->size());
  else if (const auto *integer = std::any_cast<int64_t>(&item.value))
    made = nb::int_(*integer);
  else if (const auto *number = std::any_cast<float>(&item.value))
    made = nb::float_(static_cast<double>(*number));
  for (const ItemKind &kind : kinds())
    if (!made.is_valid())
      made = kind.to(item.value);
  if (!made.is_valid())
    made = nb::cast(OpaqueItem{item});
  item.companion = Companion{made};
  return made;
}

void addItemKind(const ItemKind &kind) { kinds().push_back(kind); }

void bindCollections(nb::module_ &module) {
  nb::class_<OpaqueItem>(module, "CollectionItem")
      .def_prop_ro("name",
                   [](const OpaqueItem &self) { return self.item.name; });
  module.def("collection", &itemsOf);
  module.def("set_collection", &setItems);
  module.def("add_to_collection",
             [](GraphObject &graph, const std::string &key, nb::handle value) {
               graph.builder.addToCollection(key, itemFrom(value));
             });
  module.def("collection_keys", [](const GraphObject &graph) {
    nb::list keys;
    for (const std::string &key : graph.builder.collectionKeys())
      keys.append(toPython(key));
    return keys;
  });
  module.def("clear_collection",
             [](GraphObject &graph, const std::string &key) {
               // What is dropped may call anything.
               std::vector<CollectionItem> dropped;
               std::swap(dropped, graph.builder.collectionRef(key));
             });
}

} // namespace kiln::python::front
