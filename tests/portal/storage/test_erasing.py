from sqlalchemy import text

from portal.storage.database import empty_log, make_engine

TOLD = "a story that must not be kept"


class TestWhatIsErased:
    def test_does_not_linger_in_the_files_of_sqlite(self, tmp_path):
        engine = make_engine(f"sqlite:///{tmp_path / 'portal.db'}")
        with engine.begin() as connection:
            connection.execute(text("CREATE TABLE stories (story TEXT)"))
            connection.execute(text("INSERT INTO stories VALUES (:told)"), {"told": TOLD})
        with engine.begin() as connection:
            connection.execute(text("DELETE FROM stories"))
        assert self.lingers(tmp_path)

        empty_log(engine)

        assert not self.lingers(tmp_path)
        engine.dispose()

    def lingers(self, folder) -> bool:
        return any(TOLD.encode() in file.read_bytes() for file in folder.iterdir())
