/* Shows a town's kept page where the line is gone. It only ever reads what the person had kept by a button on that
   page (see offline.js) and writes nothing: no verdict, no complaint and no case can get into its cache. Its scope is
   one town's addresses; the case at /acompanhar and the page of every town are outside of it. */
(function () {
  "use strict";

  var TOWN = new URL(self.registration.scope).pathname;
  var PAGE = TOWN + "sem-internet";
  var STORE = "kept:" + TOWN;
  /* What the copy answers just as well: on a line that hangs, nobody waits longer than this for it. */
  var SAME_IN_COPY = /^(|pontos.*|itinerarios.*|direitos\/.*)$/;
  var PATIENCE = 8000;

  self.addEventListener("install", function () {
    self.skipWaiting();
  });
  self.addEventListener("activate", function (event) {
    event.waitUntil(self.clients.claim());
  });
  self.addEventListener("fetch", function (event) {
    var address = new URL(event.request.url);
    if (event.request.method !== "GET" || address.origin !== self.location.origin) return;
    if (event.request.mode === "navigate") event.respondWith(navigate(event.request, address.pathname));
    else if (address.pathname.indexOf("/static/") === 0) event.respondWith(asset(event.request));
  });

  /* To open a store that was cleared would make it anew: only what is there is looked into. */
  function lookUp(request, where) {
    return self.caches.match(request, where).catch(function () {});
  }
  function found(path) {
    return lookUp(path, { cacheName: STORE, ignoreSearch: true, ignoreVary: true });
  }
  function kept(path) {
    return found(path).then(function (answer) {
      return answer || found(PAGE);
    });
  }

  function navigate(request, path) {
    var online = fetch(request);
    var offline = online.catch(function (failure) {
      return kept(path).then(function (answer) {
        if (!answer) throw failure;
        return answer;
      });
    });
    if (path.indexOf(TOWN) !== 0 || !SAME_IN_COPY.test(path.slice(TOWN.length))) return offline;
    var patience = new Promise(function (resolve) {
      setTimeout(resolve, PATIENCE);
    }).then(function () {
      return kept(path).then(function (answer) {
        return answer || offline;
      });
    });
    return Promise.race([offline, patience]);
  }

  /* The address of a file of ours changes with its content: what is kept is what is asked for. */
  function asset(request) {
    return lookUp(request, { cacheName: STORE, ignoreVary: true }).then(function (answer) {
      return answer || fetch(request);
    });
  }
})();
