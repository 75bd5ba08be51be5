"""What people complain of, in everyday words; the ids are those of the regulation catalogue."""

from portal.i18n import Translator


def category_label(category: str, _: Translator) -> str:
    """A few words for a button or a list; an id we do not know is "another problem"."""
    match category:
        case "unauthorised_transport":
            return _("Transporte sem autorização")
        case "outside_app":
            return _("Corrida de aplicativo combinada por fora")
        case "permit_lent":
            return _("Autorização usada por outra pessoa")
        case "permit_not_shown":
            return _("Autorização não estava à vista")
        case "outside_stop":
            return _("Embarque ou desembarque fora do ponto")
        case "off_route":
            return _("Fez outro caminho")
        case "timetable":
            return _("Não cumpriu o horário")
        case "trip_interrupted":
            return _("Viagem interrompida")
        case "dangerous_driving":
            return _("Direção perigosa")
        case "speeding":
            return _("Excesso de velocidade")
        case "alcohol_or_drugs":
            return _("Condutor sob efeito de álcool ou drogas")
        case "weapon":
            return _("Arma no veículo")
        case "crash":
            return _("Acidente")
        case "overcrowding":
            return _("Veículo lotado além do permitido")
        case "outside_or_standing":
            return _("Passageiros em pé ou para fora do veículo")
        case "vehicle_condition":
            return _("Veículo em mau estado")
        case "seat_belts_and_doors":
            return _("Sem cinto, ou com a porta aberta")
        case "harassment":
            return _("Assédio ou importunação sexual")
        case "aggression":
            return _("Agressão ou ameaça")
        case "rudeness":
            return _("Falta de educação ou mau atendimento")
        case "discrimination":
            return _("Discriminação")
        case "accessibility_refused":
            return _("Recusa a pessoa com deficiência, idosa ou com cão-guia")
        case "ride_refused":
            return _("Recusa de viagem")
        case "smoking":
            return _("Alguém fumando no veículo")
        case "noise":
            return _("Barulho ou som alto")
        case "cleanliness":
            return _("Veículo sujo")
        case "ticket_or_price":
            return _("Preço, troco ou ingresso")
        case "lost_property":
            return _("Objeto perdido")
        case "wrong_data":
            return _("Informação errada neste site")
        case "suggestion":
            return _("Sugestão")
        case "praise":
            return _("Elogio")
        case _other:
            return _("Outro problema")
