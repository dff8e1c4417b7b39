"use strict";
// Results as one types; without this file the form's button does the same.
const form = document.getElementById("search");
const results = document.getElementById("results");
if (form && results) {
  let waiting = 0;
  let asked = 0;
  const ask = async () => {
    const number = ++asked;
    const query = new URLSearchParams([...new FormData(form)].filter(([, value]) => value));
    const address = query.size ? `/?${query}` : "/";
    const answer = await fetch(address, { headers: { "x-part": "1" } });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (answer.ok && number === asked) {
      results.replaceChildren(...page.body.childNodes);
      history.replaceState(null, "", address);
    }
  };
  form.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(ask, 250);
  });
}
// A run that goes on: the server sends pieces of the page.
const live = document.getElementById("live");
if (live) {
  const source = new EventSource(live.dataset.live);
  source.onmessage = (event) => {
    const page = new DOMParser().parseFromString(event.data, "text/html");
    live.replaceChildren(...page.body.childNodes);
  };
  source.addEventListener("end", () => {
    source.close();
    location.reload();
  });
}
// Rows of a table one below the other on a small screen: each cell with the name of its column.
for (const table of document.querySelectorAll("table.rows")) {
  const names = [...table.rows[0].cells].map((cell) => cell.textContent);
  for (const row of [...table.rows].slice(1)) [...row.cells].forEach((cell, i) => (cell.dataset.name = names[i]));
  table.classList.add("named");
}
// Verdicts by key.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select")) return;
  document.querySelector(`button[data-key="${CSS.escape(event.key)}"]`)?.click();
});
