import { wireMethod } from '../../model/http-method.js';
import type { Operation } from '../../model/api.js';
import type { OperationPair } from '../diff-context.js';
import { describeChange, quoteTitle } from '../phrases.js';
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
  const title = quoteTitle(`${wireMethod(next.method)} ${next.path}`);
  if (old.deprecated !== next.deprecated)
    pair.reportInRequest({
      kind: next.deprecated ? 'deprecated' : 'undeprecated',
      message: `${title} is ${next.deprecated ? 'deprecated now' : 'not deprecated any more'}`,
      old: pair.oldLocation.child('deprecated'),
      new: pair.newLocation.child('deprecated'),
    });
  compareSunsets(pair, title);
  const [oldLevel, level] = [stabilityOf(old), stabilityOf(next)];
  if (oldLevel !== level)
    pair.reportInRequest({
      kind: level < oldLevel ? 'stability-lowered' : 'stability-raised',
      message: `The stability of ${title} is ${showStability(level)}, was ${showStability(oldLevel)}`,
      old: pair.oldLocation.child('x-stability-level'),
      new: pair.newLocation.child('x-stability-level'),
    });
}

function compareSunsets(pair: OperationPair, title: string): void {
  const [was, is] = [pair.old.extensions['x-sunset'], pair.new.extensions['x-sunset']];
  if (was === is) return;
  const [oldTime, time] = [timeOf(was), timeOf(is)];
  const isLater = time !== undefined && (oldTime === undefined || time >= oldTime);
  pair.reportInRequest({
    kind: was === undefined ? 'sunset-set' : 'sunset-changed',
    message: `The sunset of ${title} ${describeChange(was, is)}`,
    old: pair.oldLocation.child('x-sunset'),
    new: pair.newLocation.child('x-sunset'),
    exceptions: was !== undefined && !isLater && pair.new.deprecated === pair.old.deprecated ? ['request'] : [],
  });
}

/** The time of a sunset date in milliseconds; `undefined` if it is not a date. */
function timeOf(sunset: unknown): number | undefined {
  const time = typeof sunset === 'string' && /^\d{4}-\d{2}-\d{2}/.test(sunset) ? Date.parse(sunset) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}
