import type { Operation } from '../../model/api.js';
import type { OperationPair } from '../diff-context.js';
import { describeChange, describeDeprecation, operationTitle } from '../phrases.js';
import type { RawChange } from '../raw-change.js';
import { showStability, stabilityOf } from '../stability.js';

/** Whether a removal was announced: the operation was deprecated, and its sunset is past or was never set. */
export function isRemovalAnnounced({ deprecated, extensions }: Operation, now: Date): boolean {
  const sunset = extensions['x-sunset'];
  if (!deprecated) return false;
  const time = sunset === undefined ? -Infinity : timeOf(sunset);
  return time !== undefined && time <= now.getTime();
}

/** Compares deprecation, sunset date and stability of an operation. */
export function compareLifecycle(pair: OperationPair): void {
  const { old, new: next } = pair;
  const title = operationTitle(next);
  const report = (keyword: string, change: Omit<RawChange, 'old' | 'new'>): void =>
    pair.reportInRequest({ ...change, old: pair.oldLocation.child(keyword), new: pair.newLocation.child(keyword) });
  if (old.deprecated !== next.deprecated) report('deprecated', describeDeprecation(title, next.deprecated));
  const [was, is] = [old.extensions['x-sunset'], next.extensions['x-sunset']];
  if (was !== is) {
    const isSooner = was !== undefined && !isLater(is, was) && next.deprecated === old.deprecated;
    report('x-sunset', {
      kind: was === undefined ? 'sunset-set' : 'sunset-changed',
      message: `The sunset of ${title} ${describeChange(was, is)}`,
      exceptions: isSooner ? ['request'] : [],
    });
  }
  const [oldLevel, level] = [stabilityOf(old), stabilityOf(next)];
  if (oldLevel !== level)
    report('x-stability-level', {
      kind: level < oldLevel ? 'stability-lowered' : 'stability-raised',
      message: `The stability of ${title} is ${showStability(level)}, was ${showStability(oldLevel)}`,
    });
}

/** Whether a sunset is a date, and not before the old one. */
function isLater(sunset: unknown, old: unknown): boolean {
  const [time, oldTime] = [timeOf(sunset), timeOf(old)];
  return time !== undefined && (oldTime === undefined || time >= oldTime);
}

/** The time of a sunset date in milliseconds; `undefined` if it is not a date. */
function timeOf(sunset: unknown): number | undefined {
  const time = typeof sunset === 'string' && /^\d{4}-\d{2}-\d{2}/.test(sunset) ? Date.parse(sunset) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}
