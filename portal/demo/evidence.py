"""A photo and a recording for the demonstration, made by code: nobody's picture, nobody's voice."""

import math
import wave
from array import array
from io import BytesIO

from PIL import Image, ImageDraw

from portal.files.reading import ReadFile, read_own

_SKY, _SAND, _RED, _DARK, _PALE = "#9cc9e3", "#e6d3a3", "#b8342a", "#2b2b2b", "#f4efe3"
RATE = 8000
"""Samples a second."""


def photo_of_a_train() -> ReadFile:
    """A road train of a tractor and two wagons, on sand, under the sky."""
    image = Image.new("RGB", (960, 640), _SKY)
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 430, 960, 640), fill=_SAND)
    draw.ellipse((780, 50, 880, 150), fill=_PALE)
    draw.polygon([(60, 430), (60, 330), (170, 330), (200, 250), (290, 250), (290, 430)], fill=_RED)
    draw.rectangle((205, 265, 275, 330), fill=_PALE)
    for left in (330, 640):
        draw.rectangle((left, 270, left + 270, 290), fill=_RED)
        draw.rectangle((left, 370, left + 270, 430), fill=_RED)
        for post in range(left, left + 271, 90):
            draw.rectangle((post - 4, 290, post + 4, 370), fill=_DARK)
        draw.line((left - 40, 425, left, 425), fill=_DARK, width=8)
    for wheel in (110, 250, 380, 550, 690, 860):
        draw.ellipse((wheel - 38, 400, wheel + 38, 476), fill=_DARK)
        draw.ellipse((wheel - 14, 424, wheel + 14, 452), fill=_PALE)
    out = BytesIO()
    image.save(out, "JPEG", quality=88)
    return read_own("trenzinho.jpg", out.getvalue())


def recording_of_a_horn() -> ReadFile:
    """Four seconds of two notes, as loud as the complaint says."""
    notes = array("h")
    for number in range(4 * RATE):
        second = number / RATE
        note = 392 if second % 1 < 0.5 else 523
        fading = min(1.0, (second % 0.5) * 20, (0.5 - second % 0.5) * 20)
        notes.append(int(14_000 * fading * math.sin(2 * math.pi * note * second)))
    out = BytesIO()
    with wave.open(out, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(RATE)
        sound.writeframes(notes.tobytes())
    return read_own("buzina.wav", out.getvalue())
