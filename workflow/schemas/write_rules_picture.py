"""Write docs/pictures/rules.svg: the way of data through the rules, from a download to the page.

``make docs`` does.  Two columns, so that its words are readable on a telephone.
"""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PICTURE = ROOT / "docs" / "pictures" / "rules.svg"
WIDTH, BOX_WIDTH, BOX_HEIGHT = 460, 176, 30  # pixels
LEFT, RIGHT = 28, 256  # of the boxes of a column
PREPARED = {  # what is prepared -> the rule that plays on it, for instance
    "prepare_london": "noiseless_membership",
    "prepare_recording": "noiseless_nilm",
    "prepare_nyc_taxi": "noiseless_trips",
    "prepare_young_people": "nsht_survey",
}
JUDGED = {"check_paper": "findings", "judge_statements": "verdicts", "write_ledger": ""}
"""The rules behind the tables, in their order, and what each hands on."""
_HEAD = f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {{height}}" width="{WIDTH}"
 height="{{height}}" font-family="sans-serif" font-size="13">
<!-- written by `make docs` -->
<title>From data to the page</title>
<defs><marker id="head" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8"
 orient="auto"><path d="M0 0 L8 4 L0 8 z" fill="#333"/></marker></defs>
<rect width="{WIDTH}" height="{{height}}" fill="white"/>"""


def draw_box(name: str, x: int, y: int, *, is_rule: bool = True) -> str:
    """Draw a rule as a box, and a file as a box with round ends."""
    fill, radius = ("#eef3fb", 3) if is_rule else ("#fdf3dd", BOX_HEIGHT // 2)
    return (
        f'<rect x="{x}" y="{y}" width="{BOX_WIDTH}" height="{BOX_HEIGHT}" rx="{radius}" '
        f'fill="{fill}" stroke="#333"/>\n'
        f'<text x="{x + BOX_WIDTH // 2}" y="{y + 20}" text-anchor="middle">{name}</text>'
    )


def draw_line(*points: tuple[int, int], is_arrow: bool = True) -> str:
    """Draw a line through points, with a head at its end."""
    path = " ".join(f"{x},{y}" for x, y in points)
    head = ' marker-end="url(#head)"' if is_arrow else ""
    return f'<polyline points="{path}" fill="none" stroke="#333"{head}/>'


def draw_label(text: str, x: int, y: int) -> str:
    """Draw what a rule hands on, beside its line."""
    return f'<text x="{x}" y="{y}" font-style="italic" fill="#333">{text}</text>'


def render_picture() -> str:
    """Render the picture as SVG."""
    half = BOX_HEIGHT // 2
    middle_left, middle_right = LEFT + BOX_WIDTH // 2, RIGHT + BOX_WIDTH // 2
    edge_left, edge_right = LEFT // 2, RIGHT + BOX_WIDTH + LEFT // 2
    parts = []
    y = 10
    for name, x in (("download_file", LEFT), ("make_samples", RIGHT)):
        parts += [
            draw_box(name, x, y),
            draw_line(
                (x + BOX_WIDTH // 2, y + BOX_HEIGHT),
                (x + BOX_WIDTH // 2, y + 45),
                (edge_left, y + 45),
                is_arrow=False,
            ),
        ]
    start = y + 45
    parts.append(draw_label("files", middle_left + 6, start + 14))
    y = start + 20
    for prepare, play in PREPARED.items():
        parts += [
            draw_box(prepare, LEFT, y),
            draw_box(play, RIGHT, y),
            draw_line((edge_left, start), (edge_left, y + half), (LEFT, y + half)),
            draw_line((LEFT + BOX_WIDTH, y + half), (RIGHT, y + half)),
            draw_line(
                (RIGHT + BOX_WIDTH, y + half),
                (edge_right, y + half),
                (edge_right, start + 20 + 44 * len(PREPARED)),
                is_arrow=False,
            ),
        ]
        y += 44
    parts.append(draw_label("tables", middle_left + 6, y + 14))
    parts += [
        draw_line((edge_right, y), (middle_left, y), (middle_left, y + 22)),
        draw_line((middle_right, y), (middle_right, y + 22)),
    ]
    y += 22
    parts.append(draw_box("nsht_figures and its like", LEFT, y))
    figures = y + BOX_HEIGHT
    for name, handed_on in JUDGED.items():
        parts += [
            draw_box(name, RIGHT, y),
            draw_line((middle_right, y + BOX_HEIGHT), (middle_right, y + 56)),
            draw_label(handed_on, middle_right + 6, y + 47),
        ]
        y += 56
    parts += [
        draw_line((middle_left, figures), (middle_left, y + half), (RIGHT, y + half)),
        draw_label("pictures", middle_left + 6, y + half - 4),
        draw_box("write_page", RIGHT, y),
        draw_line((middle_right, y + BOX_HEIGHT), (middle_right, y + 50)),
        draw_box("results/index.html", RIGHT, y + 50, is_rule=False),
    ]
    height = y + 50 + BOX_HEIGHT + 10
    return "\n".join([_HEAD.format(height=height), *filter(None, parts), "</svg>\n"])


if __name__ == "__main__":
    PICTURE.write_text(render_picture(), encoding="utf-8")
