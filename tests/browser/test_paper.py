"""The paper's tables and figures: one is chosen, and its link shows it again."""

from __future__ import annotations

import re

from cbai.reproduce import EXPERIMENTS
from tests.browser.app_page import PAGES
from tests.browser.controls import query_of, texts, widget


def test_a_table_can_be_chosen_and_its_link_restores_it(open_page):
    tab = open_page(PAGES["paper"])
    before = texts(tab)
    widget(tab, "paper").get_by_role("radio", name="Figure 4").click()
    tab.wait_idle()
    assert query_of(tab.page.url)["paper"] == ["Figure 4"]
    assert any(EXPERIMENTS["fig4"].title in text for text in texts(tab))
    assert texts(tab) != before

    again = open_page(PAGES["paper"], {"paper": "Figure 4"})
    assert texts(again) == texts(tab)


def test_a_run_here_comes_to_the_same(open_page):
    tab = open_page(PAGES["paper"], {"paper": "Table 1"})
    tab.page.get_by_role("button", name="Run it again here").click()
    tab.page.get_by_text(re.compile("the same as the stored run")).wait_for()
    tab.wait_idle()
    tab.assert_no_errors()
