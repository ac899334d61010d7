/**
 * Applies the change from one text to another to a third text that differs from the first in white space only.
 * `undefined` if its lines do not correspond to those of the first one.
 */
export function mergeLines(original: string, plain: string, changed: string): string | undefined {
  const [own, before, after] = [original, plain, changed].map((text) => text.split('\n'));
  if (own === undefined || before === undefined || after === undefined || own.length !== before.length)
    return undefined;
  const kept = commonLines(before, after);
  if (kept === undefined) return undefined;
  let shift = 0;
  const lines = after.map((line, index) => {
    const place = kept.get(index);
    if (place === undefined) return shiftLine(line, shift);
    const ownLine = own[place] ?? '';
    if (line.trim() !== '') shift = spacesOf(ownLine) - spacesOf(line);
    return ownLine;
  });
  return lines.join('\n');
}

function shiftLine(line: string, shift: number): string {
  if (line.trim() === '' || shift === 0) return line;
  return shift > 0 ? ' '.repeat(shift) + line : line.slice(Math.min(-shift, spacesOf(line)));
}

function spacesOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** More changed lines than this are not looked for: the time grows with their square. */
const MOST_CHANGES = 2_000;

/** Finds the lines that two texts share, by E. Myers's algorithm: from indexes of the second to indexes of the first. */
function commonLines(one: readonly string[], other: readonly string[]): Map<number, number> | undefined {
  const trace: Map<number, number>[] = [];
  let furthest = new Map<number, number>([[1, 0]]);
  for (let changes = 0; changes <= MOST_CHANGES; changes += 1) {
    trace.push(new Map(furthest));
    const next = new Map(furthest);
    for (let diagonal = -changes; diagonal <= changes; diagonal += 2) {
      let x = startOn(furthest, diagonal, changes);
      while (x < one.length && x - diagonal < other.length && one[x] === other[x - diagonal]) x += 1;
      next.set(diagonal, x);
      if (x >= one.length && x - diagonal >= other.length) return walkBack(trace, one.length, other.length);
    }
    furthest = next;
  }
  return undefined;
}

/** Where a path enters a diagonal: from the one above, by an inserted line, or from the one below, by a removed line. */
function startOn(furthest: ReadonlyMap<number, number>, diagonal: number, changes: number): number {
  const [below, above] = [furthest.get(diagonal - 1) ?? -1, furthest.get(diagonal + 1) ?? -1];
  return diagonal === -changes || (diagonal !== changes && below < above) ? above : below + 1;
}

function walkBack(
  trace: readonly ReadonlyMap<number, number>[],
  ownEnd: number,
  otherEnd: number,
): Map<number, number> {
  const kept = new Map<number, number>();
  let [x, y] = [ownEnd, otherEnd];
  for (let changes = trace.length - 1; changes >= 0; changes -= 1) {
    const furthest = trace[changes] ?? new Map<number, number>();
    const start = startOn(furthest, x - y, changes);
    const [enteredX, enteredY] = [start, start - (x - y)];
    while (x > enteredX && y > enteredY) {
      x -= 1;
      y -= 1;
      kept.set(y, x);
    }
    const isInsertion =
      start === (furthest.get(x - y + 1) ?? -1) &&
      (x - y === -changes || (x - y !== changes && (furthest.get(x - y - 1) ?? -1) < start));
    if (changes > 0) [x, y] = isInsertion ? [x, y - 1] : [x - 1, y];
  }
  return kept;
}
