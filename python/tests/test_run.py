"""Session.run: structures of fetches, and values in and out."""

import collections
import gc
import sys

import numpy as np
import pytest

import graphs
import kiln

Point = collections.namedtuple("Point", "x y")


@pytest.fixture
def doubling():
    with kiln.Session(graphs.double("DT_FLOAT", -1)) as session:
        yield session


def test_results_come_in_the_structure_of_the_fetches(doubling):
    x = np.ones(2, "f4")
    structure = {
        "a": "y:0",
        "b": ["y:0", ("x:0", "y")],
        "p": Point("x:0", []),
        "o": collections.OrderedDict(z="y:0", a="x:0"),
    }
    for _ in range(3):  # by name, bound, found again
        got = doubling.run(structure, {"x:0": x})
        assert list(got) == ["a", "b", "p", "o"]
        assert got["a"].tolist() == [2, 2]
        assert isinstance(got["b"], list) and isinstance(got["b"][1], tuple)
        assert got["b"][1][0].tolist() == [1, 1] and got["b"][1][1] is None
        assert isinstance(got["p"], Point) and got["p"].x.tolist() == [1, 1] and got["p"].y == []
        assert isinstance(got["o"], collections.OrderedDict) and list(got["o"]) == ["z", "a"]


def test_requests_that_look_alike_are_told_apart(doubling):
    x = {"x:0": np.ones(1, "f4")}
    for _ in range(3):
        assert type(doubling.run(["y:0"], x)) is list
        assert type(doubling.run(("y:0",), x)) is tuple
        assert type(doubling.run("y:0", x)) is np.ndarray
        assert list(doubling.run({"k": "y:0"}, x)) == ["k"]
        assert list(doubling.run({1: "y:0"}, x)) == [1]
        assert type(list(doubling.run({True: "y:0"}, x))[0]) is bool
        assert doubling.run([["y:0"], []], x)[1] == []
        assert len(doubling.run([["y:0", []]], x)) == 1


def test_handles_are_fetched_and_fed(doubling):
    y, x = doubling.graph.get_tensor_by_name("y:0"), doubling.graph.get_tensor_by_name("x:0")
    for _ in range(3):
        value, none = doubling.run([y, y.op], {x: [1.0]})
        assert value.tolist() == [2] and none is None


def test_a_handle_of_another_graph_is_refused(doubling):
    other = graphs.double("DT_FLOAT", -1).get_tensor_by_name("y:0")
    for _ in range(2):
        with pytest.raises(kiln.errors.OpError):
            doubling.run(other, {"x:0": [1.0]})


@pytest.mark.parametrize("fetch", [None, 3, {"a", "b"}, b"y:0"])
def test_what_is_no_fetch_is_a_type_error(doubling, fetch):
    with pytest.raises(TypeError, match="to fetch, got"):
        doubling.run([fetch], {"x:0": [1.0]})


def test_a_structure_that_contains_itself_is_an_error(doubling):
    fetches = []
    fetches.append(fetches)
    with pytest.raises(RecursionError):
        doubling.run(fetches)


NUMBERS = {
    "DT_FLOAT": "f4", "DT_DOUBLE": "f8", "DT_HALF": "f2", "DT_INT8": "i1", "DT_INT16": "i2", "DT_INT32": "i4",
    "DT_INT64": "i8", "DT_UINT8": "u1", "DT_UINT16": "u2", "DT_UINT32": "u4", "DT_UINT64": "u8", "DT_BOOL": "?",
}


@pytest.mark.parametrize("dtype", NUMBERS)
def test_every_dtype_goes_in_and_comes_out(dtype):
    with kiln.Session(graphs.identity(dtype, -1)) as session:
        x = np.array([0, 1, 1, 0], NUMBERS[dtype])
        y = session.run("y:0", {"x:0": x.tolist()})
        assert y.dtype == x.dtype and y.tolist() == x.tolist()


def test_bfloat16_is_ml_dtypes():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    with kiln.Session(graphs.double("DT_BFLOAT16", -1)) as session:
        for x in (np.array([1.5, -2], ml_dtypes.bfloat16), [1.5, -2]):
            y = session.run("y:0", {"x:0": x})
            assert y.dtype == ml_dtypes.bfloat16 and y.tolist() == [3, -4]


def test_strings_are_bytes():
    with kiln.Session(graphs.identity("DT_STRING")) as session:
        assert session.run("y:0", {"x:0": "größe"}) == "größe".encode()
        assert session.run("y:0", {"x:0": b"a\0b\0"}) == b"a\0b\0"
    with kiln.Session(graphs.identity("DT_STRING", -1, -1)) as session:
        got = session.run("y:0", {"x:0": [["a", b"\xff"], ["", "long" * 99]]})
        assert got.dtype == object and got.tolist() == [[b"a", b"\xff"], [b"", b"long" * 99]]
        assert session.run("y:0", {"x:0": np.array([["ab"]])}).tolist() == [[b"ab"]]
        with pytest.raises(TypeError, match="bytes or str .* got int"):
            session.run("y:0", {"x:0": [[3]]})


def test_scalars_are_numpys():
    with kiln.Session(graphs.double("DT_FLOAT")) as session:
        y = session.run("y:0", {"x:0": 1.5})
        assert type(y) is np.float32 and y == 3


@pytest.mark.parametrize("value", [
    np.float32(1.1), np.float64(1.1), np.float16(1.1), np.int64(7), np.int32(-7), np.uint8(7), np.bool_(True),
    1.1, -0.0, 1e300, float("inf"), float("nan"), 7, True,
], ids=lambda value: f"{type(value).__name__}({value})")
@pytest.mark.parametrize("dtype", NUMBERS)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_scalars_go_in_as_numpy_makes_them(dtype, value):
    if np.dtype(NUMBERS[dtype]).kind in "iu" and not abs(value) < 100:
        pytest.skip("NumPy leaves it to the processor what integer that is")
    with kiln.Session(graphs.identity(dtype)) as session:
        expected = np.asarray(value).astype(NUMBERS[dtype])
        y = session.run("y:0", {"x:0": value})
        assert type(y) is expected.dtype.type and y.tobytes() == expected.tobytes()


@pytest.mark.parametrize("x", [
    np.arange(6, dtype="f4")[::2], np.array([0, 2, 4], ">f4"), np.array([0, 2, 4], "i8"), [0, 2, 4], (0.0, 2, 4),
    memoryview(np.array([0, 2, 4], "f4")), np.frombuffer(b"x" + np.array([0, 2, 4], "f4").tobytes(), "u1")[1:].view("f4"),
], ids=["strided", "big-endian", "int64", "list", "tuple", "buffer", "unaligned"])
def test_other_values_become_arrays(doubling, x):
    assert doubling.run("y:0", {"x:0": x}).tolist() == [0, 4, 8]


def test_dlpack_alone_is_enough(doubling):
    class Foreign:
        def __init__(self, array):
            self.array = array

        def __dlpack__(self, **options):
            return self.array.__dlpack__(**options)

        def __dlpack_device__(self):
            return self.array.__dlpack_device__()

    assert doubling.run("y:0", {"x:0": Foreign(np.array([1, 2], "f4"))}).tolist() == [2, 4]


def test_empty_arrays(doubling):
    assert doubling.run("y:0", {"x:0": np.empty(0, "f4")}).shape == (0,)


def test_a_fed_array_that_is_fetched_is_another_array(doubling):
    x = np.ones(5, "f4")
    for _ in range(3):
        y = doubling.run("x:0", {"x:0": x})
        assert y.tolist() == x.tolist() and not np.shares_memory(x, y)


def test_a_queue_has_a_copy_of_what_was_fed():
    with kiln.Session(graphs.queue()) as session:
        for _ in range(3):
            x = np.ones(3, "f4")
            session.run("enqueue", {"x:0": x})
            x[:] = 7
            assert session.run("take:0").tolist() == [1, 1, 1]


def test_a_feed_is_borrowed_for_the_run_alone(doubling):
    x = np.ones(5, "f4")
    count = sys.getrefcount(x)
    for _ in range(10):
        doubling.run("y:0", {"x:0": x})
    assert sys.getrefcount(x) == count


def test_a_kept_result_never_changes(doubling):
    kept = [doubling.run("y:0", {"x:0": np.full(100, i, "f4")}) for i in range(20)]
    assert [y[0] for y in kept] == [2 * i for i in range(20)]
    kept[3][:] = 77
    assert doubling.run("y:0", {"x:0": np.ones(100, "f4")})[0] == 2 and kept[4][0] == 8


def test_results_speak_dlpack_and_the_buffer_protocol(doubling):
    y = doubling.run("y:0", {"x:0": np.ones(3, "f4")})
    assert np.shares_memory(np.from_dlpack(y), y) and memoryview(y)[0] == 2


def test_a_result_outlives_its_session():
    session = kiln.Session(graphs.double("DT_FLOAT", -1))
    y = session.run("y:0", {"x:0": np.arange(1000, dtype="f4")})
    session.close()
    del session
    gc.collect()
    assert y[999] == 1998


def test_a_new_batch_size_does_not_compile_again():
    with kiln.Session(graphs.double("DT_FLOAT", -1), mode="native") as session:
        for size in (3, 4, 500):
            session.run("y:0", {"x:0": np.ones(size, "f4")})
        assert session.stats.compilations == 1


def test_variables_live_in_their_session():
    graph = graphs.counter()
    with kiln.Session(graph) as a, kiln.Session(graph) as b:
        for session in (a, b):
            session.run(graph.initializers)
        assert [a.run("step:0") for _ in range(4)] == [1, 2, 3, 4]
        assert b.run("step:0") == 1


def test_shared_resources_and_their_reset():
    graph, resources = graphs.counter(), kiln.ResourceManager()
    a, b = (kiln.Session(graph, resources=resources) for _ in range(2))
    a.run(graph.initializers)
    assert a.run("step:0") == 1 and b.run("step:0") == 2
    kiln.Session.reset(resources)
    with pytest.raises(kiln.errors.AbortedError):
        a.run("step:0")


def test_many_different_requests(doubling):
    """More than the session remembers."""
    for i in range(200):
        assert list(doubling.run({f"k{i}": "y:0"}, {"x:0": [1.0]})) == [f"k{i}"]


def test_partial_runs():
    with kiln.Session(graphs.double("DT_FLOAT", -1)) as session:
        handle = session.partial_run_setup(["y:0", "x:0"], ["x:0"])
        assert session.partial_run(handle, {"y": "y:0"}, {"x:0": [1.0]})["y"].tolist() == [2]
