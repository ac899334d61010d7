import { isRecord, setMember } from '../model/document/records.js';

/** Member names and indexes, the outermost first. */
export type Path = readonly (string | number)[];

/** The value at a path. If a list is shorter than the index, its first item is used. */
export function takeAt(value: unknown, path: Path): unknown {
  let found = value;
  for (const step of path) found = child(found, step);
  return found;
}

/** Whether there is a value at a place. */
export function hasAt(value: unknown, path: Path): boolean {
  return takeAt(value, path) !== undefined;
}

function child(value: unknown, step: string | number): unknown {
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    return Number(step) < items.length ? items[Number(step)] : items[0];
  }
  return isRecord(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}

/** A copy with a value at a place, or without it for `undefined`; unchanged if the path to it does not exist. */
export function setAt(value: unknown, path: Path, replacement: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return replacement;
  if (replacement === undefined) return removeAt(value, path);
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) => (index === Number(step) ? setAt(item, rest, replacement) : item));
  }
  if (!isRecord(value)) return value;
  const copy: Record<string, unknown> = { ...value };
  setMember(copy, String(step), setAt(Object.hasOwn(copy, step) ? copy[step] : undefined, rest, replacement));
  return copy;
}

/** A copy without the value at a place. */
export function removeAt(value: unknown, path: Path): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    if (rest.length === 0) return items.filter((_item, index) => index !== Number(step));
    return items.map((item, index) => (index === Number(step) ? removeAt(item, rest) : item));
  }
  if (!isRecord(value)) return value;
  const copy: Record<string, unknown> = { ...value };
  if (rest.length === 0) delete copy[step];
  else setMember(copy, String(step), removeAt(copy[step], rest));
  return copy;
}
