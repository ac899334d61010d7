/**
 * Gathers the choices that the specs mark with `x-assumption` into docs/assumptions.md.
 *
 *     npx jiti docs/collect-assumptions.ts            writes the page
 *     npx jiti docs/collect-assumptions.ts --check    exits with 1 where the page is out of date
 */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { BUILT_IN_APIS } from '../config/built-in-apis.js';
import { parseText } from '../model/document/parse-document.js';
import { appendPointer } from '../model/document/pointer.js';
import { type RawRecord, isRecord } from '../model/document/records.js';
import { toMarkdownText } from '../model/identifiers.js';
import { packageRoot } from '../model/package-info.js';
import { describePlace, toCode } from './describe-place.js';

/** The path of the page. */
export const ASSUMPTIONS_FILE: string = path.join(packageRoot, 'docs', 'assumptions.md');

const SPECS = path.join(packageRoot, 'specs');

/** A choice that a spec marks. */
export interface Assumption {
  /** Path of the file, relative to the folder of its API. */
  readonly file: string;
  /** JSON pointer of what carries the mark. */
  readonly pointer: string;
  /** The place as a reader names it, in Markdown: an operation, a member of a schema, a parameter. */
  readonly place: string;
  readonly sentence: string;
}

/**
 * The page of all assumptions: a section for each API, a line for each mark, in the order of the documents.
 *
 * @throws Error if a mark is not one text, or a spec cannot be parsed.
 * @example (await collectAssumptions()).startsWith('# Assumptions');
 */
export function collectAssumptions(): string {
  return printPage(BUILT_IN_APIS.map((api) => ({ api, assumptions: findAssumptions(api) })));
}

/** The assumptions of one API. */
export function findAssumptions(api: string): Assumption[] {
  const folder = path.join(SPECS, api);
  const files = readdirSync(folder).filter((file) => /\.(?:ya?ml|json)$/.test(file));
  return files.toSorted(compareFiles).flatMap((file) => readAssumptions(path.join(folder, file)));
}

/** The API's main document first, then by name. Code units are compared, so that each machine gives the same order. */
function compareFiles(one: string, other: string): number {
  const key = (file: string): string => (file.startsWith('openapi.') ? `0${file}` : `1${file}`);
  return key(one) < key(other) ? -1 : 1;
}

function readAssumptions(file: string): Assumption[] {
  const parsed = parseText(readFileSync(file, 'utf8'));
  if (!parsed.ok) throw new Error(`${file} cannot be parsed: ${parsed.problem.message}`);
  const found: Assumption[] = [];
  visit(parsed.value, '', (pointer, mark) => {
    if (typeof mark !== 'string') throw new TypeError(`The x-assumption at ${pointer} of ${file} is not a text.`);
    const place = describePlace(parsed.value, pointer);
    found.push({ file: path.basename(file), pointer, place, sentence: mark });
  });
  return found;
}

/** Members that hold names: their keys are chosen by the document, so `x-assumption` there is no mark. */
const NAME_MAPS: ReadonlySet<string> = new Set(['properties', 'patternProperties']);

type Found = (pointer: string, mark: unknown) => void;

function visit(value: unknown, pointer: string, found: Found): void {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) visit(item, appendPointer(pointer, index), found);
  } else if (isRecord(value)) {
    for (const [key, member] of Object.entries(value)) {
      if (key === 'x-assumption') found(pointer, member);
      else if (NAME_MAPS.has(key) && isRecord(member)) visitNames(member, appendPointer(pointer, key), found);
      else visit(member, appendPointer(pointer, key), found);
    }
  }
}

function visitNames(names: RawRecord, pointer: string, found: Found): void {
  for (const [name, schema] of Object.entries(names)) visit(schema, appendPointer(pointer, name), found);
}

interface Section {
  readonly api: string;
  readonly assumptions: readonly Assumption[];
}

const INTRODUCTION = `# Assumptions

What the documents behind the specs leave open, and what was chosen. Each line is in a spec as \`x-assumption\`, at
the place that it names; \`npx jiti docs/collect-assumptions.ts\` gathers them here.
`;

function printPage(sections: readonly Section[]): string {
  return [INTRODUCTION, ...sections.filter(({ assumptions }) => assumptions.length > 0).map(printSection)].join('\n');
}

function printSection({ api, assumptions }: Section): string {
  const lines = assumptions.map(printAssumption).join('');
  return `## ${toPlainMarkdown(api)}\n\n${lines}`;
}

function printAssumption({ file, pointer, place, sentence }: Assumption): string {
  const source = toCode(`${file}#${shortenPointer(pointer)}`);
  return `- ${place}: ${toPlainMarkdown(sentence)} (${source})\n`;
}

const LONGEST_POINTER = 56;

/** Keeps the first segment of a pointer and as many of the last ones as fit. */
function shortenPointer(pointer: string): string {
  if (pointer.length <= LONGEST_POINTER) return pointer;
  const segments = pointer.split('/').slice(1);
  const first = `/${segments.shift() ?? ''}/…`;
  let end = `/${segments.pop() ?? ''}`;
  for (let next = segments.pop(); next !== undefined; next = segments.pop()) {
    if (first.length + end.length + next.length >= LONGEST_POINTER) break;
    end = `/${next}${end}`;
  }
  return first + end;
}

/** A text of a spec in Markdown. Its code spans stay, and so do the escapes that change how it is read; the others are removed, for readers of the raw file. */
function toPlainMarkdown(text: string): string {
  return text
    .split(/(`[^`\n]+`)/)
    .map((part, index) => (index % 2 === 1 ? toCode(part.slice(1, -1)) : escapeText(part)))
    .join('');
}

function escapeText(text: string): string {
  const start = /^\s/.test(text) ? ' ' : '';
  const end = /\s$/.test(text) ? ' ' : '';
  const escaped = toMarkdownText(text)
    .replaceAll(/\\([(){}#|!])/g, '$1')
    .replaceAll(/(?<=[A-Za-z0-9])\\_(?=[A-Za-z0-9])/g, '_');
  return escaped === '' ? start : start + escaped + end;
}

/** Writes the page, or says whether it is current. */
function run(check: boolean): void {
  const page = collectAssumptions();
  if (!check) return writeFileSync(ASSUMPTIONS_FILE, page);
  if (readPage() === page) return;
  process.exitCode = 1;
  console.error('docs/assumptions.md is out of date: run npx jiti docs/collect-assumptions.ts.');
}

function readPage(): string | undefined {
  try {
    return readFileSync(ASSUMPTIONS_FILE, 'utf8');
  } catch {
    return undefined;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) run(process.argv.includes('--check'));
