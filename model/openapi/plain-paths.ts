import type { Operation } from '../api.js';
import type { Cursor } from '../document/cursor.js';
import { isRecord } from '../document/records.js';

const plain = new WeakSet<Operation>();

/** Notes that the segments of a path are matched as they are, so that a router need not read the parameters. */
export function notePlainPath(operation: Operation, owners: readonly Cursor[]): void {
  if (owners.every(hasPlainParameters)) plain.add(operation);
}

/** Whether it is known that no parameter of a path has a style or extension that changes how the path is matched. */
export function hasPlainPath(operation: Operation): boolean {
  return plain.has(operation);
}

function hasPlainParameters({ record, context, file }: Cursor): boolean {
  const { parameters } = record;
  return (
    !Array.isArray(parameters) ||
    parameters.every((item: unknown) => {
      const reference = isRecord(item) ? item['$ref'] : undefined;
      const parameter =
        typeof reference === 'string'
          ? context.resolver.resolve(reference, { file, resourcePointer: '' })?.value
          : item;
      return isRecord(parameter) && (parameter['in'] !== 'path' || isPlain(parameter));
    })
  );
}

function isPlain(parameter: Cursor['record']): boolean {
  return (parameter['style'] ?? 'simple') === 'simple' && parameter['x-multi-segment'] === undefined;
}
