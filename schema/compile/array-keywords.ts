import { guard, negate, when } from './code.js';
import { type KeywordGroup, type PrintKeyword, childSpot, eachGuard, failCode, keywordGroup } from './print-keyword.js';

const minItems: PrintKeyword = ({ minItems: limit = 0 }, spot) =>
  limit <= 0 ? [] : [guard(`${spot.data}.length < ${limit}`, failCode(spot, 'failCount', '"minItems"', limit))];

const maxItems: PrintKeyword = ({ maxItems: limit }, spot) =>
  limit === undefined
    ? []
    : [guard(`${spot.data}.length > ${limit}`, failCode(spot, 'failCount', '"maxItems"', limit))];

const uniqueItems: PrintKeyword = (schema, spot, printer) => {
  if (schema.uniqueItems !== true) return [];
  const pair = printer.variable('twins');
  return [
    `const ${pair} = rt.findDuplicate(${spot.data});`,
    guard(`${pair} !== undefined`, failCode(spot, 'failDuplicate', pair)),
  ];
};

const contains: PrintKeyword = ({ contains: schema, minContains = 1, maxContains }, spot, printer) => {
  if (schema === undefined) return [];
  const [count, index] = [printer.variable('count'), printer.variable('i')];
  const item = childSpot(`${spot.data}[${index}]`, spot.path.step(index));
  const found = [`${count} += 1;`, ...(spot.evaluated === undefined ? [] : [`${spot.evaluated}.add(${index});`])];
  const tooMany = maxContains === undefined ? [] : [`${count} > ${maxContains}`];
  return [
    `let ${count} = 0;`,
    loop(index, '0', spot.data, when(negate(printer.failsCode(schema, item)), found)),
    guard(
      `(${[`${count} < ${minContains}`, ...tooMany].join(' || ')})`,
      failCode(spot, 'failContains', minContains, ...(maxContains === undefined ? [] : [maxContains])),
    ),
  ];
};

const prefixItems: PrintKeyword = ({ prefixItems: schemas = [] }, spot, printer) =>
  schemas.flatMap((schema, index) => {
    const item = printer.variable('item');
    const body = printer.schema(schema, childSpot(item, spot.path.member(String(index))));
    const marks = spot.evaluated === undefined ? [] : [`${spot.evaluated}.add(${index});`];
    const code = body.length === 0 ? marks : [...marks, `const ${item} = ${spot.data}[${index}];`, ...body];
    return when(`${spot.data}.length > ${index}`, code);
  });

const items: PrintKeyword = ({ items: schema, prefixItems: prefix = [] }, spot, printer) => {
  if (schema === undefined) return [];
  const start = prefix.length;
  if (schema === false) return [guard(`${spot.data}.length > ${start}`, failCode(spot, 'failCount', '"items"', start))];
  const [index, item] = [printer.variable('i'), printer.variable('item')];
  const place = childSpot(item, spot.path.step(index));
  const called = start > 0 || spot.evaluated !== undefined ? undefined : printer.calledFor(schema, place);
  if (called !== undefined) return [eachGuard('failsItems', called, spot)];
  const body = printer.schema(schema, place);
  const marks = spot.evaluated === undefined ? [] : [`${spot.evaluated}.add(${index});`];
  const code = body.length === 0 ? marks : [...marks, `const ${item} = ${spot.data}[${index}];`, ...body];
  return code.length === 0 ? [] : [loop(index, String(start), spot.data, code)];
};

/** Prints a loop over the items of an array. */
function loop(
  index: string,
  start: string,
  data: string,
  body: ReturnType<typeof when>,
): ReturnType<typeof when>[number] {
  return { head: `for (let ${index} = ${start}; ${index} < ${data}.length; ${index} += 1)`, body };
}

export const ARRAY_KEYWORDS: KeywordGroup = keywordGroup({
  maxItems,
  minItems,
  contains,
  uniqueItems,
  prefixItems,
  items,
});
