import { KEYWORD_NAMES } from '../../schema/ajv-keywords.js';
import { parseCode, printCode } from './code-tree.js';
import { pruneCode } from './prune-code.js';

/** Code whose string literals are masked: `"7"` stands for the seventh. So no text of a document can look like code. */
export interface MaskedCode {
  readonly code: string;
  /** The literals as ajv wrote them: JSON, in double quotes. */
  readonly literals: readonly string[];
}

/** Literals that {@link COMPARISONS} look for have fixed places. */
const KNOWN_LITERALS = ['"object"', '"number"', '"~0"', '"~1"'];

/**
 * Turns a function of ajv (`lines: true`, `messages: false`, `allErrors: true`) into the body of
 * `(data, path, out) => void`: errors are pushed to `out` by a helper, their number is `out.length`, and what has no
 * effect is left out.
 */
export function shortenCode(source: string): MaskedCode {
  const { code, literals } = maskLiterals(source);
  const end = code.lastIndexOf('.errors = vErrors;');
  const body = code
    .slice(0, code.lastIndexOf('\n', end) + 1)
    .replaceAll(',\n    ', ',')
    .replace(/^function \w+\(.*\{\n/, '')
    .replace(/^let vErrors = null;\nlet errors = 0;\n/, '')
    .replace(EVALUATED, '')
    .replace(REPORTED, (_match, error: string) => printFailure(error, literals))
    .replace(RESET, 'out.length = $1;')
    .replace(/(?<![.\w$])errors\b/g, 'out.length')
    .replace(/(?<![.\w$])instancePath\b/g, 'path');
  if (body.includes('vErrors')) throw new Error(`Ajv wrote code of an unknown shape:\n${body}`);
  return { code: printCode(pruneCode(parseCode(compareShortly(body)))), literals };
}

function maskLiterals(source: string): MaskedCode {
  const places = new Map<string, number>(KNOWN_LITERALS.map((literal, index) => [literal, index]));
  const code = source.replace(/"(?:[^"\\]|\\.)*"/g, (literal) => {
    const place = places.get(literal) ?? places.size;
    places.set(literal, place);
    return `"${place}"`;
  });
  return { code, literals: [...places.keys()] };
}

/** Puts the literals back, each through `print`. */
export function unmaskLiterals({ code, literals }: MaskedCode, print: (literal: string) => string): string {
  return code.replace(/"(\d+)"/g, (_match, place: string) => print(literals[Number(place)] ?? ''));
}

const EVALUATED =
  /const evaluated0 = \w+\.evaluated;\nif\(evaluated0\.dynamicProps\)\{\nevaluated0\.props = undefined;\n\}\nif\(evaluated0\.dynamicItems\)\{\nevaluated0\.items = undefined;\n\}\n/;
const REPORTED =
  /const err\d+ = \{(.*)\};\nif\(vErrors === null\)\{\nvErrors = \[err\d+\];\n\}\nelse \{\nvErrors\.push\(err\d+\);\n\}\nerrors\+\+;/g;
const RESET =
  /errors = (_errs\d+);\nif\(vErrors !== null\)\{\nif\(_errs\d+\)\{\nvErrors\.length = _errs\d+;\n\}\nelse \{\nvErrors = null;\n\}\n\}/g;
const ERROR = /^instancePath(?::(.*?))?,schemaPath:.*?,keyword:"(\d+)",params:(.*?)(?:,propertyName:\w+)?$/;

/** An error of which only the number counts, as inside `not`, is nothing but counted. */
function printFailure(error: string, literals: readonly string[]): string {
  if (error === '') return 'out.push(null);';
  const [, pointer = 'instancePath', place = '', params = '{}'] = ERROR.exec(error) ?? [];
  const keyword = JSON.parse(literals[Number(place)] ?? '""') as string;
  const [, type] = /^\{type: (.*)\}$/.exec(params) ?? [];
  if (keyword === 'type' && type !== undefined) return `rt.failType(out, ${pointer}, ${type});`;
  return `rt.fail(out, ${pointer}, '${KEYWORD_NAMES[keyword] ?? keyword}', ${params});`;
}

const COMPARISONS: readonly (readonly [RegExp, string])[] = [
  [/(data\d*) && typeof \1 == "0" && !Array\.isArray\(\1\)/g, 'rt.isObject($1)'],
  [/\(?typeof (data\d*) == "1"\)? && \(!\(\1 % 1\) && !isNaN\(\1\)\) && \(isFinite\(\1\)\)/g, 'Number.isInteger($1)'],
  [/\(\(typeof (data\d*) == "1"\) && \(!\(\1 % 1\) && !isNaN\(\1\)\)\) && \(isFinite\(\1\)\)/g, 'Number.isInteger($1)'],
  [/\(typeof (data\d*) == "1"\) && \(isFinite\(\1\)\)/g, 'Number.isFinite($1)'],
  [/(key\d+)\.replace\(\/~\/g, "2"\)\.replace\(\/\\\/\/g, "3"\)/g, 'rt.escapePointer($1)'],
  [/(data\d*) < ([-+.e\d]+) \|\| isNaN\(\1\)/g, '!($1 >= $2)'],
  [/(data\d*) > ([-+.e\d]+) \|\| isNaN\(\1\)/g, '!($1 <= $2)'],
  [/(data\d*) <= ([-+.e\d]+) \|\| isNaN\(\1\)/g, '!($1 > $2)'],
  [/(data\d*) >= ([-+.e\d]+) \|\| isNaN\(\1\)/g, '!($1 < $2)'],
  [/!\(((?:rt|Number)\.\w+\(data\d*\))\)/g, '!$1'],
];

function compareShortly(code: string): string {
  return COMPARISONS.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), code);
}
