import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

import fc from 'fast-check';
import { ts } from 'ts-morph';
import { expect } from 'vitest';

import { generate } from '../../entry/specmill.js';
import { changingSpec } from '../support/changing-spec.js';
import { tempFolder } from '../support/temp-folder.js';

const CODE = 'globalThis.pwned=1';

/** Texts that would be code if they came out of their literal, comment, template or line. */
export const PAYLOADS: readonly string[] = [
  `*/${CODE}/*`,
  // What is taken out of a comment must not let its end come together.
  ...['\u200b', '\u0000', '\ufeff', '\u202e', '\u061c', '`', '\n', '\r'].map((gap) => `*${gap}/${CODE}/*`),
  `\n/${CODE}`,
  ...["'", '"', '`', "\\'", '\\"', '\\`'].map((quote) => `${quote};${CODE};${quote}`),
  `\${${CODE}}`,
  ...['\n', '\r', '\u2028', '\u2029'].map((line) => `${line}${CODE};//`),
  `{{${CODE}}}`,
  `{{{${CODE}}}}`,
  `){}${CODE};function f(`,
  `]/g;${CODE};//`,
  `</script><script>${CODE}</script>`,
  `<!--${CODE}`,
  '\u200b@ts-ignore',
  '// @ts-nocheck',
  ...['$&', '$`', "$'", '$1'].map((group) => `${group}${CODE}`),
  '__proto__',
  'constructor',
  '\\',
];

const GOLDEN = path.join(import.meta.dirname, '..', 'golden', 'hostile', 'spec.json');
const SPECS = [JSON.stringify(changingSpec()), readFileSync(GOLDEN, 'utf8')];

/** Members whose text has a meaning without which nothing is generated. */
const STRUCTURE: ReadonlySet<string> = new Set(['$ref', 'type', 'in', 'openapi']);

type Holder = Record<string, unknown>;

function listPlaces(node: unknown): { readonly holder: Holder; readonly key: string }[] {
  if (typeof node !== 'object' || node === null) return [];
  const holder = node as Holder;
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...listPlaces(holder[key])]);
}

/** Puts a payload instead of a text, or behind it, or into the name of the member. */
function plant(root: Holder, { at, payload, how }: Planting): void {
  const places = listPlaces(root);
  const { holder, key } = places[at % places.length] ?? { holder: root, key: '' };
  if (STRUCTURE.has(key)) return;
  if (how === 'name' && !Array.isArray(holder)) rename(holder, key, `${key}${payload}`);
  else if (typeof holder[key] === 'string') holder[key] = how === 'behind' ? `${holder[key]}${payload}` : payload;
}

function rename(holder: Holder, from: string, to: string): void {
  const entries = Object.entries(holder).map(([key, value]) => [key === from ? to : key, value] as const);
  for (const key of Object.keys(holder)) delete holder[key];
  for (const [key, value] of entries)
    Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
}

interface Planting {
  readonly at: number;
  readonly payload: string;
  readonly how: 'instead' | 'behind' | 'name';
}

const PLANTING: fc.Arbitrary<Planting> = fc.record({
  at: fc.nat(99_999),
  payload: fc.constantFrom(...PAYLOADS),
  how: fc.constantFrom('instead', 'behind', 'name'),
});

/** What in the output of a spec is code that the spec brought, or no code at all. */
async function findBreakouts(spec: string): Promise<string[]> {
  const folder = tempFolder({ 'spec.json': spec });
  const { apis } = await generate({ cwd: folder, config: { apis: { shop: { spec: 'spec.json', output: 'out' } } } });
  // A broken spec has diagnostics, and never throws.
  if (apis[0]?.error !== undefined) return [apis[0].error.message];
  if (apis[0]?.status === 'failed') return [];
  const out = path.join(folder, 'out');
  const files = readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  return files.flatMap((file) => {
    const text = readFileSync(path.join(out, file), 'utf8');
    return findInFile(ts.createSourceFile(file, text, ts.ScriptTarget.Latest));
  });
}

function findInFile(file: ts.SourceFile): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && node.text === 'pwned') found.push(`code in ${file.fileName} at ${node.pos}`);
    ts.forEachChild(node, visit);
  };
  visit(file);
  const { diagnostics = [] } = ts.transpileModule(file.text, { reportDiagnostics: true });
  if (diagnostics.length > 0) found.push(`broken code in ${file.fileName}`);
  if (/[\u061c\u2028\u2029\u202a-\u202e\u2066-\u2069\u0000]/.test(file.text))
    found.push(`characters in ${file.fileName}`);
  if (/^[\s*/]*@ts-(?:ignore|expect-error)/m.test(file.text)) found.push(`an order in ${file.fileName}`);
  return found;
}

/** Puts a payload into every description, summary and title. */
export function findInTexts(payload: string): Promise<string[]> {
  const people = /"(description|summary|title)":"[^"]*"/g;
  const text = (SPECS[0] ?? '').replaceAll(people, (_all, key: string) => `"${key}":${JSON.stringify(payload)}`);
  return findBreakouts(text);
}

/** Puts a payload into a path. */
export function findInPath(payload: string): Promise<string[]> {
  return findBreakouts((SPECS[0] ?? '').replaceAll('/pets/{id}"', JSON.stringify(`/pets/${payload}{id}`).slice(1)));
}

/** Puts payloads anywhere in the specs. @throws where one of them breaks out */
export async function plantAnywhere(numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...SPECS),
      fc.array(PLANTING, { minLength: 1, maxLength: 8 }),
      async (spec, plantings) => {
        const root = JSON.parse(spec) as Holder;
        for (const planting of plantings) plant(root, planting);
        expect(await findBreakouts(JSON.stringify(root))).toEqual([]);
      },
    ),
    { numRuns },
  );
}
