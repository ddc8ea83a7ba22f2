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

/** @param {number} value */
export function hundredths(value) {
  return Math.round(value * 100);
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
  return {
    zero: place(0),
    bars,
    whole: {
      left: Math.min(place(0), place(sums[values.length])),
      width: Math.abs(place(sums[values.length]) - place(0)),
    },
  };
}
