"""What is on a drawn figure, in pixels."""

from itertools import combinations

from matplotlib.backends.backend_agg import FigureCanvasAgg, RendererAgg
from matplotlib.transforms import Bbox


class Recorder(RendererAgg):
    """Draws for real, and keeps the texts: ticks outside the limits have texts never drawn."""

    def __init__(self, figure):
        width, height = FigureCanvasAgg(figure).get_width_height()
        super().__init__(width, height, figure.dpi)
        self.texts = []

    def draw_text(self, gc, x, y, s, prop, angle, ismath=False, mtext=None):
        self.texts.append((mtext.get_text(), mtext) if mtext else (s, self._box(x, y, s, prop)))
        super().draw_text(gc, x, y, s, prop, angle, ismath, mtext)

    def _box(self, x, y, s, prop):
        """The box of one line of several, which comes without its artist."""
        width, height, descent = self.get_text_width_height_descent(s, prop, ismath=False)
        return Bbox.from_bounds(x, self.height - y - descent, width, height)


def draw(figure):
    """The texts that can be seen, with their boxes."""
    recorder = Recorder(figure)
    figure.draw(recorder)
    return [
        (text, owner if isinstance(owner, Bbox) else owner.get_window_extent(recorder))
        for text, owner in recorder.texts
    ]


def assert_readable(figure):
    """Every text lies inside the canvas, and no two lie on each other."""
    boxes = draw(figure)
    assert boxes
    canvas = figure.bbox
    for text, box in boxes:
        assert canvas.x0 <= box.x0 and box.x1 <= canvas.x1, f"{text!r} leaves the canvas"
        assert canvas.y0 <= box.y0 and box.y1 <= canvas.y1, f"{text!r} leaves the canvas"
    for (text, box), (other, other_box) in combinations(boxes, 2):
        # A pixel less: boxes that touch do not hide each other.
        assert not box.padded(-0.5).overlaps(other_box.padded(-0.5)), f"{text!r} lies on {other!r}"


def texts(figure, gid):
    """Texts of one kind, as artists."""
    return [text for axes in figure.axes for text in axes.texts if text.get_gid() == gid]


def lines(figure, gid):
    """Lines of one kind, as arrays of points in data coordinates."""
    found = [line for axes in figure.axes for line in axes.lines if line.get_gid() == gid]
    return [line.get_xydata() for line in found]
