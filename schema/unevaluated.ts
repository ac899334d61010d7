/**
 * Ajv keeps account of evaluated members and items at compile time, and two keywords confuse it: what `if` evaluates
 * counts even where the condition fails, and `contains` counts every item as evaluated. Here both are said in a way that
 * means the same and that ajv gets right.
 */
type Draft = Record<string, unknown>;

/** `if` with its clauses as two alternatives. */
export function rewriteCondition(out: Draft): void {
  if (!Object.hasOwn(out, 'if')) return;
  const { if: condition, then = true, else: otherwise = true } = out;
  for (const key of ['if', 'then', 'else']) delete out[key];
  const alternatives = { anyOf: [{ allOf: [condition, then] }, { allOf: [{ not: condition }, otherwise] }] };
  out['allOf'] = [...((out['allOf'] as unknown[] | undefined) ?? []), alternatives];
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
