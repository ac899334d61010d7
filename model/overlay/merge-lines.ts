/**
 * Applies the change from one text to another to a third text that differs from the first in white space and in the breaks
 * of folded texts only. `undefined` if the texts differ in too many lines.
 */
export function mergeLines(original: string, plain: string, changed: string): string | undefined {
  const own = original.split('\n');
  const [before, after] = [plain, changed].map((text) => text.split('\n'));
  if (before === undefined || after === undefined) return undefined;
  const kept = commonLines(before, after);
  const blocks = kept && alignLines(own, before);
  if (kept === undefined || blocks === undefined) return undefined;
  const lines: string[] = [];
  let shift = 0;
  for (let index = 0; index < after.length; index += 1) {
    const line = after[index] ?? '';
    const place = kept.get(index);
    const block = place === undefined ? undefined : blocks.get(place);
    if (block === undefined || !isKept(kept, index, block)) lines.push(shiftLine(line, shift));
    else {
      if (line.trim() !== '') shift = spacesOf(own[block.start] ?? '') - spacesOf(line);
      lines.push(...own.slice(block.start, block.end));
      index += block.length - 1;
    }
  }
  return lines.join('\n');
}

/** Lines of the original that are one block of lines of the plain text. */
interface Block {
  /** In the original. */
  readonly start: number;
  readonly end: number;
  /** How many lines it has in the plain text. */
  readonly length: number;
}

/** Whether all lines of a block that starts at a changed line are kept. */
function isKept(kept: ReadonlyMap<number, number>, index: number, { length }: Block): boolean {
  const first = kept.get(index) ?? 0;
  for (let step = 1; step < length; step += 1) if (kept.get(index + step) !== first + step) return false;
  return true;
}

/** The block of the original for the first line of each block of the plain text: lines that are equal, or what is between. */
function alignLines(own: readonly string[], before: readonly string[]): ReadonlyMap<number, Block> | undefined {
  const lineBlock = (start: number): Block => ({ start, end: start + 1, length: 1 });
  if (own.length === before.length) return new Map(before.map((_, index) => [index, lineBlock(index)]));
  const [ownWords, words] = [own, before].map((lines) => lines.map((line) => line.replaceAll(/\s/g, '')));
  const common = commonLines(ownWords ?? [], words ?? []);
  if (common === undefined) return undefined;
  const blocks = new Map<number, Block>();
  let [start, from] = [0, 0];
  for (let index = 0; index <= before.length; index += 1) {
    const place = index === before.length ? own.length : common.get(index);
    if (place === undefined) continue;
    // Lines of the original alone belong to the line after them.
    const isGap = index > from;
    if (isGap) blocks.set(from, { start, end: place, length: index - from });
    if (index < before.length) blocks.set(index, { start: isGap ? place : start, end: place + 1, length: 1 });
    [start, from] = [place + 1, index + 1];
  }
  return blocks;
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
