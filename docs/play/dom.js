// Makes elements. Texts become text nodes, never markup.

/** An element with properties and children; a property with a dash is an attribute. */
export function make(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key.includes("-") || key === "role" || key === "for") element.setAttribute(key, value);
    else element[key] = value;
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
  return element;
}

/** "1 pod" or "2 pods", "1 entry" or "2 entries". */
export function counted(number, noun) {
  const nouns = noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${number.toLocaleString("en")} ${number === 1 ? noun : nouns}`;
}

/** A name that may go on in the next line behind a slash. */
export function broken(name) {
  return name.split(/(?<=\/)/).flatMap((part, index) => (index ? [make("wbr"), part] : [part]));
}

/** A list of tabs: { id, label, count, tone }; arrow keys move between them, and `choose` gets the id. */
export function showTabs(list, panel, tabs, chosen, choose) {
  const hadFocus = list.contains(document.activeElement);
  const buttons = tabs.map((tab) =>
    make(
      "button",
      {
        type: "button",
        role: "tab",
        id: `${list.id}-${tab.id}`,
        title: tab.label,
        tabIndex: tab.id === chosen ? 0 : -1,
        "aria-selected": String(tab.id === chosen),
        "aria-controls": panel.id,
        onclick: () => choose(tab.id),
      },
      tab.label,
      tab.count === undefined ? null : make("span", { className: `count ${tab.tone ?? ""}` }, String(tab.count)),
    ),
  );
  list.replaceChildren(...buttons);
  list.onkeydown = (event) => {
    const at = tabs.findIndex((tab) => tab.id === chosen);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    choose(tabs[(to + tabs.length) % tabs.length].id);
  };
  panel.setAttribute("aria-labelledby", `${list.id}-${chosen}`);
  if (hadFocus) list.querySelector('[aria-selected="true"]')?.focus();
}
