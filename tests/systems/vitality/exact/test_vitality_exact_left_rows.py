"""What batches leave they can explain: every build that is left has a reason, and no build that is solved."""

import numpy as np
import pytest
from test_vitality_exact_batch import masks_of
from vitality_exact_support import tiny_attacker, tiny_encounter, tiny_rules

from buildsearch.systems.vitality.exact.batch.solving import LEFT, Batch

CASES = [
    ("vitality-v2", {}, ()),
    ("vitality-v2", {"bleed_ticks": 2}, ("bleed",)),
    ("vitality-v2", {"bleed_overlap": "replace"}, ("bleed",)),
    ("vitality-v2", {"bleed_tick": "start"}, ("bleed",)),
    ("vitality-v2", {}, ("bleed", "finishing_blow")),
    ("vitality-v2", {}, ("bleed", "splinter")),
    ("vitality-v2", {"triggered_defeats": "none"}, ("splinter",)),
    ("vitality-v2", {"target": "highest_hp"}, ()),
    ("vitality-v2", {"attacker_defeat": "loss"}, ()),
    ("vitality-v2", {"limit_scope": "strike"}, ("barrage",)),
    ("vitality-v2", {"barrage_triggers": "first"}, ("barrage",)),
    ("vitality-v2", {"failed_activation": "attack"}, ("channeled",)),
    ("vitality-v2", {}, ("ricochet",)),
    ("vitality-v2", {}, ("explosive_critical",)),
    ("vitality-v1", {}, ()),
]


@pytest.mark.parametrize("waves", [((5,),), ((4, 3),)])
@pytest.mark.parametrize(("edition", "rulings", "with_"), CASES, ids=str)
def test_every_build_that_is_left_has_one_reason(edition, rulings, with_, waves):
    rules = tiny_rules(edition, **rulings)
    encounter = tiny_encounter(rules, *waves, max_turns=40)
    for attack_type in ("melee_dg", "area", "direct_area_damage"):
        try:
            _, masks = masks_of(rules, attack_type, 25, seed=2, budget=9, with_=with_)
        except ValueError:  # not on this type
            continue
        batch = Batch(rules, [(tiny_attacker(rules), encounter)], attack_type, masks)
        found, reasons = batch.means(0), batch.left(0)
        explained = np.zeros(len(masks), np.int64)
        for rows in reasons.values():
            explained += rows
        assert np.array_equal(explained, (found.ways == LEFT).astype(np.int64)), reasons.keys()


def test_reasons_name_rulings_and_options():
    """In words that a rules file uses."""
    rules = tiny_rules(bleed_ticks=2)
    encounter = tiny_encounter(rules, (4, 3))
    _, masks = masks_of(rules, "melee_dg", 5, seed=2, with_=("bleed",))
    batch = Batch(rules, [(tiny_attacker(rules), encounter)], "melee_dg", masks)
    assert "bleed under the ruling bleed_ticks=2" in batch.left(0)
