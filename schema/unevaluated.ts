/**
 * Ajv keeps account of evaluated members and items at compile time, and some keywords confuse it: what `if` evaluates
 * counts even where the condition fails, `contains` counts every item as evaluated, and the code of `patternProperties`
 * throws beside a branch that did not hold. Here they are said in a way that means the same and that ajv gets right.
 */
type Draft = Record<string, unknown>;

/** `if` with its clauses as two alternatives. */
export function rewriteCondition(out: Draft): void {
  if (!Object.hasOwn(out, 'if')) return;
  const { if: condition, then = true, else: otherwise = true } = out;
  for (const key of ['if', 'then', 'else']) delete out[key];
  addPart(out, { anyOf: [{ allOf: [condition, then] }, { allOf: [{ not: condition }, otherwise] }] });
}

/** `patternProperties`, and what it must stand beside, as a part with an account of its own. */
export function rewritePatterns(out: Draft): void {
  if (!Object.hasOwn(out, 'patternProperties') || !APPLICATORS.some((key) => Object.hasOwn(out, key))) return;
  const part: Draft = {};
  for (const key of ['properties', 'patternProperties', 'additionalProperties']) {
    if (Object.hasOwn(out, key)) part[key] = out[key];
    delete out[key];
  }
  addPart(out, part);
}

function addPart(out: Draft, part: Draft): void {
  out['allOf'] = [...((out['allOf'] as unknown[] | undefined) ?? []), part];
}

const APPLICATORS = ['allOf', 'anyOf', 'oneOf', 'dependentSchemas', '$ref', 'dispatch'];

/**
 * `unevaluatedItems` beside `contains`: each further item is contained or what is said of unevaluated ones.
 *
 * @returns whether that could be said: other applicators at the same value may evaluate items too.
 */
export function rewriteContains(out: Draft): boolean {
  if (Object.hasOwn(out, 'items')) {
    delete out['unevaluatedItems'];
    return true;
  }
  if (!Object.hasOwn(out, 'unevaluatedItems') || APPLICATORS.some((key) => Object.hasOwn(out, key))) return false;
  out['items'] = { anyOf: [out['contains'], out['unevaluatedItems']] };
  delete out['unevaluatedItems'];
  return true;
}
