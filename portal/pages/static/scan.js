/* Reads a code by the camera, where the browser can do that by itself; where not, the form for a photo is there.
   Loaded by the page that reads codes alone. Not one picture leaves the telephone. */
(function () {
  "use strict";

  var place = document.querySelector("[data-scan]");
  if (!place || !("BarcodeDetector" in window) || !navigator.mediaDevices) return;
  var video = place.querySelector("video");
  var told = place.querySelector("[data-scan-told]");
  var button = place.querySelector("[data-scan-start]");
  var stream = null;

  window.BarcodeDetector.getSupportedFormats().then(function (formats) {
    if (formats.indexOf("qr_code") >= 0) place.hidden = false;
  });

  function stop() {
    if (stream)
      stream.getTracks().forEach(function (track) {
        track.stop();
      });
    stream = null;
    video.hidden = true;
    button.hidden = false;
  }

  function look(detector) {
    if (!stream) return;
    detector
      .detect(video)
      .catch(function () {
        return [];
      })
      .then(function (found) {
        if (!stream) return;
        if (found.length === 0) {
          setTimeout(look, 250, detector);
          return;
        }
        var address = place.dataset.scan;
        stop();
        location.assign(address + (address.indexOf("?") < 0 ? "?" : "&") + "q=" + encodeURIComponent(found[0].rawValue));
      });
  }

  button.addEventListener("click", function () {
    navigator.mediaDevices
      .getUserMedia({ video: { facingMode: "environment" } })
      .then(function (opened) {
        stream = opened;
        video.srcObject = opened;
        video.hidden = false;
        button.hidden = true;
        told.textContent = told.dataset.looking;
        return video.play();
      })
      .then(function () {
        look(new window.BarcodeDetector({ formats: ["qr_code"] }));
      })
      .catch(function () {
        stop();
        told.textContent = told.dataset.refused;
      });
  });
  window.addEventListener("pagehide", stop);
})();
