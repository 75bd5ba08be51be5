from datetime import UTC, date, datetime, timedelta

from sqlalchemy import func, select

from portal.domain.permits import Service
from portal.services.housekeeping import CHORES
from portal.services.register.permit_import import stage_register
from portal.services.register.publications import LEFT_BEHIND
from portal.services.register.staging import ImportOrder
from portal.services.unit_of_work import unit_of_work
from portal.storage.imports import ImportRunRow, StagedPermitRow

NOW = datetime(2026, 11, 30, 15, tzinfo=UTC)
ORDER = ImportOrder("caraguatatuba-sp", date(2026, 11, 30), service=Service.RECREATIONAL)


def keep_house(at: datetime) -> None:
    for chore in CHORES:
        chore(at)


class TestAReadingThatNobodyPublishes:
    def test_is_thrown_away_after_a_week(self, database, tmp_path):
        file = tmp_path / "cadastro.csv"
        file.write_text("numero;placa\n2026/0001;BRA2E19\n")
        stage_register(file, ORDER, now=NOW)

        keep_house(NOW + LEFT_BEHIND)
        assert self.staged() == ("staged", 1)

        keep_house(NOW + LEFT_BEHIND + timedelta(seconds=1))
        assert self.staged() == ("discarded", 0)

    def staged(self) -> tuple[str | None, int | None]:
        with unit_of_work() as session:
            rows = session.scalar(select(func.count()).select_from(StagedPermitRow))
            return session.scalar(select(ImportRunRow.state)), rows
