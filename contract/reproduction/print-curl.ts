import { curlLine } from '../../http/request/curl-line.js';
import { toLiteral, toShellWord } from '../../model/identifiers.js';
import { getOrInsert } from '../../model/maps.js';
import { memberPath } from './member-path.js';
import { READ_AFTER_MS, type Readings, type Reproduction, UNCERTAIN } from './reproduction.js';
import { type Source, nameOfSource } from './capture.js';
import { absoluteCode, segmentCode } from './variable-names.js';
import { type Encoding, type Part, type TemplateContext, takenFrom, writeTemplates } from './request-template.js';

/**
 * Writes the requests of a reproduction as shell commands (bash, zsh, ksh). `node` takes ids from earlier responses.
 * The user's secrets are replaced by variables such as `"$AUTHORIZATION"`.
 *
 * @example
 * // response1=$(curl -sS -g -X POST 'http://127.0.0.1/books' -H 'content-type: application/json' --data-raw '{"title":"a"}')
 * // id1=$(printf '%s' "$response1" | node -p 'encodeURIComponent(JSON.parse(fs.readFileSync(0)).id)')
 * // curl -sS -i -g 'http://127.0.0.1/books/'"$id1"
 */
export function toCurl(reproduction: Reproduction, context: TemplateContext): string {
  const templates = writeTemplates(reproduction, context);
  const names = new Map<string, string>();
  const variableFor = (part: Part & { readonly kind: 'fill' }): string => {
    const key = `${reproduction.steps.findIndex((step) => step.key === part.fill.from)} ${part.encoding} ${nameOfSource(part.fill.source)}`;
    return getOrInsert(names, key, () => `id${names.size + 1}`);
  };
  const word = (parts: readonly Part[], before: string): string => shellWord(parts, before, variableFor);
  const lines = templates.flatMap((template, index) => {
    const key = reproduction.steps[index]?.key;
    const taken = key === undefined ? [] : takenFrom(templates, key);
    if (taken.length === 0) {
      const line = curlLine(template, word, ['-i']);
      const [before, own] = [reproduction.steps[index - 1], reproduction.steps[index]];
      if (own?.withNext === true) return [`${line} &`];
      return before?.withNext === true ? [`${line} &`, 'wait'] : [line];
    }
    const hasHead = taken.some(({ fill }) => fill.source.in === 'header');
    const response = `response${index + 1}`;
    const values = taken.map((part) => {
      const code = encodeValue(absoluteCode(readCode(part.fill.source, hasHead), part.fill.source), part.encoding);
      return `${variableFor(part)}=$(printf '%s' "$${response}" | node -p ${toShellWord(code)})`;
    });
    return [`${response}=$(${curlLine(template, word, hasHead ? ['-i'] : [])})`, ...values];
  });
  const { readings, uncertain } = reproduction;
  const last = lines.at(-1);
  const all = readings === undefined || last === undefined ? lines : [...lines.slice(0, -1), readAgain(last, readings)];
  return [...(uncertain === undefined ? [] : [`# ${UNCERTAIN[uncertain]}`]), ...all].join('\n');
}

/** A job takes time. */
function readAgain(command: string, { count }: Readings): string {
  return `for reading in $(seq ${count}); do sleep ${READ_AFTER_MS / 1000}; ${command}; echo; done`;
}

type VariableFor = (part: Part & { readonly kind: 'fill' }) => string;

/** Writes a text, and literal text before it, as one word; variables stand between double quotes. */
function shellWord(parts: readonly Part[], before: string, variableFor: VariableFor): string {
  const [first, ...rest] = parts;
  const joined =
    first?.kind === 'text'
      ? [{ kind: 'text' as const, text: `${before}${first.text}` }, ...rest]
      : [{ kind: 'text' as const, text: before }, ...parts].filter((part) => part.kind !== 'text' || part.text !== '');
  if (joined.length === 0) return toShellWord('');
  return joined
    .map((part) =>
      part.kind === 'text'
        ? toShellWord(part.text)
        : part.kind === 'secret'
          ? `"$${part.name}"`
          : `"$${variableFor(part)}"`,
    )
    .join('');
}

/** The program that reads a value from a response on its input. */
function readCode(source: Source, hasHead: boolean): string {
  if (source.in === 'header') {
    const start = toLiteral(`${source.name}:`);
    const line = `fs.readFileSync(0, 'utf8').split('\\r\\n').find((line) => line.toLowerCase().startsWith(${start}))`;
    return segmentCode(`${line}.slice(${source.name.length + 1}).trim()`, source);
  }
  const text = hasHead ? `fs.readFileSync(0, 'utf8').split('\\r\\n\\r\\n').at(-1)` : 'fs.readFileSync(0)';
  const value = `JSON.parse(${text})${memberPath(source.pointer)}`;
  if (source.in === 'count') return `${value}.length`;
  return source.isLast ? `${value}.split('/').at(-1)` : value;
}

function encodeValue(code: string, encoding: Encoding): string {
  if (encoding === 'text') return code;
  return encoding === 'url' ? `encodeURIComponent(${code})` : `JSON.stringify(${code})`;
}
