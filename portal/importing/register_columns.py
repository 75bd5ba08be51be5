"""The vocabulary of registers: headings that are understood, and the words that may stand below them."""

from collections.abc import Mapping

from portal.domain.permits import EventKind, HolderKind, Service

COLUMNS: Mapping[str, tuple[str, ...]] = {
    "servico": ("modalidade",),
    "tipo": ("tipo_de_autorizacao", "tipo_autorizacao"),
    "numero": (
        "n", "no", "nro", "num", "numero_da_autorizacao", "n_da_autorizacao", "autorizacao", "n_autorizacao",
        "prefixo", "permissao", "alvara", "licenca", "numero_do_alvara", "certificado",
    ),
    "ano": ("exercicio", "ano_de_exercicio", "ano_da_autorizacao"),
    "titular_tipo": ("tipo_do_titular", "tipo_de_pessoa", "pessoa"),
    "nome_fantasia": ("fantasia",),
    "placa": ("placas", "placa_do_veiculo", "placa_veiculo"),
    "posicao": ("ordem", "posicao_na_combinacao"),
    "papel": ("papel_do_veiculo", "funcao"),
    "tipo_veiculo": ("tipo_do_veiculo", "especie", "especie_tipo"),
    "ano_modelo": ("ano_fabricacao", "ano_de_fabricacao", "ano_do_veiculo", "ano_do_modelo"),
    "lotacao": ("capacidade", "lugares", "assentos", "passageiros", "lotacao_permitida"),
    "itinerario": ("roteiro", "codigo_do_itinerario"),
    "velocidade_max": (
        "velocidade", "velocidade_maxima", "velocidade_max_km_h", "velocidade_maxima_km_h", "vel_max", "vel_maxima",
    ),
    "validade_de": ("inicio_da_validade", "valido_de", "vigencia_de", "inicio_vigencia"),
    "validade_ate": ("validade", "valido_ate", "vencimento", "data_de_validade", "vigencia_ate", "fim_vigencia"),
    "placa_desde": ("entrada_do_veiculo",),
    "placa_ate": ("saida_do_veiculo",),
    "pedido": ("data_do_pedido", "requerimento"),
    "pagamento": ("data_de_pagamento", "data_do_pagamento"),
    "emissao": ("data_de_emissao", "data_emissao", "emitida_em", "expedicao", "data_de_expedicao"),
    "pedido_renovacao": ("pedido_de_renovacao", "renovacao_pedida_em"),
    "vistoria_reprovada": ("reprovada_em", "vistoria_reprovada_em"),
    "vistoria_aprovada": ("aprovada_em", "vistoria_aprovada_em", "vistoria"),
    "suspensao_de": ("suspensa_de", "inicio_da_suspensao"),
    "suspensao_ate": ("suspensa_ate", "fim_da_suspensao"),
    "liberacao": ("liberada_em", "data_de_liberacao"),
    "cassacao": ("cassada_em", "data_da_cassacao"),
    "cancelamento": ("cancelada_em", "data_do_cancelamento"),
    "regiao": ("zona", "regiao_de_operacao"),
    "ato": ("numero_do_ato", "portaria"),
    "ato_data": ("data_do_ato",),
}  # fmt: skip
EVENT_COLUMNS: Mapping[str, tuple[str, ...]] = {
    "numero": COLUMNS["numero"],
    "ano": COLUMNS["ano"],
    "servico": COLUMNS["servico"],
    "tipo": COLUMNS["tipo"],
    "evento": ("acontecimento", "ato_praticado"),
    "data": ("dia", "em"),
    "ate": ("data_final", "fim"),
    "placa": COLUMNS["placa"],
    "ato": COLUMNS["ato"],
    "ato_data": COLUMNS["ato_data"],
}

WHOLE = {
    "pedido": EventKind.REQUEST,
    "pagamento": EventKind.PAYMENT,
    "emissao": EventKind.ISSUE,
    "pedido_renovacao": EventKind.RENEWAL_REQUEST,
    "suspensao_de": EventKind.SUSPENSION,
    "liberacao": EventKind.RELEASE,
    "cassacao": EventKind.REVOCATION,
    "cancelamento": EventKind.CANCELLATION,
}
"""Columns that tell of the permit as a whole."""
OF_UNIT = {
    "vistoria_reprovada": EventKind.INSPECTION_FAILED,
    "vistoria_aprovada": EventKind.INSPECTION_PASSED,
}
"""Columns that tell of the vehicle of their row."""
EVENTS = {
    "pedido": EventKind.REQUEST,
    "pagamento": EventKind.PAYMENT,
    "emissao": EventKind.ISSUE,
    "pedido_renovacao": EventKind.RENEWAL_REQUEST,
    "pedido_de_renovacao": EventKind.RENEWAL_REQUEST,
    "vistoria_reprovada": EventKind.INSPECTION_FAILED,
    "vistoria_aprovada": EventKind.INSPECTION_PASSED,
    "suspensao": EventKind.SUSPENSION,
    "liberacao": EventKind.RELEASE,
    "cassacao": EventKind.REVOCATION,
    "cancelamento": EventKind.CANCELLATION,
    "troca_de_veiculo": EventKind.VEHICLE_CHANGE,
}
"""What the column ``evento`` of an events file may say."""
SERVICES = {
    "recreativo": Service.RECREATIONAL,
    "transporte_recreativo": Service.RECREATIONAL,
    "trenzinho": Service.RECREATIONAL,
    "aplicativo": Service.RIDE_HAILING,
    "app": Service.RIDE_HAILING,
    "transporte_por_aplicativo": Service.RIDE_HAILING,
    "turismo": Service.TOURISM,
    "turistico": Service.TOURISM,
    "transporte_turistico": Service.TOURISM,
}
ROLES = {
    "": "vehicle", "veiculo": "vehicle", "vehicle": "vehicle", "carro": "vehicle",
    "trator": "tractor", "veiculo_trator": "tractor", "cavalo": "tractor", "tractor": "tractor",
    "reboque": "trailer", "vagao": "trailer", "semirreboque": "trailer", "trailer": "trailer",
}  # fmt: skip
HOLDERS = {
    "empresa": HolderKind.COMPANY, "pj": HolderKind.COMPANY, "juridica": HolderKind.COMPANY,
    "pessoa_juridica": HolderKind.COMPANY, "company": HolderKind.COMPANY, "mei": HolderKind.COMPANY,
    "empresario_individual": HolderKind.COMPANY,
    "pessoa": HolderKind.NATURAL_PERSON, "pf": HolderKind.NATURAL_PERSON, "fisica": HolderKind.NATURAL_PERSON,
    "pessoa_fisica": HolderKind.NATURAL_PERSON, "natural_person": HolderKind.NATURAL_PERSON,
    "motorista": HolderKind.NATURAL_PERSON,
}  # fmt: skip
EMPTY = frozenset(
    {"", "-", "--", "null", "none", "n/a", "na", "nan", "s/n", "sem informação", "não informado"}
)


REGIONS = {
    "central": True, "centro": True, "regiao_central": True, "zona_central": True, "sim": True, "1": True,
    "outra": False, "outras": False, "bairro": False, "bairros": False, "demais": False, "nao": False,
    "norte": False, "sul": False, "leste": False, "oeste": False, "0": False,
}  # fmt: skip
"""Whether a permit is for the central region, for which a norm may set how many there can be."""
VEHICLE_TYPES = {
    "automovel": "car", "carro": "car", "car": "car", "passeio": "car", "sedan": "car", "hatch": "car",
    "onibus": "bus", "bus": "bus", "microonibus": "minibus", "micro_onibus": "minibus", "minibus": "minibus",
    "micro": "minibus", "van": "utility", "utilitario": "utility", "furgao": "utility", "utility": "utility",
    "kombi": "utility", "trator": "recreational", "cavalo": "recreational", "reboque": "recreational",
    "semirreboque": "recreational", "semi_reboque": "recreational", "vagao": "recreational",
    "trenzinho": "recreational", "recreativo": "recreational", "recreational": "recreational",
    "trailer": "recreational", "jardineira": "recreational", "carreta": "recreational",
}  # fmt: skip
"""Kinds of vehicle, as the instruments' limits call them; any other word is left out, as it may be a name."""
_WORDS = """
    a ano anos ato bairro cadastro cep chapa chassi cidade classe cnh cnpj codigo contato cor cpf
    crlv da das data de do documento dos e email emissao empresa endereco especie estado exercicio
    fabricacao fantasia fim foto frota id inicio inscricao lista lotacao lugar marca modelo
    motorista municipal municipio n nascimento no nome numero obs observacao observacoes operador
    origem passageiros permissionario placa ponto prefixo processo proprietario razao recreativo
    registro relacao renavam responsavel rg rua secao servico setor sexo situacao sobrenome social
    status taxi telefone celular tipo titular transporte turismo turistico uf validade veiculo
    veiculos vistoria autorizacao autorizacoes aplicativo aplicativos permissao permissoes trenzinho
    trenzinhos plataforma motoristas atos eventos janeiro fevereiro marco abril maio junho julho
    agosto setembro outubro novembro dezembro atualizado atualizada final novo nova portal dados poa
    latin1 utf8 csv xlsx
"""
BENIGN_HEADINGS = frozenset(_WORDS.split())
"""Words that a heading or a file's name may be repeated with; any other may be somebody's name."""
