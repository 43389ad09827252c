"""HParams and the preprocessing of texts; what is expected was recorded from TensorFlow 1.15."""

import numpy as np
import pytest

from kiln.compat.v1.contrib.learn.preprocessing import (
    ByteProcessor,
    CategoricalVocabulary,
    VocabularyProcessor,
)
from kiln.compat.v1.contrib.training import HParams, parse_values

TYPES = {"a": int, "b": float, "c": str, "d": bool, "e.f": int}


def test_values_are_parsed_by_their_types():
    text = "a = 3, b=[1, 2.5],c=relu,d=false,e.f[1]=2,e.f[0]=7"
    wanted = {"a": 3, "b": [1.0, 2.5], "c": "relu", "d": False, "e.f": {1: 2, 0: 7}}
    assert parse_values(text, TYPES) == wanted
    assert parse_values("d=1,x=3", TYPES, ignore_unknown=True) == {"d": True}
    assert parse_values("c=[high low]", TYPES) == {"c": ["high", "low"]}


@pytest.mark.parametrize(
    "text,words",
    [
        ("a=1,a=2", "Multiple assignments to variable 'a' in a=1,a=2"),
        ("a[1]=1,a[1]=2", "Multiple assignments to variable 'a[1]' in a[1]=1,a[1]=2"),
        ("a=[1,2],a[0]=1", "Multiple assignments to variable 'a' in a=[1,2],a[0]=1"),
        ("a=1.5", "Could not parse hparam 'a' of type 'int' with value '1.5' in a=1.5"),
        ("d=maybe", "Could not parse hparam 'd' of type 'bool' with value 'maybe' in d=maybe"),
        ("a[0]=[1]", "Assignment of a list to a list index."),
        ("x=1", "Unknown hyperparameter type for x"),
        ("=1", "Malformed hyperparameter value: =1"),
    ],
)
def test_what_cannot_be_parsed(text, words):
    with pytest.raises(ValueError) as caught:
        parse_values(text, TYPES)
    assert str(caught.value) == words


def test_hyperparameters_keep_their_types():
    params = HParams(rate=0.1, units=10, activation="relu", sizes=[1, 2], debug=False)
    params.parse("rate=1e-3,sizes=[4,5,6],debug=true")
    assert (params.rate, params.sizes, params.debug) == (1e-3, [4, 5, 6], True)
    params.parse_json('{"units": 20, "rate": 1}')
    assert params.units == 20 and type(params.rate) is float
    params.set_hparam("activation", "tanh")
    params.add_hparam("new", 3)
    assert "new" in params and params.get("new") == 3 and params.get("none", 5) == 5
    params.del_hparam("new")
    assert params.values() == {
        "rate": 1.0, "units": 20, "activation": "tanh", "sizes": [4, 5, 6], "debug": True,
    }  # fmt: skip
    assert str(params) == "rate=1.0,units=20,activation=tanh,sizes=[4, 5, 6],debug=True"
    assert params.to_json(sort_keys=True).startswith('{"activation": "tanh", "debug": true')


def test_values_of_other_types_are_refused():
    params = HParams(rate=0.1, units=10, name="x", sizes=[1], debug=False)
    cases = [
        ("units", 1.5, "Could not cast hparam 'units' of type '<class 'int'>' from value 1.5"),
        ("debug", 1, "Could not cast hparam 'debug' of type '<class 'bool'>' from value 1"),
        ("units", True, "Could not cast hparam 'units' of type '<class 'int'>' from value True"),
        ("name", 3, "Could not cast hparam 'name' of type '<class 'str'>' from value 3"),
        ("sizes", 3, "Must pass a list for multi-valued parameter: sizes."),
        ("units", [3], "Must not pass a list for single-valued parameter: units"),
    ]
    for name, value, words in cases:
        with pytest.raises(ValueError) as caught:
            params.set_hparam(name, value)
        assert str(caught.value) == words
    with pytest.raises(ValueError, match="Hyperparameter name is reserved: parse"):
        params.add_hparam("parse", 1)
    with pytest.raises(ValueError, match="Multi-valued hyperparameters cannot be empty: e"):
        params.add_hparam("e", [])
    with pytest.raises(KeyError):
        params.set_hparam("nothing", 1)


def test_hyperparameters_as_a_message():
    params = HParams(a=1, b=0.5, c="text", d=True, e=[1, 2], f=["x", "y"], g=[False])
    message = params.to_proto()
    assert message.hparam["c"].bytes_value == b"text" and list(message.hparam["e"].int64_list.value) == [1, 2]
    assert HParams.from_proto(message).values() == params.values()


def test_words_become_numbers(tmp_path):
    texts = ["the cat sat", "The cat's HTMLParser", "dog-like cat"]
    processor = VocabularyProcessor(4)
    vectors = np.array(list(processor.fit_transform(texts)))
    assert vectors.tolist() == [[1, 2, 3, 0], [4, 5, 6, 7], [8, 2, 0, 0]]
    assert len(processor.vocabulary_) == 9
    processor.save(str(tmp_path / "vocabulary"))
    restored = VocabularyProcessor.restore(str(tmp_path / "vocabulary"))
    assert np.array(list(restored.transform(["cat sat bird"]))).tolist() == [[2, 3, 0, 0]]
    assert list(restored.reverse([[2, 3, 0]])) == ["cat sat <UNK>"]


def test_rare_words_are_unknown():
    processor = VocabularyProcessor(3, min_frequency=1)
    vectors = list(processor.fit_transform(["a b b", "c c c", "b d"]))
    assert [vector.tolist() for vector in vectors] == [[0, 1, 1], [2, 2, 2], [1, 0, 0]]
    vocabulary = CategoricalVocabulary(support_reverse=False)
    vocabulary.add("x", 5)
    vocabulary.add("y", 2)
    vocabulary.trim(0, max_frequency=5)
    assert vocabulary.get("y") == 1 and len(vocabulary) == 2
    with pytest.raises(ValueError, match="support_reverse"):
        vocabulary.reverse(1)


def test_texts_as_bytes():
    vectors = list(ByteProcessor(4).transform(["abc", "\u00e9tude", b"\xff"]))
    assert [vector.tolist() for vector in vectors] == [[97, 98, 99, 0], [195, 169, 116, 117], [255, 0, 0, 0]]
    assert list(ByteProcessor(4).reverse(vectors)) == ["abc", "\u00e9tu", ""]
