"""The paper's tables and figures are run here; one is chosen in `test_every_page`."""

from __future__ import annotations

import re

from tests.browser.app_page import PAGES


def test_a_run_here_comes_to_the_same(open_page):
    tab = open_page(PAGES["paper"], {"paper": "Table 1"})
    tab.page.get_by_role("button", name="Run it again here").click()
    tab.page.get_by_text(re.compile("the same as the stored run")).wait_for()
    tab.wait_idle()
    tab.assert_no_errors()
