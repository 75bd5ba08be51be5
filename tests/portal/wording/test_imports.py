import re
from pathlib import Path

import pytest

import portal.importing
from portal.domain.itineraries import SourceProblem
from portal.i18n import translator
from portal.wording.imports import source_problem_sentence

CODES = {
    code
    for module in Path(portal.importing.__file__).parent.glob("*.py")
    for code in re.findall(r'(?:refuse|warn|tell)\(\s*"(\w+)"', module.read_text())
    if module.name in ("gtfs.py", "tables.py", "lines.py", "sources.py")
}


@pytest.mark.parametrize("code", sorted(CODES))
@pytest.mark.parametrize("fatal", [True, False])
def test_every_problem_of_a_feed_is_worded(code, fatal):
    problem = SourceProblem(code, "stops.txt", 2, "stop_lat", "x", fatal)

    assert source_problem_sentence(problem, translator("pt_BR")).startswith(
        "stops.txt, linha 2, campo stop_lat: "
    )
