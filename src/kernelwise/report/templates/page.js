"use strict";
(() => {
  const all = (query, place = document) => [...place.querySelectorAll(query)];
  const button = (text, place, act) => {
    const made = document.createElement("button");
    Object.assign(made, { type: "button", textContent: text, onclick: act });
    place.append(made);
    return made;
  };

  // Light and dark.
  const look = document.documentElement.dataset;
  const night = matchMedia("(prefers-color-scheme: dark)");
  const next = () => (look.theme || (night.matches ? "dark" : "light")) === "dark" ? "light" : "dark";
  const theme = button("", document.querySelector(".subject"), () => { look.theme = next(); tell(); });
  const tell = () => { theme.textContent = next() === "dark" ? "Dark colors" : "Light colors"; };
  theme.id = "theme";
  night.onchange = tell;
  tell();

  // Tables sorted by the head of a column; what is not known comes last.
  for (const table of all("table.sortable")) {
    const heads = all("thead th", table), rows = all("tbody tr", table);
    heads.forEach((head, k) => {
      const isNumber = head.classList.contains("number"), text = head.textContent;
      const key = ({ cells }) => isNumber ? parseFloat(cells[k].dataset.value) : cells[k].textContent;
      head.textContent = "";
      button(text, head, () => {
        const sign = head.ariaSort === "ascending" ? -1 : 1;
        heads.forEach((other) => { other.ariaSort = null; });
        head.ariaSort = sign > 0 ? "ascending" : "descending";
        table.tBodies[0].append(...rows.toSorted((one, other) => {
          const a = key(one), b = key(other);
          if (!isNumber) return sign * a.localeCompare(b, "en", { numeric: true });
          return isNaN(a) - isNaN(b) || sign * (a - b) || 0;
        }));
      });
    });
  }

  // A mark of a picture and its row of the table are lit together; arrow keys go from mark to mark.
  for (const figure of all("figure[data-rows]")) {
    const marks = all(".mark", figure), plot = figure.querySelector(".plot");
    const at = figure.querySelector(".at"), heads = all("thead th", figure);
    const places = figure.dataset.rows.split(" "), body = all("tbody tr", figure);
    const rows = marks.map((_, k) => body[places[k] || k]);
    let lit = -1;
    const light = (k) => {
      for (const [n, on] of [[lit, false], [k, true]]) {
        marks[n]?.classList.toggle("lit", on);
        rows[n]?.classList.toggle("lit", on);
      }
      lit = k;
      at.textContent = k < 0 ? "" : [...rows[k].cells]
        .map((cell, n) => `${heads[n].textContent}: ${cell.textContent}`).join(" · ");
    };
    if (!marks.length) continue;
    plot.tabIndex = 0;
    plot.role = "group";
    plot.ariaLabel = `${figure.querySelector("figcaption").textContent} (arrow keys)`;
    plot.onkeydown = (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (event.key === "Escape") light(-1);
      if (!step) return;
      light((Math.max(lit, step < 0 ? 0 : -1) + step + marks.length) % marks.length);
      event.preventDefault();
    };
    plot.onblur = plot.onpointerleave = () => light(-1);
    plot.onpointermove = ({ clientX: x, clientY: y }) => {
      const far = marks.map((mark) => {
        const { left, right, top, bottom } = mark.getBoundingClientRect();
        return Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom));
      });
      const least = Math.min(...far);
      light(least < 12 ? far.indexOf(least) : -1);
    };
    rows.forEach((row, k) => {
      row.onpointerenter = () => light(k);
      row.onpointerleave = () => light(-1);
    });
  }

  // The section in the address is open; on paper all are.
  const show = () => {
    const folded = document.getElementById(location.hash.slice(1))?.closest("details");
    if (folded) folded.open = true;
  };
  onhashchange = show;
  show();
  let closed = [];
  onbeforeprint = () => {
    closed = all("main > details:not([open])");
    closed.forEach((section) => { section.open = true; });
  };
  onafterprint = () => closed.forEach((section) => { section.open = false; });

  for (const code of all("pre")) {
    const copy = button("Copy", code.previousElementSibling, async () => {
      getSelection().selectAllChildren(code);
      await navigator.clipboard.writeText(code.textContent);
      copy.textContent = "Copied";
    });
  }
})();
