// Figures as people read them, and bars that add up.

/** @param {number} value */
export function signed(value, digits = 2) {
  const text = Math.abs(value).toFixed(digits);
  return Number(text) === 0 ? `+${text}` : `${value < 0 ? "−" : "+"}${text}`;
}

/** @param {number} value */
export function plain(value, digits = 2) {
  return `${Number(value.toFixed(digits)) < 0 ? "−" : ""}${Math.abs(value).toFixed(digits)}`;
}

/**
 * Round parts to hundredths so that what is shown adds up to the whole as it is shown: what is missing goes, one
 * hundredth each, to the parts that rounding has changed most.
 * @param {number[]} values @param {number} whole
 */
export function roundTogether(values, whole) {
  const exact = values.map((value) => value * 100);
  const rounded = exact.map(Math.round);
  let missing = Math.round(whole * 100) - rounded.reduce((a, b) => a + b, 0);
  const step = Math.sign(missing);
  const byChange = exact.map((_, i) => i).sort((a, b) => step * (exact[b] - rounded[b] - exact[a] + rounded[a]));
  for (let i = 0; missing !== 0 && byChange.length; i = (i + 1) % byChange.length, missing -= step) {
    rounded[byChange[i]] += step;
  }
  return rounded.map((hundredths) => hundredths / 100);
}

/**
 * Where bars begin and end, in per cent of the width, if each begins where the one before it ended.
 * @param {number[]} values
 */
export function fallingBars(values) {
  const sums = [0];
  for (const value of values) sums.push(sums[sums.length - 1] + value);
  const low = Math.min(...sums);
  const width = Math.max(...sums) - low || 1;
  const place = (/** @type {number} */ sum) => ((sum - low) / width) * 100;
  const bars = values.map((_, i) => {
    const [from, to] = [place(sums[i]), place(sums[i + 1])];
    return { left: Math.min(from, to), width: Math.abs(to - from) };
  });
  return { zero: place(0), bars, whole: { left: Math.min(place(0), place(sums[values.length])), width: Math.abs(place(sums[values.length]) - place(0)) } };
}
