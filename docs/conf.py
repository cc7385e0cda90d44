"""How the site is built: `make docs`, without a network; nothing but scripts of its own to read it.

KERNELWISE_DOCS_INTERSPHINX=1 asks for links to the pages of numpy, scipy and scikit-learn, which
are then looked up on the network.
"""

import os
import sys
import warnings
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE / "_ext"), str(HERE.parent / "src")]

import kernelwise  # noqa: E402

project = "kernelwise"
author = copyright = "The kernelwise developers"
version = release = kernelwise.__version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.doctest",
    "sphinx.ext.mathjax",
    "numpydoc",
    "myst_parser",
    "sphinx_design",
    "sphinx_copybutton",
    "sphinx_gallery.gen_gallery",
    "repository_links",
    "api_pages",
    "made_text",
    "parts",
    "choice_chart",
    "borrowed_docstrings",
    "our_docstrings",
    "version_folders",
]
exclude_patterns = ["_*", "gallery/*.py", "gallery/*.md5", "**/README.txt"]
nitpick_ignore_regex = [(".*", ".*")]
default_role = "py:obj"  # an unknown name is set as code
templates_path = ["_templates"]
smartquotes = False  # options begin with two hyphens, and quotes are often those of code

myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 4
myst_heading_slug_func = "repository_links.anchor"

autodoc_typehints = "none"  # numpydoc has the types in words
autodoc_member_order = "bysource"
toc_object_entries_show_parents = "hide"
numpydoc_show_class_members = False

mathjax_path = "tex-svg.js"
mathjax3_config = {"options": {"enableMenu": False}}

sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "gallery",
    "filename_pattern": "/",
    "image_scrapers": ("gallery_pictures.saved_pictures",),
    "download_all_examples": False,
    "show_signature": False,
    "abort_on_example_error": True,
    "min_reported_time": 1e9,
    "within_subsection_order": "gallery_pictures.Order",
    "default_thumb_file": str(HERE / "_static" / "program.svg"),
    "write_computation_times": False,
}

html_theme = "pydata_sphinx_theme"
html_title = "kernelwise"
html_static_path = ["_static", "_build/mathjax"]
html_extra_path = ["_build/pages"]  # what examples write
(HERE / "_build" / "pages").mkdir(parents=True, exist_ok=True)
html_css_files = ["site.css"]
html_js_files = [("site.js", {"defer": "defer"})]
html_copy_source = html_show_sourcelink = False
html_context = {"default_mode": "auto"}
html_favicon = "_static/kernel.svg"
html_sidebars = {"checks/index": [], "index": []}
html_theme_options = {
    "logo": {
        "text": "kernelwise",
        "image_light": "_static/kernel.svg",
        "image_dark": "_static/kernel.svg",
        "alt_text": "",
    },
    "navbar_persistent": ["search-button"],
    "navbar_end": ["versions", "theme-switcher"],
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "show_toc_level": 2,
    "header_links_before_dropdown": 8,
    "use_edit_page_button": False,
    "show_prev_next": True,
}

if os.environ.get("KERNELWISE_DOCS_INTERSPHINX"):
    extensions.append("sphinx.ext.intersphinx")
    intersphinx_mapping = {
        "numpy": ("https://numpy.org/doc/stable", None),
        "scipy": ("https://docs.scipy.org/doc/scipy", None),
        "sklearn": ("https://scikit-learn.org/stable", None),
    }

warnings.filterwarnings("ignore", category=UserWarning, module="kernelwise")
