/* The keyboard of the inbox. Everything here has its link or field on the page: without it nothing is missing. */
(function () {
  "use strict";

  var STORED = "desk-keys";

  function links() {
    return Array.prototype.slice.call(document.querySelectorAll("[data-keys] tbody th a"));
  }

  function isOn() {
    try {
      return window.localStorage.getItem(STORED) !== "off";
    } catch (_error) {
      return true;
    }
  }

  function go(by) {
    var all = links();
    if (!all.length) return;
    var at = all.indexOf(document.activeElement);
    var next = at < 0 ? (by > 0 ? 0 : all.length - 1) : Math.min(Math.max(at + by, 0), all.length - 1);
    all[next].focus();
    all[next].closest("tr").scrollIntoView({ block: "nearest" });
  }

  function isTyping(target) {
    return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
  }

  document.addEventListener("keydown", function (event) {
    if (event.key === "Escape" && event.target.matches && event.target.matches("[data-search]")) {
      event.target.blur();
      return;
    }
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (!isOn()) return;
    var search = document.querySelector("[data-search]");
    var help = document.getElementById("keys");
    if (event.key === "j") go(1);
    else if (event.key === "k") go(-1);
    else if (event.key === "/" && search) search.focus();
    else if (event.key === "?" && help) {
      help.open = !help.open;
      if (help.open) help.scrollIntoView({ block: "nearest" });
    } else return;
    event.preventDefault();
  });

  document.addEventListener("DOMContentLoaded", function () {
    var part = document.querySelector("[data-keys-switch]");
    var box = document.querySelector("[data-keys-on]");
    if (!part || !box) return;
    part.hidden = false;
    box.checked = isOn();
    box.addEventListener("change", function () {
      try {
        window.localStorage.setItem(STORED, box.checked ? "on" : "off");
      } catch (_error) {
        /* a browser that keeps nothing goes on with the shortcuts */
      }
    });
  });
})();
