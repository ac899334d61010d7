/** The candidate that a mistyped name was most likely meant to be, if one is near. `genrate` -> `generate`. */
export function closestName(name: string, candidates: Iterable<string>): string | undefined {
  let best: { readonly candidate: string; readonly distance: number } | undefined;
  for (const candidate of candidates) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    const near = distance <= Math.max(1, Math.floor(candidate.length / 3));
    if (near && (best === undefined || distance < best.distance)) best = { candidate, distance };
  }
  return best?.candidate;
}

/** ` Did you mean <name>?`, or nothing where no candidate is near. */
export function suggestName(
  name: string,
  candidates: Iterable<string>,
  show: (name: string) => string = String,
): string {
  const closest = closestName(name.slice(0, 100), candidates);
  return closest === undefined ? '' : ` Did you mean ${show(closest)}?`;
}

/** Levenshtein distance. */
function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [row, char] of [...from].entries()) {
    const current = [row + 1];
    for (let column = 1; column <= to.length; column += 1) {
      const replace = (previous[column - 1] ?? 0) + (to[column - 1] === char ? 0 : 1);
      current.push(Math.min(replace, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[to.length] ?? 0;
}
