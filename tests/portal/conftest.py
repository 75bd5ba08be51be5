"""What the services of complaints need around them: an environment and the keys of one ombudsman."""

import json
from pathlib import Path

import pytest

from portal.sealing.keys import KeyPair, new_key_pair
from portal.sealing.opening import private_key


@pytest.fixture
def ombudsman_keys(environment: Path) -> dict[str, KeyPair]:
    """Fresh pairs of Caraguatatuba's ombudsman and of the worker, the public halves in the settings' file."""
    pairs = {"identity": new_key_pair(), "notice": new_key_pair()}
    (environment / "public.json").write_text(
        json.dumps(
            {
                "identity": {
                    "caraguatatuba-sp": {"id": pairs["identity"].id, "key": pairs["identity"].public}
                },
                "notice": {"id": pairs["notice"].id, "key": pairs["notice"].public},
            }
        )
    )
    return pairs


@pytest.fixture
def opening_keys(ombudsman_keys: dict[str, KeyPair]) -> dict[str, dict[str, object]]:
    return {name: {pair.id: private_key(pair.private)} for name, pair in ombudsman_keys.items()}
