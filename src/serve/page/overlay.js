"use strict";
(function () {
  var SVG = "http://www.w3.org/2000/svg";
  var svg = document.getElementById("bar");
  // The items as they are shown, and their elements.
  var items = [], nodes = [], font = null;

  function create(item) {
    var node = document.createElementNS(SVG, item[0]);
    if (item[0] === "linearGradient") {
      node.appendChild(document.createElementNS(SVG, "stop"));
      node.appendChild(document.createElementNS(SVG, "stop")).setAttribute("offset", "1");
    }
    return node;
  }

  function update(node, before, item) {
    var old = before ? before[1] : {}, attributes = item[1], key;
    for (key in attributes) {
      if (old[key] !== attributes[key]) { node.setAttribute(key, attributes[key]); }
    }
    for (key in old) {
      if (!(key in attributes)) { node.removeAttribute(key); }
    }
    if (before && before[2] === item[2]) { return; }
    if (item[0] === "linearGradient") {
      var colors = item[2].split(" ");
      node.firstChild.setAttribute("stop-color", colors[0]);
      node.lastChild.setAttribute("stop-color", colors[1]);
    } else if (item[0] === "text") {
      node.textContent = item[2];
    }
  }

  function draw(message) {
    if (message.font !== font) {
      font = message.font;
      if (font) { svg.style.setProperty("--own", JSON.stringify(font)); } else { svg.style.removeProperty("--own"); }
    }
    svg.setAttribute("viewBox", "0 0 " + message.size[0] + " " + message.size[1]);
    svg.style.left = message.top_left[0] + "px";
    svg.style.top = message.top_left[1] + "px";
    svg.style.width = message.size[0] + "px";
    svg.style.height = message.size[1] + "px";
    message.items.forEach(function (item, at) {
      var before = items[at];
      if (!before || before[0] !== item[0]) {
        var node = create(item);
        if (nodes[at]) { svg.replaceChild(node, nodes[at]); } else { svg.appendChild(node); }
        nodes[at] = node;
        before = null;
      }
      update(nodes[at], before, item);
    });
    nodes.splice(message.items.length).forEach(function (node) { node.remove(); });
    items = message.items;
    // For tests: how many pictures were drawn, and when the last one was.
    document.documentElement.setAttribute("data-drawn", message.number || 0);
  }

  var hides = /[?&]lost=hide(&|$)/.test(location.search);
  // The page of the board has the same elements.
  openLink(/\/board$/.test(location.pathname) ? "board" : "overlay", draw, function (isThere) {
    // What is no longer true is not shown as if it were. It stays opaque: what is behind must not shine through.
    svg.style.filter = isThere ? "" : "grayscale(1) brightness(0.55)";
    svg.style.visibility = isThere || !hides ? "" : "hidden";
  });
})();
