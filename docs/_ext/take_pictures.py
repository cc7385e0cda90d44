"""What the README shows of ``kernelwise demo``: its words, its report and its relevances.

``python docs/_ext/take_pictures.py`` (``make pictures``) runs it, writes its words into the README,
and photographs its report with chromium, light and dark; the relevances are drawn from the record
that the report holds.
"""

import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image

from kernelwise.insight import FitRecord
from kernelwise.report import RelevanceDisplay, save_figure

FOLDER = Path(__file__).resolve().parent.parent / "_static"
README = FOLDER.parent.parent / "README.md"
WORDS = re.compile(r"^Predicting 'diagnosis'.*?(?=\n(?:\nTime|Time|```))", re.MULTILINE | re.DOTALL)
SIZE = (960, 1120)
DARK = ["--force-dark-mode", "--blink-settings=preferredColorScheme=0"]


def photograph(page, name, options):
    with TemporaryDirectory() as profile:
        command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
        command += [f"--user-data-dir={profile}", f"--window-size={SIZE[0]},{SIZE[1]}", *options]
        command += [f"--screenshot={page.parent / name}", page.as_uri()]
        subprocess.run(command, check=True, capture_output=True)
    picture = Image.open(page.parent / name).convert("RGB").quantize(160)
    picture.save(FOLDER / name, optimize=True)


def main():
    with TemporaryDirectory() as folder:
        page = Path(folder) / "kernelwise-demo.html"
        command = [sys.executable, "-m", "kernelwise", "demo"]
        said = subprocess.run(command, check=True, cwd=folder, stdout=subprocess.PIPE, text=True)
        photograph(page, "report.png", [])
        photograph(page, "report-dark.png", DARK)
        kept = re.search(r'id="record">(.*?)</script>', page.read_text(), re.DOTALL)[1]
    words = WORDS.search(said.stdout)[0]
    README.write_text(WORDS.sub(lambda _: words, README.read_text(), count=1))
    record = FitRecord.from_json(kept)
    save_figure(RelevanceDisplay.from_record(record).as_figure(), FOLDER / "relevances.svg")


if __name__ == "__main__":
    main()
