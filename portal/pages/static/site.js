/* What a page does beyond htmx. Everything here is a convenience: each page works without it. */
(function () {
  "use strict";

  document.documentElement.classList.add("js");

  /* After a swap, the first thing that asks for the focus gets it: an error summary, a new question, a verdict. */
  function focusIn(root) {
    var wanted = root.matches && root.matches("[data-focus]") ? root : root.querySelector("[data-focus]");
    if (wanted) {
      if (!wanted.hasAttribute("tabindex")) wanted.setAttribute("tabindex", "-1");
      wanted.focus({ preventScroll: false });
    }
  }

  function say(text) {
    var region = document.getElementById("alert");
    if (!region) return;
    region.textContent = "";
    if (!text) return;
    var box = document.createElement("div");
    box.className = "notice notice--danger";
    box.setAttribute("role", "alert");
    var body = document.createElement("div");
    body.className = "notice__body";
    body.textContent = text;
    box.appendChild(body);
    region.appendChild(box);
    region.scrollIntoView({ block: "nearest" });
  }

  function word(name) {
    return document.body.getAttribute("data-" + name) || "";
  }

  document.addEventListener("DOMContentLoaded", function () {
    focusIn(document.body);
  });
  document.addEventListener("htmx:afterSwap", function (event) {
    focusIn(event.detail.target);
  });
  document.addEventListener("htmx:historyRestore", function () {
    focusIn(document.body);
  });
  document.addEventListener("htmx:beforeRequest", function () {
    say("");
  });
  document.addEventListener("htmx:sendError", function () {
    say(word("offline"));
  });
  document.addEventListener("htmx:timeout", function () {
    say(word("offline"));
  });

  /* <form data-locate> with hidden fields "lat" and "lon" and a hidden <button type="button" data-locate-button>:
     shows the button, fills the fields from the device and submits the form. Without a script the form asks in words. */
  function offerLocation(root) {
    if (!("geolocation" in navigator)) return;
    root.querySelectorAll("[data-locate-button][hidden]").forEach(function (button) {
      button.hidden = false;
    });
  }
  document.addEventListener("DOMContentLoaded", function () {
    offerLocation(document);
  });
  document.addEventListener("htmx:load", function (event) {
    offerLocation(event.detail.elt);
  });

  document.addEventListener("click", function (event) {
    var button = event.target.closest && event.target.closest("[data-locate-button], [data-print]");
    if (!button) return;
    if (button.hasAttribute("data-print")) {
      window.print();
      return;
    }
    var form = button.closest("form");
    button.disabled = true;
    navigator.geolocation.getCurrentPosition(
      function (position) {
        button.disabled = false;
        /* Four decimals are eleven metres: enough to find a stop. */
        form.elements.lat.value = position.coords.latitude.toFixed(4);
        form.elements.lon.value = position.coords.longitude.toFixed(4);
        if (form.elements.error) form.elements.error.value = Math.ceil(position.coords.accuracy);
        form.requestSubmit();
      },
      function () {
        button.disabled = false;
        say(word("unlocated"));
      },
      { timeout: 15000, maximumAge: 60000 }
    );
  });

  /* <div data-map="address of GeoJSON" data-style data-library data-drawing> with a hidden button: the map and its library
     are fetched when somebody asks for them. The list beside it says the same. */
  function offerMaps(root) {
    root.querySelectorAll("[data-map] > button[hidden]").forEach(function (button) {
      button.hidden = false;
    });
  }
  document.addEventListener("DOMContentLoaded", function () {
    offerMaps(document);
  });
  document.addEventListener("htmx:load", function (event) {
    offerMaps(event.detail.elt);
  });
  function fetchScript(address, then) {
    var script = document.createElement("script");
    script.src = address;
    script.onload = then;
    script.onerror = function () {
      say(word("offline"));
    };
    document.head.appendChild(script);
  }
  document.addEventListener("click", function (event) {
    var button = event.target.closest && event.target.closest("[data-map] > button");
    if (!button) return;
    var place = button.parentNode;
    button.disabled = true;
    var style = document.createElement("link");
    style.rel = "stylesheet";
    style.href = place.dataset.style;
    document.head.appendChild(style);
    fetchScript(place.dataset.library, function () {
      fetchScript(place.dataset.drawing, function () {
        window.drawMap(place, function () {
          button.disabled = false;
          say(word("offline"));
        });
      });
    });
  });

  /* <p data-zone="America/Cuiaba" hidden>: told where the device's clock is not the town's. */
  function clockIn(zone) {
    return new Intl.DateTimeFormat("en", { timeZone: zone, dateStyle: "short", timeStyle: "short" }).format();
  }
  function tellZones(root) {
    root.querySelectorAll("[data-zone][hidden]").forEach(function (notice) {
      notice.hidden = clockIn(notice.dataset.zone) === clockIn(undefined);
    });
  }
  document.addEventListener("DOMContentLoaded", function () {
    tellZones(document);
  });
  document.addEventListener("htmx:load", function (event) {
    tellZones(event.detail.elt);
  });

  /* Buttons that need a script are shown by it: data-copy="text" data-copied="word", data-print. */
  function offerCopies(root) {
    root.querySelectorAll("[data-copy][hidden], [data-print][hidden]").forEach(function (button) {
      button.hidden = button.hasAttribute("data-copy") && !navigator.clipboard;
    });
  }
  document.addEventListener("DOMContentLoaded", function () {
    offerCopies(document);
  });
  document.addEventListener("htmx:load", function (event) {
    offerCopies(event.detail.elt);
  });
  document.addEventListener("click", function (event) {
    var button = event.target.closest && event.target.closest("[data-copy]");
    if (!button) return;
    navigator.clipboard.writeText(button.dataset.copy).then(function () {
      button.lastChild.textContent = button.dataset.copied;
    });
  });

  /* <form data-keep>: another language is asked for with what was typed and chosen, and nothing of it is lost. */
  document.addEventListener("click", function (event) {
    var link = event.target.closest && event.target.closest(".languages a");
    var form = link && document.querySelector("form[data-keep]");
    if (!form) return;
    event.preventDefault();
    var field = document.createElement("input");
    field.type = "hidden";
    field.name = "switch";
    field.value = link.hreflang;
    form.appendChild(field);
    form.action = link.href;
    form.submit();
  });

  /* A second press of a button while the first is still on its way sends nothing. */
  document.addEventListener("submit", function (event) {
    var form = event.target;
    if (form.method !== "post" || form.hasAttribute("hx-post")) return;
    if (form.dataset.sent) {
      event.preventDefault();
      return;
    }
    form.dataset.sent = "yes";
    /* A way that was broken off (no event tells) must not keep the form shut; sending twice files once all the same. */
    window.setTimeout(forgetSent, 6000);
  });
  function forgetSent() {
    document.querySelectorAll("form[data-sent]").forEach(function (form) {
      delete form.dataset.sent;
    });
  }
  document.addEventListener("keydown", function (event) {
    if (event.key === "Escape") forgetSent();
  });
  window.addEventListener("pageshow", forgetSent);
})();
