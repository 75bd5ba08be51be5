"""What a citizen does with the portal, in a real browser."""

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser


class TestArriving:
    def test_the_home_page_asks_one_thing(self, page: Page, live_portal: str):
        page.goto(live_portal)

        expect(page.locator("input[name=q]")).to_be_visible()
