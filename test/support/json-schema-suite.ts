import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import type { Api } from '../../model/api.js';
import { loadApi } from '../../model/load-api.js';
import type { Schema } from '../../model/schema-types.js';
import { SpecError } from '../../model/diagnostics/spec-error.js';
import { compileValidator } from '../../schema/compile-validator.js';
import { findUncheckedIn } from '../../schema/find-unchecked-schemas.js';

/** The drafts of the suite, by the name of their folder, with the `$schema` of a test that names none. */
export const DRAFTS: Readonly<Record<string, string>> = {
  draft4: 'http://json-schema.org/draft-04/schema#',
  draft6: 'http://json-schema.org/draft-06/schema#',
  draft7: 'http://json-schema.org/draft-07/schema#',
  'draft2019-09': 'https://json-schema.org/draft/2019-09/schema',
  'draft2020-12': 'https://json-schema.org/draft/2020-12/schema',
};

interface TestGroup {
  readonly description: string;
  readonly schema: unknown;
  readonly tests: readonly { readonly description: string; readonly data: unknown; readonly valid: boolean }[];
}

/** What became of one test. */
export interface SuiteResult {
  readonly draft: string;
  readonly file: string;
  readonly name: string;
  /** `refused`: a diagnostic names what cannot be read or checked. */
  readonly outcome: 'right' | 'wrong' | 'refused';
  /** The codes of the diagnostics. */
  readonly codes: readonly string[];
}

/** The folder of the suite's data beside the checkout, if it is there. */
export function findSuite(): string | undefined {
  const given = process.env['SPECMILL_JSON_SCHEMA_SUITE'];
  const beside = path.join(import.meta.dirname, '../../../shared/suites/json-schema');
  return [given, beside].find((folder) => folder !== undefined && existsSync(path.join(folder, 'tests')));
}

/** Runs all tests of a draft through the model and the compiler. Optional ones are in folders below. */
export async function runSuite(
  folder: string,
  draft: string,
  part: '' | 'optional' = '',
  make: MakeTest = makeValidator,
): Promise<SuiteResult[]> {
  const tests = path.join(folder, 'tests', draft, part);
  const files = readdirSync(tests).filter((file) => file.endsWith('.json'));
  const results: SuiteResult[] = [];
  using _remotes = serveRemotes(folder);
  for (const file of files) {
    const groups = JSON.parse(readFileSync(path.join(tests, file), 'utf8')) as readonly TestGroup[];
    for (const group of groups) results.push(...(await runGroup(group, { draft, file, make })));
  }
  return results;
}

async function runGroup(
  { description, schema, tests }: TestGroup,
  { draft, file, make }: { readonly draft: string; readonly file: string; readonly make: MakeTest },
): Promise<SuiteResult[]> {
  const read = await readSchema(schema, draft, make);
  return tests.map((one) => {
    const name = `${description} | ${one.description}`;
    if (read.isValid === undefined) return { draft, file, name, outcome: 'refused', codes: read.codes };
    const isRight = read.isValid(one.data) === one.valid;
    return { draft, file, name, outcome: isRight ? 'right' : 'wrong', codes: read.codes };
  });
}

interface ReadSchema {
  readonly isValid?: (value: unknown) => boolean;
  readonly codes: readonly string[];
}

async function readSchema(schema: unknown, draft: string, make: MakeTest): Promise<ReadSchema> {
  const folder = mkdtempSync(path.join(tmpdir(), 'specmill-suite-'));
  try {
    const source = path.join(folder, 'schema.json');
    writeFileSync(source, JSON.stringify(withDialect(schema, draft)));
    // The required tests of 2020-12 ask that formats are annotations.
    return await compile(await loadApi(source, { allowRemote: true, formats: 'annotate' }), make);
  } catch (error) {
    if (error instanceof SpecError) return { codes: error.diagnostics.map(({ code }) => code) };
    throw error;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Makes a test of values by the root schema of an API. */
export type MakeTest = (api: Api, root: Schema) => Promise<(value: unknown) => boolean>;

function makeValidator(api: Api, root: Schema): Promise<(value: unknown) => boolean> {
  const validate = compileValidator(api, root, { direction: 'response' });
  return Promise.resolve((value) => validate(value).length === 0);
}

async function compile(api: Api, make: MakeTest): Promise<ReadSchema> {
  const root = { $ref: `#/$defs/${api.rootSchema}` };
  const found = [...api.diagnostics, ...findUncheckedIn(api, root, { direction: 'response' })];
  const codes = found.filter(({ severity }) => severity !== 'info').map(({ code }) => code);
  if (found.some(({ severity }) => severity === 'error')) return { codes };
  return { codes, isValid: await make(api, root) };
}

function withDialect(schema: unknown, draft: string): unknown {
  if (typeof schema !== 'object' || schema === null || '$schema' in schema) return schema;
  return { $schema: DRAFTS[draft], ...schema };
}

/** Responds `fetch` with the suite's remotes, until it is disposed of. */
function serveRemotes(folder: string): Disposable {
  const real = globalThis.fetch;
  globalThis.fetch = (input) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const text = url.host === 'localhost:1234' ? readRemote(folder, url.pathname) : undefined;
    return Promise.resolve(text === undefined ? new Response('', { status: 404 }) : new Response(text));
  };
  return { [Symbol.dispose]: () => void (globalThis.fetch = real) };
}

function readRemote(folder: string, name: string): string | undefined {
  const file = path.join(folder, 'remotes', decodeURIComponent(name));
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}
