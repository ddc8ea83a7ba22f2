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
choose();
