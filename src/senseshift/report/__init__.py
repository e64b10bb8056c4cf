"""The report: pages to look at a study with, in any browser, without a server or a network.

``write`` makes a folder that opens by double click::

    from senseshift import Study, report

    report.write(Study.load("study"), "report")
"""

from senseshift.report.pages import write

__all__ = ["write"]
