from portal.i18n import translator
from portal.regulations import catalogue
from portal.wording.categories import category_label


class TestKindsOfComplaint:
    def test_each_is_worded_in_words_of_its_own(self):
        labels = {
            one.id: category_label(one.id, translator("pt_BR")) for one in catalogue.current().categories
        }

        assert len(set(labels.values())) == len(labels)
        other = labels.pop("other_problem")
        assert other not in labels.values()
