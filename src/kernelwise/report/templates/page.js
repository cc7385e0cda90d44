"use strict";
(() => {
  const all = (query, place = document) => [...place.querySelectorAll(query)];
  const button = (text, place, act) => {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = text;
    made.onclick = act;
    place.append(made);
    return made;
  };

  // Light and dark.
  const root = document.documentElement;
  const night = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme || (night.matches ? "dark" : "light")) === "dark";
  const tell = () => { theme.textContent = isDark() ? "Light colors" : "Dark colors"; };
  const theme = button("", document.querySelector(".subject"), () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    tell();
  });
  theme.id = "theme";
  night.onchange = tell;
  tell();

  // Tables sorted by the head of a column; what is not known comes last.
  for (const table of all("table.sortable")) {
    const heads = all("thead th", table), rows = all("tbody tr", table);
    heads.forEach((head, k) => {
      const isNumber = head.classList.contains("number"), text = head.textContent;
      const key = (row) => {
        const cell = row.cells[k], value = cell.dataset.value;
        return isNumber ? (value === undefined ? NaN : +value) : cell.textContent;
      };
      head.textContent = "";
      button(text, head, () => {
        const sign = head.ariaSort === "ascending" ? -1 : 1;
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        head.ariaSort = sign > 0 ? "ascending" : "descending";
        const compare = (a, b) => isNumber
          ? isNaN(a) - isNaN(b) || sign * (a - b) || 0
          : sign * a.localeCompare(b, "en", { numeric: true });
        table.tBodies[0].append(...rows.toSorted((a, b) => compare(key(a), key(b))));
      });
    });
  }

  // A mark of a picture and its row of the table are lit together; arrow keys go from mark to mark.
  for (const figure of all("figure[data-rows]")) {
    const marks = all(".mark", figure), plot = figure.querySelector(".plot");
    const rows = all("tbody tr", figure), at = figure.querySelector(".at");
    const heads = all("thead th", figure).map((head) => head.textContent);
    const places = figure.dataset.rows ? figure.dataset.rows.split(" ") : marks.map((_, k) => k);
    let lit = -1;
    const light = (k) => {
      if (k === lit) return;
      for (const [on, n] of [[false, lit], [true, k]]) {
        if (n < 0) continue;
        marks[n].classList.toggle("lit", on);
        rows[places[n]].classList.toggle("lit", on);
      }
      lit = k;
      at.textContent = k < 0 ? "" : [...rows[places[k]].cells]
        .map((cell, n) => `${heads[n]}: ${cell.textContent}`).join(" · ");
    };
    if (!marks.length) continue;
    plot.tabIndex = 0;
    plot.setAttribute("role", "group");
    plot.setAttribute("aria-label", `${figure.querySelector("figcaption").textContent}: arrow keys`);
    plot.onkeydown = (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (step) light((Math.max(lit, step < 0 ? 0 : -1) + step + marks.length) % marks.length);
      else if (event.key === "Escape") light(-1);
      else return;
      event.preventDefault();
    };
    plot.onblur = plot.onpointerleave = () => light(-1);
    plot.onpointermove = (event) => {
      const far = marks.map((mark) => {
        const box = mark.getBoundingClientRect(), { clientX: x, clientY: y } = event;
        return Math.hypot(x - Math.max(box.left, Math.min(x, box.right)),
          y - Math.max(box.top, Math.min(y, box.bottom)));
      });
      const least = Math.min(...far);
      light(least < 12 ? far.indexOf(least) : -1);
    };
    rows.forEach((row, n) => {
      const k = [...places].findIndex((place) => +place === n);
      if (k < 0) return;
      row.onpointerenter = () => light(k);
      row.onpointerleave = () => light(-1);
    });
  }

  // The section in the address is open; on paper all are.
  const show = () => {
    const section = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const folded = section && section.closest("details");
    if (folded) folded.open = true;
  };
  addEventListener("hashchange", show);
  show();
  let closed = [];
  addEventListener("beforeprint", () => {
    closed = all("main > details:not([open])");
    closed.forEach((section) => { section.open = true; });
  });
  addEventListener("afterprint", () => closed.forEach((section) => { section.open = false; }));

  for (const code of all("pre")) {
    const copy = button("Copy", code.parentElement.querySelector("figcaption"), async () => {
      await navigator.clipboard.writeText(code.textContent);
      copy.textContent = "Copied";
    });
  }
})();
