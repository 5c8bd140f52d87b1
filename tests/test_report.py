"""The results contract, and the answer in words."""

import json

import pytest
from readings import from_truth, grid, seen
from rich.console import Console

from setvision.answer import Show, hinted_card, lettered_sets, possible_sets
from setvision.board import Reading
from setvision.report import describe, failed_entry, summary, to_entry, to_json

# Cards 1, 2 and 3 are a set; the fourth belongs to none.
ONE_SET = ["1-red-solid-oval", "2-red-solid-oval", "3-red-solid-oval", "2-green-open-diamond"]
NO_SET = ["1-red-solid-oval", "2-red-solid-oval", "2-green-open-diamond", "3-red-solid-diamond"]
THIRD = "3-red-solid-oval"


def words(reading, show=Show.ALL, width=100, **options):
    console = Console(width=width, highlight=False)
    with console.capture() as capture:
        console.print(describe(reading, show, width=width, **options))
    return capture.get()


def test_an_entry_has_the_keys_and_types_of_the_contract():
    entry = json.loads(to_json([to_entry("a b.jpg", from_truth("fifteen"), 0.123456)]))["images"][0]
    assert list(entry) == [
        "file", "width", "height", "seconds", "error", "verdict", "cards", "sets",
    ]  # fmt: skip
    assert entry["file"] == "a b.jpg"
    assert entry["seconds"] == pytest.approx(0.1235)
    assert entry["error"] is None
    assert entry["verdict"] in ("sets", "no-set", "unsure", "no-cards")
    assert len(entry["cards"]) == 15
    for card in entry["cards"]:
        assert set(card) == {
            "card", "corners", "confidence", "certain", "row", "column", "alternatives",
        }  # fmt: skip
        assert len(card["card"].split("-")) == 4
        assert [len(corner) for corner in card["corners"]] == [2, 2, 2, 2]
        assert 0 <= card["confidence"] <= 1
        assert card["certain"] is True
    assert all(len(triple) == 3 and triple == sorted(triple) for triple in entry["sets"])


def test_a_doubtful_card_lists_its_alternatives_with_their_probabilities():
    reading = grid(ONE_SET, doubts={1: [("2-red-open-oval", 0.171234)]})
    card = to_entry("x.jpg", reading, 0.1)["cards"][1]
    assert card["certain"] is False
    assert card["confidence"] == 0.81
    assert card["alternatives"] == [["2-red-open-oval", 0.1712]]


def test_a_failed_picture_claims_nothing():
    entry = failed_entry("x.jpg", "x.jpg is empty")
    assert set(entry) == set(to_entry("x.jpg", grid(ONE_SET), 0.1))
    assert entry["error"] == "x.jpg is empty"
    assert entry["verdict"] == "unsure"
    assert entry["cards"] == entry["sets"] == []


def test_several_entries_make_one_valid_file_of_version_1():
    entries = [to_entry("a.jpg", grid(ONE_SET), 0.1), failed_entry("\udcff.jpg", "no")]
    results = json.loads(to_json(entries))
    assert results["version"] == 1
    assert [image["file"] for image in results["images"]] == ["a.jpg", "\udcff.jpg"]
    assert json.loads(to_json([])) == {"version": 1, "images": []}


def test_a_summary_counts_answers_and_failures():
    entries = [to_entry("a.jpg", grid(ONE_SET), 0.2), failed_entry("b.jpg", "no")]
    assert summary(entries) == (
        "2 pictures: 1 with sets, 0 without a set, 0 unsure, 0 without cards, 1 failed, "
        "0.20 s a picture"
    )


def test_the_text_says_how_the_cards_lie_and_names_each_with_its_number():
    text = words(from_truth("twelve-several-sets"))
    assert text.startswith("12 cards in 1 row\n")
    text = words(grid(ONE_SET, columns=2))
    assert text.startswith("4 cards in 2 rows of 2\n")
    assert "4:  2 green open diamonds" in text
    assert words(grid(ONE_SET, columns=3)).startswith("4 cards in rows of 3 and 1\n")


def test_each_set_has_a_letter_and_its_three_cards_named():
    text = words(grid(ONE_SET))
    assert "\n1 set\n" in text
    assert (
        "  A: cards 1, 2 and 3: 1 red solid oval · 2 red solid ovals · 3 red solid ovals\n" in text
    )


def test_no_set_is_followed_by_what_the_rules_say_to_do():
    twelve = from_truth("twelve-no-set")
    assert "\nNo set: deal three more\n" in words(twelve)
    assert "\nNo set: the game is over\n" in words(twelve, stock_empty=True)


def test_a_doubt_is_told_with_both_readings():
    text = words(grid(ONE_SET, doubts={3: [("2-green-striped-diamond", 0.17)]}), width=120)
    assert "4?:  2 green open diamonds" in text
    assert (
        "Card 4 is in doubt: 2 green open diamonds (81%) or 2 green striped diamonds (17%)" in text
    )


def test_a_set_that_rests_on_a_doubtful_card_is_only_possible():
    reading = grid(ONE_SET, doubts={2: [("3-red-open-oval", 0.17)]})
    text = " ".join(words(reading).split())
    assert "Perhaps 1 set: look at card 3" in text
    assert "(possible, if card 3 is 3 red solid ovals)" in text


def test_unsure_says_which_card_to_look_at_and_what_it_would_mean():
    reading = grid(NO_SET, doubts={3: [(THIRD, 0.17)]})
    text = words(reading)
    assert "\nNot sure: look at card 4\n" in text
    assert "Cards 1, 2 and 4 would be a set if card 4 is 3 red solid ovals\n" in text
    assert [possible.places for possible in possible_sets(reading)] == [(0, 1, 3)]


def test_a_doubt_that_changes_nothing_leaves_no_set_certain():
    reading = grid(NO_SET, doubts={3: [("3-red-striped-squiggle", 0.17)]})
    assert "\nNo set among these cards\n" in words(reading)


def test_a_card_that_cannot_be_read_is_mentioned():
    text = words(grid(NO_SET, blocked=[4]))
    assert "\nNot sure: 1 card cannot be read\n" in text
    assert "1 more card cannot be read" in text


def test_a_hint_names_one_card_and_not_the_set():
    reading = grid(ONE_SET)
    text = words(reading, Show.HINT)
    assert "1 set: card 1 is in it" in text
    assert "A:" not in text
    assert "cards 1, 2 and 3" not in text


def test_a_hint_prefers_a_set_that_is_certain():
    cards = [*ONE_SET[:3], "1-green-open-oval", "2-green-open-oval", "3-green-open-oval"]
    reading = grid(cards, doubts={0: [("1-red-open-oval", 0.1)]})
    assert hinted_card(reading) == 3
    assert [lettered.certain for lettered in lettered_sets(reading)] == [True, False]


def test_one_set_is_shown_when_one_is_asked_for_and_the_total_told():
    text = words(from_truth("twelve-several-sets"), Show.ONE)
    assert "One of " in text
    assert "  A: " in text
    assert "  B: " not in text


@pytest.mark.parametrize("width", [30, 40, 60, 80, 200])
def test_the_text_keeps_to_the_width_of_the_terminal(width):
    reading = grid(ONE_SET, doubts={2: [("3-red-open-oval", 0.17)]})
    lines = words(reading, width=width).splitlines()
    assert max(len(line.rstrip()) for line in lines) <= width


@pytest.mark.parametrize("width", [24, 26, 28, 30, 32])
def test_no_dot_and_no_number_stands_alone_on_a_line(width):
    long = ["1-purple-striped-squiggle", "2-purple-striped-squiggle", "3-purple-striped-squiggle"]
    lines = [line.strip() for line in words(grid(long), width=width).splitlines()]
    assert sum(line.endswith("·") for line in lines) + sum("· " in line for line in lines) == 2
    assert "·" not in lines
    start = next(i for i, line in enumerate(lines) if line.startswith("A:"))
    assert not any(line.endswith((" 1", " 2", " 3")) for line in lines[start + 1 :])


def test_the_text_holds_no_color_codes_when_it_is_not_for_a_terminal():
    assert "\x1b" not in words(grid(ONE_SET))


def test_very_many_sets_are_counted_but_not_all_listed():
    text = words(Reading(100, 100, tuple(_whole_deck())), width=120)
    assert "\n1080 sets\n" in text
    assert "and 1054 more" in text
    assert text.count("\n  Z:") == 1


def test_a_picture_without_cards_is_one_line():
    assert words(Reading(10, 10, ())) == "No cards found\n"


def _whole_deck():
    from setvision.cards import deck

    square = [[0, 0], [3, 0], [3, 2], [0, 2]]
    return [
        seen(str(card), square, row=place // 9, column=place % 9)
        for place, card in enumerate(deck())
    ]
