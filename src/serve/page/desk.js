"use strict";
(function () {
  var WIDTH = 612, HEIGHT = 486, GAP = 18, MOST = 12;
  // The most moves from one value to the next that are joined by a line.
  var MOST_UNKNOWN = 4;
  var COLORS = {
    black: "#4a72aa", white: "#f3e9d2", text: "#f7f2e7", quiet: "#bdb9af", best: "#e6c06f", seam: "#f0492e",
    swing: "#c8341f", tray: "#0a0b0e", board: "#a8824b", line: "#2e2212", piece: "#e6d3a6", edge: "#5d4721",
    ink: "#1b150c", promoted: "#8e2415", last: "#2f568f"
  };
  var KANJI = { P: "歩", L: "香", N: "桂", S: "銀", G: "金", B: "角", R: "飛", K: "玉",
    "+P": "と", "+L": "杏", "+N": "圭", "+S": "全", "+B": "馬", "+R": "龍" };
  var tiles = {}, message = null, focus = null, send = null;
  function get(id) { return document.getElementById(id); }
  function escape(text) {
    return String(text).replace(/[&<>"]/g, function (c) { return "&#" + c.charCodeAt(0) + ";"; });
  }

  // A text that is made narrower where it is wider than its room.
  function text(x, y, size, words, more) {
    more = more || {};
    // As on the bar, digits are not set in the width of a kanji.
    words = words.replace(/[０-９]/g, function (digit) { return String.fromCharCode(digit.charCodeAt(0) - 0xfee0); });
    var length = 0, i;
    for (i = 0; i < words.length; i++) { length += words.charCodeAt(i) < 0x1100 ? 0.58 : 1; }
    var narrow = more.room && length * size > more.room
      ? " textLength=\"" + more.room + "\" lengthAdjust=\"spacingAndGlyphs\"" : "";
    return "<text x=\"" + x + "\" y=\"" + y + "\" font-size=\"" + size + "\" fill=\"" + (more.fill || COLORS.text) +
      "\" class=\"" + (more.bold ? "bold" : "regular") + "\" text-anchor=\"" + (more.anchor || "start") + "\"" + narrow +
      ">" + escape(words) + "</text>";
  }

  function shape(points, x, y, width, height, fill, stroke) {
    var d = points.map(function (p) { return (x + p[0] * width).toFixed(1) + "," + (y + p[1] * height).toFixed(1); });
    return "<polygon points=\"" + d.join(" ") + "\" fill=\"" + fill + "\"" + (stroke ? " stroke=\"" + stroke + "\"" : "") + "/>";
  }
  var MARK = [[0.5, 0], [0.84, 0.16], [1, 1], [0, 1], [0.16, 0.16]];
  function mark(x, y, width, side) { return shape(MARK, x, y, width, width * 1.1, side === 0 ? COLORS.black : COLORS.white); }

  function rect(x, y, width, height, fill, more) {
    return "<rect x=\"" + x + "\" y=\"" + y + "\" width=\"" + width + "\" height=\"" + height + "\" fill=\"" + fill + "\" " +
      (more || "") + "/>";
  }

  // The pieces on the board of an SFEN: column from the left, row, letter, side.
  function pieces(sfen) {
    var found = [];
    sfen.split(" ")[0].split("/").forEach(function (rank, row) {
      var column = 0, promoted = "";
      rank.split("").forEach(function (c) {
        if (c === "+") { promoted = "+"; return; }
        if (/\d/.test(c)) { column += Number(c); return; }
        found.push([column++, row, promoted + c.toUpperCase(), c === c.toUpperCase() ? 0 : 1]);
        promoted = "";
      });
    });
    return found;
  }

  function hand(sfen, side, words) {
    if (sfen === null) { return ""; }
    var text = "", part = sfen.split(" ")[2] || "-", piece, found = /(\d*)([A-Za-z])/g;
    while ((piece = found.exec(part)) !== null) {
      if ((piece[2] === piece[2].toUpperCase() ? 0 : 1) === side) {
        text += KANJI[piece[2].toUpperCase()] + piece[1];
      }
    }
    return text || words.noHand;
  }

  function board(tile) {
    var left = 18, top = 124, cell = 36.4, frame = 6, out = "", i;
    out += rect(left, top, 340, 340, COLORS.board, "rx=\"4\"");
    var x = left + frame, y = top + frame, end = 9 * cell;
    var move = /([1-9])([a-i])\+?$/.exec(tile.last_move || "");
    if (move) {
      out += rect(x + (9 - move[1]) * cell, y + (move[2].charCodeAt(0) - 97) * cell, cell, cell, COLORS.last, "opacity=\"0.3\"");
    }
    for (i = 0; i <= 9; i++) {
      out += rect(x + i * cell - 0.5, y, 1, end, COLORS.line) + rect(x, y + i * cell - 0.5, end, 1, COLORS.line);
    }
    [[3, 3], [6, 3], [3, 6], [6, 6]].forEach(function (dot) {
      out += "<circle cx=\"" + (x + dot[0] * cell) + "\" cy=\"" + (y + dot[1] * cell) + "\" r=\"2\" fill=\"" + COLORS.line + "\"/>";
    });
    (tile.sfen === null ? [] : pieces(tile.sfen)).forEach(function (piece) {
      var middle = [x + (piece[0] + 0.5) * cell, y + (piece[1] + 0.5) * cell];
      var ink = piece[2].length > 1 ? COLORS.promoted : COLORS.ink;
      out += "<g transform=\"translate(" + middle[0].toFixed(1) + " " + middle[1].toFixed(1) + ")" + (piece[3] ? "rotate(180)" : "") + "\">" +
        shape(MARK, -14.5, -16, 29, 32, COLORS.piece, COLORS.edge) +
        "<text class=\"pieces\" text-anchor=\"middle\" y=\"9\" font-size=\"22\" fill=\"" + ink + "\">" + KANJI[piece[2]] + "</text></g>";
    });
    return out;
  }

  function bar(tile, words) {
    var left = 124, top = 60, width = 366, height = 52, inner = [left + 4, top + 4, width - 8, height - 8];
    var out = rect(left, top, width, height, COLORS.tray, "rx=\"11\"");
    var middle = top + height / 2 + 7;
    if (tile.sentence !== null || tile.share === null) {
      var side = tile.winner, fill = side === 0 ? COLORS.black : side === 1 ? COLORS.white : "none";
      out += rect(inner[0], inner[1], inner[2], inner[3], fill, "rx=\"7\" stroke=\"" + (side === null ? "#55575c" : "none") + "\"");
      var on = side === 1 ? "#1b1a17" : COLORS.text;
      return out + text(left + width / 2, middle, 21, tile.sentence || words.noValue, { bold: true, anchor: "middle", fill: on, room: width - 24 });
    }
    var seam = inner[0] + inner[2] * tile.share, point = Math.max(-1, Math.min(1, (tile.share - 0.5) / 0.1)) * 0.13 * inner[3];
    var bottom = inner[1] + inner[3], dim = tile.stale ? " opacity=\"0.62\"" : "";
    out += "<g" + dim + ">" + rect(inner[0], inner[1], inner[2], inner[3], COLORS.white, "rx=\"7\"");
    out += "<path fill=\"" + COLORS.black + "\" d=\"M" + (inner[0] + 7) + " " + inner[1] + "H" + Math.max(inner[0] + 7, seam - point) +
      "L" + (seam + point) + " " + (inner[1] + inner[3] / 2) + "L" + Math.max(inner[0] + 7, seam - point) + " " + bottom + "H" + (inner[0] + 7) +
      "a7 7 0 0 1 -7 -7V" + (inner[1] + 7) + "a7 7 0 0 1 7 -7Z\"/></g>";
    [[0.25, 0.11], [0.5, 0.2], [0.75, 0.11]].forEach(function (notch) {
      var x = inner[0] + inner[2] * notch[0] - 0.7, length = inner[3] * notch[1];
      out += rect(x, inner[1], 1.4, length, COLORS.tray) + rect(x, bottom - length, 1.4, length, COLORS.tray);
    });
    if (tile.share > 0.01 && tile.share < 0.99) {
      var line = "M" + (seam - point) + " " + inner[1] + "L" + (seam + point) + " " + (inner[1] + inner[3] / 2) + "L" + (seam - point) + " " + bottom;
      out += "<path fill=\"none\" stroke=\"" + COLORS.tray + "\" stroke-width=\"7\" d=\"" + line + "\"/>";
      if (!tile.stale) { out += "<path fill=\"none\" stroke=\"" + COLORS.seam + "\" stroke-width=\"3.5\" d=\"" + line + "\"/>"; }
    }
    if (tile.share * inner[2] > 70) { out += text(inner[0] + 9, middle - 1, 18, tile.roles[0], { bold: true }); }
    if ((1 - tile.share) * inner[2] > 70) { out += text(inner[0] + inner[2] - 9, middle - 1, 18, tile.roles[1], { bold: true, anchor: "end", fill: "#1b1a17" }); }
    return out;
  }

  function strip(tile) {
    var left = 376, top = 378, width = 218, height = 86, middle = top + height / 2, out;
    out = rect(left, top, width, height / 2, "#1f2a3a") + rect(left, middle, width, height / 2, "#2d2d2b");
    var last = Math.max(1, tile.history.length - 1), most = 0.22;
    var merged = tile.history.map(function (win, ply) { return win !== null || ply >= tile.filled.length ? win : tile.filled[ply]; });
    merged.forEach(function (win) { if (win !== null) { most = Math.max(most, Math.abs(win - 0.5) * 2); } });
    // As on the bar, the curve has a gap where no values of several moves are known.
    function curve(history, name) {
      var lines = [], before = null, points = [];
      history.forEach(function (win, ply) {
        if (win === null) { return; }
        if (before === null || ply - before > MOST_UNKNOWN) { lines.push([]); }
        before = ply;
        points.push([left + width * ply / last, middle - (win - 0.5) * 2 / most * (height / 2 - 1)]);
        lines[lines.length - 1].push(points[points.length - 1]);
      });
      ["black", "white"].forEach(function (side, at) {
        out += "<clipPath id=\"" + name + tile.game + side + "\">" + rect(left, top + at * height / 2, width, height / 2, "#000") + "</clipPath>";
      });
      out += "<g" + (name === "brief" ? " opacity=\"0.45\"" : "") + ">";
      lines.filter(function (line) { return line.length > 1; }).forEach(function (line) {
        var through = line.map(function (p) { return p[0].toFixed(1) + " " + p[1].toFixed(1); }).join("L");
        var area = "M" + line[0][0].toFixed(1) + " " + middle + "L" + through + "L" + line[line.length - 1][0].toFixed(1) + " " + middle + "Z";
        ["black", "white"].forEach(function (side) {
          out += "<path clip-path=\"url(#" + name + tile.game + side + ")\" fill=\"" + COLORS[side] + "\" d=\"" + area + "\"/>";
        });
        out += "<path fill=\"none\" stroke=\"" + COLORS.text + "\" d=\"M" + through + "\"/>";
      });
      out += "</g>";
      return points;
    }
    // The values by background searches are fainter, and below.
    if (tile.filled.some(function (win) { return win !== null; })) { curve(merged, "brief"); }
    var points = curve(tile.history, "half");
    if (points.length > 0) {
      var now = points[points.length - 1];
      out += rect(now[0] - 1, top, 2, height, COLORS.seam) + "<circle r=\"4\" fill=\"" + COLORS.seam + "\" cx=\"" + now[0] + "\" cy=\"" + now[1] + "\"/>";
    }
    return out;
  }

  function rest(tile, words, isLargest) {
    var out = mark(18, 17, 21, 0) + text(48, 39, 24, tile.names[0], { bold: true, room: 200 });
    out += mark(573, 17, 21, 1) + text(564, 39, 24, tile.names[1], { bold: true, anchor: "end", room: 200 });
    out += text(306, tile.live ? 33 : 38, 18, tile.move_number, { fill: COLORS.quiet, anchor: "middle", room: 110 });
    if (tile.live) { out += text(306, 53, 14, tile.live[0], { fill: tile.live[1] ? COLORS.seam : COLORS.quiet, anchor: "middle", room: 110 }); }
    [0, 1].forEach(function (side) {
      var x = side === 0 ? 18 : 594, anchor = side === 0 ? "start" : "end";
      if (tile.percents[side] !== null && !tile.labels[side] && tile.winner === null) {
        out += "<g" + (tile.stale ? " opacity=\"0.55\"" : "") + ">" +
          "<text y=\"104\" x=\"" + x + "\" text-anchor=\"" + anchor + "\" fill=\"" + COLORS.text + "\" class=\"bold\" font-size=\"50\">" +
          tile.percents[side] + "<tspan font-size=\"24\" class=\"regular\" dx=\"3\">%</tspan></text></g>";
      } else {
        out += text(side === 0 ? 68 : 544, 98, 34, tile.labels[side] || "–", { bold: true, anchor: "middle", room: 92, fill: tile.labels[side] ? COLORS.text : COLORS.quiet });
      }
    });
    out += bar(tile, words);
    var y = 172;
    if (tile.last) {
      out += text(376, 138, 15, words.last, { fill: COLORS.quiet }) + text(376, y, 30, tile.last, { bold: true, room: 218 });
      y += 12;
      if (tile.loss !== null) {
        var size = isLargest ? 34 : 22, chip = "−" + tile.loss + "%", width = Math.round(chip.length * size * 0.62 + 14);
        out += rect(376, y, width, size + 12, COLORS.swing, "rx=\"4\"") + text(376 + width / 2, y + size + 2, size, chip, { bold: true, anchor: "middle" });
        y += size + 12;
        if (isLargest) { out += text(376, y + 20, 16, words.largest, { fill: COLORS.quiet, room: 218 }); y += 20; }
      }
    }
    if (tile.best) {
      out += text(376, y + 34, 16, words.best, { fill: COLORS.best }) +
        text(376 + words.best.length * 16 + 8, y + 34, 21, tile.best, { bold: true, room: 218 - words.best.length * 16 - 8 });
    }
    out += text(398, 316, 13, tile.clock_label, { fill: COLORS.quiet });
    [0, 1].forEach(function (side) {
      var base = 337 + side * 27;
      out += mark(376, base - 14, 14, side);
      var isNext = tile.to_move === side;
      out += text(398, base, 19, tile.clocks[side] || "–:––", { bold: isNext, fill: isNext ? COLORS.text : COLORS.quiet });
      if (isNext) { out += shape([[1, 0], [0, 0.5], [1, 1]], 480, base - 13, 11, 13, COLORS.best); }
      out += text(594, base, 18, hand(tile.sfen, side, words), { anchor: "end", fill: COLORS.quiet, room: 96 });
    });
    return out + strip(tile);
  }

  // The columns for which the tiles are largest. On a narrow screen they are one below the other.
  function columns(count) {
    var best = [1, 0], narrow = innerWidth < 700, gap = narrow ? 10 : GAP, cols, scale;
    if (narrow) { return [1, (innerWidth - 16) / WIDTH]; }
    for (cols = 1; cols <= count; cols++) {
      var rows = Math.ceil(count / cols);
      scale = Math.min((innerWidth - gap * (cols + 1)) / cols / WIDTH, (innerHeight - 72 - gap * rows) / rows / HEIGHT);
      if (scale > best[1]) { best = [cols, scale]; }
    }
    return best;
  }

  function arrange(shown) {
    var grid = columns(shown.length);
    get("tiles").style.gridTemplateColumns = "repeat(" + grid[0] + ", " + Math.floor(WIDTH * grid[1]) + "px)";
  }

  function element(game) {
    if (!tiles[game]) {
      var svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
      svg.setAttribute("viewBox", "0 0 " + WIDTH + " " + HEIGHT);
      svg.appendChild(document.createElementNS(svg.namespaceURI, "g"));
      svg.appendChild(document.createElementNS(svg.namespaceURI, "g"));
      svg.addEventListener("click", function () {
        focus = focus === game ? null : game;
        // The program shows it on its bar. A server for other devices does not listen.
        if (focus !== null) { send("game " + game); }
        draw();
      });
      tiles[game] = { svg: svg, board: "", rest: "" };
    }
    return tiles[game];
  }

  function draw() {
    var words = message.words, container = get("tiles"), largest = null;
    message.games.forEach(function (tile) {
      if (tile.loss !== null && tile.loss >= 10 && (largest === null || tile.loss > largest.loss)) { largest = tile; }
    });
    if (!message.games.some(function (tile) { return tile.game === focus; })) { focus = null; }
    var shown = message.games.filter(function (tile) { return focus === null || tile.game === focus; });
    if (shown.length > MOST) {
      // That on the bar first, then those that go on, with values before others; else the order stays.
      var rank = function (tile) { return tile.game === message.current ? 0 : 1 + (tile.over ? 2 : 0) + (tile.share === null ? 1 : 0); };
      shown = [0, 1, 2, 3, 4].map(function (own) { return shown.filter(function (tile) { return rank(tile) === own; }); })
        .reduce(function (all, part) { return all.concat(part); }, []).slice(0, MOST);
    }
    var more = focus === null ? message.games.length - shown.length : 0;
    shown.forEach(function (tile, at) {
      var own = element(tile.game), is = tile === largest && message.games.length > 1;
      var board_ = tile.sfen + " " + tile.last_move, rest_ = JSON.stringify([tile, words, is]);
      if (own.board !== board_) { own.board = board_; own.svg.firstChild.innerHTML = board(tile); }
      if (own.rest !== rest_) { own.rest = rest_; own.svg.lastChild.innerHTML = rest(tile, words, is); }
      own.svg.setAttribute("class", "tile" + (is ? " largest" : "") + (tile.game === message.current && message.games.length > 1 ? " current" : ""));
      if (container.children[at] !== own.svg) { container.insertBefore(own.svg, container.children[at] || null); }
    });
    while (container.children.length > shown.length) { container.lastChild.remove(); }
    arrange(shown);
    var over = message.games.filter(function (tile) { return tile.over; }).length;
    get("counts").textContent = words.playing + " " + (message.games.length - over) + (over ? "　" + words.over + " " + over : "");
    get("more").textContent = more > 0 ? words.more.replace("{}", more) : "";
    get("jump").textContent = words.swings + " " + message.swings.length;
    get("heading").textContent = words.swings;
    get("list").textContent = message.swings.map(function (swing) {
      var time = new Date(swing.time).toTimeString().slice(0, 8);
      var names = message.games.filter(function (tile) { return tile.game === swing.game; }).map(function (tile) { return tile.names.join(" – "); });
      var move = swing.move === null ? [] : [words.ply.replace("{}", swing.ply), swing.move];
      return time + "  " + move.concat(["−" + swing.loss + "%", names[0] || ""]).join("  ");
    }).join("\n") || words.noSwings;
    document.documentElement.lang = message.lang;
    document.documentElement.setAttribute("data-drawn", Number(document.documentElement.dataset.drawn || 0) + 1);
  }

  setInterval(function () { get("clock").textContent = new Date().toTimeString().slice(0, 8); }, 1000);
  // The list of swings lies over the boards while it is wanted, so that these have all of the page.
  get("jump").addEventListener("click", function (event) {
    event.preventDefault();
    document.body.classList.toggle("listing");
  });
  addEventListener("keydown", function (event) {
    if (event.key !== "Escape") { return; }
    if (document.body.classList.contains("listing")) { document.body.classList.remove("listing"); return; }
    if (focus !== null) { focus = null; draw(); }
  });
  addEventListener("resize", function () { if (message) { draw(); } });
  send = openLink("desk", function (next) { message = next; draw(); }, function (isThere) {
    get("state").textContent = isThere || !message ? "" : message.words.offline;
    get("tiles").style.opacity = isThere ? "" : "0.5";
  });
})();
