"""Complaints in every state, filed and worked through the services that citizens and staff use.

What happens is written down first and then done in the order of time, as the audit chain would have seen it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from sqlalchemy.orm import Session

from portal.demo.evidence import photo_of_a_train, recording_of_a_horn
from portal.demo.staff import DemonstrationStaff
from portal.domain.complaints import ComplaintStatus, Identity, IdentityMode, Sender
from portal.domain.lifecycle import Move
from portal.domain.questionnaire import Kind, Raw
from portal.files.reading import ReadFile
from portal.services import casework as desk
from portal.services.complaints import filing, intake, tracking
from portal.services.complaints.stored_files import StoredFile, store_file
from portal.services.demonstration import Case, Subject, take_step

ANONYMOUS = Identity(IdentityMode.ANONYMOUS)
S = ComplaintStatus


@dataclass(slots=True)
class _Filed:
    """A complaint of the demonstration, once it is filed."""

    code: str
    status: ComplaintStatus
    protocol: str = ""
    access_key: str = ""


@dataclass(slots=True)
class _Plan:
    """What is to happen, and when."""

    session: Session
    municipality: str
    staff: DemonstrationStaff
    now: datetime
    steps: list[tuple[datetime, Callable[[datetime], object]]] = field(default_factory=list)
    filed: list[_Filed] = field(default_factory=list)

    def file(
        self,
        code: str,
        ends: ComplaintStatus,
        days_ago: float,
        answers: Mapping[str, Raw],
        *,
        identity: Identity = ANONYMOUS,
        language: str = "pt_BR",
        files: Sequence[ReadFile] = (),
    ) -> _Filed:
        complaint = _Filed(code, ends)
        self.filed.append(complaint)
        stored = [store_file(file, self.municipality) for file in files]

        def file_it(at: datetime) -> None:
            receipt = _file(self.session, self.municipality, answers, identity, language, stored, at)
            complaint.protocol, complaint.access_key = receipt.protocol, receipt.access_key or ""

        self.at(days_ago, file_it)
        return complaint

    def at(self, days_ago: float, act: Callable[[datetime], object]) -> None:
        self.steps.append((self.now - timedelta(days=days_ago), act))

    def review(self, complaint: _Filed, days_ago: float) -> None:
        self.at(
            days_ago,
            lambda at: desk.start_review(self.session, self.staff.ombudsman, complaint.protocol, now=at),
        )

    def ask(self, complaint: _Filed, days_ago: float, text: str) -> None:
        self.at(
            days_ago,
            lambda at: desk.ask_citizen(self.session, self.staff.ombudsman, complaint.protocol, text, now=at),
        )

    def reply(self, complaint: _Filed, days_ago: float, text: str) -> None:
        def write(at: datetime) -> None:
            case = tracking.track(self.session, complaint.protocol, complaint.access_key, now=at)
            assert isinstance(case, tracking.CaseView)
            tracking.add_message(self.session, case.ticket, text, now=at)

        self.at(days_ago, write)

    def answer(self, complaint: _Filed, days_ago: float, text: str) -> None:
        self.at(
            days_ago,
            lambda at: desk.answer_case(self.session, self.staff.ombudsman, complaint.protocol, text, now=at),
        )

    def step(
        self, complaint: _Filed, days_ago: float, move: Move, by: Sender, reason: str | None = None
    ) -> None:
        self.at(
            days_ago,
            lambda at: take_step(self.session, complaint.protocol, move, by=by, now=at, reason=reason),
        )

    def happen(self) -> None:
        for at, act in sorted(self.steps, key=lambda pair: pair[0]):
            act(at)


def file_complaints(
    session: Session, municipality: str, staff: DemonstrationStaff, *, now: datetime
) -> tuple[Case, ...]:
    """File every complaint of the demonstration and bring it to its state; returns each with its key."""
    plan = _Plan(session, municipality, staff, now)

    plan.file(
        "registered", S.REGISTERED, 1,
        {"what": "unauthorised_transport", "vehicle": "ZZX0A00", "where": "Praia Martim de Sá", "when": "ontem 16h",
         "story": "Um micro-ônibus branco chamava passageiros na praia, sem número nem autorização à vista."},
    )  # fmt: skip

    in_review = plan.file(
        "in_review", S.IN_REVIEW, 5,
        {"what": "overcrowding", "vehicle": "ZZA1A11", "where": {"stop": "martim-de-sa"}, "when": {"option": "unknown"},
         "story": "Havia gente em pé no segundo vagão."},
        files=[photo_of_a_train()],
    )  # fmt: skip
    plan.review(in_review, 4)

    dialogue = plan.file(
        "anonymous_dialogue", S.AWAITING_CITIZEN, 12,
        {"what": "dangerous_driving", "vehicle": "ZZB2A21", "where": "Avenida da praia", "when": {"option": "unknown"},
         "story": "O trenzinho passou depressa pela lombada e uma criança quase caiu."},
    )  # fmt: skip
    plan.ask(dialogue, 10, "Obrigado pelo relato. Lembra-se do dia e da hora, mesmo aproximados?")
    plan.reply(dialogue, 8, "Foi no fim da tarde, logo depois da chuva. Acho que no sábado.")
    plan.ask(dialogue, 6, "O vagão em que a criança estava era o primeiro ou o último?")

    forwarded = plan.file(
        "forwarded", S.FORWARDED, 9,
        {"what": "vehicle_condition", "vehicle": "ZZB2C23", "where": {"stop": "rodoviaria"},
         "when": {"option": "unknown"}, "story": "O último vagão está com a corrente de segurança quebrada."},
    )  # fmt: skip
    plan.review(forwarded, 8)
    plan.at(
        7,
        lambda at: desk.forward_case(
            session, staff.ombudsman, forwarded.protocol, "Fiscalização de transportes", now=at
        ),
    )

    answered = plan.file(
        "answered", S.ANSWERED, 20,
        {"what": "outside_stop", "vehicle": "ZZG7A71", "where": "Avenida da praia", "when": {"option": "unknown"},
         "story": "Parou no meio da avenida para pegar passageiros."},
    )  # fmt: skip
    plan.review(answered, 18)
    plan.answer(
        answered, 3,
        "A equipe de fiscalização foi ao local, ouviu a empresa e registrou a infração. "
        "O embarque só é permitido nos dois pontos do itinerário. Obrigado por avisar.",
    )  # fmt: skip

    review_requested = plan.file(
        "review_requested", S.REVIEW_REQUESTED, 28,
        {"what": "ticket_or_price", "vehicle": "ZZH8A81", "where": {"stop": "martim-de-sa"},
         "when": {"option": "unknown"}, "story": "Cobraram a mais e não devolveram o troco."},
    )  # fmt: skip
    plan.answer(review_requested, 14, "A empresa informou que o preço estava afixado.")
    plan.step(
        review_requested, 2, Move.REQUEST_REVIEW, Sender.CITIZEN,
        "A resposta fala do preço, mas não do troco que ficou faltando.",
    )  # fmt: skip

    closed = plan.file(
        "closed", S.CLOSED, 50,
        {"what": "praise", "story": "O motorista ajudou minha avó a subir com toda a calma. Muito obrigada!"},
    )  # fmt: skip
    plan.answer(closed, 45, "Levamos o elogio à empresa e ao motorista. Obrigado por contar!")
    plan.at(10, lambda at: desk.close_case(session, staff.ombudsman, closed.protocol, now=at))

    withdrawn = plan.file(
        "withdrawn", S.WITHDRAWN, 6,
        {"what": "timetable", "vehicle": "ZZA2A11", "where": {"stop": "massaguacu"}, "when": {"option": "unknown"},
         "story": "Esperei e não passou."},
    )  # fmt: skip
    plan.step(withdrawn, 5, Move.WITHDRAW, Sender.CITIZEN, "Era só nos feriados: eu é que li errado.")

    merged = plan.file(
        "merged", S.MERGED, 4,
        {"what": "overcrowding", "vehicle": "ZZA1B12", "where": {"stop": "martim-de-sa"}, "when": {"option": "unknown"},
         "story": "Vagão cheio demais, com gente em pé."},
    )  # fmt: skip
    plan.review(merged, 3)
    plan.at(
        2,
        lambda at: desk.merge_case(
            session, staff.ombudsman, merged.protocol, in_review.protocol,
            reason="É o mesmo fato de outra manifestação já em análise.", now=at,
        ),
    )  # fmt: skip

    dismissed = plan.file(
        "dismissed", S.DISMISSED, 25,
        {"what": "other_problem", "story": "O mar estava gelado e as ondas, muito altas."},
    )  # fmt: skip
    plan.review(dismissed, 22)
    plan.at(
        21,
        lambda at: desk.dismiss_case(
            session, staff.ombudsman, dismissed.protocol, "not_a_public_service",
            "O relato fala do mar, e não de um transporte.", now=at,
        ),
    )  # fmt: skip

    overdue = plan.file(
        "overdue", S.IN_REVIEW, 40,
        {"what": "noise", "vehicle": "ZZA1A11", "where": "Centro", "when": {"option": "unknown"},
         "story": "Som muito alto depois das onze da noite, todos os dias."},
        files=[recording_of_a_horn()],
    )  # fmt: skip
    plan.review(overdue, 38)

    extended = plan.file(
        "extended", S.IN_REVIEW, 33,
        {"what": "off_route", "vehicle": "ZZH8A81", "where": "Centro", "when": {"option": "unknown"},
         "story": "Fez um caminho diferente do anunciado."},
    )  # fmt: skip
    plan.review(extended, 30)
    plan.at(
        8,
        lambda at: desk.extend_deadline(
            session, staff.ombudsman, extended.protocol,
            "A empresa pediu prazo para entregar as imagens da câmera do veículo.", now=at,
        ),
    )  # fmt: skip

    plan.file(
        "in_english", S.REGISTERED, 3,
        {"what": "rudeness", "vehicle": "ZZA1A11", "where": {"stop": "rodoviaria"}, "when": {"option": "unknown"},
         "story": "The conductor shouted at us because we did not understand Portuguese."},
        identity=Identity(IdentityMode.SEALED, name="Jane Example", email="jane@example.org"),
        language="en",
    )  # fmt: skip

    plan.happen()
    return tuple(
        Case(
            Subject.COMPLAINT,
            complaint.code,
            municipality,
            status=complaint.status,
            protocol=complaint.protocol,
            access_key=complaint.access_key,
        )
        for complaint in plan.filed
    )


def _file(
    session: Session,
    municipality: str,
    answers: Mapping[str, Raw],
    identity: Identity,
    language: str,
    files: Sequence[StoredFile],
    now: datetime,
) -> filing.Receipt:
    """Answer the questionnaire as a person would, and send."""
    draft = intake.start_draft(session, municipality=municipality, channel="web", language=language, now=now)
    for file in files:
        draft = intake.attach(session, draft.token, file, now=now)
    while draft.question.kind is not Kind.IDENTITY:
        asked = draft.question
        if asked.id in answers:
            draft = intake.answer(session, draft.token, asked.id, answers[asked.id], now=now)
        else:
            draft = intake.skip(session, draft.token, asked.id, now=now)
    if story := answers.get("story"):
        intake.answer(session, draft.token, "story", story, now=now)
    return filing.file_complaint(session, draft.token, identity, now=now)
