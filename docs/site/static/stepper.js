// Shows the steps of a worked example one at a time. Without this script all of them are there, one below the other.
"use strict";

for (const box of document.querySelectorAll(".stepper")) makeStepper(box);

function makeStepper(box) {
  const steps = [...box.querySelectorAll(".stepper-steps > li")];
  const titles = steps.map((step) => step.querySelector(".stepper-title").textContent);
  let now = 0;

  const back = button("Back", () => show(now - 1));
  const next = button("Next", () => show(now + 1));
  const all = button("All steps", showAll);
  back.title = "Key: left arrow";
  next.title = "Key: right arrow";
  all.setAttribute("aria-pressed", "false");
  const place = slider(steps.length, (value) => show(value));
  const status = document.createElement("p");
  status.className = "stepper-status";
  status.setAttribute("role", "status");

  const controls = document.createElement("div");
  controls.className = "stepper-controls";
  controls.append(back, next, place, all);
  box.querySelector(".stepper-label").after(controls, status);
  box.classList.add("one-at-a-time");
  box.addEventListener("keydown", keys);
  new ResizeObserver(letKeysScroll).observe(box);
  show(0);

  function show(wanted) {
    now = Math.max(0, Math.min(wanted, steps.length - 1));
    steps.forEach((step, k) => step.classList.toggle("is-shown", k === now));
    status.textContent = titles[now];
    place.value = now;
    place.setAttribute("aria-valuetext", titles[now]);
    // Not `disabled`: a button that has the focus would lose it.
    back.setAttribute("aria-disabled", String(now === 0));
    next.setAttribute("aria-disabled", String(now === steps.length - 1));
  }

  function showAll() {
    const single = box.classList.toggle("one-at-a-time");
    all.setAttribute("aria-pressed", String(!single));
    for (const control of [back, next, place, status]) control.hidden = !single;
  }

  function keys(event) {
    const target = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: steps.length - 1 }[event.key];
    const isTaken = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.target === place;
    if (target === undefined || isTaken || event.target.closest(".stepper-table")) return;
    if (!box.classList.contains("one-at-a-time")) return;
    event.preventDefault();
    show(target);
  }

  // A table that is wider than its box can be scrolled with keys, too.
  function letKeysScroll() {
    for (const frame of box.querySelectorAll(".stepper-table")) {
      if (frame.scrollWidth > frame.clientWidth) frame.tabIndex = 0;
      else frame.removeAttribute("tabindex");
    }
  }
}

function button(name, action) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = name;
  made.addEventListener("click", action);
  return made;
}

function slider(count, action) {
  const made = document.createElement("input");
  Object.assign(made, { type: "range", min: 0, max: count - 1, step: 1 });
  made.setAttribute("aria-label", "Step");
  made.addEventListener("input", () => action(Number(made.value)));
  return made;
}
