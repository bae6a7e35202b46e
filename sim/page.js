"use strict";

const text = (cell) => cell.innerText.replace(/\s+/g, " ").trim();
const rowsOf = (table) => [...table.rows].map((row) => [...row.cells].map(text));
const quoted = (cell) => (/[",\n]/.test(cell) ? `"${cell.replace(/"/g, '""')}"` : cell);
const csvOf = (rows) => rows.map((row) => row.map(quoted).join(",")).join("\r\n") + "\r\n";
const tabbed = (rows) => rows.map((row) => row.join("\t")).join("\n");

function save(name, parts) {
  const link = document.createElement("a");
  // the mark tells spreadsheets that it is UTF-8
  link.href = URL.createObjectURL(new Blob(["\ufeff", ...parts], { type: "text/csv" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

async function copy(words) {
  try {
    await navigator.clipboard.writeText(words);
  } catch {
    const area = document.body.appendChild(document.createElement("textarea"));
    area.value = words;
    area.select();
    document.execCommand("copy");
    area.remove();
  }
}

function nameOf(table) {
  const box = table.closest(".table");
  const title = box?.querySelector(".caption, summary")?.textContent ?? "table";
  return title.replace(/, \d+ rows$/, "").replace(/[^\p{L}\p{N}]+/gu, "_").slice(0, 60);
}

function button(words, about, act) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = words;
  made.setAttribute("aria-label", about);
  made.addEventListener("click", async () => {
    await act();
    made.textContent = "done";
    setTimeout(() => (made.textContent = words), 1200);
  });
  return made;
}

for (const table of document.querySelectorAll("table.rows")) {
  const tools = document.createElement("p");
  const name = nameOf(table);
  tools.className = "tools";
  tools.append(
    button("Copy", `Copy the table ${name}`, () => copy(tabbed(rowsOf(table)))),
    button("CSV", `Download the table ${name}`, () => save(`${name}.csv`, [csvOf(rowsOf(table))])),
  );
  table.parentElement.after(tools);
}

for (const store of document.querySelectorAll("script[type='application/gzip']")) {
  store.after(
    button(`All numbers, unrounded: CSV, ${store.dataset.rows} rows`, "Download all numbers", async () => {
      const bytes = Uint8Array.from(atob(store.textContent.trim()), (each) => each.charCodeAt(0));
      const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
      save(store.dataset.name, [await new Response(stream).text()]);
    }),
  );
}

function reveal() {
  const place = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let box = place; box; box = box.parentElement) if (box.tagName === "DETAILS") box.open = true;
  const folded = place?.parentElement.querySelector(":scope > details");
  if (folded) folded.open = true;
  place?.scrollIntoView();
}
addEventListener("hashchange", reveal);
if (location.hash) reveal();
addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((each) => (each.open = true)));
