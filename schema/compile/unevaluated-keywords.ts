import { guard, when } from './code.js';
import { type PrintKeyword, childSpot, failCode } from './print-keyword.js';

const unevaluatedProperties: PrintKeyword = ({ unevaluatedProperties: schema }, spot, printer) => {
  if (schema === undefined || spot.evaluated === undefined) return [];
  const [key, value] = [printer.variable('key'), printer.variable('value')];
  const isNew = `!${spot.evaluated}.has(${key})`;
  const member = childSpot(value, spot.path.step(`rt.toPointerSegment(${key})`));
  const mark = `${spot.evaluated}.add(${key});`;
  const body =
    schema === false
      ? [guard(isNew, failCode(spot, 'failUnevaluated', key))]
      : when(isNew, [mark, `const ${value} = ${spot.data}[${key}];`, ...printer.schema(schema, member)]);
  return when(`rt.isObject(${spot.data})`, [{ head: `for (const ${key} in ${spot.data})`, body }]);
};

const unevaluatedItems: PrintKeyword = ({ unevaluatedItems: schema }, spot, printer) => {
  if (schema === undefined || spot.evaluated === undefined) return [];
  const [index, item] = [printer.variable('i'), printer.variable('item')];
  const isNew = `!${spot.evaluated}.has(${index})`;
  const child = childSpot(item, spot.path.step(index));
  const mark = `${spot.evaluated}.add(${index});`;
  const body =
    schema === false
      ? when(isNew, [guard(failCode(spot, 'failCount', '"unevaluatedItems"', index)), 'break;'])
      : when(isNew, [mark, `const ${item} = ${spot.data}[${index}];`, ...printer.schema(schema, child)]);
  const head = `for (let ${index} = 0; ${index} < ${spot.data}.length; ${index} += 1)`;
  return when(`Array.isArray(${spot.data})`, [{ head, body }]);
};

export const UNEVALUATED_KEYWORDS: readonly PrintKeyword[] = [unevaluatedProperties, unevaluatedItems];
