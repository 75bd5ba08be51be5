"""A permit typed by hand: the checks of a file's row, and the next look-up shows it."""

from datetime import UTC, date, datetime

import pytest

from portal.domain.errors import NotAllowed, PermitRefused
from portal.domain.permits import EventKind, HolderKind, Service, Status
from portal.i18n import SOURCE, translator
from portal.services.people.audit import history_of, verify_chain
from portal.services.register import permits as register
from portal.services.register import publications, undoing
from portal.services.register.new_permits import create_permit
from portal.services.register.permit_import import import_permits, stage_register
from portal.services.register.permits import Keeper, keeper_at
from portal.services.register.staging import ImportOrder
from portal.services.unit_of_work import unit_of_work
from portal.services.verdicts.verification import verify_permit
from portal.wording.register_import import problem_reason

TOWN, ELSEWHERE = "caraguatatuba-sp", "chapada-dos-guimaraes-mt"
NOW = datetime(2026, 11, 30, 15, tzinfo=UTC)
TODAY = date(2026, 11, 30)
CLERK = keeper_at(TOWN)
WHOLE = {"servico": "recreativo", "numero": "2026/0041", "ano": "2026", "emissao": "10/12/2025"}
TRAIN = (
    {"placa": "bra-1a11", "papel": "trator", "tipo_veiculo": "trator"},
    {"placa": "BRA 1A12", "papel": "reboque", "lotacao": "20 lugares", "ano_modelo": "2.019"},
)


def create(session, whole=None, units=TRAIN, keeper=CLERK, now=NOW):
    return create_permit(session, keeper, WHOLE | (whole or {}), units, now=now)


def refusals(session, whole=None, units=TRAIN):
    with pytest.raises(PermitRefused) as refused:
        create(session, whole, units)
    return [(problem.code, problem.column, problem.line) for problem in refused.value.problems]


def test_the_next_look_up_shows_it(session):
    permit = create(
        session, {"itinerario": "ORLA", "nome_fantasia": "Trem da Orla", "ato": "Portaria 7/2025"}
    )

    assert verify_permit(session, TOWN, "BRA1A12", on=TODAY, now=NOW).status is Status.AUTHORIZED
    told = register.read_permit(session, CLERK, permit, on=TODAY).permit
    assert (told.service, told.year, told.holder_kind) == (Service.RECREATIONAL, 2026, HolderKind.COMPANY)
    assert (told.itinerary, told.trade_name) == ("ORLA", "Trem da Orla")
    assert [(one.position, one.role, one.plate, one.capacity, one.model_year) for one in told.units] == [
        (1, "tractor", "BRA1A11", None, None),
        (2, "trailer", "BRA1A12", 20, 2019),
    ]
    assert [(act.kind, act.on, act.act_number) for act in told.events] == [
        (EventKind.ISSUE, date(2025, 12, 10), "Portaria 7/2025")
    ]


def test_who_typed_it_stands_in_the_audit_chain(session):
    permit = create(session, keeper=Keeper(TOWN, "staff:7"))

    (entry,) = history_of(session, TOWN, f"permit:{permit}")
    assert (entry.actor, entry.action, entry.reason) == ("staff:7", "permit.created", None)
    assert verify_chain(session, TOWN) is None


def test_what_was_not_issued_yet_is_not_yet_valid(session):
    create(session, {"emissao": "", "pedido": "2026-11-20"})

    assert verify_permit(session, TOWN, "BRA1A11", on=TODAY, now=NOW).status is Status.NOT_YET_VALID


@pytest.mark.parametrize(
    ("whole", "fault"),
    [
        ({"numero": ""}, ("missing_value", "numero", 1)),
        ({"numero": "BRA1A11"}, ("no_permit_number", "numero", 1)),
        ({"numero": "123.456.789-09"}, ("personal_number", "numero", 1)),
        ({"ano": "26"}, ("no_number", "ano", 1)),
        ({"ano": "2062"}, ("no_number", "ano", 1)),
        ({"servico": "voador"}, ("unknown_service", "servico", 1)),
        ({"tipo": "voador"}, ("unknown_type", "tipo", 1)),
        ({"titular_tipo": "talvez"}, ("unknown_holder", "titular_tipo", 1)),
        ({"emissao": "31/02/2026"}, ("no_date", "emissao", 1)),
        ({"emissao": "2026-12-01"}, ("in_future", "emissao", 1)),
        ({"emissao": "01/01/1899"}, ("far", "emissao", 1)),
        ({"ato_data": "2026-12-01"}, ("in_future", "ato_data", 1)),
        ({"ato": "Fulano de Tal"}, ("act_left_out", "ato", 1)),
        ({"itinerario": "Fulano de Tal"}, ("itinerary_left_out", "itinerario", 1)),
        ({"nome_fantasia": "Fulano 12345678909"}, ("name_left_out", "nome_fantasia", 1)),
        ({"nome_fantasia": "Fulano 123\u200b456_789/09"}, ("name_left_out", "nome_fantasia", 1)),
        ({"nome_fantasia": "\uff1d1+1"}, ("formula", "nome_fantasia", 1)),
        ({"itinerario": "1234567890\uff19"}, ("personal_number", "itinerario", 1)),
        ({"validade_de": "2026-12-31", "validade_ate": "2026-01-01"}, ("ends_before_start", "validade_ate", 1)),
        ({"validade_ate": "31/12/9999"}, ("far", "validade_ate", 1)),
        ({"velocidade_max": "900"}, ("no_number", "velocidade_max", 1)),
    ],
)  # fmt: skip
def test_each_fault_is_told_by_its_box_and_nothing_is_written(session, whole, fault):
    assert fault in refusals(session, whole)
    assert register.find_in_register(session, CLERK, "", on=TODAY).total == 0


def test_every_fault_has_its_words(session):
    with pytest.raises(PermitRefused) as refused:
        create(session, {"emissao": "2027-01-01"}, [{"placa": "x"}])
    with pytest.raises(PermitRefused) as alone:
        create(session, {"emissao": "2027-01-01"})

    sentences = [
        problem_reason(one, translator(SOURCE)) for one in (*refused.value.problems, *alone.value.problems)
    ]
    assert sentences == [
        "“•••” não é uma placa.",
        "01/01/2027 ainda não chegou: só se registra o que já aconteceu.",
    ]


@pytest.mark.parametrize(
    ("units", "fault"),
    [
        ((), ("missing_value", "placa", 1)),
        (({"placa": ""},), ("missing_value", "placa", 1)),
        ((TRAIN[0], {"placa": "nada"}), ("no_plate", "placa", 2)),
        ((TRAIN[0], {"lotacao": "20"}), ("missing_value", "placa", 2)),
        ((TRAIN[0], TRAIN[0]), ("doubled_row", "placa", 2)),
        ((TRAIN[0], TRAIN[1] | {"papel": "avião"}), ("unknown_role", "papel", 2)),
    ],
)
def test_faults_of_a_vehicle_are_told_by_its_place(session, units, fault):
    assert fault in refusals(session, units=units)


def test_every_fault_is_told_at_once(session):
    faults = refusals(session, {"emissao": "31/02/2026", "velocidade_max": "depressa"}, [{"placa": "nada"}])
    assert {column for _code, column, _line in faults} == {"emissao", "velocidade_max", "placa"}

    nothing = refusals(session, dict.fromkeys(WHOLE, "") | {"servico": "recreativo"}, [{"placa": ""}])
    assert nothing == [("missing_value", "numero", 1), ("missing_value", "placa", 1)]


def test_a_number_that_is_there_already_is_said_and_shown(session):
    first = create(session)

    with pytest.raises(PermitRefused) as refused:
        create(session, {"numero": "41/2026"})

    assert refused.value.exists == first
    assert refused.value.columns == ("numero",)


def test_the_name_of_a_person_is_never_taken(session):
    permit = create(session, {"titular_tipo": "pessoa", "nome_fantasia": "Fulano"})

    assert register.read_permit(session, CLERK, permit, on=TODAY).permit.trade_name is None


def test_who_only_reads_cannot(session):
    with pytest.raises(NotAllowed):
        create(session, keeper=Keeper(TOWN, "staff:1", writes=False))


def test_another_towns_number_is_another_permit(session):
    create(session)

    assert create_permit(
        session, keeper_at(ELSEWHERE), WHOLE | {"servico": "aplicativo"}, [{"placa": "BRA1A11"}], now=NOW
    )


@pytest.mark.usefixtures("database")
class TestBesideTheFiles:
    HEADER = "numero;ano;placa;emissao\n"

    @pytest.fixture
    def bring(self, tmp_path):
        def brought(rows):
            path = tmp_path / "cadastro.csv"
            path.write_text(self.HEADER + rows)
            return import_permits(path, ImportOrder(TOWN, TODAY, Service.RECREATIONAL), now=NOW)

        return brought

    def test_the_next_file_finds_it_and_nothing_stands_twice(self, bring):
        with unit_of_work(writes=True) as session:
            permit = create(session, units=[{"placa": "BRA1A11"}])

        report = bring("2026/0041;2026;BRA1A11;10/12/2025\n")

        assert (report.added, report.unchanged) == (0, 1)
        with unit_of_work() as session:
            assert len(register.read_permit(session, CLERK, permit, on=TODAY).acts) == 1

    def test_a_file_that_lacks_it_does_not_end_it(self, bring):
        with unit_of_work(writes=True) as session:
            create(session)

        assert bring("2026/0001;2026;BRA7777;10/12/2025\n").missing == 1
        with unit_of_work() as session:
            assert verify_permit(session, TOWN, "BRA1A11", on=TODAY, now=NOW).status is Status.AUTHORIZED

    def test_a_number_left_by_an_undone_file_is_taken_up_again(self, tmp_path):
        path = tmp_path / "cadastro.csv"
        path.write_text(self.HEADER + "2026/0041;2026;BRA7777;10/12/2025\n")
        run_id = stage_register(path, ImportOrder(TOWN, TODAY, Service.RECREATIONAL), now=NOW)
        publications.publish(CLERK, run_id, now=NOW)
        undoing.undo(CLERK, run_id, now=NOW)

        with unit_of_work(writes=True) as session:
            permit = create(session)
        with unit_of_work() as session:
            told = register.read_permit(session, CLERK, permit, on=TODAY).permit
            assert [unit.plate for unit in told.units] == ["BRA1A11", "BRA1A12"]
