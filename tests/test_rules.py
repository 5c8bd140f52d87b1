"""What a set is, proved over the whole deck and against a plain reading of the rules."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setvision.cards import FEATURES, Card, deck
from setvision.rules import explain, find_sets, is_set, no_set_advice, third_card

CARDS = st.sampled_from(deck())
TRIPLES = st.lists(CARDS, min_size=3, max_size=3, unique=True)


def cards(*names):
    return [Card.parse(name) for name in names]


def is_set_by_the_book(three):
    """Each feature, taken alone, is the same on all three or different on all three."""
    return len(set(three)) == 3 and all(
        len({card.features[place] for card in three}) in (1, 3) for place in range(4)
    )


def sets_by_trying_all(table):
    return [
        triple
        for triple in combinations(range(len(table)), 3)
        if is_set_by_the_book([table[place] for place in triple])
    ]


# A set


def test_any_two_cards_are_completed_by_exactly_one_third():
    for first, second in combinations(deck(), 2):
        third = third_card(first, second)
        assert third_card(second, first) == third
        assert third_card(first, third) == second
        assert is_set_by_the_book([first, second, third])


@given(CARDS, CARDS, CARDS)
def test_three_cards_are_a_set_when_the_book_says_so_in_any_order(first, second, third):
    expected = is_set_by_the_book([first, second, third])
    assert is_set(first, second, third) is expected
    assert is_set(third, first, second) is expected
    assert is_set(second, first, third) is expected


@given(CARDS, CARDS)
def test_the_same_card_twice_is_never_a_set(first, second):
    assert not is_set(first, first, second)
    assert not is_set(first, second, first)
    assert not is_set(second, first, first)
    assert find_sets([first, second, first]) == find_sets([first] * 3) == []


@given(CARDS)
def test_the_same_card_twice_has_no_third(card):
    with pytest.raises(ValueError, match=f"two different cards are needed, not {card} twice"):
        third_card(card, card)


# The examples of the rule sheets


@pytest.mark.parametrize(
    "names",
    [
        # red, oval, two symbols, three shadings
        ("2-red-solid-oval", "2-red-striped-oval", "2-red-open-oval"),
        # all different in color, shape and number, same shading
        ("1-red-striped-oval", "2-green-striped-diamond", "3-purple-striped-squiggle"),
        # all four different
        ("1-red-solid-oval", "2-green-striped-squiggle", "3-purple-open-diamond"),
    ],
)
def test_the_valid_examples_of_the_rules_are_sets(names):
    three = cards(*names)
    assert is_set(*three)
    assert all(ruling.holds for ruling in explain(*three))


@pytest.mark.parametrize(
    ("names", "why"),
    [
        (  # diamonds, one symbol each, three colors, but two open and one solid
            ("1-red-open-diamond", "1-green-solid-diamond", "1-purple-open-diamond"),
            ["shading: two open, one solid"],
        ),
        (  # squiggles, two symbols, three shadings, but two red and one green
            ("2-red-solid-squiggle", "2-green-striped-squiggle", "2-red-open-squiggle"),
            ["color: two red, one green"],
        ),
        (  # two red and striped, one green and striped
            ("1-red-striped-oval", "2-red-striped-oval", "3-green-striped-oval"),
            ["color: two red, one green"],
        ),
        (  # the quick check: two red, one purple
            ("1-red-open-oval", "1-red-open-diamond", "1-purple-open-squiggle"),
            ["color: two red, one purple"],
        ),
        (
            ("1-red-open-oval", "1-red-solid-diamond", "2-purple-solid-diamond"),
            [
                "number: two 1, one 2",
                "color: two red, one purple",
                "shading: two solid, one open",
                "shape: two diamond, one oval",
            ],
        ),
    ],
)
def test_the_invalid_examples_of_the_rules_are_none_for_the_reason_given(names, why):
    three = cards(*names)
    assert not is_set(*three)
    assert [str(ruling) for ruling in explain(*three) if not ruling.holds] == why


# The explanation


@given(TRIPLES)
def test_the_explanation_names_exactly_the_features_that_fail(three):
    failing = {
        feature
        for place, feature in enumerate(FEATURES)
        if len({card.features[place] for card in three}) == 2
    }
    rulings = explain(*three)
    assert [ruling.feature for ruling in rulings] == list(FEATURES)
    assert {ruling.feature for ruling in rulings if not ruling.holds} == failing
    assert is_set(*three) == (not failing)


@given(TRIPLES)
def test_the_odd_one_out_is_the_card_that_differs_from_the_two_that_agree(three):
    for place, ruling in enumerate(explain(*three)):
        values = [card.features[place] for card in three]
        if ruling.odd_one_out is None:
            assert len(set(values)) in (1, 3)
            assert str(ruling).endswith(("all different", f"all {values[0]}"))
        else:
            odd = values.pop(ruling.odd_one_out)
            assert values[0] == values[1] != odd
            assert str(ruling).endswith(f": two {values[0]}, one {odd}")


def test_what_holds_is_said_too():
    rulings = explain(*cards("2-red-solid-oval", "2-red-striped-diamond", "2-red-open-oval"))
    assert [str(ruling) for ruling in rulings] == [
        "number: all 2",
        "color: all red",
        "shading: all different",
        "shape: two oval, one diamond",
    ]


# Finding sets


def test_the_deck_holds_1080_sets_and_each_card_is_in_40():
    found = find_sets(deck())
    assert len(found) == len(set(found)) == 81 * 80 // 6 == 1080
    assert all(sum(place in triple for triple in found) == 40 for place in (0, 40, 80))


@given(st.lists(CARDS, max_size=21))
def test_all_sets_are_found_in_order_also_where_a_card_lies_twice(table):
    assert find_sets(table) == sets_by_trying_all(table)


@given(st.lists(st.sampled_from(deck()[:9]), max_size=14))
def test_all_sets_are_found_on_tables_full_of_sets_and_of_doubles(table):
    assert find_sets(table) == sets_by_trying_all(table)


@given(st.lists(CARDS, min_size=21, max_size=21, unique=True))
def test_21_cards_always_hold_a_set(table):
    assert find_sets(table)


def test_a_card_that_lies_twice_takes_part_with_each_of_its_places():
    first, second, third = cards("1-red-solid-oval", "2-red-solid-oval", "3-red-solid-oval")
    assert find_sets([first, second, first, third]) == [(0, 1, 3), (1, 2, 3)]


def completed_by(table):
    """The cards that would make a set with two of the table."""
    return {third_card(*pair) for pair in combinations(table, 2)}


def largest_family_without_a_set():
    """Twenty cards, found by search: ten pairs that one and the same card would complete."""
    center, *others = deck()
    pairs = [(card, third_card(center, card)) for card in others]

    def extend(family, left):
        if len(family) == 20:
            return family
        for place, pair in enumerate(left):
            larger = [*family, *pair]
            taken = completed_by(larger)
            fitting = [other for other in left[place + 1 :] if not taken.intersection(other)]
            if len(larger) + 2 * len(fitting) >= 20 and (found := extend(larger, fitting)):
                return found
        return None

    return extend([], [pair for pair in pairs if pair[0] < pair[1]])


def test_there_are_20_cards_without_a_set_and_any_other_card_makes_one():
    family = largest_family_without_a_set()
    assert len(set(family)) == 20
    assert sets_by_trying_all(family) == find_sets(family) == []
    others = set(deck()) - set(family)
    assert len(others) == 61
    for other in others:
        assert find_sets([*family, other])


# What to do without a set


@pytest.mark.parametrize("count", [12, 15, 18])
def test_without_a_set_three_more_are_dealt(count):
    assert no_set_advice(count) == "No set: deal three more"


@pytest.mark.parametrize("count", [6, 9, 12, 15, 18])
def test_without_a_set_and_without_stock_the_game_is_over(count):
    assert no_set_advice(count, stock_empty=True) == "No set: the game is over"


@pytest.mark.parametrize("count", [0, 1, 3, 9, 11])
def test_fewer_cards_than_a_table_get_no_advice_to_deal(count):
    assert no_set_advice(count) == "No set among these cards"
