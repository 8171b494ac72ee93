"use strict";
// The choice of the look in OBS: its preview, and the address to copy.
(function () {
  var form = document.getElementById("look"), preview = document.getElementById("preview");
  var address = document.getElementById("address"), copied = document.getElementById("copied");
  function query() {
    var parts = [];
    form.querySelectorAll("select, input[name]").forEach(function (field) {
      if (field.value && (field.type !== "checkbox" || field.checked)) {
        parts.push(field.name + "=" + encodeURIComponent(field.value));
      }
    });
    return parts.join("&");
  }
  function update() {
    var base = location.href.replace(/[?#].*$/, "").replace(/[^/]*$/, "");
    address.value = base + "overlay?" + query();
    var loader = document.querySelector("a[href^='loader.html']");
    if (loader) { loader.setAttribute("href", "loader.html?" + query()); }
    preview.src = "overlay?" + query() + "&test=1";
    copied.hidden = true;
  }
  // The canvas of OBS in the width of the page.
  function fit() { preview.style.transform = "scale(" + preview.parentNode.clientWidth / 1920 + ")"; }
  addEventListener("resize", fit);
  fit();
  form.addEventListener("change", update);
  form.addEventListener("submit", function (event) {
    event.preventDefault();
    address.select();
    // The clipboard of a page that is not on this machine is closed.
    var done = navigator.clipboard ? navigator.clipboard.writeText(address.value) : Promise.reject();
    done.catch(function () { document.execCommand("copy"); }).then(function () { copied.hidden = false; });
  });
  update();
})();
