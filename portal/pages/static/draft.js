/* Words of a complaint that could not be sent: they stay in this browser until they are sent or cleared, and the page
   says so. Never a name, an address or a telephone: the last page alone asks for those, and keeps none of them. */
(function () {
  "use strict";

  /* The words kept for a town, by field: what, vehicle, place, date, time, story. */
  window.awayDraft = function (town) {
    var name = "complaint:" + town;
    function guarded(act) {
      try {
        return act();
      } catch (_error) {
        return null; /* a browser that keeps nothing */
      }
    }
    return {
      read: function () {
        return guarded(function () {
          return JSON.parse(window.localStorage.getItem(name));
        });
      },
      /* Whether they are kept now: a full device keeps nothing, and the page must not say that it did. */
      write: function (fields) {
        return guarded(function () {
          if (Object.keys(fields).length) window.localStorage.setItem(name, JSON.stringify(fields));
          else window.localStorage.removeItem(name);
          return true;
        });
      },
      /* Another page of this browser wrote or cleared them; coming back to this one asks too, as clearing all tells nobody. */
      onChange: function (act) {
        window.addEventListener("storage", function (event) {
          if (event.key === name || event.key === null) act();
        });
        document.addEventListener("visibilitychange", function () {
          if (!document.hidden) act();
        });
      },
      clear: function () {
        guarded(function () {
          window.localStorage.removeItem(name);
        });
      },
      /* All of it is on its way: the next page with a draft in it tells that it arrived. */
      sending: function () {
        guarded(function () {
          window.sessionStorage.setItem(name, "sending");
        });
      },
      arrived: function () {
        guarded(function () {
          if (!window.sessionStorage.getItem(name)) return;
          window.sessionStorage.removeItem(name);
          window.localStorage.removeItem(name);
        });
      },
    };
  };

  var FIELDS = { vehicle: { text: "vehicle" }, where: { text: "place" }, when: { date: "date", time: "time" }, story: { text: "story" } };

  function questions() {
    return document.querySelector("[data-away-town]");
  }
  function fieldsOf(form) {
    return FIELDS[form.elements.question && form.elements.question.value] || {};
  }
  function tell(kept) {
    var place = questions();
    place.querySelectorAll("[data-away-kept]").forEach(function (notice) {
      notice.hidden = !kept;
    });
  }

  /* The line was lost under a form: its words are kept. */
  function keepWords(form) {
    var place = questions();
    if (!place || !form || !form.elements) return;
    var away = window.awayDraft(place.dataset.awayTown);
    var fields = away.read() || {};
    var of = fieldsOf(form);
    Object.keys(of).forEach(function (name) {
      if (form.elements[name] && form.elements[name].value) fields[of[name]] = form.elements[name].value;
    });
    tell(away.write(fields) && Object.keys(fields).length > 0);
  }
  /* They arrived: they are not kept twice. */
  function forgetWords(form) {
    var place = questions();
    if (!place || !form || !form.elements) return;
    var away = window.awayDraft(place.dataset.awayTown);
    var fields = away.read();
    if (!fields) return;
    var of = fieldsOf(form);
    Object.keys(of).forEach(function (name) {
      delete fields[of[name]];
    });
    away.write(fields);
  }
  document.addEventListener("DOMContentLoaded", function () {
    var filed = document.querySelector("[data-away-filed]");
    if (filed) window.awayDraft(filed.dataset.awayFiled).clear();
  });
  /* Words that were kept stand in their field again. */
  function fillIn() {
    var place = questions();
    if (!place) return;
    var away = window.awayDraft(place.dataset.awayTown);
    if (place.querySelector('input[name="draft"]:not([value=""])')) away.arrived();
    var fields = away.read();
    tell(Boolean(fields));
    if (!fields) return;
    place.querySelectorAll("form").forEach(function (form) {
      var of = fieldsOf(form);
      Object.keys(of).forEach(function (name) {
        var box = form.elements[name];
        if (box && box.type !== "hidden" && fields[of[name]] && (!box.value || name === "date")) box.value = fields[of[name]];
      });
    });
  }

  ["htmx:sendError", "htmx:timeout"].forEach(function (trouble) {
    document.addEventListener(trouble, function (event) {
      keepWords(event.detail.requestConfig.elt);
    });
  });
  document.addEventListener("htmx:afterRequest", function (event) {
    if (event.detail.successful) forgetWords(event.detail.requestConfig.elt); /* which may have left the page */
  });
  document.addEventListener("htmx:afterSwap", fillIn);
  document.addEventListener("DOMContentLoaded", fillIn);
  document.addEventListener("submit", function (event) {
    if (navigator.onLine !== false || event.target.hasAttribute("hx-post") || !questions()) return;
    /* A form that leaves the page would leave it for the browser's own error: it stays as it is. */
    event.preventDefault();
    event.stopImmediatePropagation();
    keepWords(event.target);
    window.sayOffline();
  }, true);
  document.addEventListener("click", function (event) {
    if (!event.target.closest || !event.target.closest("[data-away-drop]")) return;
    window.awayDraft(questions().dataset.awayTown).clear();
    tell(false);
  });
})();
