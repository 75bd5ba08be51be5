import pytest

from portal.domain.batches import batches
from portal.domain.paging import paging


class TestPaging:
    @pytest.mark.parametrize(("asked", "shown"), [(-3, 1), (0, 1), (1, 1), (2, 2), (3, 3), (99, 3)])
    def test_a_page_outside_is_the_nearest_one(self, asked, shown):
        found = paging(51, asked, 25)

        assert (found.page, found.pages, found.offset) == (shown, 3, (shown - 1) * 25)

    @pytest.mark.parametrize(("total", "pages"), [(0, 1), (25, 1), (26, 2)])
    def test_an_empty_list_has_one_page(self, total, pages):
        assert paging(total, 1, 25).pages == pages


class TestBatches:
    def test_nothing_is_lost_and_the_order_stays(self):
        assert list(batches(range(5), 2)) == [[0, 1], [2, 3], [4]]

    def test_an_empty_list_has_none(self):
        assert list(batches((), 2)) == []
