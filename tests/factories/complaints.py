"""Complaints as filed; a test states only what it is about."""

from datetime import UTC, date, datetime
from typing import Any

import factory
from sqlalchemy.orm import Session

from portal.domain.protocols import new_protocol
from portal.storage.complaints import ComplaintRow


class ComplaintFactory(factory.Factory[ComplaintRow]):
    """Filed anonymously on 1 March 2030 in Caraguatatuba, and not looked at yet."""

    class Meta:
        model = ComplaintRow

    municipality = "caraguatatuba-sp"
    protocol = factory.LazyFunction(new_protocol)
    draft = factory.Sequence("draft-{}".format)
    kind = "denuncia"
    category = "overcrowding"
    status = "registered"
    channel = "web"
    language = "en"
    facts = factory.LazyFunction(lambda: {"vehicle": {"kind": "typed", "text": "BRA2E19"}})
    story = None
    filed_at = datetime(2030, 3, 1, 15, 0, tzinfo=UTC)
    due_on = date(2030, 3, 31)
    due_article = "Lei nº 13.460/2017, art. 16"
    identity_mode = "anonymous"
    access_key_hash = b"-"
    access_key_pepper_id = "1"


def put_complaint(session: Session, **told: Any) -> ComplaintRow:
    """A complaint in the database."""
    row = ComplaintFactory(**told)
    session.add(row)
    session.flush()
    return row
