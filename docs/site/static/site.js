// The search of this site has no categories.
if (typeof Documentation !== "undefined") {
  Documentation.TRANSLATIONS[
    "Your search did not match any documents. Please make sure that all words are spelled correctly and that you've selected enough categories."
  ] = "No page has all of these words. Fewer words, or the beginning of a word, find more.";
}

// Code and tables that are wider than the page can be scrolled by the keyboard: only those are stops of the Tab key.
function markScrollable() {
  for (const box of document.querySelectorAll("article pre, article .table-wrapper")) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }
}
addEventListener("load", markScrollable);
addEventListener("resize", markScrollable);
