# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records what TensorFlow's ops on files and its readers do. Run it with a Python that has TensorFlow.

The cases write the files that they read, below /tmp/kiln_golden."""
import os
import shutil
import sys
import tempfile
import zlib

os.environ.setdefault("GOLDEN_OUT", os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import numpy as np
import tensorflow.compat.v1 as tf
from recorder import Case

raw = tf.raw_ops
ROOT = "/tmp/kiln_golden"
BROKEN = "FixedLengthRecordReader"  # by reference: TensorFlow's asks for an attribute that the op does not have
READERS = ["WholeFileReader", "TextLineReader", "FixedLengthRecordReader", "TFRecordReader", "IdentityReader"]


def texts(*elements):
    return np.array([element if isinstance(element, bytes) else element.encode() for element in elements], object)


def of_version(version):
    """Makes the graph as old as the readers by reference, which newer ones must not hold."""
    if not version:
        old = tf.GraphDef()
        old.versions.producer = 20
        tf.import_graph_def(old)


class Folder:
    """Steps of a case that write files."""

    def __init__(self, case, name):
        self.case, self.path = case, os.path.join(ROOT, name)
        shutil.rmtree(self.path, ignore_errors=True)
        self.name, self.contents = tf.placeholder(tf.string, None, "name"), tf.placeholder(tf.string, None, "contents")
        self.op = raw.WriteFile(filename=self.name, contents=self.contents)

    def write(self, name, contents):
        path = os.path.join(self.path, name)
        self.case.run(self.op, {self.name: path.encode(), self.contents: contents})
        return path


def records(*contents, compression=""):
    with tempfile.NamedTemporaryFile() as file:
        with tf.io.TFRecordWriter(file.name, compression) as writer:
            for record in contents:
                writer.write(record)
        return open(file.name, "rb").read()


class Reader:
    """A reader's ops and those of the queue that names its files, of one of the two versions."""

    def __init__(self, case, version, kind, label, **attributes):
        self.case, self.version = case, version
        queue = {"": raw.FIFOQueue, "V2": raw.FIFOQueueV2}[version]
        self.queue = queue(component_types=[tf.string], shapes=[[]], shared_name="queue_" + label)
        self.handle = getattr(raw, kind + version)(name=label, **attributes)
        self.names = tf.placeholder(tf.string, [None])
        self.fill = getattr(raw, "QueueEnqueueMany" + version)(handle=self.queue, components=[self.names])
        self.close = getattr(raw, "QueueClose" + version)(handle=self.queue)
        self.next = self.op("Read", queue_handle=self.queue)
        self.count = tf.placeholder(tf.int64, [])
        self.several = self.op("ReadUpTo", queue_handle=self.queue, num_records=self.count)
        self.numbers = [self.op("NumRecordsProduced"), self.op("NumWorkUnitsCompleted")]
        self.reset = self.op("Reset")

    def op(self, name, **arguments):
        return getattr(raw, f"Reader{name}{self.version}")(reader_handle=self.handle, **arguments)

    def enqueue(self, *names):
        self.case.run(self.fill, {self.names: texts(*names)})

    def read(self, times=1, count=None):
        for _ in range(times):
            self.case.run(self.next if count is None else self.several, {} if count is None else {self.count: count})

    def end(self, *names, count=3):
        """Reads what these files hold, and beyond."""
        self.enqueue(*names)
        self.case.run(self.close)
        self.read(count)
        self.case.run(self.numbers)


def whole():
    with Case("files_whole", "ReadFile, WriteFile and MatchingFiles", rtol=0, atol=0) as case:
        folder = Folder(case, "whole")
        path = tf.placeholder(tf.string, None, "path")
        contents, matches = raw.ReadFile(filename=path), raw.MatchingFiles(pattern=path)
        for name in ("b1", "a2", "n/c", "[x]", ".h", "n/m/c"):
            folder.write(name, b"of\0 " + name.encode())
        case.run(contents, {path: folder.path.encode() + b"/n/c"})
        folder.write("a2", b"")
        case.run([contents, tf.strings.length(contents)], {path: folder.path.encode() + b"/a2"})
        for pattern in ("*", "a?", "[ab]*", "[!a]*", "[^a]*", "{a,b}*", "*/c", "n/*/c", "*/*/*", "\\[x\\]", "none/*", "", "a2", "n", "n/", "[", "[a", "/a2", "./*", "n/../*"):
            case.run(matches, {path: f"{folder.path}/{pattern}".encode()})
        case.run(matches, {path: b""})
        case.run(matches, {path: texts(folder.path + "/b*", folder.path + "/*")})
        case.run(matches, {path: np.zeros([0], object)})
        case.run(matches, {path: texts("a").reshape(1, 1)})
        for name in (os.path.join(folder.path, "none"), folder.path, "", os.path.join(folder.path, "a2", "x")):
            case.run(contents, {path: name.encode()})
        case.run(contents, {path: texts("a")})
        for name in ("", os.path.join(folder.path, "a2", "x"), folder.path):
            case.run(folder.op, {folder.name: name.encode(), folder.contents: b"x"})
        case.run(folder.op, {folder.name: texts("a"), folder.contents: b"x"})
        case.run(folder.op, {folder.name: b"a", folder.contents: texts("x")})


def lines(version):
    with Case("files_lines" + (version.lower() or "_v1"), "TextLineReader", rtol=0, atol=0) as case:
        of_version(version)
        folder = Folder(case, "lines" + version)
        one = folder.write("one", b"a\r\nb\rc\n\n\r\nlast\r")
        two = folder.write("two", b"x\nyy\nzzz\n")
        empty = folder.write("empty", b"")
        reader = Reader(case, version, "TextLineReader", "all")
        reader.enqueue(one, empty, two)
        reader.read(7)
        reader.read(count=9)
        case.run(reader.numbers)
        case.run(reader.reset)
        case.run(reader.numbers)
        reader.enqueue(two, two)
        reader.read(count=2)
        reader.read(count=2)
        reader.read(count=0)
        reader.end(one, count=9)
        for skipped in (1, 2, 9):
            Reader(case, version, "TextLineReader", f"skip{skipped}", skip_header_lines=skipped).end(two, empty, one, count=8)
        Reader(case, version, "TextLineReader", "missing").end(*[os.path.join(folder.path, "none")] * 30, count=1)
        Reader(case, version, "TextLineReader", "folder").end(folder.path, count=2)
        case.run(Reader(case, version, "TextLineReader", "negative", skip_header_lines=-1).numbers)


def fixed(version="V2"):
    with Case("files_fixed", "FixedLengthRecordReader", rtol=0, atol=0) as case:
        folder = Folder(case, "fixed" + version)
        one, two = folder.write("one", b"HHabcdefghijklmnFF"), folder.write("two", b"0123456789")
        kind = "FixedLengthRecordReader"
        for place, attributes in enumerate((dict(record_bytes=4, header_bytes=2, footer_bytes=2), dict(record_bytes=4, header_bytes=2, footer_bytes=2, hop_bytes=1),
                                            dict(record_bytes=4, header_bytes=2, footer_bytes=2, hop_bytes=7), dict(record_bytes=3), dict(record_bytes=40))):
            Reader(case, version, kind, f"r{place}", **attributes).end(one, two, count=9)
        Reader(case, version, kind, "header", record_bytes=4, header_bytes=40).end(*[one] * 30, count=1)
        reader = Reader(case, version, kind, "several", record_bytes=3)
        reader.enqueue(two, one)
        for count in (2, 2, 100):
            reader.read(count=count)
        case.run(reader.numbers)
        zipped = folder.write("zipped", zlib.compress(b"HHabcdefghijklmnFF"))
        cut = folder.write("cut", zlib.compress(b"HHabcdefghijklmnFF")[:12])
        Reader(case, version, kind, "zlib", record_bytes=4, header_bytes=2, footer_bytes=2, encoding="ZLIB").end(zipped, count=4)
        Reader(case, version, kind, "cut", record_bytes=4, encoding="ZLIB").end(cut, count=4)
        Reader(case, version, kind, "plain", record_bytes=4, encoding="ZLIB").end(one, count=2)
        Reader(case, version, kind, "other", record_bytes=4, encoding="FOO").end(one, count=2)
        for name in ("record_bytes", "header_bytes", "footer_bytes", "hop_bytes"):
            case.run(Reader(case, version, kind, "bad_" + name, **{"record_bytes": 2, name: -1}).numbers)


def tfrecords(version):
    with Case("files_records" + (version.lower() or "_v1"), "TFRecordReader, of whole, cut and damaged files", rtol=0, atol=0) as case:
        of_version(version)
        folder = Folder(case, "records" + version)
        contents = [b"rec0", b"", b"rec2" * 3]
        plain = records(*contents)
        path = folder.write("plain", plain)
        reader = Reader(case, version, "TFRecordReader", "plain")
        reader.enqueue(path, path)
        reader.read(4)
        case.run(reader.numbers)
        reader.read(count=5)
        reader.end(folder.write("empty", b""), count=1)
        for compression in ("ZLIB", "GZIP"):
            whole = records(*contents, compression=compression)
            for name, data in (("whole", whole), ("cut", whole[:-9]), ("twice", whole + whole), ("behind", whole + b"garbage"), ("none", b"abcdefgh" * 4)):
                label = f"{compression}_{name}"
                Reader(case, version, "TFRecordReader", label, compression_type=compression).end(folder.write(label, data), count=7)
        Reader(case, version, "TFRecordReader", "other", compression_type="FOO").end(path, count=2)
        damaged = {"header": plain[:5], "data": plain[:14], "no_data": plain[:12], "end": plain[:-1], "length": b"\xff" * 8 + plain[8:], "byte": plain[:13] + b"X" + plain[14:],
                   "third": plain[:-5] + b"X" + plain[-4:], "sum": plain[:-1] + b"\0", "text": b"no records, but some lines of text\n" * 3}
        for name, data in damaged.items():
            Reader(case, version, "TFRecordReader", name).end(folder.write(name, data), count=4)
        Reader(case, version, "TFRecordReader", "missing").end(*[os.path.join(folder.path, "none")] * 30, count=1)


def record_input():
    with Case("files_record_input", "RecordInput, in the order in which one thread fills a buffer with room for all records", rtol=0, atol=0) as case:
        folder = Folder(case, "record_input")
        contents = [b"record %d" % i for i in range(50)]
        options = dict(file_parallelism=1, file_buffer_size=500, batch_size=10)
        for compression in ("", "ZLIB", "GZIP"):
            path = folder.write("whole" + compression, records(*contents, compression=compression))
            for seed in (301, 7):
                op = raw.RecordInput(file_pattern=path, file_random_seed=seed, compression_type=compression, **options)
                for _ in range(5):
                    case.run(op)
        # Epochs of one record have one order.
        case.run(raw.RecordInput(file_pattern=folder.write("one", records(b"alone")), file_parallelism=2, file_buffer_size=100, batch_size=5, file_shuffle_shift_ratio=0.5))
        case.run(raw.RecordInput(file_pattern=path, batch_size=0))
        for bad in (dict(file_parallelism=-1), dict(batch_size=-1)):
            case.run(raw.RecordInput(file_pattern=path, **bad))
        missing = raw.RecordInput(file_pattern=os.path.join(folder.path, "none*"))
        case.run(missing)
        case.run(missing)
        case.run(raw.RecordInput(file_pattern=folder.write("cut", records(*contents)[:40]), **options))


def states(version):
    with Case("files_states" + (version.lower() or "_v1"), "readers of whole files and of names, and their states", rtol=0, atol=0) as case:
        of_version(version)
        folder = Folder(case, "states" + version)
        one, two = folder.write("one", b"1"), folder.write("two", b"2\n2")
        recorded = [folder.write(f"records{count}", records(*[b"r"] * count)) for count in (1, 2)]
        message = tf.placeholder(tf.string, None, "message")
        for kind in READERS if version else [kind for kind in READERS if kind != BROKEN]:
            attributes = {"record_bytes": 1} if kind.startswith("Fixed") else {}
            reader = Reader(case, version, kind, kind, **attributes)
            save, restore = reader.op("SerializeState"), reader.op("RestoreState", state=message)
            case.run(save)
            reader.enqueue(*(recorded if kind == "TFRecordReader" else [one, two]) * 6)
            reader.read(2)
            case.run(save)
            for state in (b"", b"\x08\x03\x10\x05\x18\x07\x22\x02ab", b"\x08\x03\x10\x03\x22\x02\xff\0"):
                case.run(restore, {message: state})
                case.run(reader.numbers)
            reader.read()
            case.run(reader.numbers)
            for state in (b"\xff\xfe", b"\x08\x02\x10\x01", b"\x08" + b"\xff" * 9 + b"\x01", texts("a")):
                case.run(restore, {message: state})
            case.run(reader.numbers)
            case.run(reader.reset)
            reader.read(count=5)
            reader.end(count=2)
        Reader(case, version, "WholeFileReader", "missing").end(os.path.join(folder.path, "none"), count=2)
        # Two nodes of one reader.
        shared = [Reader(case, version, "IdentityReader", f"shared{i}", shared_name="shared") for i in range(2)]
        shared[0].enqueue("a")
        shared[1].enqueue("b")
        shared[0].read()
        shared[1].read()
        case.run(shared[0].numbers)
        # Queues that do not name files.
        for types, shapes, values in (([tf.string] * 2, [[], []], ["a", "b"]), ([tf.int32], [[]], [1]), ([tf.string], [[2]], [["a", "b"]])):
            queue = {"": raw.FIFOQueue, "V2": raw.FIFOQueueV2}[version](component_types=types, shapes=shapes)
            put = getattr(raw, "QueueEnqueueMany" + version)(handle=queue, components=[tf.stack([tf.constant(value, dtype)] * 30) for value, dtype in zip(values, types)])
            case.run(put)
            case.run(shared[0].op("Read", queue_handle=queue))


def beside():
    with Case("files_beside", "reading beside the enqueue that it waits for, in a step that trains on what was read", rtol=1e-6, atol=1e-6) as case:
        folder = Folder(case, "beside")
        paths = [folder.write(f"part{i}", b"".join(b"%d,%d\n" % (i + k, 2 * i - k) for k in range(3))) for i in range(2)]
        reader = Reader(case, "V2", "TextLineReader", "lines")
        line = reader.next.value
        first = tf.string_to_number(tf.strings.substr(line, 0, 1))
        w = tf.Variable(1.0, name="w")
        train = tf.train.GradientDescentOptimizer(0.125).minimize(tf.square(w * first - 2.0))
        case.init()
        case.run([reader.next.key, train, reader.fill], {reader.names: texts(*paths)})
        for _ in range(5):
            case.run([reader.next.key, line, train])
        case.run([w, *reader.numbers])
        loop = tf.while_loop(lambda i, _: i < 4, lambda i, keys: (i + 1, keys + raw.ReaderReadV2(reader_handle=reader.handle, queue_handle=reader.queue).key + " "), [0, ""], parallel_iterations=1)
        reader.enqueue(*paths)
        case.run(loop)


CASES = {f.__name__: f for f in (whole, lines, fixed, tfrecords, record_input, states, beside)}

if __name__ == "__main__":
    for name in sys.argv[1:] or CASES:
        if CASES[name] in (whole, fixed, record_input, beside):
            CASES[name]()
        else:
            for version in ("", "V2"):
                CASES[name](version)
