/* The page of a town for hours without internet: keeping it, telling its age, beginning a complaint on it. */
(function () {
  "use strict";

  var root = document.querySelector("[data-offline-town]");

  /* How old: "Guardado em 28/11/2026, 12:00" and then ", há 2 dias" by the device's own clock. */
  document.querySelectorAll("[data-kept-at]").forEach(function (line) {
    var minutes = Math.round((Date.now() - Date.parse(line.dataset.keptAt)) / 60000);
    var told = minutes < 90 ? [minutes, "minute"] : minutes < 36 * 60 ? [Math.round(minutes / 60), "hour"] : [Math.round(minutes / 1440), "day"];
    var age = line.querySelector("[data-age]");
    age.textContent = new Intl.RelativeTimeFormat(document.documentElement.lang).format(-told[0], told[1]);
    age.hidden = minutes < 2;
    line.hidden = minutes < 2 && navigator.onLine !== false; /* just come over the line: not kept, nor old */
  });
  if (!root) return;

  var town = root.dataset.offlineTown;
  var page = town + "sem-internet";
  var store = "kept:" + town;
  var here = window.location.pathname;

  function one(selector) {
    return root.querySelector(selector);
  }
  function show(selector, shown) {
    root.querySelectorAll(selector).forEach(function (part) {
      part.hidden = !shown;
    });
  }

  /* Shown by the service worker at the address that was asked for: what of this page answers it? */
  var without = here !== page;
  if (without) {
    var asked = here.slice(town.length);
    show('[data-only="verify"]', asked === "verificar");
    show('[data-only="other"]', asked !== "verificar");
    root.querySelectorAll("[data-stop]").forEach(function (stop) {
      if (asked === "pontos/" + encodeURIComponent(stop.dataset.stop) || asked === "pontos/" + stop.dataset.stop) open(stop);
    });
    root.querySelectorAll("[data-itinerary]").forEach(function (line) {
      if (asked === "itinerarios/" + line.dataset.itinerary) open(line.closest("details"));
    });
    show("[data-keeping]", false);
  }
  function open(part) {
    part.open = true;
    part.scrollIntoView();
  }
  root.addEventListener("click", function (event) {
    if (event.target.closest("[data-again]")) window.location.reload();
  });

  /* The present day in the town, and what of the kept days is over. */
  function dayThere() {
    return new Intl.DateTimeFormat("sv", { timeZone: root.dataset.zoneOf, dateStyle: "short" }).format(new Date());
  }
  var today = dayThere();
  show("[data-past]", today > root.dataset.lastDay);
  root.querySelectorAll("[data-days]").forEach(function (group) {
    var now = group.dataset.days.split(" ").indexOf(today) >= 0;
    group.querySelector("[data-today]").hidden = !now;
    if (now) group.parentNode.insertBefore(group, group.parentNode.querySelector("[data-days]"));
  });

  /* Keeping and dropping. */
  var said = one("[data-kept-said]");
  function tell(which) {
    said.textContent = said.dataset[which];
  }
  function offer() {
    if (!("serviceWorker" in navigator) || !window.caches) {
      show("[data-cannot]", true);
      return;
    }
    window.caches.has(store).then(function (has) {
      show("[data-keep-now]", true);
      show("[data-drop]", has);
    });
  }
  function keep() {
    var addresses = JSON.parse(root.dataset.keep);
    return Promise.all(
      addresses.map(function (address) {
        return fetch(address, { credentials: "omit", cache: "no-cache" }).then(function (answer) {
          if (!answer.ok || answer.redirected) throw new Error(address);
          return [address, answer];
        });
      })
    )
      .then(function (answers) {
        /* All is here: only now does the new copy take the old one's place. */
        return window.caches.delete(store).then(function () {
          return window.caches.open(store);
        }).then(function (opened) {
          return Promise.all(
            answers.map(function (pair) {
              return opened.put(pair[0], pair[1]);
            })
          );
        });
      })
      .then(function () {
        return navigator.serviceWorker.register("/sw.js", { scope: town });
      });
  }
  function drop() {
    return window.caches.delete(store).then(function () {
      return navigator.serviceWorker.getRegistration(town);
    }).then(function (worker) {
      return worker && worker.unregister();
    });
  }
  function onPress(selector, act, done) {
    one(selector).addEventListener("click", function () {
      var button = this;
      button.disabled = true;
      act()
        .then(
          function () {
            tell(done);
          },
          function () {
            tell("failed");
          }
        )
        .then(function () {
          button.disabled = false;
          offer();
        });
    });
  }
  onPress("[data-keep-now]", keep, "kept");
  onPress("[data-drop]", drop, "dropped");
  if (!without) offer();

  /* A complaint begun here stays in this browser until it is sent or cleared; see also draft.js. */
  var form = one("[data-away-form]");
  var away = window.awayDraft(form.dataset.awayForm);
  var awaySaid = one("[data-away-said]");
  var kept = false; /* whether what stands in the form is kept */
  function tellAway(which) {
    awaySaid.textContent = awaySaid.dataset[which];
  }
  function fill(begun) {
    Array.prototype.forEach.call(form.elements, function (box) {
      if (box.name) box.value = begun[box.name] || "";
    });
    kept = true;
    tellAway("saved");
  }
  function empty() {
    form.reset();
    kept = false;
    tellAway("cleared");
  }
  var begun = away.read();
  if (begun || without || navigator.onLine === false) show("[data-away]", true);
  if (begun) fill(begun);
  away.onChange(function () {
    var now = away.read();
    if (now) {
      show("[data-away]", true);
      fill(now);
    } else if (kept) empty();
  });
  form.addEventListener("input", function () {
    var fields = {};
    new FormData(form).forEach(function (value, name) {
      if (value) fields[name] = value;
    });
    kept = away.write(fields);
    tellAway(kept ? "saved" : "full");
  });
  form.addEventListener("submit", function (event) {
    if (navigator.onLine === false) {
      event.preventDefault();
      if (kept) tellAway("saved");
      awaySaid.scrollIntoView({ block: "center" });
      return;
    }
    away.sending();
  });
  one("[data-away-clear]").addEventListener("click", function () {
    away.clear();
    empty();
  });
})();
