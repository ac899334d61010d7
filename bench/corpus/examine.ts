import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { build } from 'esbuild';

import { runContract } from '../../entry/contract.js';
import { type MockCall, startMock } from '../../entry/mock.js';
import { diffApis } from '../../diff/index.js';
import { generate } from '../../generator/generate.js';
import { loadApi } from '../../model/load-api.js';
import { hasUnsendablePath } from '../../http/routing/find-unreachable.js';
import type { Api } from '../../model/api.js';
import type { Diagnostic } from '../../model/diagnostics/diagnostic.js';
import { SpecError } from '../../model/diagnostics/spec-error.js';
import { refTo } from '../../model/schema-types.js';
import { compileValidator } from '../../schema/compile-validator.js';
import { generateValue } from '../../schema/generate-value.js';
import type { CorpusDocument } from './find-documents.js';

/** Where something was found. `limit`: the document was not done in its time; `crash`: a bug. */
export type Room = 'generate' | 'types' | 'fixtures' | 'guards' | 'mock' | 'contract' | 'diff' | 'limit' | 'crash';

/** Something that is not as it should be. */
export interface Fault {
  readonly room: Room;
  /** The same text for the same cause. */
  readonly cause: string;
  /** Where it was: an operation, a schema, a message. */
  readonly detail: string;
}

/** What was found in one document. */
export interface Examined {
  readonly document: string;
  readonly dialect: string;
  readonly operations: number;
  readonly schemas: number;
  /** Diagnostics, by code; `info` is left out. */
  readonly diagnostics: Readonly<Record<string, number>>;
  /** Diagnostics of severity `error`: faults of the document. */
  readonly errors: number;
  /** Named schemas for which no valid value is found. */
  readonly withoutFixture: readonly string[];
  readonly faults: readonly Fault[];
}

export interface ExamineOptions {
  /** The folder for the output. */
  readonly out: string;
  /** The time of the contract run. */
  readonly maxTime: string;
  /** Random cases for an operation in it. Default: 3. */
  readonly maxExamples?: number;
}

/** Generates from a document into a folder, and takes it through every room. */
export async function examine(
  { name: document, file, root = path.dirname(file), expect = 'valid' }: CorpusDocument,
  { out, maxTime, maxExamples = 3 }: ExamineOptions,
): Promise<Examined> {
  const api = await loadOrExplain(file, root);
  if (!('operations' in api)) return explainRefused(document, api, expect);
  const faults: Fault[] = [];
  const generated = await generateTo(out, file, root);
  const told = generated.diagnostics.filter(({ severity }) => severity !== 'info');
  const facts = {
    document,
    dialect: api.dialect,
    operations: api.operations.length,
    schemas: api.schemas.size,
    diagnostics: countBy(told.map(({ code }) => code)),
    errors: told.filter(({ severity }) => severity === 'error').length,
  };
  if (expect === 'invalid' && told.length === 0)
    faults.push({ room: 'generate', cause: 'nothing is said of an invalid document', detail: '' });
  if (generated.failure !== undefined) {
    if (expect === 'valid') faults.push(generated.failure);
    return { ...facts, withoutFixture: [], faults };
  }
  const withoutFixture = findUnfixed(api);
  faults.push(...(await findRefusedFixtures(out)));
  faults.push(...(await findMockFaults(api, { maxTime, maxExamples })));
  faults.push(...findDifferences(api, await loadApi(file, { root })));
  return { ...facts, withoutFixture, faults };
}

/** The API of a document, or the diagnostics of one that cannot be read at all. */
async function loadOrExplain(file: string, root: string): Promise<Api | readonly Diagnostic[]> {
  try {
    return await loadApi(file, { root });
  } catch (error) {
    if (error instanceof SpecError) return error.diagnostics;
    throw error;
  }
}

function explainRefused(document: string, diagnostics: readonly Diagnostic[], expect: string): Examined {
  const [first] = diagnostics;
  const fault: Fault = { room: 'generate', cause: `not read: ${first?.code ?? ''}`, detail: first?.message ?? '' };
  const facts = { document, dialect: '', operations: 0, schemas: 0, withoutFixture: [] };
  const codes = countBy(diagnostics.map(({ code }) => code));
  return { ...facts, diagnostics: codes, errors: diagnostics.length, faults: expect === 'valid' ? [fault] : [] };
}

interface Generated {
  readonly diagnostics: readonly Diagnostic[];
  readonly failure?: Fault;
}

async function generateTo(output: string, file: string, root: string): Promise<Generated> {
  const { apis } = await generate({
    config: { apis: { corpus: { spec: file, output, root } } },
    cwd: path.dirname(file),
  });
  const [result] = apis;
  if (result === undefined) throw new Error('There is no result of generate.');
  const { status, error, diagnostics } = result;
  if (status !== 'failed') return { diagnostics };
  if (error !== undefined) throw error;
  const broken = diagnostics.find(({ severity }) => severity === 'error');
  const detail = `${broken?.pointer ?? ''} ${broken?.message ?? ''}`;
  return { diagnostics, failure: { room: 'generate', cause: `not generated: ${broken?.code ?? ''}`, detail } };
}

function countBy(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

function findUnfixed(api: Api): string[] {
  return [...api.schemas.keys()].filter((name) => {
    const schema = { $ref: refTo(name) };
    const made = generateValue(api, schema, { direction: 'response', seed: 1 });
    return !made.ok || compileValidator(api, schema, { direction: 'response' })(made.value).length > 0;
  });
}

/** Fixtures of the output that the type guards of the output refuse. */
async function findRefusedFixtures(out: string): Promise<Fault[]> {
  const { fixtures = {}, validators = {} } = await runOutput(out);
  return Object.entries(validators).flatMap(([guardName, guard]) => {
    if (!/^is[A-Z]/.test(guardName)) return [];
    const name = guardName.slice(2);
    const make = fixtures[`${name.charAt(0).toLowerCase()}${name.slice(1)}Fixture`];
    if (make === undefined || [1, 2, 3].every((seed) => guard(make(undefined, { seed })) === true)) return [];
    return [{ room: 'guards' as const, cause: 'a fixture is refused by its type guard', detail: name }];
  });
}

type Functions = Readonly<Record<string, (...values: readonly unknown[]) => unknown>>;

async function runOutput(out: string): Promise<{ fixtures?: Functions; validators?: Functions }> {
  // An API without schemas has none of them.
  if (!['fixtures.ts', 'validators.ts'].every((file) => existsSync(path.join(out, file)))) return {};
  const contents = `export * as validators from './validators.js'; export * as fixtures from './fixtures.js';`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: out, loader: 'ts' },
    ...{ bundle: true, format: 'esm', target: 'es2022', write: false, logLevel: 'silent' },
  });
  const module = path.join(out, 'output.bundle.mjs');
  writeFileSync(module, outputFiles[0]?.text ?? '');
  return (await import(pathToFileURL(module).href)) as { fixtures?: Functions; validators?: Functions };
}

/** Findings of a contract run on the mock, and each 5xx that the mock itself has a reason for. */
async function findMockFaults(api: Api, bounds: { maxTime: string; maxExamples: number }): Promise<Fault[]> {
  // No request has a path with ? or #.
  if (api.operations.every(hasUnsendablePath)) return [];
  const faults: Fault[] = [];
  const onCall = ({ status, operationId = '', violations, notes = [] }: MockCall): void => {
    if (status < 500 || violations.length + notes.length === 0) return;
    const [reason = ''] = [...violations.map(({ message }) => message), ...notes];
    faults.push({ room: 'mock', cause: `${status}: ${toCause(reason)}`, detail: `${operationId} ${reason}` });
  };
  await using mock = await startMock(api, { seed: 1, onCall });
  const report = await runContract({
    api,
    url: 'http://mock.test',
    fetch: mock.fetch,
    seed: 1,
    ...bounds,
  });
  for (const { severity, check, operationId, message } of report.findings)
    if (severity !== 'note') faults.push({ room: 'contract', cause: check, detail: `${operationId}: ${message}` });
  return faults;
}

/** A document has no differences from itself. */
function findDifferences(old: Api, next: Api): Fault[] {
  return diffApis(old, next).changes.map(({ kind, message }) => ({ room: 'diff', cause: kind, detail: message }));
}

/** A message without its names and numbers. */
export function toCause(message: string): string {
  return message
    .replaceAll(/"[^"\n]{0,200}"|'[^'\n]{0,200}'/g, '…')
    .replaceAll(/\d+/g, 'n')
    .slice(0, 100);
}
