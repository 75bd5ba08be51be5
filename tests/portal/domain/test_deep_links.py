import re

import pytest

from portal.domain.deep_links import DeepLink, digest, payload, read_payload


class TestWhatALinkCarries:
    @pytest.mark.parametrize(
        ("kind", "more", "carried"),
        [
            ("v", {"what": "BRA1D23"}, "v_BRA1D23"),
            ("v", {"what": "2026/0001"}, "v_2026-0001"),
            ("s", {"town": 3510500, "what": "praca"}, "s_3510500_praca"),
            ("i", {"town": 3510500, "what": "centro-praia"}, "i_3510500_centro-praia"),
            ("t", {"town": 3510500}, "t_3510500"),
            ("a", {}, "a"),
            ("r", {"town": 3510500}, "r_3510500"),
            ("c", {}, "c"),
        ],
    )
    def test_is_read_as_it_was_written(self, kind, more, carried):
        assert payload(kind, **more) == carried
        led = read_payload(carried)
        assert led
        assert led.kind == kind
        assert led.town == (str(more["town"]) if "town" in more else None)

    @pytest.mark.parametrize("code", ["praça", "a" * 41, "a b", "~x", "a_b", "Nº 2 (A)"])
    def test_of_an_odd_code_is_its_digest(self, code):
        carried = payload("s", town=3510500, what=code)
        assert re.fullmatch(r"[A-Za-z0-9_-]{1,64}", carried)
        assert read_payload(carried) == DeepLink("s", "3510500", f"~{digest(code)}")

    @pytest.mark.parametrize(
        "carried",
        ["", "menu", "x_1", "v", "s_3510500", "s_praca", "t", "t_1", "a_x", "v_" + "A" * 70, "v_ABC 1", "é"],
    )
    def test_that_no_page_writes_leads_nowhere(self, carried):
        assert read_payload(carried) is None
