/** Returns the candidate that a mistyped name most likely means, if one is close enough. `genrate` -> `generate`. */
function closestName(name: string, candidates: Iterable<string>): string | undefined {
  let best: { readonly candidate: string; readonly distance: number } | undefined;
  for (const candidate of candidates) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    const near = distance <= Math.max(1, Math.floor(candidate.length / 3));
    if (near && (best === undefined || distance < best.distance)) best = { candidate, distance };
  }
  return best?.candidate;
}

/** ` Did you mean <name>?`, or empty if no candidate is close enough. */
export function suggestName(
  name: string,
  candidates: Iterable<string>,
  show: (name: string) => string = String,
): string {
  const closest = closestName(name.slice(0, 100), candidates);
  return closest === undefined ? '' : ` Did you mean ${show(closest)}?`;
}

/**
 * Returns the name that another one is most likely a typing error of. Stricter than {@link suggestName}, for names that
 * may be meant: `minLenght` -> `minLength`, but not `note` -> `not` or `propertyOrder` -> `propertyNames`.
 */
export function findTypingError(name: string, candidates: Iterable<string>): string | undefined {
  const plain = (text: string): string => text.replaceAll(/[-_]/g, '').toLowerCase();
  const typed = plain(name.slice(0, 100));
  let best: { readonly candidate: string; readonly distance: number } | undefined;
  for (const candidate of candidates) {
    const meant = plain(candidate);
    const distance = editDistance(typed, meant);
    const isReplaced = distance > 0 && typed.length === meant.length && sortLetters(typed) !== sortLetters(meant);
    const isNear = distance <= mostErrors(meant.length) && !(isReplaced && meant.length < 5);
    if (isNear && (best === undefined || distance < best.distance)) best = { candidate, distance };
  }
  return best?.candidate;
}

/** Short words are close to many others: `when` and `then`, `note` and `not`. */
function mostErrors(length: number): number {
  if (length < 4) return 0;
  if (length < 6) return 1;
  return length < 10 ? 2 : 3;
}

function sortLetters(text: string): string {
  return [...text].toSorted().join('');
}

/** How many letters must be inserted, deleted, replaced or swapped with their neighbour. */
function editDistance(from: string, to: string): number {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const steps = [
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
      ];
      if (isSwapped) steps.push((beforeLast[column - 2] ?? 0) + 1);
      current.push(Math.min(...steps));
    }
    [beforeLast, last] = [last, current];
  }
  return last[to.length] ?? 0;
}
