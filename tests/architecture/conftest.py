"""The desk's own fixtures serve here too; its clock, frozen, is both sites'."""

from tests.portal.desk.conftest import ana, desk, identity_pair, now, sign_in

__all__ = ["ana", "desk", "identity_pair", "now", "sign_in"]
