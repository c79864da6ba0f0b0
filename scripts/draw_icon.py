"""Draw the brand images of the integration; run again after a change.

A speech bubble whose dots are joined and grow smaller: a thread of talk that fades.
"""

from pathlib import Path

from PIL import Image, ImageDraw

BRAND = Path(__file__).parent.parent / "custom_components" / "assist_memory" / "brand"
CANVAS = 2048  # drawn large and scaled down, for smooth edges

type Colour = tuple[int, int, int]

# Dots of the thread: place and radius in hundredths of the canvas.
DOTS = ((63, 27, 10.5), (38, 42, 7.5), (59, 56, 5.0), (44, 66, 3.4))

LIGHT: tuple[Colour, Colour, Colour] = ((24, 188, 242), (20, 108, 196), (255, 255, 255))
DARK: tuple[Colour, Colour, Colour] = ((110, 216, 255), (58, 150, 240), (14, 34, 58))


def main() -> None:
    """Write icon and dark icon in both sizes."""
    BRAND.mkdir(parents=True, exist_ok=True)
    for prefix, colours in (("", LIGHT), ("dark_", DARK)):
        picture = draw(*colours)
        for suffix, size in (("", 256), ("@2x", 512)):
            scaled = picture.resize((size, size), Image.Resampling.LANCZOS)
            scaled.save(BRAND / f"{prefix}icon{suffix}.png", optimize=True)


def draw(top: Colour, bottom: Colour, thread: Colour) -> Image.Image:
    """Return the icon on a transparent ground."""
    picture = Image.new("RGBA", (CANVAS, CANVAS))
    picture.paste(gradient(top, bottom), mask=bubble())
    pen = ImageDraw.Draw(picture)
    points = [(at(x), at(y)) for x, y, _ in DOTS]
    pen.line(points, fill=thread, width=int(at(2.4)), joint="curve")
    for x, y, radius in DOTS:
        pen.circle((at(x), at(y)), at(radius), fill=thread)
    return picture


def bubble() -> Image.Image:
    """Return the mask of a round speech bubble with its tail at the lower left."""
    mask = Image.new("L", (CANVAS, CANVAS))
    pen = ImageDraw.Draw(mask)
    pen.rounded_rectangle((at(4), at(6), at(96), at(82)), radius=at(27), fill=255)
    pen.polygon([(at(18), at(70)), (at(14), at(97)), (at(48), at(80))], fill=255)
    return mask


def gradient(top: Colour, bottom: Colour) -> Image.Image:
    """Return a picture that runs from one colour down to another."""
    column = Image.new("RGB", (1, 256))
    for row in range(256):
        mixed = [
            round(a + (b - a) * row / 255) for a, b in zip(top, bottom, strict=True)
        ]
        column.putpixel((0, row), (mixed[0], mixed[1], mixed[2]))
    return column.resize((CANVAS, CANVAS), Image.Resampling.BICUBIC)


def at(hundredths: float) -> float:
    """Return a place on the canvas."""
    return hundredths * CANVAS / 100


if __name__ == "__main__":
    main()
