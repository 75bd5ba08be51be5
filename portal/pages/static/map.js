/* Lines and stops on a map, fetched and drawn when somebody asks for it: see data-map in site.js. */
(function () {
  "use strict";

  function popup(properties) {
    var link = document.createElement("a");
    link.href = properties.address;
    link.textContent = properties.name;
    return link;
  }

  window.drawMap = function (place, failed) {
    fetch(place.dataset.map)
      .then(function (answer) {
        if (!answer.ok) throw new Error(answer.status);
        return answer.json();
      })
      .then(function (found) {
        var ink = getComputedStyle(place).color;
        var ground = document.createElement("div");
        ground.className = "map__ground";
        place.replaceChildren(ground);
        var map = window.L.map(ground, { scrollWheelZoom: false, zoomControl: false });
        window.L.control.zoom({ zoomInTitle: place.dataset.nearer, zoomOutTitle: place.dataset.farther }).addTo(map);
        map.on("popupopen", function (event) {
          event.popup.getElement().querySelector(".leaflet-popup-close-button").setAttribute("aria-label", place.dataset.close);
        });
        map.attributionControl.setPrefix(false);
        if (place.dataset.tiles) {
          window.L.tileLayer(place.dataset.tiles, { minZoom: 9, maxZoom: 18, attribution: place.dataset.credit }).addTo(map);
        }
        var drawn = window.L.geoJSON(found, {
          style: { color: ink, weight: 5, opacity: 0.7 },
          pointToLayer: function (feature, position) {
            var main = feature.properties.main;
            return window.L.circleMarker(position, {
              radius: main ? 11 : 8,
              color: ink,
              weight: 3,
              fillOpacity: main ? 0.9 : 0.25,
            });
          },
          onEachFeature: function (feature, layer) {
            if (!feature.properties.name) return;
            layer.bindPopup(popup(feature.properties));
            layer.bindTooltip(feature.properties.name, { permanent: feature.properties.main, className: "map__name" });
          },
        }).addTo(map);
        map.fitBounds(drawn.getBounds(), { padding: [32, 32], maxZoom: 16 });
        ground.setAttribute("tabindex", "-1");
        ground.focus({ preventScroll: true });
      })
      .catch(failed);
  };
})();
