"use strict";
// The page is whole without this: it hides what is not looked for, opens, closes and copies.
(() => {
  const form = document.getElementById("filter");
  const shown = document.getElementById("shown");
  const clauses = Array.from(document.getElementsByClassName("clause"));
  const groups = Array.from(document.getElementsByClassName("group"));
  const texts = new Map();

  // Made when it is first looked for: most pages are never searched.
  const textOf = (clause) => {
    if (!texts.has(clause)) texts.set(clause, clause.textContent.toLowerCase());
    return texts.get(clause);
  };

  const isOneOf = (value, chosen) => chosen.length === 0 || chosen.includes(value);

  const show = () => {
    const chosen = new FormData(form);
    const words = chosen.get("text").toLowerCase().split(/\s+/).filter(Boolean);
    const [area, levels, verdicts] = [chosen.get("area"), chosen.getAll("level"), chosen.getAll("verdict")];
    let count = 0;
    for (const clause of clauses) {
      const { area: its, level, verdict } = clause.dataset;
      const fits = (area === "" || area === its) && isOneOf(level, levels) && isOneOf(verdict, verdicts)
        && words.every((word) => textOf(clause).includes(word));
      clause.hidden = !fits;
      count += Number(fits);
    }
    for (const group of groups) {
      const left = group.querySelectorAll(":scope > .clause:not([hidden])").length;
      group.hidden = left === 0;
      group.querySelector(".count").textContent = left.toLocaleString("en");
    }
    const [some, all] = [count.toLocaleString("en"), clauses.length.toLocaleString("en")];
    shown.textContent = count === clauses.length ? `${all} clauses` : `${some} of ${all} clauses`;
  };

  // What is shown stands in the address, so that it can be handed on.
  const remember = () => {
    const chosen = Array.from(new FormData(form)).filter(([, value]) => value !== "");
    history.replaceState(null, "", "#" + new URLSearchParams(chosen));
  };

  const choose = (chosen) => {
    form.elements.text.value = chosen.get("text") ?? "";
    form.elements.area.value = chosen.get("area") ?? "";
    for (const box of form.querySelectorAll("input[type=checkbox]")) {
      box.checked = chosen.getAll(box.name).includes(box.value);
    }
    show();
  };

  const open = (clause) => {
    choose(new URLSearchParams());
    clause.open = true;
    clause.querySelector("summary").focus();
    clause.scrollIntoView();
  };

  const decoded = (text) => {
    try {
      return decodeURIComponent(text);
    } catch {
      return text;
    }
  };

  const follow = (focus) => {
    const hash = location.hash.slice(1);
    if (hash.includes("=")) {
      choose(new URLSearchParams(hash));
      if (focus) document.getElementById("clauses-name").focus();
    } else {
      const clause = clauses.find((clause) => clause.id === decoded(hash));
      if (clause) open(clause);
    }
  };

  const fold = (opened) => clauses.filter((clause) => !clause.hidden).forEach((clause) => { clause.open = opened; });

  const copy = async (button) => {
    const command = button.previousElementSibling;
    try {
      await navigator.clipboard.writeText(command.textContent);
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(command);
      button.textContent = "Selected";
    }
  };

  form.addEventListener("input", () => { show(); remember(); });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(() => { show(); remember(); }));
  document.getElementById("unfold").addEventListener("click", () => fold(true));
  document.getElementById("fold").addEventListener("click", () => fold(false));
  document.addEventListener("click", (event) => {
    const button = event.target.closest(".copy");
    if (button) copy(button);
  });
  addEventListener("hashchange", () => follow(true));

  // Nobody can open anything on paper, which has the causes only.
  let unfolded = [];
  addEventListener("beforeprint", () => {
    unfolded = Array.from(document.querySelectorAll("#causes > .cause, #causes > .cause .exchange")).filter((one) => !one.open);
    unfolded.forEach((one) => { one.open = true; });
  });
  addEventListener("afterprint", () => unfolded.forEach((one) => { one.open = false; }));

  document.documentElement.classList.add("script");
  form.hidden = false;
  follow(false);
})();
