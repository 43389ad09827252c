// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schemas of Table: tables from keys to values and what is done with them.
// Host kernels compute them.
#include "lib/Ops/Families.h"
#include "lib/Ops/Table/Shape.h"

namespace kiln {
namespace {

using namespace shapes;

constexpr OpRecord records[] = {
    {"HashTableV2", "", "table_handle: resource",
     "container: string =; shared_name: string =; use_node_name_sharing: "
     "bool = false; key_dtype: type; value_dtype: type",
     "A table that is given its entries once.", inferTable,
     stateful | stopsGradient},
    {"MutableHashTableV2", "", "table_handle: resource",
     "container: string =; shared_name: string =; use_node_name_sharing: "
     "bool = false; key_dtype: type; value_dtype: type",
     "A table whose entries change.", inferTable, stateful | stopsGradient},
    {"MutableHashTableOfTensorsV2", "", "table_handle: resource",
     "container: string =; shared_name: string =; use_node_name_sharing: "
     "bool = false; key_dtype: type; value_dtype: type; value_shape: "
     "shape = []",
     "A table of vectors whose entries change.", inferTable,
     stateful | stopsGradient},
    {"MutableDenseHashTableV2", "empty_key: key_dtype, deleted_key: key_dtype",
     "table_handle: resource",
     "container: string =; shared_name: string =; use_node_name_sharing: "
     "bool = false; key_dtype: type; value_dtype: type; value_shape: "
     "shape = []; initial_num_buckets: int = 131072; max_load_factor: "
     "float = 0.8",
     "A table whose entries change, with two keys that nothing has.",
     inferTable, stateful | declares | stopsGradient},
    {"InitializeTableV2", "table_handle: resource, keys: Tkey, values: Tval",
     "", "Tkey: type; Tval: type", "Gives a HashTable its entries.",
     inferTableNothing, stateful | acts | hostBody | stopsGradient},
    {"InitializeTableFromTextFileV2",
     "table_handle: resource, filename: string", "",
     "key_index: int >= -2; value_index: int >= -2; vocab_size: int >= "
     "-1 = -1; delimiter: string = \\t; offset: int = 0",
     "Gives a HashTable its entries, one a line of a file.", inferTableNothing,
     stateful | cutsRun | stopsGradient},
    {"LookupTableFindV2",
     "table_handle: resource, keys: Tin, default_value: Tout", "values: Tout",
     "Tin: type; Tout: type",
     "The values of keys, a default for those that are not there.",
     inferTableFind, stateful | acts | hostBody | stopsGradient},
    {"LookupTableInsertV2", "table_handle: resource, keys: Tin, values: Tout",
     "", "Tin: type; Tout: type", "Sets the values of keys.", inferTableNothing,
     stateful | acts | hostBody | stopsGradient},
    {"LookupTableRemoveV2", "table_handle: resource, keys: Tin", "",
     "Tin: type", "Removes keys.", inferTableNothing,
     stateful | acts | hostBody},
    {"LookupTableImportV2", "table_handle: resource, keys: Tin, values: Tout",
     "", "Tin: type; Tout: type", "Replaces all entries.", inferTableNothing,
     stateful | acts | hostBody},
    {"LookupTableExportV2", "table_handle: resource",
     "keys: Tkeys, values: Tvalues", "Tkeys: type; Tvalues: type",
     "All keys and their values.", inferTableExport,
     stateful | acts | hostBody},
    {"LookupTableSizeV2", "table_handle: resource", "size: int64", "",
     "The number of keys.", inferTableSize,
     stateful | acts | hostBody | stopsGradient},
    {"HashTable", "", "table_handle: Ref(string)",
     "container: string =; shared_name: string =; use_node_name_sharing: "
     "bool = false; key_dtype: type; value_dtype: type",
     "A table that is given its entries once, by reference.", inferTable,
     stateful | stopsGradient},
    {"MutableHashTable", "", "table_handle: Ref(string)",
     "container: string =; shared_name: string =; use_node_name_sharing: "
     "bool = false; key_dtype: type; value_dtype: type",
     "A table whose entries change, by reference.", inferTable,
     stateful | stopsGradient},
    {"MutableHashTableOfTensors", "", "table_handle: Ref(string)",
     "container: string =; shared_name: string =; use_node_name_sharing: "
     "bool = false; key_dtype: type; value_dtype: type; value_shape: "
     "shape = []",
     "A table of vectors whose entries change, by reference.", inferTable,
     stateful | stopsGradient},
    {"InitializeTable", "table_handle: Ref(string), keys: Tkey, values: Tval",
     "", "Tkey: type; Tval: type",
     "Gives a HashTable its entries, by reference.", inferTableNothing,
     stateful | acts | hostBody | stopsGradient},
    {"InitializeTableFromTextFile",
     "table_handle: Ref(string), filename: string", "",
     "key_index: int >= -2; value_index: int >= -2; vocab_size: int >= "
     "-1 = -1; delimiter: string = \\t; offset: int = 0",
     "Gives a HashTable its entries, one a line of a file, by reference.",
     inferTableNothing, stateful | cutsRun | stopsGradient},
    {"LookupTableFind",
     "table_handle: Ref(string), keys: Tin, default_value: Tout",
     "values: Tout", "Tin: type; Tout: type",
     "The values of keys, a default for those that are not there, by "
     "reference.",
     inferTableFind, stateful | acts | hostBody | stopsGradient},
    {"LookupTableInsert", "table_handle: Ref(string), keys: Tin, values: Tout",
     "", "Tin: type; Tout: type", "Sets the values of keys, by reference.",
     inferTableNothing, stateful | acts | hostBody | stopsGradient},
    {"LookupTableImport", "table_handle: Ref(string), keys: Tin, values: Tout",
     "", "Tin: type; Tout: type", "Replaces all entries, by reference.",
     inferTableNothing, stateful | acts | hostBody},
    {"LookupTableExport", "table_handle: Ref(string)",
     "keys: Tkeys, values: Tvalues", "Tkeys: type; Tvalues: type",
     "All keys and their values, by reference.", inferTableExport,
     stateful | acts | hostBody},
    {"LookupTableSize", "table_handle: Ref(string)", "size: int64", "",
     "The number of keys, by reference.", inferTableSize,
     stateful | acts | hostBody | stopsGradient},
};

} // namespace

OpFamily tableFamily() {
  return {"Table", "tables from keys to values", records};
}

} // namespace kiln
