import pytest
pytestmark = pytest.mark.usefixtures("at_two")
def test_try(ana):
    def show():
        for m in ana.since:
            print("BOT>", m.text); print("   ", m.buttons)
    for what in ["/start", "bra 1d23", "/pontos", "Indaiá", "xyz", "ABC123", "/reclamar"]:
        print("ANA>", what); ana.says(what); show()
    print(ana.world.sent("answerCallbackQuery"))
    ana.presses("Veículo lotado"); show()
    ana.says("ABC1D23"); show()
    ana.sends_location(-23.62,-45.41); show()
    ana.presses("Agora"); show()
    ana.says("história <b>*x*</b>"); show()
    from io import BytesIO
    from PIL import Image
    out = BytesIO(); Image.new("RGB",(40,30),"navy").save(out,"JPEG")
    ana.sends_photo(out.getvalue()); show()
    ana.presses("Continuar"); show()
    ana.presses("Está certo"); show()
    ana.presses("Anônima"); show()
