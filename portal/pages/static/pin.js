/* A map to point at the place: a tap puts the pin and fills the form around it. See data-map in site.js. */
(function () {
  "use strict";

  window.drawMap = function (place) {
    var form = place.closest("form");
    var ground = document.createElement("div");
    ground.className = "map__ground";
    ground.setAttribute("role", "application");
    ground.setAttribute("aria-label", place.dataset.label);
    place.replaceChildren(ground);
    var map = window.L.map(ground, { scrollWheelZoom: false, zoomControl: false });
    window.L.control.zoom({ zoomInTitle: place.dataset.nearer, zoomOutTitle: place.dataset.farther }).addTo(map);
    map.attributionControl.setPrefix(false);
    if (place.dataset.tiles) {
      window.L.tileLayer(place.dataset.tiles, { minZoom: 9, maxZoom: 18, attribution: place.dataset.credit }).addTo(map);
    }
    var ink = getComputedStyle(place).color;
    JSON.parse(place.dataset.stops).forEach(function (stop) {
      window.L.circleMarker([stop[1], stop[2]], { radius: 7, color: ink, weight: 3, fillOpacity: 0.25 })
        .bindTooltip(stop[0], { className: "map__name" })
        .on("click", function (event) {
          put(event.latlng);
        })
        .addTo(map);
    });
    map.setView([Number(place.dataset.latitude), Number(place.dataset.longitude)], 13);
    var pin = null;
    function put(position) {
      if (pin) pin.setLatLng(position);
      else pin = window.L.circleMarker(position, { radius: 12, color: ink, weight: 4, fillOpacity: 0.8 }).addTo(map);
      form.elements.lat.value = position.lat.toFixed(5);
      form.elements.lon.value = position.lng.toFixed(5);
      form.querySelector("[data-pinned]").hidden = false;
    }
    map.on("click", function (event) {
      put(event.latlng);
    });
    /* With the keyboard: arrows move the map, Enter puts the pin in its middle. */
    ground.addEventListener("keydown", function (event) {
      if (event.key !== "Enter" || event.target !== ground) return;
      event.preventDefault();
      put(map.getCenter());
    });
    ground.focus({ preventScroll: true });
  };
})();
