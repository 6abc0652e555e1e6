"use strict";
// The page is whole without this: it shows the values of a chart under the pointer, or under a cursor that keys move.
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const BUCKETS_PER_DECADE = 6;
  const short = (value) => String(Number(value.toPrecision(3)));
  const time = (micros) =>
    micros < 1e3 ? `${short(micros)} µs` : micros < 1e6 ? `${short(micros / 1e3)} ms` : `${short(micros / 1e6)} s`;
  const bytes = (value) =>
    value < 1e3 ? `${short(value)} B/s` : value < 1e6 ? `${short(value / 1e3)} kB/s` : `${short(value / 1e6)} MB/s`;
  const say = {
    time,
    bytes,
    seconds: (value) => `at ${value.toFixed(1)} s`,
    date: (value) => new Date(value * 1e3).toISOString().slice(0, 16).replace("T", " "),
    nines: (value) => `${Number((100 - 100 / 10 ** value).toFixed(Math.max(0, Math.ceil(value) - 1)))} %`,
    count: (value) => value.toLocaleString("en", { maximumFractionDigits: 1 }),
  };

  // What a column of a heat map holds, the slowest first.
  const column = (counts) =>
    counts.split(",").reverse().map((one) => {
      const [bucket, count] = one.split(":").map(Number);
      const [low, high] = [bucket, bucket + 1].map((bound) => time(10 ** (bound / BUCKETS_PER_DECADE)));
      return `${low} to ${high}: ${count}`;
    });

  // The positions of a chart from left to right, each with what is there.
  const values = (svg) => {
    const found = new Map();
    const add = (x, texts) => found.set(x, (found.get(x) ?? []).concat(texts));
    const unit = say[svg.dataset.y];
    for (const path of svg.querySelectorAll("path[data-v]")) {
      const xs = path.getAttribute("d").match(/[ML][\d.-]+/g).map((point) => Number(point.slice(1)));
      const names = path.nextElementSibling?.dataset.names?.split(" ") ?? [];
      names.forEach((name, at) => add(xs[at], name));
      path.dataset.v.split(" ").forEach((value, at) => add(xs[at], `${path.dataset.name} ${unit(Number(value))}`));
    }
    for (const rect of svg.querySelectorAll("rect[data-v], rect[data-buckets]")) {
      const x = Number(rect.getAttribute("x")) + Number(rect.getAttribute("width")) / 2;
      add(x, rect.dataset.v ? unit(Number(rect.dataset.v)) : column(rect.dataset.buckets));
    }
    return [...found].sort(([one], [other]) => one - other);
  };

  const bind = (svg) => {
    const points = values(svg);
    if (points.length === 0) return;
    const [left, right, top, bottom] = svg.dataset.area.split(" ").map(Number);
    const [unit, low, high, scale] = svg.dataset.x.split(" ");
    const line = svg.appendChild(document.createElementNS(SVG, "path"));
    line.setAttribute("class", "cursor");
    const shown = document.createElement("p");
    shown.className = "values";
    shown.setAttribute("role", "status");
    svg.after(shown);
    svg.tabIndex = 0;
    let at = -1;

    const place = (x) => {
      const part = Number(low) + ((x - left) / (right - left)) * (high - low);
      return say[unit](scale === "log" ? 10 ** part : part);
    };
    const show = (index) => {
      at = Math.min(Math.max(index, 0), points.length - 1);
      const [x, texts] = points[at];
      line.setAttribute("d", `M${x} ${top}V${bottom}`);
      shown.textContent = `${place(x)}: ${texts.join(", ")}`;
    };
    const hide = () => {
      line.removeAttribute("d");
      shown.textContent = "";
    };
    const nearest = (event) => {
      const box = svg.getBoundingClientRect();
      const x = ((event.clientX - box.left) / box.width) * svg.viewBox.baseVal.width;
      const distance = ([one]) => Math.abs(one - x);
      return points.reduce((best, point, index) => (distance(point) < distance(points[best]) ? index : best), 0);
    };
    const keys = {
      ArrowLeft: () => at - 1,
      ArrowRight: () => at + 1,
      Home: () => 0,
      End: () => points.length - 1,
    };

    svg.addEventListener("pointermove", (event) => show(nearest(event)));
    svg.addEventListener("pointerleave", () => (document.activeElement === svg ? show(at) : hide()));
    svg.addEventListener("focus", () => show(at < 0 ? 0 : at));
    svg.addEventListener("blur", hide);
    svg.addEventListener("keydown", (event) => {
      if (event.key === "Escape") return hide();
      if (!(event.key in keys)) return;
      event.preventDefault();
      show(keys[event.key]());
    });
  };

  document.querySelectorAll("svg[data-area]").forEach(bind);
})();
