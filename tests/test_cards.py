"""The deck of 81 and the names of its cards."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setvision.cards import FEATURES, Card, Color, Number, Shading, Shape, deck

CARDS = st.sampled_from(deck())


def test_the_deck_holds_every_combination_of_values_once():
    assert set(deck()) == {
        Card(number, color, shading, shape)
        for number in Number
        for color in Color
        for shading in Shading
        for shape in Shape
    }
    assert len(deck()) == len(set(deck())) == 81


def test_every_value_is_on_27_cards():
    for place, feature in enumerate(FEATURES):
        for value in feature:
            assert sum(card.features[place] is value for card in deck()) == 27


def test_the_index_is_the_place_in_the_deck_and_cards_order_by_it():
    assert [card.index for card in deck()] == list(range(81))
    assert sorted(deck()[40:] + deck()[:40]) == list(deck())


@given(CARDS)
def test_a_card_is_found_again_by_its_index_and_by_its_name(card):
    assert Card.from_index(card.index) == card
    assert Card.parse(str(card)) == card
    assert Card.parse(f"  {str(card).upper()} ") == card


@given(CARDS, CARDS)
def test_two_cards_have_the_same_name_only_if_they_are_the_same(first, second):
    assert (str(first) == str(second)) == (first == second)
    assert (first.describe() == second.describe()) == (first == second)


def test_a_name_gives_number_color_shading_and_shape_in_this_order():
    card = Card(Number.TWO, Color.RED, Shading.STRIPED, Shape.SQUIGGLE)
    assert str(card) == "2-red-striped-squiggle"
    assert card.describe() == "2 red striped squiggles"
    assert Card.parse("1-green-open-oval").describe() == "1 green open oval"


@pytest.mark.parametrize("index", [-1, 81, 1000])
def test_an_index_outside_the_deck_is_refused(index):
    with pytest.raises(ValueError, match=f"a card's index is 0 to 80, not {index}"):
        Card.from_index(index)


@pytest.mark.parametrize("name", ["", "red", "2-red-striped", "2-red-striped-oval-oval", "2 red"])
def test_a_name_that_is_not_four_words_is_told_how_names_look(name):
    with pytest.raises(ValueError, match=r"number-color-shading-shape, not '"):
        Card.parse(name)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("4-red-solid-oval", "number is one of 1, 2, 3, not '4'"),
        ("two-red-solid-oval", "number is one of 1, 2, 3, not 'two'"),
        ("1-blue-solid-oval", "color is one of red, green, purple, not 'blue'"),
        ("1-red-dotted-oval", "shading is one of solid, striped, open, not 'dotted'"),
        ("1-red-solid-", "shape is one of oval, diamond, squiggle, not ''"),
    ],
)
def test_a_wrong_word_is_named_with_the_words_there_are(name, message):
    with pytest.raises(ValueError, match=message):
        Card.parse(name)


WORDS = st.sampled_from(["", "0", "1", "3", "red", "Green", "open", "striped", "oval", "squiggle"])


@given(st.one_of(st.lists(WORDS, max_size=5).map("-".join), st.text("1red-–é \n", max_size=20)))
def test_any_text_is_either_the_name_of_its_card_or_refused(text):
    try:
        card = Card.parse(text)
    except ValueError:
        assert text.lower() not in {str(card) for card in deck()}
    else:
        assert str(card) == text.strip().lower()


def test_a_card_cannot_be_changed():
    with pytest.raises(AttributeError):
        deck()[0].number = Number.TWO
