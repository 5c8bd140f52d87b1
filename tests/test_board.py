"""What a reading says: never "no set" while a plausible reading of the cards would make one."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from setvision.board import Reading, SeenCard, Verdict
from setvision.cards import Card, deck
from setvision.rules import find_sets

CORNERS = np.array([[0, 0], [96, 0], [96, 64], [0, 64]], np.float32)
SET = ("1-red-solid-oval", "2-red-solid-oval", "3-red-solid-oval")
NO_SET = ("1-red-solid-oval", "2-red-solid-oval", "3-green-solid-oval")


def certain(name):
    return SeenCard(Card.parse(name), CORNERS, 0.999, certain=True)


def doubtful(name, *others, confidence=0.8):
    share = (1 - confidence) / max(1, len(others))
    alternatives = tuple((Card.parse(other), share) for other in others)
    return SeenCard(Card.parse(name), CORNERS, confidence, certain=False, alternatives=alternatives)


def reading(*cards, blocked=0):
    return Reading(640, 480, cards, (CORNERS,) * blocked)


@st.composite
def seen_cards(draw):
    """A card of a small part of the deck, where sets are common, perhaps with alternatives."""
    few = st.sampled_from(deck()[:18])
    card, others = draw(few), draw(st.lists(few, max_size=2, unique=True))
    confidence = draw(st.sampled_from([0.4, 0.6, 0.8, 0.95, 0.999]))
    alternatives = tuple((other, (1 - confidence) / 2) for other in others if other != card)
    sure = confidence > 0.99
    return SeenCard(card, CORNERS, confidence, sure, alternatives=alternatives)


def tables():
    return st.lists(seen_cards(), min_size=1, max_size=6).map(lambda cards: reading(*cards))


def a_plausible_table_holds_a_set(table):
    """Tried over every combination of what the cards may be; one wholly in doubt may be any."""
    if any(not seen.certain and not seen.alternatives for seen in table.cards):
        return True
    choices = [
        [seen.card] if seen.certain else [seen.card, *(card for card, _ in seen.alternatives)]
        for seen in table.cards
    ]
    return any(find_sets(cards) for cards in product(*choices))


@given(tables())
def test_no_set_is_said_exactly_when_no_plausible_reading_makes_one(table):
    assert (table.verdict is Verdict.NO_SET) == (not a_plausible_table_holds_a_set(table))


@given(tables())
def test_where_it_is_neither_sets_nor_no_set_it_is_unsure(table):
    unsure = not table.sets() and a_plausible_table_holds_a_set(table)
    assert (table.verdict is Verdict.SETS) == bool(table.sets())
    assert (table.verdict is Verdict.UNSURE) == unsure


@given(tables())
def test_sets_are_sets_of_what_was_read_and_certain_ones_rest_on_certain_cards(table):
    everything = find_sets([seen.card for seen in table.cards])
    sure = [triple for triple in everything if all(table.cards[i].certain for i in triple)]
    assert set(table.sets()) <= set(everything)
    assert table.certain_sets() == sure
    assert set(sure) <= set(table.sets())


@given(tables())
def test_a_card_that_cannot_be_read_forbids_saying_no_set(table):
    hidden = Reading(table.width, table.height, table.cards, (CORNERS,))
    assert hidden.verdict is (Verdict.SETS if table.sets() else Verdict.UNSURE)


def test_certain_cards_with_a_set_give_it():
    table = reading(*map(certain, (*SET, "1-green-open-oval")))
    assert table.verdict is Verdict.SETS
    assert table.sets() == table.certain_sets() == [(0, 1, 2)]
    assert table.doubtful() == []


def test_certain_cards_without_a_set_give_no_set():
    assert reading(*map(certain, NO_SET)).verdict is Verdict.NO_SET


def test_doubt_that_could_not_make_a_set_still_gives_no_set():
    *first, last = NO_SET
    table = reading(*map(certain, first), doubtful(last, "3-green-striped-oval"))
    assert table.verdict is Verdict.NO_SET
    assert table.doubtful() == [2]


def test_doubt_that_could_make_a_set_is_unsure():
    *first, last = NO_SET
    table = reading(*map(certain, first), doubtful(last, "3-red-solid-oval"))
    assert table.verdict is Verdict.UNSURE
    assert table.sets() == []


def test_alternatives_of_a_card_that_is_certain_do_not_count():
    *first, last = NO_SET
    other = ((Card.parse("3-red-solid-oval"), 0.001),)
    sure = SeenCard(Card.parse(last), CORNERS, 0.999, certain=True, alternatives=other)
    assert reading(*map(certain, first), sure).verdict is Verdict.NO_SET


def test_two_readings_of_one_card_do_not_make_a_set_together():
    first, second, third = SET
    table = reading(certain(first), doubtful(second, third))
    assert table.verdict is Verdict.NO_SET


@pytest.mark.parametrize(("confidence", "verdict"), [(0.6, Verdict.SETS), (0.4, Verdict.UNSURE)])
def test_a_set_on_a_doubtful_card_is_shown_only_if_it_is_likelier_than_not(confidence, verdict):
    first, second, third = SET
    last = doubtful(third, "3-green-open-oval", confidence=confidence)
    table = reading(certain(first), certain(second), last)
    assert table.verdict is verdict
    assert table.certain_sets() == []


@pytest.mark.parametrize("blocked", [0, 1, 3])
def test_where_nothing_can_be_read_no_cards_are_claimed(blocked):
    assert reading(blocked=blocked).verdict is Verdict.NO_CARDS


def test_a_blocked_card_beside_a_set_does_not_hide_the_set():
    assert reading(*map(certain, SET), blocked=1).verdict is Verdict.SETS


@pytest.mark.parametrize("count", [1, 2])
def test_one_or_two_certain_cards_hold_no_set(count):
    assert reading(*map(certain, SET[:count])).verdict is Verdict.NO_SET
