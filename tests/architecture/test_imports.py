"""The direction of imports is part of the design: a slip fails the build and not the review."""

from importlinter.cli import lint_imports


def test_imports_point_inwards():
    assert lint_imports(cache_dir=None) == 0, "run `make arch` to read which import points outwards"
