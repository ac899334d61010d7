import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { _ } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { build } from 'esbuild';

import { emitValidatorModules } from '../generator/validators/emit-validators.js';
import type { Api } from '../model/api.js';
import { loadApi } from '../model/load-api.js';
import type { Schema } from '../model/schema-types.js';
import { generateValue } from '../schema/generate-value.js';
import { surveySchema } from '../model/schema-survey.js';
import { type Direction, namedView } from '../schema/variants.js';
import { type Figure, median } from './measure.js';

interface Subject {
  readonly what: string;
  readonly spec: string;
  readonly schema: string;
  readonly direction: Direction;
}

const SUBJECTS: readonly Subject[] = [
  { what: 'a full Case of signing', spec: 'specs/signing/openapi.yaml', schema: 'Case', direction: 'response' },
  {
    what: 'a request of generation',
    spec: 'specs/generation/openapi.yaml',
    schema: 'GenerateContentRequest',
    direction: 'request',
  },
  {
    what: 'an issue of GitHub',
    spec: 'bench/specs/node_modules/@octokit/openapi/generated/api.github.com.json',
    schema: 'Issue',
    direction: 'response',
  },
];

type Check = (value: unknown) => boolean;

/** How long generated validators take for valid values, beside ajv's standalone code, in one run and in turn. */
export async function benchValidators(rounds: number): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const subject of SUBJECTS) {
    const api = await loadApi(subject.spec);
    const values = makeValues(api, subject);
    const contenders = [await compileOurs(api, subject), await compileAjv(api, subject)] as const;
    const accepted = values.filter((value) => contenders.every((check) => check(value)));
    const [ours, theirs] = timeInTurn(contenders, accepted, rounds * 20);
    const ratio = ours / theirs;
    figures.push({
      what: subject.what,
      value: `${(ours * 1000).toFixed(2)} µs, ajv ${(theirs * 1000).toFixed(2)} µs: ${ratio.toFixed(2)}`,
      bound: 'at most 1.00',
      within: ratio <= 1,
      note: `${accepted.length} of ${values.length} values are valid for both`,
    });
  }
  return figures;
}

function makeValues(api: Api, { schema, direction }: Subject): unknown[] {
  return Array.from({ length: 8 }, (_, seed) =>
    generateValue(api, { $ref: `#/$defs/${schema}` }, { direction, seed, variant: 'full' }),
  ).flatMap((made) => (made.ok ? [made.value] : []));
}

/** Median milliseconds of a call. */
function timeInTurn(contenders: readonly [Check, Check], values: readonly unknown[], rounds: number): [number, number] {
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, check] of contenders.entries()) {
      const start = performance.now();
      for (let turn = 0; turn < 500; turn += 1) for (const value of values) check(value);
      if (round > 5) times[index as 0 | 1].push((performance.now() - start) / (500 * values.length));
    }
  }
  return [median(times[0]), median(times[1])];
}

async function compileOurs(api: Api, { schema }: Subject): Promise<Check> {
  const whole = { operations: Number.POSITIVE_INFINITY, schemas: Number.POSITIVE_INFINITY };
  const [file] = emitValidatorModules(api, 'bench', whole);
  const { [`is${schema}`]: check } = await importCode(String(file?.contents), 'ts');
  return check as Check;
}

async function compileAjv(api: Api, { schema }: Subject): Promise<Check> {
  const ajv = new Ajv2020({
    strict: false,
    formats: fullFormats,
    code: { source: true, esm: true, formats: _`require("ajv-formats/dist/formats").fullFormats` },
    logger: false,
  });
  const views: Record<string, Schema> = {};
  const collect = (name: string): void => {
    if (Object.hasOwn(views, name)) return;
    views[name] = namedView(name, api) ?? true;
    for (const ref of surveySchema(views[name]).refs) collect(ref);
  };
  collect(schema);
  const validate = ajv.compile({ $ref: `#/$defs/${schema}`, $defs: withoutDiscriminators(views) as object });
  const { default: check } = await importCode(standalone.default(ajv, validate), 'js');
  return check as Check;
}

/** What ajv's strict reading of OpenAPI's keyword would refuse. */
function withoutDiscriminators(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDiscriminators);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => key !== 'discriminator' && key !== 'examples');
  return Object.fromEntries(entries.map(([key, child]) => [key, withoutDiscriminators(child)]));
}

async function importCode(contents: string, loader: 'ts' | 'js'): Promise<Readonly<Record<string, unknown>>> {
  const folder = mkdtempSync(path.join(tmpdir(), 'specmill-bench-'));
  const outfile = path.join(folder, 'code.mjs');
  await build({
    stdin: { contents, loader, resolveDir: path.join(import.meta.dirname, '..') },
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'error',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  });
  try {
    return (await import(pathToFileURL(outfile).href)) as Readonly<Record<string, unknown>>;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
