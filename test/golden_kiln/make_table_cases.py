# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records what TensorFlow's tables do, from handles and by reference. Run it with a Python that has TensorFlow."""
import os
import sys

os.environ.setdefault("GOLDEN_OUT", os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import numpy as np
import tensorflow.compat.v1 as tf
from recorder import Case

raw = tf.raw_ops


def texts(*elements):
    return np.array([element.encode() for element in elements], object)


class Table:
    """A table's ops, of one of the two versions, with keys and values that are fed."""

    def __init__(self, version, kind, key, value, name, **attributes):
        self.version, self.key, self.value = version, key, value
        if "empty_key" not in attributes:
            attributes["key_dtype"] = key
        self.handle = getattr(raw, kind + version)(value_dtype=value, name=name, **attributes)
        self.keys, self.values = (tf.placeholder(dtype, None, f"{name}_{part}") for dtype, part in [(key, "keys"), (value, "values")])

    def op(self, name, **arguments):
        return getattr(raw, f"{name}{self.version}")(table_handle=self.handle, **arguments)

    def find(self):
        return self.op("LookupTableFind", keys=self.keys, default_value=self.values)

    def insert(self):
        return self.op("LookupTableInsert", keys=self.keys, values=self.values)

    def load(self):
        return self.op("LookupTableImport", keys=self.keys, values=self.values)

    def initialize(self):
        return self.op("InitializeTable", keys=self.keys, values=self.values)

    def export(self):
        return self.op("LookupTableExport", Tkeys=self.key, Tvalues=self.value)

    def size(self):
        return self.op("LookupTableSize")

    def feed(self, keys, values):
        return {self.keys: keys, self.values: values}


def hash_tables(version):
    with Case(f"table_hash{version.lower() or '_v1'}", "HashTable: its entries are given once", rtol=0, atol=0) as case:
        table = Table(version, "HashTable", tf.string, tf.int64, "names")
        find, initialize, size, export = table.find(), table.initialize(), table.size(), table.export()
        case.run(find, table.feed(texts("a"), -1))
        case.run(size)
        case.run(export)
        case.run(initialize, table.feed(texts("a", "a"), [1, 2]))
        case.run(initialize, table.feed(texts("a", "b"), [1]))
        case.run(initialize, table.feed(texts("a", "b").reshape(1, 2), [[1, 2]]))
        case.run(initialize, table.feed(texts("a", "b\0c", "", "a"), [1, 2, 3, 1]))
        case.run(initialize, table.feed(texts("a", "b\0c", ""), [1, 2, 3]))
        case.run(initialize, table.feed(texts("a"), [7]))
        case.run(size)
        case.run(find, table.feed(texts("a", "z", "b\0c", "").reshape(2, 2), -1))
        case.run(find, table.feed(b"", -1))
        case.run(find, table.feed(np.zeros([0, 3], object), -1))
        case.run(find, table.feed(texts("a", "b"), [1, 2, 3]))
        for change in [table.insert(), table.load()]:
            case.run(change, table.feed(texts("q"), [1]))
        if version:
            case.run(table.op("LookupTableRemove", keys=table.keys), table.feed(texts("a"), 0))
        wrong = Table(version, "HashTable", tf.string, tf.int64, "wrong")
        number = tf.placeholder(tf.int64, None, "number")
        case.run(wrong.op("LookupTableFind", keys=number, default_value=wrong.values), {number: [1], wrong.values: 1})
        case.run(wrong.op("LookupTableInsert", keys=number, values=wrong.values), {number: [1], wrong.values: [1]})
        case.run(find * 2 + size, table.feed(texts("a", "z"), -1))


def mutable_tables(version):
    with Case(f"table_mutable{version.lower() or '_v1'}", "MutableHashTable and that of vectors", rtol=0, atol=0) as case:
        for key, value in [(tf.string, tf.int64), (tf.int64, tf.string), (tf.int32, tf.float64)]:
            keys, values = (texts("q", "r", "s", "") if dtype == tf.string else np.arange(4, dtype=dtype.as_numpy_dtype) for dtype in [key, value])
            table = Table(version, "MutableHashTable", key, value, f"of_{key.name}")
            find, insert, size, export, load = table.find(), table.insert(), table.size(), table.export(), table.load()
            case.run(size)
            case.run(find, table.feed(keys[:2], values[3]))
            case.run(insert, table.feed(keys[:2].reshape(1, 2), values[:2].reshape(1, 2)))
            case.run(insert, table.feed(keys[:1], values[2:3]))
            case.run(find, table.feed(keys, values[3]))
            case.run(find, table.feed(keys, values[::-1]))
            case.run(find, table.feed(keys, values[:2]))
            case.run(insert, table.feed(keys[:2], values[:1]))
            case.run(size)
            case.run(load, table.feed(keys[2:3], values[:1]))
            case.run(export)
            case.run(find, table.feed(keys, values[3]))
            if version:
                case.run(insert, table.feed(keys, values))
                case.run(table.op("LookupTableRemove", keys=table.keys), {table.keys: keys[[0, 2, 2]]})
                case.run([find, size], table.feed(keys, values[0]))
        case.run(table.initialize(), table.feed(keys[:1], values[:1]))
        rows = Table(version, "MutableHashTableOfTensors", tf.string, tf.float32, "rows", value_shape=[2])
        find, insert, size, export = rows.find(), rows.insert(), rows.size(), rows.export()
        case.run(insert, rows.feed(texts("q"), [[1, 2]]))
        case.run(export)
        case.run(insert, rows.feed(texts("r"), [[3, 4]]))
        case.run(find, rows.feed(texts("r", "x", "q", "q").reshape(2, 2), [-1, -2]))
        case.run(find, rows.feed(texts("r", "x"), [[-1, -2], [5, 6]]))
        case.run(find, rows.feed(texts("q"), 1))
        case.run(insert, rows.feed(texts("q"), [[1, 2, 3]]))
        case.run(size)
        square = Table(version, "MutableHashTableOfTensors", tf.string, tf.float32, "square", value_shape=[2, 3])
        case.run(square.size())


def dense_tables():
    with Case("table_dense", "MutableDenseHashTable: with two keys that nothing has", rtol=0, atol=0) as case:
        table = Table("V2", "MutableDenseHashTable", tf.int64, tf.int64, "numbers", empty_key=tf.constant(0, tf.int64), deleted_key=tf.constant(-1, tf.int64))
        find, insert, size, remove = table.find(), table.insert(), table.size(), table.op("LookupTableRemove", keys=table.keys)
        case.run(find, table.feed([1], -7))
        case.run(insert, table.feed([11, 12], [1, 2]))
        case.run(find, table.feed([11, 5, 12], -7))
        case.run(find, table.feed([[11, 5]], -7))
        for key in [0, -1]:
            case.run(insert, table.feed([key], [1]))
            case.run(find, table.feed([key], 1))
            case.run(remove, {table.keys: [key]})
        case.run(remove, {table.keys: [11, 77]})
        case.run([find, size], table.feed([11, 12], -7))
        pairs = Table("V2", "MutableDenseHashTable", tf.int64, tf.float32, "pairs", value_shape=[3], empty_key=tf.constant([0, 0], tf.int64), deleted_key=tf.constant([-1, -1], tf.int64))
        find = pairs.find()
        case.run(pairs.insert(), pairs.feed([[1, 2], [2, 1]], [[1, 2, 3], [4, 5, 6]]))
        case.run(find, pairs.feed([[2, 1], [2, 2], [1, 2]], [0, 0, 0]))
        case.run(find, pairs.feed([2, 1], [0, 0, 0]))
        for name, arguments in dict(equal=dict(deleted_key=tf.constant(0, tf.int64)), buckets=dict(initial_num_buckets=5), load=dict(max_load_factor=2.0)).items():
            arguments = dict(dict(empty_key=tf.constant(0, tf.int64), deleted_key=tf.constant(-1, tf.int64)), **arguments)
            case.run(Table("V2", "MutableDenseHashTable", tf.int64, tf.int64, name, **arguments).size())


def shared_tables():
    with Case("table_shared", "tables of one name, in branches, loops and functions", rtol=0, atol=0) as case:
        one, two, other = (Table("V2", "HashTable", tf.string, value, name, shared_name="t") for name, value in [("one", tf.int64), ("two", tf.int64), ("other", tf.float32)])
        find = two.find()
        case.run(one.initialize(), one.feed(texts("a", "b"), [7, 8]))
        case.run(find, two.feed(texts("a", "c"), -1))
        case.run(other.find(), other.feed(texts("a"), 1))
        x = tf.placeholder(tf.bool, [], "x")
        counts = Table("V2", "MutableHashTable", tf.string, tf.int64, "counts")

        def look(key):
            return counts.op("LookupTableFind", keys=key, default_value=tf.constant(0, tf.int64))

        def count(key):
            return counts.op("LookupTableInsert", keys=key, values=look(key) + 1)

        branch = tf.cond(x, lambda: tf.group(count(tf.constant(["yes"]))), lambda: tf.group(count(tf.constant(["no"]))))

        def body(i):
            with tf.control_dependencies([count(tf.as_string([i % 3]))]):
                return i + 1

        loop = tf.while_loop(lambda i: i < 8, body, [tf.constant(0)], parallel_iterations=1)
        for value in [True, False, True]:
            case.run(branch, {x: value})
        case.run(loop)
        case.run(look(tf.constant(["yes", "no", "0", "1", "2", "3"])))


CASES = dict(hash=lambda: [hash_tables(version) for version in ("V2", "")], mutable=lambda: [mutable_tables(version) for version in ("V2", "")],
             dense=dense_tables, shared=shared_tables)

if __name__ == "__main__":
    for name in sys.argv[1:] or CASES:
        CASES[name]()
