"""Publishing a register: complaints go on meanwhile, and everybody sees all of it or nothing."""

import threading
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta

import pytest
from sqlalchemy import func, select
from sqlalchemy.exc import OperationalError

from portal.domain.complaints import Identity, IdentityMode
from portal.domain.errors import NothingHere, PublicationRefused
from portal.domain.permits import EventKind, PermitEvent, Service, Status
from portal.services.complaints.filing import file_complaint
from portal.services.complaints.intake import answer, skip, start_draft
from portal.services.register import permits as register
from portal.services.register import publications, undoing
from portal.services.register import staging as register_stage
from portal.services.register.permit_import import import_permits, stage_register
from portal.services.register.permits import keeper_at
from portal.services.register.staging import ImportOrder
from portal.services.unit_of_work import unit_of_work
from portal.services.verdicts.verification import verify_permit
from portal.storage import merging, staging
from portal.storage import undoing as undoing_rows
from portal.storage.imports import ImportRunRow, StagedPermitRow

TOWN, ELSEWHERE = "caraguatatuba-sp", "chapada-dos-guimaraes-mt"
NOW = datetime(2026, 11, 30, 15, tzinfo=UTC)
TODAY = date(2026, 11, 30)
CLERK = keeper_at(TOWN)
HEADER = "numero;ano;placa;lotacao;emissao"


@pytest.fixture
def files(tmp_path, database):
    def write(*rows, header=HEADER, name="cadastro.csv"):
        path = tmp_path / name
        path.write_text("\n".join((header, *rows)))
        return path

    return write


def row(n, plate=None, year=2026):
    return f"{year}/{n:04d};{year};{plate or f'BRA{n:04d}'};20;10/12/{year - 1}"


def order(**told):
    return ImportOrder(told.pop("town", TOWN), told.pop("as_of", TODAY), Service.RECREATIONAL, **told)


def stage(path, **told):
    return stage_register(path, order(**told), now=NOW)


def publish(run_id, **told):
    return publications.publish(CLERK, run_id, now=NOW, **told)


def status(plate, on=TODAY, known_at=None):
    with unit_of_work() as session:
        return verify_permit(session, TOWN, plate, on=on, now=NOW, known_at=known_at).status


def count(what):
    with unit_of_work() as session:
        return session.scalar(select(func.count()).select_from(what))


def visible():
    with unit_of_work() as session:
        return register.find_in_register(session, CLERK, "", on=TODAY).total


def complain() -> None:
    """File a complaint as the portal does, in transactions of its own."""
    with unit_of_work(writes=True) as session:
        draft = start_draft(session, municipality=TOWN, channel="web", language="pt_BR", now=NOW)
    while draft.question.id != "identity":
        with unit_of_work(writes=True) as session:
            asked = draft.question.id
            given = {"what": "overcrowding"}
            draft = (
                answer(session, draft.token, asked, given[asked], now=NOW)
                if asked in given
                else skip(session, draft.token, asked, now=NOW)
            )
    with unit_of_work(writes=True) as session:
        file_complaint(session, draft.token, Identity(IdentityMode.ANONYMOUS), now=NOW)


class Refusals:
    """Units of work of which every other one finds the database locked."""

    def __init__(self) -> None:
        self.count = 0
        self._turn = 0

    @contextmanager
    def unit(self, *, writes=False):
        with unit_of_work(writes=writes) as session:
            self._turn += writes
            if writes and self._turn % 2:
                self.count += 1
                raise OperationalError("BEGIN IMMEDIATE", {}, Exception("database is locked"))
            yield session


@pytest.fixture
def refusals():
    return Refusals()


@pytest.mark.usefixtures("ombudsman_keys")
class TestMeanwhile:
    @pytest.fixture(autouse=True)
    def small_stretches(self, monkeypatch):
        monkeypatch.setattr(register_stage, "STRETCH", 40)
        monkeypatch.setattr(staging, "STRETCH", 40)

    def test_a_complaint_is_filed_between_any_two_steps_and_all_is_seen_at_once(self, files):
        path = files(*(row(n) for n in range(100)))
        seen: list[int] = []

        @contextmanager
        def unit(*, writes=False):
            with unit_of_work(writes=writes) as session:
                yield session
            if writes:
                complain()
                seen.append(visible())

        import_permits(path, order(), now=NOW, unit=unit)

        assert set(seen) == {0, 100}
        assert seen == sorted(seen)
        assert len(seen) > 10

    def test_complaints_pour_in_while_another_thread_imports(self, files):
        path = files(*(row(n) for n in range(400)))
        reports = []
        importing = threading.Thread(
            target=lambda: reports.append(import_permits(path, order(), now=NOW)), name="import"
        )
        filed = 0

        importing.start()
        while importing.is_alive() or not filed:
            complain()
            filed += 1
            importing.join(0.05)  # a citizen, not a siege
        importing.join()

        assert reports[0].added == 400
        assert filed > 1
        assert status("BRA0399") is Status.AUTHORIZED

    def test_it_is_patient_when_citizens_hold_the_lock(self, files, refusals):
        """The lock is refused the first time; what was to be written is written the second time."""
        report = import_permits(files(row(1)), order(), now=NOW, unit=refusals.unit)

        assert refusals.count > 3
        assert report.added == 1
        assert status("BRA0001") is Status.AUTHORIZED

    def test_what_changed_since_the_comparison_is_compared_again(self, files):
        import_permits(files(row(1)), order(), now=NOW)
        run_id = stage(files(row(1, plate="BRA7777"), row(2)))
        with unit_of_work(writes=True) as session:
            permit = register.permit_by_number(session, CLERK, "2026/1")
            event = PermitEvent(EventKind.SUSPENSION, TODAY)
            register.record_act(session, CLERK, permit, event, now=NOW + timedelta(minutes=1))

        publish(run_id)

        assert status("BRA7777") is Status.SUSPENDED
        assert status("BRA0002") is Status.AUTHORIZED

    def test_a_publication_that_broke_off_is_taken_up_again(self, files, monkeypatch):
        import_permits(files(row(1)), order(), now=NOW)
        run_id = stage(files(row(1, plate="BRA7777"), *(row(n) for n in range(2, 60))))
        real = merging.show

        def broken(*_args, **_told):
            raise OSError("the power went")

        monkeypatch.setattr(merging, "show", broken)
        with pytest.raises(OSError, match="power"):
            publish(run_id)
        assert status("BRA0001") is Status.AUTHORIZED
        assert status("BRA0050") is Status.NOT_FOUND

        monkeypatch.setattr(merging, "show", real)
        publish(run_id)
        assert status("BRA7777") is Status.AUTHORIZED
        with unit_of_work() as session:
            permit = register.permit_by_number(session, CLERK, "2026/50")
            file = register.read_permit(session, CLERK, permit, on=TODAY)
        assert len(file.permit.units) == len(file.acts) == 1


class TestUndoing:
    def test_what_was_known_before_during_and_after_stays_known(self, files):
        import_permits(files(row(1)), order(as_of=date(2026, 11, 1)), now=NOW)
        second = stage(files(row(1, plate="BRA7777"), row(2)))
        published = publications.publish(CLERK, second, now=NOW + timedelta(hours=1)).published_at
        undoing.undo(CLERK, second, now=NOW + timedelta(hours=2))

        assert (status("BRA0001"), status("BRA0002")) == (Status.AUTHORIZED, Status.NOT_FOUND)
        assert status("BRA0002", known_at=published) is Status.AUTHORIZED
        assert status("BRA0001", known_at=published) is Status.NOT_FOUND
        assert status("BRA0002", known_at=NOW) is Status.NOT_FOUND

    def test_a_retired_permit_is_back(self, files):
        import_permits(files(row(1), row(2)), order(as_of=date(2026, 11, 1)), now=NOW)
        run_id = stage(files(row(1), ""))
        publish(run_id, retire_missing=True)
        assert status("BRA0002") is Status.NOT_FOUND

        undoing.undo(CLERK, run_id, now=NOW)

        assert status("BRA0002") is Status.AUTHORIZED

    def test_what_was_undone_can_be_brought_again(self, files):
        path = files(row(1))
        for _ in range(3):
            run_id = stage(path)
            publish(run_id)
            undoing.undo(CLERK, run_id, now=NOW)
        publish(stage(path))

        assert status("BRA0001") is Status.AUTHORIZED
        with unit_of_work() as session:
            permit = register.permit_by_number(session, CLERK, "2026/1")
            assert len(register.read_permit(session, CLERK, permit, on=TODAY).permit.units) == 1

    def test_another_town_has_nothing_to_undo(self, files):
        run_id = stage(files(row(1)))
        publish(run_id)

        with pytest.raises(NothingHere):
            undoing.undo(keeper_at(ELSEWHERE), run_id, now=NOW)
        with pytest.raises(NothingHere):
            publications.publish(keeper_at(ELSEWHERE), run_id, now=NOW)
        with pytest.raises(NothingHere):
            publications.discard(keeper_at(ELSEWHERE), run_id, now=NOW)


class TestTheStage:
    def test_only_permits_of_the_services_in_the_file_can_go_missing(self, files):
        import_permits(files(row(1)), order(), now=NOW)

        other = stage_register(
            files("900;;BRA9A99;4;"), ImportOrder(TOWN, TODAY, Service.RIDE_HAILING), now=NOW
        )

        with unit_of_work() as session:
            assert publications.read_publication(session, CLERK, other).missing == 0

    def test_rows_of_one_permit_may_stand_apart(self, files):
        report = import_permits(files(row(1), row(2), row(1, plate="BRA7A77")), order(), now=NOW)

        assert report.added == 2
        with unit_of_work() as session:
            verdict = verify_permit(session, TOWN, "BRA7A77", on=TODAY, now=NOW)
        assert [unit.plate for unit in verdict.units] == ["BRA0001", "BRA7A77"]

    def test_and_may_not_contradict_each_other_there(self, files):
        header = f"{HEADER};nome_fantasia"
        path = files(f"{row(1)};Um", row(2), f"{row(1, plate='BRA7A77')};Outro", header=header)

        report = import_permits(path, order(skip_bad_rows=True), now=NOW)

        assert (report.added, report.rows_refused) == (1, 1)
        (problem,) = (one for one in report.problems if one.refuses)
        assert (problem.line, problem.code) == (4, "contradicts_permit")

    def test_what_nobody_publishes_goes_after_a_week(self, files):
        run_id = stage(files(row(1)))

        publications.forget_left_behind(now=NOW + timedelta(days=6))
        assert count(StagedPermitRow) == 1
        publications.forget_left_behind(now=NOW + timedelta(days=8))

        assert count(StagedPermitRow) == 0
        with pytest.raises(NothingHere):
            publish(run_id)

    def test_a_reading_is_published_once(self, files):
        run_id = stage(files(row(1)))
        publish(run_id)

        with pytest.raises(PublicationRefused):
            publish(run_id)
        assert count(ImportRunRow) == 1

    def test_a_thousand_refusals_are_counted_and_the_first_told(self, files):
        path = files(*(row(n, plate="XX-1") for n in range(700)), *(row(n) for n in range(700, 710)))

        report = import_permits(path, order(skip_bad_rows=True), now=NOW)

        assert (report.rows_refused, report.added) == (700, 10)
        assert len(report.problems) == 500


class TestAgainstTheLaw:
    def warned(self, files, *rows, header, **told):
        report = import_permits(files(*rows, header=header), order(dry_run=True, **told), now=NOW)
        return {(one.line, one.code, one.article) for one in report.problems if not one.refuses}

    def test_a_speed_and_a_printed_end_beyond_the_norm(self, files):
        header = "numero;ano;placa;emissao;velocidade_max;validade_ate"
        found = self.warned(
            files,
            "2026/1;2026;BRA1A11;10/12/2025;50;31/12/2026",
            "2026/2;2026;BRA2A22;10/12/2025;51;01/01/2027",
            header=header,
        )

        assert found == {
            (3, "speed_above_law", "art. 11, § 2º"),
            (3, "paper_beyond_law", "art. 8º"),
        }

    def test_a_permit_issued_after_its_year_never_runs(self, files):
        found = self.warned(files, "2025/1;2025;BRA1A11;10/01/2026", header="numero;ano;placa;emissao")

        assert found == {(2, "never_valid", "art. 8º")}

    def test_a_third_permit_of_the_central_region(self, files):
        header = f"{HEADER};regiao"
        rows = [f"{row(n)};{'central' if n < 4 else 'outra'}" for n in range(1, 6)]

        assert self.warned(files, *rows, header=header) == {
            (4, "beyond_permits_in_central_region", "art. 10")
        }

    def test_a_car_that_is_too_old_on_the_day_after_its_last(self, files):
        header = "numero;placa;ano_modelo;emissao"
        rows = ["7;BRA1A11;2016;10/01/2026", "8;BRA2A22;2015;10/01/2026"]
        found = import_permits(
            files(*rows, header=header),
            ImportOrder(ELSEWHERE, date(2026, 12, 31), Service.RIDE_HAILING, dry_run=True),
            now=NOW,
        ).problems

        assert {(one.line, one.code) for one in found} == {(3, "vehicle_too_old")}
        assert "art. 14" in found[0].article

    def test_more_vehicles_or_drivers_than_the_norm_accepts(self, files):
        one_driver = import_permits(
            files("7;BRA1A11;10/01/2026", "7;BRA2A22;10/01/2026", header="numero;placa;emissao"),
            ImportOrder(ELSEWHERE, TODAY, Service.RIDE_HAILING, dry_run=True),
            now=NOW,
        )
        one_car = import_permits(
            files(*(f"{n};BRA1A11;10/01/2026" for n in (1, 2, 3)), header="numero;placa;emissao"),
            ImportOrder("sao-joao-da-boa-vista-sp", TODAY, Service.RIDE_HAILING, dry_run=True),
            now=NOW,
        )

        assert "too_many_vehicles" in {one.code for one in one_driver.problems}
        assert "beyond_drivers_per_vehicle" in {one.code for one in one_car.problems}

    def test_a_permit_under_a_bill(self, files):
        found = import_permits(
            files("7;BRA1A11;10/01/2026", header="numero;placa;emissao"),
            ImportOrder("santa-rita-pb", TODAY, Service.TOURISM, dry_run=True),
            now=NOW,
        )

        assert "bill_permit" in {one.code for one in found.problems}


@pytest.mark.usefixtures("ombudsman_keys")
class TestUndoingMeanwhile:
    @pytest.fixture(autouse=True)
    def small_stretches(self, monkeypatch):
        monkeypatch.setattr(undoing_rows, "STRETCH", 40)
        monkeypatch.setattr(staging, "STRETCH", 40)

    def test_a_complaint_is_filed_between_any_two_steps_and_all_goes_at_once(self, files):
        run_id = stage(files(*(row(n) for n in range(1, 101))))
        publish(run_id)
        seen: list[int] = []

        @contextmanager
        def unit(*, writes=False):
            with unit_of_work(writes=writes) as session:
                yield session
            if writes:
                complain()
                seen.append(visible())

        undoing.undo(CLERK, run_id, now=NOW, unit=unit)

        assert set(seen) == {100, 0}
        assert seen == sorted(seen, reverse=True)
        assert len(seen) > 6

    def test_it_is_patient_when_citizens_hold_the_lock(self, files, refusals):
        run_id = stage(files(row(1)))
        publish(run_id)

        undoing.undo(CLERK, run_id, now=NOW, unit=refusals.unit)

        assert visible() == 0
        assert refusals.count > 3

    def test_what_broke_off_is_gone_for_everybody_and_finished_later(self, files, monkeypatch):
        run_id = stage(files(*(row(n) for n in range(1, 101))))
        published = publish(run_id).published_at

        def broken(*_args, **_told):
            raise RuntimeError("the machine was switched off")

        real = undoing_rows.close_added
        monkeypatch.setattr(undoing_rows, "close_added", broken)
        with pytest.raises(RuntimeError):
            undoing.undo(CLERK, run_id, now=NOW)
        assert visible() == 0

        monkeypatch.setattr(undoing_rows, "close_added", real)
        undoing.finish_what_broke_off()

        assert visible() == 0
        assert status("BRA0050", known_at=published) is Status.AUTHORIZED
        publish(stage(files(*(row(n) for n in range(1, 101)))))
        assert visible() == 100

    @pytest.mark.parametrize("turn", [2, 3, 4])
    def test_two_clerks_at_once_wait_for_each_other(self, files, turn):
        first = stage(files(row(1), row(2)))
        publish(first)
        second = stage(files(row(1, plate="BRA7777"), row(3)))
        refused: list[str] = []

        def meanwhile(act):
            turns = 0

            @contextmanager
            def unit(*, writes=False):
                nonlocal turns
                with unit_of_work(writes=writes) as session:
                    yield session
                turns += writes
                if writes and turns == turn:
                    with pytest.raises(PublicationRefused) as error:
                        act()
                    refused.append(error.value.why)

            return unit

        undo_twice = meanwhile(lambda: undoing.undo(CLERK, first, now=NOW))
        publications.publish(CLERK, second, now=NOW, unit=undo_twice)
        assert (status("BRA7777"), status("BRA0002"), visible()) == (
            Status.AUTHORIZED, Status.AUTHORIZED, 3
        )  # fmt: skip
        undoing.undo(CLERK, second, now=NOW, unit=meanwhile(lambda: undoing.undo(CLERK, second, now=NOW)))

        assert (status("BRA0001"), status("BRA7777"), visible()) == (
            Status.AUTHORIZED, Status.NOT_FOUND, 2
        )  # fmt: skip
        assert refused[0] == "busy"
        assert refused[1] in ("busy", "nothing")  # the last step may be over

    def test_a_button_pressed_twice_publishes_once(self, files):
        run_id = stage(files(*(row(n) for n in range(1, 101))))
        refused: list[str] = []
        pressed = False

        @contextmanager
        def unit(*, writes=False):
            nonlocal pressed
            with unit_of_work(writes=writes) as session:
                yield session
            if writes and not pressed:
                pressed = True
                with pytest.raises(PublicationRefused) as error:
                    publish(run_id)
                refused.append(error.value.why)

        publications.publish(CLERK, run_id, now=NOW, unit=unit)

        assert (visible(), refused) == (100, ["busy"])

    def test_an_act_recorded_meanwhile_stays(self, files):
        run_id = stage(files(row(1), row(2)))
        publish(run_id)
        turns = 0

        @contextmanager
        def unit(*, writes=False):
            nonlocal turns
            with unit_of_work(writes=writes) as session:
                yield session
            turns += writes
            if writes and turns == 2:
                with unit_of_work(writes=True) as session:
                    permit = register.permit_by_number(session, CLERK, "2026/1")
                    register.record_act(
                        session, CLERK, permit, PermitEvent(EventKind.SUSPENSION, TODAY), now=NOW
                    )

        told = undoing.undo(CLERK, run_id, now=NOW, unit=unit)

        assert told.kept == ("2026/0001",)
        assert (status("BRA0001"), visible()) == (Status.SUSPENDED, 1)
