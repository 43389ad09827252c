"""Cases of tf.contrib.lookup."""

# The tables read it only in a run.
_WORDS = "words.txt"


def of_lists(tf, contrib):
    words = tf.constant(["a", "b", "c", "d"])
    lookup = contrib.lookup
    table = lookup.index_table_from_tensor(["b", "c"])
    buckets = lookup.index_table_from_tensor(["b", "c"], num_oov_buckets=3, name="more")
    names = lookup.index_to_string_table_from_tensor(["x", "y"])
    sparse = tf.SparseTensor([[0, 1], [1, 0]], ["c", "q"], [2, 2])
    found = table.lookup(sparse)
    return [
        table.lookup(words),
        buckets.lookup(words),
        names.lookup(tf.constant([1, 0, 5], tf.int64)),
        found.indices,
        found.values,
        table.size(),
        buckets.size(),
    ]


def of_integers(tf, contrib):
    table = contrib.lookup.index_table_from_tensor([10, 20, 30], dtype=tf.int32, num_oov_buckets=2)
    return table.lookup(tf.constant([20, 10, 77]))


def hash_table(tf, contrib):
    lookup = contrib.lookup
    keys, values = tf.constant(["a", "b"]), tf.constant([0.5, 1.5])
    initializer = lookup.KeyValueTensorInitializer(keys, values)
    table = lookup.HashTable(initializer, -1.0, shared_name="mine")
    typed = lookup.KeyValueTensorInitializer([1, 2], ["x", "y"], tf.int64, tf.string, name="typed")
    other = lookup.HashTable(typed, "none", shared_name="other", name="named")
    tf.group(table.initializer, other.initializer, name="group_of_both")
    return [
        table.lookup(tf.constant([["a"], ["c"]])),
        table.size(),
        other.lookup(tf.constant([2, 3], tf.int64)),
    ]


def strong_hash(tf, contrib):
    lookup = contrib.lookup
    table = lookup.index_table_from_tensor(["a"], 5, hasher_spec=lookup.StrongHashSpec([3, 4]))
    return table.lookup(tf.constant(["a", "b", "c"]))


def hash_alone(tf, contrib):
    return contrib.lookup.IdTableWithHashBuckets(None, 7).lookup(tf.constant(["a", "b", "c"]))


def of_files(tf, contrib):
    lookup = contrib.lookup
    table = lookup.index_table_from_file(_WORDS, num_oov_buckets=1)
    lookup.index_table_from_file(_WORDS, vocab_size=3, default_value=0, name="second")
    names = lookup.index_to_string_table_from_file(_WORDS, vocab_size=10)
    table.lookup(tf.constant(["a"]))
    names.lookup(tf.constant([3], tf.int64))


def of_columns(tf, contrib):
    lookup = contrib.lookup
    initializer = lookup.TextFileInitializer(_WORDS, tf.string, 0, tf.int64, 1, delimiter=" ")
    lookup.HashTable(initializer, -1, shared_name="columns").lookup(tf.constant(["a"]))


def mutable(tf, contrib):
    lookup = contrib.lookup
    table = lookup.MutableHashTable(tf.string, tf.int64, -1)
    vectors = lookup.MutableHashTable(tf.string, tf.float32, [0.0, 0.0], name="vectors", checkpoint=False)
    dense = lookup.MutableDenseHashTable(tf.int64, tf.int64, -1, empty_key=0, deleted_key=-1)
    adds = [
        table.insert(tf.constant(["a", "b"]), tf.constant([3, 4], tf.int64)),
        vectors.insert(tf.constant(["a"]), tf.constant([[1.0, 2.0]])),
        dense.insert([5, 6], [50, 60]),
    ]
    with tf.control_dependencies(adds):
        values = [
            table.lookup(tf.constant(["b", "z"])),
            table.size(),
            vectors.lookup(["a", "q"]),
            dense.lookup([6, 7]),
        ]
    table.remove(tf.constant(["a"]))
    table.export()
    return values
