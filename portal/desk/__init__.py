"""The desk: an app and process of its own, where the ombudsman's staff read and answer.

It alone holds the identity keys. Its cookies, secret key and address are not the public portal's.
"""

from flask import Flask, redirect, url_for
from jinja2 import ChoiceLoader, FileSystemLoader
from sqlalchemy.exc import SQLAlchemyError
from werkzeug.wrappers import Response

from portal.config import DeskSettings, audit_keys, desk_settings, in_production, refuse_weak_secrets
from portal.desk.account.views import blueprint as account
from portal.desk.cases.counter import blueprint as counter
from portal.desk.cases.forwarding import blueprint as forwarding
from portal.desk.cases.reports import blueprint as reports
from portal.desk.cases.views import blueprint as cases
from portal.desk.deliveries.views import blueprint as deliveries
from portal.desk.evidence.views import blueprint as evidence
from portal.desk.identity.views import blueprint as identity
from portal.desk.log.views import blueprint as log
from portal.desk.own_data.views import blueprint as own_data
from portal.desk.register.cards import blueprint as permit_cards
from portal.desk.register.publishing import blueprint as publishing
from portal.desk.register.views import blueprint as register
from portal.desk.sign_in.second_factor import blueprint as second_factor
from portal.desk.sign_in.views import ask_for_sign_in, open_to_all
from portal.desk.sign_in.views import blueprint as sign_in
from portal.desk.state.views import blueprint as state
from portal.desk.timetables.views import blueprint as timetables
from portal.domain.staff import Role
from portal.pages import TEMPLATES
from portal.pages.headers import trusted_hosts
from portal.pages.rekeying import follow_keys, take_keys
from portal.pages.site import make_site
from portal.sealing.opening import read_identity_keys
from portal.services.unit_of_work import database_answers


def create_app(given: DeskSettings | None = None) -> Flask:
    """The WSGI application; ``given`` settings serve the tests, otherwise the environment is read."""
    configured = given or desk_settings()
    refuse_weak_secrets(configured, configured.desk_url)
    app = make_site(__name__, configured, confidential=True)
    # The desk's own header, footer and error pages stand before the public ones of the same name.
    app.jinja_loader = ChoiceLoader(
        [FileSystemLoader(TEMPLATES / "desk" / "shell"), FileSystemLoader(TEMPLATES)]
    )
    app.config.update(
        # A port does not part cookies: beside the portal on one host, the name does.
        SESSION_COOKIE_NAME="desk_session",
        SESSION_COOKIE_PATH="/mesa/",
        SESSION_COOKIE_SAMESITE="Strict",
        SESSION_COOKIE_SECURE=in_production(configured.desk_url),
        TRUSTED_HOSTS=trusted_hosts(configured.desk_url, configured.hosts),
        SECOND_FACTOR=_second_factor(configured),
    )
    _take_keys(app, configured)
    if given is None:
        follow_keys(app, lambda: _take_keys(app, desk_settings()), configured.identity_private_keys)
    audit_keys()  # a desk that could log nothing must not begin
    ask_for_sign_in(app)
    app.register_blueprint(sign_in)
    app.register_blueprint(second_factor)
    app.register_blueprint(account)
    app.register_blueprint(log)
    app.register_blueprint(identity)
    app.register_blueprint(own_data)
    app.register_blueprint(deliveries)
    app.register_blueprint(cases)
    app.register_blueprint(evidence)
    app.register_blueprint(counter)
    app.register_blueprint(forwarding)
    app.register_blueprint(reports)
    app.register_blueprint(publishing)
    app.register_blueprint(register)
    app.register_blueprint(permit_cards)
    app.register_blueprint(timetables)
    app.register_blueprint(state)

    @app.get("/")
    @open_to_all
    def front_door() -> Response:
        return redirect(url_for("cases.show_list"))

    @app.get("/healthz")
    @open_to_all
    def health() -> Response:
        """200 once pages can be served; 503 while the database cannot be read."""
        try:
            database_answers()
        except SQLAlchemyError:
            return Response("database\n", status=503, mimetype="text/plain")
        return Response("ok\n", mimetype="text/plain")

    return app


def _take_keys(app: Flask, configured: DeskSettings) -> None:
    take_keys(app, configured.desk_secrets)
    app.config["IDENTITY_KEYS"] = read_identity_keys(configured.identity_private_keys)


def _second_factor(configured: DeskSettings) -> frozenset[Role]:
    """The roles that need an authenticator; in a demonstration, whose passwords everybody reads, none."""
    named = {name.strip() for name in configured.desk_second_factor.split(",")} - {""}
    return frozenset() if configured.demonstration else frozenset(Role(name) for name in named)
