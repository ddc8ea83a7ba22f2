// Sphinx reads each page that it finds, to show a piece of it. From the file system it gets the text from texts.js.
if (location.protocol === "file:") {
  window.fetch = async (address) => {
    const page = address.replace(/^\.\//, "").replace(/\.html$/, "");
    return { text: async () => TEXTS[page] ?? "" };
  };
}

// An option is found as "perceptag-train.--model". People write "perceptag train --model".
// A page that was found by an entry of the index (#index-0) is found a second time by its text, and shown once.
addEventListener("DOMContentLoaded", () => {
  const results = document.getElementById("search-results");
  const rename = () => {
    const entries = [...results.querySelectorAll('li > a[href*="#index-"]')];
    const found = new Set(entries.map((link) => link.getAttribute("href").split("#")[0]));
    for (const link of results.querySelectorAll("li > a")) {
      const address = link.getAttribute("href");
      if (found.has(address)) link.parentElement.hidden = true;
    }
    for (const link of results.querySelectorAll("li.kind-object > a")) {
      const words = link.textContent.match(/^perceptag-(\w+)\.(-.*)$/);
      if (words) link.textContent = `perceptag ${words[1]} ${words[2]}`;
    }
  };
  new MutationObserver(rename).observe(results, { childList: true, subtree: true });
});
