# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records a program that trains on what queues and readers give it. Run it with a Python that has TensorFlow.

The case writes the files that it reads, below /tmp/kiln_golden."""
import numpy as np
import tensorflow.compat.v1 as tf
from make_file_cases import Case, Folder, records


def pipeline():
    """As a user of TensorFlow 1 wrote it: names, readers, parsers, batches and their queues; the threads' steps are in the case."""
    with Case("files_pipeline", "a program that trains on TFRecord and CSV files: string_input_producer, shuffle_batch, parse_example, batch", rtol=1e-5, atol=1e-6) as case:
        tf.set_random_seed(11)
        folder = Folder(case, "pipeline")
        x = np.random.RandomState(5).uniform(-1, 1, [24, 3]).astype("f4")
        y = x @ np.array([1, -2, 0.5], "f4") + 0.25

        def example(i):
            features = {"x": tf.train.Feature(float_list=tf.train.FloatList(value=x[i])), "y": tf.train.Feature(float_list=tf.train.FloatList(value=[y[i]])),
                        "words": tf.train.Feature(bytes_list=tf.train.BytesList(value=[b"w%d" % k for k in range(i % 3)]))}
            return tf.train.Example(features=tf.train.Features(feature=features)).SerializeToString(deterministic=True)

        recorded = [folder.write(f"part{part}.tfrecord", records(*[example(i) for i in range(part, 24, 2)])) for part in range(2)]
        lined = [folder.write("lines.csv", b"x0,x1,x2,y\n" + b"".join(b"%r,%r,%r,%r\n" % tuple(float(v) for v in [*x[i], y[i]]) for i in range(0, 24, 3)))]
        names = tf.train.string_input_producer(recorded, num_epochs=2, seed=3)
        _, serialized = tf.TFRecordReader().read(names)
        batch = tf.train.shuffle_batch([serialized], batch_size=6, capacity=30, min_after_dequeue=6, seed=7)
        parsed = tf.parse_example(batch, {"x": tf.FixedLenFeature([3], tf.float32), "y": tf.FixedLenFeature([], tf.float32), "words": tf.VarLenFeature(tf.string)})
        line_names = tf.train.string_input_producer(lined, shuffle=False)
        key, line = tf.TextLineReader(skip_header_lines=1).read(line_names)
        fields = tf.decode_csv(line, [[0.0]] * 4)
        held_x, held_y, keys = tf.train.batch([tf.stack(fields[:3]), fields[3], key], batch_size=4, capacity=12)
        w, b = tf.Variable(tf.zeros([3, 1]), name="w"), tf.Variable(0.0, name="b")

        def loss_of(x, y):
            return tf.reduce_mean(tf.square(tf.squeeze(tf.matmul(x, w), 1) + b - y))

        step = tf.train.get_or_create_global_step()
        loss, held = loss_of(parsed["x"], parsed["y"]), loss_of(held_x, held_y)
        train = tf.train.MomentumOptimizer(0.1, 0.5).minimize(loss, global_step=step)
        count = tf.shape(parsed["words"].values)[0]
        case.init()
        case.run(tf.local_variables_initializer())
        producer, shuffler, line_producer, batcher = [runner.enqueue_ops[0] for runner in tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS)]

        def run(times, *fetches):
            for _ in range(times):
                case.run(list(fetches))

        run(2, producer)  # both epochs
        run(2, line_producer)
        run(12, shuffler)
        run(8, batcher)
        run(1, train, loss, count, step)
        run(14, shuffler)
        run(2, train, loss, step)
        run(1, held, keys)
        run(10, shuffler)
        run(6, batcher)
        run(2, train, loss, shuffler)
        run(1, w, b, held, keys)


if __name__ == "__main__":
    pipeline()
