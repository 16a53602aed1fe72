"""Sphinx configuration; the builder copies it next to the pages."""

import dractl

project = "dractl"
release = version = dractl.__version__
project_copyright = "the dractl authors"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
root_doc = "index"
source_suffix = {".md": "markdown"}
exclude_patterns = ["LICENSE"]
html_extra_path = ["extra"]
html_theme = "furo"
html_title = "dractl"
html_show_sphinx = False
html_copy_source = False
html_theme_options = {"navigation_with_keys": True}
# GitHub makes an anchor of every heading, and the pages link to them.
myst_heading_anchors = 4
myst_enable_extensions = ["deflist", "html_image"]
suppress_warnings = [
    "myst.header",  # a page of GitHub may begin with a table or a second heading
    "ref.python",  # fields named `object` hide the type in annotations
]
nitpicky = True
nitpick_ignore_regex = [("py:.*", ".*")]  # types of the standard library, names of internal modules
autodoc_typehints = "signature"
autodoc_member_order = "bysource"
