"use strict";
// The socket of a page. It is opened again for ever: every second for a minute, then after 1 to 30 s.
// No message is waited for with a frame: a hidden source of OBS has none.
function openLink(page, onMessage, onState) {
  var version = null, socket = null, lostAt = Date.now(), pause = 1000, timer = null, heardAt = Date.now();
  function address() {
    var own = location.search.slice(1);
    var size = "&width=" + Math.round(innerWidth) + "&height=" + Math.round(innerHeight);
    return "ws://" + location.host + location.pathname.replace(/[^/]*$/, "") + "ws?" + (own ? own + "&" : "") + "page=" + page + size;
  }
  function retry() {
    var wait = 1000;
    if (Date.now() - lostAt > 60000) {
      pause = Math.min(pause * 2, 30000);
      wait = pause * (0.5 + Math.random() / 2);
    }
    clearTimeout(timer);
    timer = setTimeout(open, wait);
  }
  function lose(own) {
    if (own !== socket) { return; }
    socket = null;
    if (lostAt === 0) { lostAt = Date.now(); }
    onState(Date.now() - lostAt < 3000);
    retry();
  }
  function open() {
    var own = new WebSocket(address());
    socket = own;
    heardAt = Date.now();
    own.onmessage = function (event) {
      if (own !== socket) { return; }
      heardAt = Date.now();
      // A sign of life.
      if (event.data === "") { return; }
      var message = JSON.parse(event.data);
      // Another version of the program has other scripts.
      if (version !== null && version !== message.version) { location.reload(); return; }
      version = message.version;
      lostAt = 0;
      pause = 1000;
      onState(true);
      onMessage(message);
    };
    own.onclose = function () { lose(own); };
  }
  // A server that is gone without a word, as a machine that sleeps, closes nothing. It says something every 5 s.
  setInterval(function () {
    var own = socket;
    if (own && Date.now() - heardAt > 15000) {
      lose(own);
      own.close();
    }
    onState(lostAt === 0 || Date.now() - lostAt < 3000);
  }, 1000);
  var resized = null;
  addEventListener("resize", function () {
    clearTimeout(resized);
    // The layout is made for the size. What is shown stays until the new one is there.
    resized = setTimeout(function () {
      var before = socket;
      clearTimeout(timer);
      open();
      if (before) { before.close(); }
    }, 200);
  });
  open();
  // Sends a text, unless the server is away.
  return function (text) {
    if (socket && socket.readyState === 1) { socket.send(text); }
  };
}
