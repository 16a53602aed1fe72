"use strict";
(function () {
  const form = document.getElementById("filters");
  const leaves = Array.from(document.querySelectorAll(".leaf"));
  if (!leaves.length) return;
  const names = ["driver", "node", "claim"];
  const inputs = names.map((name) => document.getElementById("filter-" + name));
  const result = document.getElementById("filter-result");
  const boxes = Array.from(document.querySelectorAll(".pool, .place"));
  let known = null;
  function valueOf(leaf, name) {
    const owner = leaf.closest("[data-" + name + "]");
    return owner === null ? null : owner.getAttribute("data-" + name).toLowerCase();
  }
  function index() {
    if (known === null) known = leaves.map((leaf) => names.map((name) => valueOf(leaf, name)));
    return known;
  }
  function apply() {
    const wanted = inputs.map((input) => input.value.trim().toLowerCase());
    const isAny = wanted.some((text) => text !== "");
    let shown = 0;
    index().forEach((values, n) => {
      const fits = values.every((value, k) => wanted[k] === "" || value === null || value.includes(wanted[k]));
      leaves[n].hidden = !fits;
      if (fits) shown += 1;
    });
    boxes.forEach((box) => {
      box.hidden = isAny && box.querySelector(".leaf:not([hidden])") === null;
    });
    result.textContent = isAny ? shown + " of " + leaves.length + " entries shown" : "";
  }
  function offer(name) {
    const list = document.getElementById("known-" + name);
    const found = new Set();
    document.querySelectorAll("[data-" + name + "]").forEach((owner) => found.add(owner.getAttribute("data-" + name)));
    found.delete("");
    Array.from(found).sort().slice(0, 1000).forEach((text) => {
      const option = document.createElement("option");
      option.value = text;
      list.append(option);
    });
  }
  let waiting = 0;
  form.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(apply, 80);
  });
  form.addEventListener("reset", () => setTimeout(apply));
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("focusin", () => {
    if (!document.getElementById("known-node").childElementCount) ["driver", "node"].forEach(offer);
  });
  form.hidden = false;
})();
