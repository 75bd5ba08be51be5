"""What the public portal and the desk share in front of a browser."""

from pathlib import Path

TEMPLATES = Path(__file__).parent.parent.parent / "templates"
