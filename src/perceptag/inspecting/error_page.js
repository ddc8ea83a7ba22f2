"use strict";
const choice = document.getElementById("filter");
const count = document.querySelector("output");
const articles = [...document.querySelectorAll("article")];
const choose = () => {
  const wanted = choice.value;
  for (const article of articles) {
    article.hidden = wanted !== "" && !article.dataset.errors.split("\n").includes(wanted);
  }
  const shown = articles.filter((article) => !article.hidden).length;
  count.textContent = `${shown} of ${articles.length} sentences`;
};
document.getElementById("choose").hidden = false;
choice.addEventListener("change", choose);
for (const link of document.querySelectorAll("[data-filter]")) {
  link.addEventListener("click", () => {
    const name = link.dataset.filter;
    if (![...choice.options].some((option) => option.value === name)) choice.add(new Option(name, name));
    choice.value = name;
    choose();
  });
}
choose();
