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
  window.sayOffline = function () {
    say(word("offline"));
  };
  document.addEventListener("htmx:sendError", window.sayOffline);
  document.addEventListener("htmx:timeout", window.sayOffline);

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

  /* Another language is asked for and nothing that was typed or chosen is lost: the page comes anew, and each field that
     was touched is filled again. A <form data-keep> goes along, so that its error is said again; chosen files stay here. */
  function touched(field) {
    if (!field.name || !field.form || field.type === "hidden" || field.type === "submit") return false;
    if (field.type === "file") return field.files.length > 0;
    if (/checkbox|radio/.test(field.type)) return field.checked !== field.defaultChecked;
    return field.options ? true : field.value !== field.defaultValue;
  }
  function placeOf(field) {
    var choice = /checkbox|radio/.test(field.type) ? field.value : "";
    return [new URL(field.form.action).pathname, field.name, choice].join(" ");
  }
  /* A form whose words are kept in the browser brings them along by itself. */
  function fieldsOf(root) {
    return Array.prototype.slice.call(
      root.querySelectorAll("form input, form select, form textarea")
    ).filter(function (field) {
      return !field.form.hasAttribute("data-away-form");
    });
  }
  function fillAgain(fields) {
    var here = {};
    fieldsOf(document).forEach(function (field) {
      here[placeOf(field)] = field;
    });
    fields.forEach(function (old) {
      var field = here[placeOf(old)];
      if (!field) return;
      if (old.type === "file") field.files = old.files;
      else if (/checkbox|radio/.test(old.type)) field.checked = old.checked;
      else field.value = old.value;
      for (var around = field.closest("details"); around; around = around.parentNode.closest("details")) around.open = true;
    });
  }
  document.addEventListener("click", function (event) {
    var link = event.target.closest && event.target.closest(".languages a");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    var kept = document.querySelector("form[data-keep]");
    var fields = fieldsOf(document).filter(touched);
    if (!kept && !fields.length) return;
    event.preventDefault();
    var asked = {};
    if (kept) {
      asked = { method: "POST", body: new FormData(kept) };
      kept.querySelectorAll("input[type=file]").forEach(function (field) {
        asked.body.delete(field.name);
      });
      asked.body.append("switch", link.hreflang);
    }
    fetch(link.href, asked)
      .then(function (answer) {
        return answer.text();
      })
      .then(function (text) {
        var page = new DOMParser().parseFromString(text, "text/html");
        document.documentElement.lang = page.documentElement.lang;
        document.title = page.title;
        document.body.replaceWith(page.body);
        history.replaceState(history.state, "", link.href);
        fillAgain(fields);
        window.htmx.process(document.body);
        window.htmx.trigger(document.body, "htmx:load", { elt: document.body });
        focusIn(document.body);
      })
      .catch(function () {
        say(word("offline"));
      });
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
