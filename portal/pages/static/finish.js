/* For browsers that do not know Clear-Site-Data: what this site kept is thrown away by hand. */
(function () {
  "use strict";

  function quietly(act) {
    try {
      act();
    } catch (_error) {
      /* a browser without such a store has nothing in it */
    }
  }
  quietly(function () {
    window.localStorage.clear();
  });
  quietly(function () {
    window.sessionStorage.clear();
  });
  quietly(function () {
    window.caches.keys().then(function (names) {
      names.forEach(function (name) {
        window.caches.delete(name);
      });
    });
  });
  quietly(function () {
    navigator.serviceWorker.getRegistrations().then(function (workers) {
      workers.forEach(function (worker) {
        worker.unregister();
      });
    });
  });
})();
