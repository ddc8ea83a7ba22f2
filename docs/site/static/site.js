// Code and tables that are wider than the page can be scrolled by the keyboard: only those are stops of the Tab key.
function markScrollable() {
  for (const box of document.querySelectorAll("article pre, article .table-wrapper")) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }
}
addEventListener("load", markScrollable);
addEventListener("resize", markScrollable);
