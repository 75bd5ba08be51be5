"""The whole schema: every module of this package, so that no table is forgotten where the schema is needed."""

from importlib import import_module
from pkgutil import iter_modules

from sqlalchemy import MetaData

import portal.storage
from portal.storage.base import Base


def metadata() -> MetaData:
    """The tables of every subject; a row class joins by standing in a module of ``portal.storage``."""
    for module in iter_modules(portal.storage.__path__, "portal.storage."):
        if not module.ispkg:
            import_module(module.name)
    return Base.metadata
