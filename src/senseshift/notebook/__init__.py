"""A word of a study in a notebook: plotly figures and a concordance, to look at and to point at."""

from senseshift.notebook.kwic import Concordance, concordance
from senseshift.notebook.plots import histogram_plot, map_plot, plan_plot

__all__ = ["Concordance", "concordance", "histogram_plot", "map_plot", "plan_plot"]
