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

/// An item that is an object of Python's, and nothing that C++ knows.
struct ObjectItem {
  nb::object object;
};

PyObject *objectIn(const CollectionItem &item) {
  const auto *held = std::any_cast<ObjectItem>(&item.value);
  return held ? held->object.ptr() : nullptr;
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
  nb::list items;
  for (const CollectionItem &item : graph.builder.collection(key, scope))
    items.append(toPython(item));
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
  return {nameOf(object), ObjectItem{nb::borrow(object)}};
}

nb::object toPython(const CollectionItem &item) {
  if (PyObject *object = objectIn(item))
    return nb::borrow(object);
  if (const auto *variable = std::any_cast<Variable>(&item.value))
    return objectOf(*variable);
  if (const auto *tensor = std::any_cast<Output>(&item.value))
    return objectOf(*tensor);
  if (const auto *node = std::any_cast<const Node *>(&item.value))
    return objectOf(*node);
  if (const auto *text = std::any_cast<std::string>(&item.value))
    return toPython(*text);
  throw nb::type_error(
      ("the collection has an item '" + item.name + "' of C++ alone").c_str());
}

void bindCollections(nb::module_ &module) {
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
