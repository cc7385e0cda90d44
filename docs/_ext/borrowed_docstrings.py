"""References in docstrings that our classes inherit from scikit-learn.

They lead to pages of scikit-learn, which are not part of this site: their text stays, without a
link. (With KERNELWISE_DOCS_INTERSPHINX they are links; that is asked first.) A wrong reference in a
docstring of ours is still a warning.
"""


def text_alone(app, environment, node, content):
    source = node.source or (node.parent and node.parent.source) or ""
    return content if "docstring of sklearn." in source else None


def setup(app):
    app.connect("missing-reference", text_alone, priority=900)
    return {"parallel_read_safe": True}
