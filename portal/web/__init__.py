"""The public portal. It can write an identity but never read one."""

import os

from flask import Flask

from portal.config import Settings, refuse_private_keys, refuse_weak_secrets, settings
from portal.pages.rekeying import follow_keys, take_keys
from portal.pages.site import make_site
from portal.pages.towns import know_towns
from portal.web.api.views import blueprint as api
from portal.web.cards.views import blueprint as cards
from portal.web.complaints.own_rights import blueprint as own_rights
from portal.web.complaints.tracking import blueprint as tracking
from portal.web.complaints.uploads import blueprint as uploads
from portal.web.complaints.views import blueprint as complaints
from portal.web.demonstration.views import blueprint as demonstration
from portal.web.health.views import blueprint as health
from portal.web.home.views import blueprint as home
from portal.web.itineraries.feed import blueprint as feed
from portal.web.itineraries.take_along import blueprint as take_along
from portal.web.itineraries.tiles import blueprint as tiles
from portal.web.itineraries.views import blueprint as itineraries
from portal.web.notices.views import blueprint as notices
from portal.web.offline.finishing import blueprint as finishing
from portal.web.offline.views import blueprint as offline
from portal.web.receipts.views import blueprint as receipts
from portal.web.reports.views import blueprint as reports
from portal.web.rights.views import blueprint as rights
from portal.web.tourist.views import blueprint as tourist
from portal.web.verification.views import blueprint as verification


def create_app(given: Settings | None = None) -> Flask:
    """The WSGI application; ``given`` settings serve the tests, otherwise the environment is read."""
    refuse_private_keys(os.environ)
    configured = given or settings()
    refuse_weak_secrets(configured, configured.public_url)
    app = make_site(__name__, configured)
    if given is None:
        follow_keys(app, lambda: take_keys(app, settings().secrets))
    app.finishers = (know_towns(app), *app.finishers)
    app.register_blueprint(demonstration)
    app.register_blueprint(health)
    app.register_blueprint(home)
    app.register_blueprint(cards)
    app.register_blueprint(tourist)
    app.register_blueprint(itineraries)
    app.register_blueprint(feed)
    app.register_blueprint(take_along)
    app.register_blueprint(tiles)
    app.register_blueprint(notices)
    app.register_blueprint(offline)
    app.register_blueprint(finishing)
    app.register_blueprint(complaints)
    app.register_blueprint(tracking)
    app.register_blueprint(uploads)
    app.register_blueprint(reports)
    app.register_blueprint(own_rights)
    app.register_blueprint(verification)
    app.register_blueprint(api)
    app.register_blueprint(rights)
    app.register_blueprint(receipts)
    return app
