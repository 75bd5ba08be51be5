"""The direction of imports is part of the design: a slip fails the build and not the review."""

import subprocess
import sys
from pathlib import Path


def test_imports_point_inwards():
    # In a process of its own, as the linter rearranges logging for the whole process.
    linter = Path(sys.executable).with_name("lint-imports")
    outcome = subprocess.run([linter, "--no-cache"], capture_output=True, text=True, check=False)
    assert outcome.returncode == 0, outcome.stdout
