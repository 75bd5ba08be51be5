"""One permit that a clerk typed, read as a row of a file is: the same checks, and the same words for a fault."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path

from portal.importing.permits import RegisterReader
from portal.importing.register_rows import RowGroup
from portal.importing.register_table import Mapped, Problems, TownTypes
from portal.importing.sheets import Line

WHOLE_COLUMNS = (
    "servico", "tipo", "numero", "ano", "titular_tipo", "nome_fantasia", "itinerario", "velocidade_max",
    "validade_de", "validade_ate", "pedido", "pagamento", "emissao", "ato", "ato_data",
)  # fmt: skip
UNIT_COLUMNS = ("placa", "papel", "tipo_veiculo", "ano_modelo", "lotacao")


class TypedReader(RegisterReader):
    """Reads cells that stand in no file: those of the permit, and those of each of its vehicles, by column."""

    def __init__(
        self,
        whole: Mapping[str, str],
        units: Sequence[Mapping[str, str]],
        town: TownTypes,
        problems: Problems,
        *,
        as_of: date,
    ) -> None:
        super().__init__(Path(), Mapped(), town, problems, as_of=as_of, with_acts=False)
        header = (*WHOLE_COLUMNS, *UNIT_COLUMNS)
        self._lines = [Line(0, header)]
        for number, unit in enumerate(units, 1):
            cells = [whole.get(name, "") for name in WHOLE_COLUMNS]
            self._lines.append(Line(number, [*cells, *(unit.get(name, "") for name in UNIT_COLUMNS)]))

    def lines(self) -> Iterator[Line]:
        return iter(self._lines)

    def permit(self) -> RowGroup | None:
        """What was typed; None, or a broken permit, when ``problems`` says what is wrong with it."""
        return next(self.groups(), None)
