// Names of this tab and of what it writes.

const TAB = "perceptag.tab";

/** A random name. `crypto.randomUUID` is there only on pages of HTTPS and of this machine. */
export function keyOf() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

/** The name of this tab: it stays when the page is loaded again. */
export function tabId() {
  const known = sessionStorage.getItem(TAB);
  if (known) return known;
  const fresh = keyOf();
  sessionStorage.setItem(TAB, fresh);
  return fresh;
}
