"""What must not leave the ombudsman's office in a copy."""

import pytest

from portal.domain.redaction import MASK, redact


class TestRedacting:
    @pytest.mark.parametrize(
        "told",
        [
            "(12) 99999-9999",
            "12 99999 9999",
            "12999999999",
            "+55 12 3882-1234",
            "3882-1234",
            "maria@example.org",
            "MARIA [at] example . org",
            "maria arroba example ponto org",
            "@maria_silva",
            "123.456.789-09",
            "12345678909",
            "abc-1d23",
            "ABC 1234",
        ],
    )
    def test_what_tells_who_somebody_is_goes_in_every_occurrence(self, told):
        text = f"Meu contato: {told}. Repito: {told}; e no fim {told}"

        assert told not in redact(text)
        assert redact(text).count(MASK) == 3

    @pytest.mark.parametrize(
        "told",
        [
            "às 14:30 de 28/11/2026",
            "linha 1234, ponto 12",
            "R$ 1.234,56",
            "protocolo 7K3M-9QXT-4B2C",
            "no ano 2026, em set 2025",
            "de 2025-2026",
            "Lei nº 13.460/2017, art. 16",
            "🚂 lotado, criança em pé",
        ],
    )
    def test_the_rest_is_left_alone(self, told):
        assert redact(told) == told

    @pytest.mark.parametrize("written", ["BRA2E19", "bra-2e19", "BRA2419"])
    def test_the_vehicle_complained_of_stays_readable_by_old_plate_and_new(self, written):
        assert (
            redact(f"A placa {written} bateu no ABC1D23", keep=["BRA2E19"])
            == f"A placa {written} bateu no {MASK}"
        )

    def test_its_permit_number_is_no_telephone(self):
        assert redact("Autorização 20260001", keep=["2026/0001"]) == "Autorização 20260001"

    def test_a_mask_says_nothing_of_what_stood_there(self):
        assert redact("a@b.co") == redact("a.very.long.name@example.org")

    def test_twice_is_as_once(self):
        text = "Ligue 12 99999-9999 ou escreva a maria@example.org"

        assert redact(redact(text)) == redact(text)
