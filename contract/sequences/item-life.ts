import type { Operation } from '../../model/api.js';
import type { Schema } from '../../model/schema-types.js';
import { problem } from '../checks/check-response.js';
import { makeCall } from '../cases/make-call.js';
import type { ContractRun } from '../contract-run.js';
import { type Resource, idOf } from '../resources.js';
import type { Call, CheckName, Exchange } from '../types.js';
import { type Difference, findDifferences, membersOf } from './compare-values.js';
import { checkListed } from './item-listed.js';
import { checkPrecision } from './precision.js';

/** What a sequence knows of the item that it follows. */
export interface Life {
  readonly run: ContractRun;
  readonly resource: Resource;
  readonly id: string | number;
  /** The call that created it, and its answer. */
  readonly created: { readonly call: Call; readonly exchange: Exchange };
}

/** Create, read back, find in the list, update, replace, delete, gone. */
export async function checkLife(run: ContractRun, resource: Resource): Promise<void> {
  const life = await create(run, resource);
  if (life === undefined) return;
  await checkCreated(life);
  await checkListed(life);
  await checkUpdate(life, resource.change, 'update is visible');
  await checkUpdate(life, resource.replace, 'update is visible');
  await checkReplace(life);
  await checkPrecision(life);
  await checkRemoval(life);
}

async function create(run: ContractRun, resource: Resource): Promise<Life | undefined> {
  if (resource.create === undefined) return undefined;
  const call = await run.base(resource.create, 'stateful');
  if (call === undefined) return undefined;
  const exchange = await run.try({ phase: 'stateful', call, expectation: { kind: 'valid' } });
  if (exchange === undefined || exchange.status < 200 || exchange.status > 299) return undefined;
  const id = idOf(exchange.json, resource.parameter, exchange.headers.get('location'));
  return id === undefined ? undefined : { run, resource, id, created: { call, exchange } };
}

/** The call of an operation on the item. */
async function callOn({ run, resource, id, created }: Life, operation: Operation): Promise<Call | undefined> {
  const base =
    (await run.base(operation, 'stateful')) ?? makeCall(operation, { variant: 'minimal', seed: 1 }, run.context);
  if (base === undefined) return undefined;
  const parents = new Map(
    [...created.call.parameters]
      .filter(([{ in: place }]) => place === 'path')
      .map(([{ name }, value]) => [name, value]),
  );
  const parameters = new Map(
    [...base.parameters]
      .filter(([parameter]) => parameter.required || parameter.in === 'path')
      .map(([parameter, value]) => [
        parameter,
        parameter.in !== 'path'
          ? value
          : parameter.name === resource.parameter
            ? id
            : (parents.get(parameter.name) ?? value),
      ]),
  );
  return { ...base, parameters };
}

/** Reads the item; `undefined` where it cannot be read. */
async function readItem(life: Life): Promise<Exchange | undefined> {
  const { read } = life.resource;
  if (read === undefined) return undefined;
  const call = await callOn(life, read);
  return call === undefined ? undefined : life.run.try({ phase: 'stateful', call, expectation: { kind: 'valid' } });
}

async function checkCreated(life: Life): Promise<void> {
  const { run, resource, created } = life;
  const exchange = await readItem(life);
  if (exchange === undefined || resource.read === undefined) return;
  if (exchange.status === 404 || exchange.status === 410) {
    run.report(
      problem('created is available', {
        message: 'What was created cannot be read.',
        expected: '200',
        actual: String(exchange.status),
      }),
      { call: { operation: resource.read, parameters: new Map() }, phase: 'stateful' },
      exchange,
    );
    return;
  }
  if (exchange.status !== 200) return;
  reportDifferences(life, 'read back equal', { sent: created.call.body?.value, exchange, cause: created.exchange });
}

interface Comparison {
  readonly sent: unknown;
  readonly exchange: Exchange;
  /** The request that changed the item. */
  readonly cause: Exchange;
}

function reportDifferences(life: Life, check: CheckName, { sent, exchange, cause }: Comparison): void {
  const { read } = life.resource;
  if (read === undefined || sent === undefined) return;
  const schema = responseSchema(read);
  const differences: Difference[] = findDifferences(sent, exchange.json, { schema, api: life.run.options.api }).filter(
    ({ pointer }) => pointer !== '',
  );
  for (const { pointer, sent: was, got } of differences) {
    const message = `${pointer} is read as something else than what was written.`;
    const found = problem(check, {
      cause: pointer.replaceAll(/\/\d+/g, '/*'),
      pointer,
      message,
      expected: JSON.stringify(was) ?? 'nothing',
      actual: JSON.stringify(got) ?? 'nothing',
    });
    life.run.report(
      found,
      { call: { operation: read, parameters: new Map() }, phase: 'stateful' },
      { ...cause, status: exchange.status },
    );
  }
}

function responseSchema({ responses }: Operation): Schema {
  const success =
    responses.find(({ status }) => status === '200') ?? responses.find(({ status }) => status.startsWith('2'));
  return success?.content[0]?.schema ?? true;
}

async function checkUpdate(life: Life, operation: Operation | undefined, check: CheckName): Promise<void> {
  if (operation === undefined) return;
  const { run } = life;
  const base = await callOn(life, operation);
  const before = await readItem(life);
  for (const seed of [11, 12, 13]) {
    const made = makeCall(operation, { variant: 'full', seed: run.options.seed + seed }, run.context);
    if (base === undefined || made?.body === undefined) return;
    const call = { ...base, body: made.body };
    const exchange = await run.try({ phase: 'stateful', call, expectation: { kind: 'valid' } });
    if (exchange === undefined || exchange.status < 200 || exchange.status > 299) continue;
    const after = await readItem(life);
    if (after?.status !== 200) return;
    reportDifferences(life, check, { sent: made.body.value, exchange: after, cause: exchange });
    if (operation.method === 'patch') await checkUntouched(life, { operation, base, before });
    return;
  }
}

interface Patch {
  readonly operation: Operation;
  readonly base: Call;
  readonly before: Exchange | undefined;
}

/** A change of one member leaves the others as they were. */
async function checkUntouched(life: Life, { operation, base }: Patch): Promise<void> {
  const { run } = life;
  const before = await readItem(life);
  const full = makeCall(operation, { variant: 'full', seed: run.options.seed + 21 }, run.context)?.body;
  const entry = Object.entries((full?.value ?? {}) as Record<string, unknown>).find(
    ([, value]) => typeof value !== 'object',
  );
  if (full === undefined || entry === undefined || before?.json === undefined) return;
  const call = { ...base, body: { ...full, value: Object.fromEntries([entry]) } };
  const exchange = await run.try({ phase: 'stateful', call, expectation: { kind: 'valid' } });
  const after = await readItem(life);
  if (exchange === undefined || exchange.status > 299 || after?.status !== 200) return;
  const known = membersOf(operation.body?.content[0]?.schema ?? true, run.options.api);
  const kept = Object.fromEntries(
    Object.entries(before.json as object).filter(([name]) => known.has(name) && name !== entry[0]),
  );
  reportDifferences(life, 'update is visible', { sent: kept, exchange: after, cause: exchange });
}

/** What a replacement leaves out is no longer there. */
async function checkReplace(life: Life): Promise<void> {
  const { run, resource } = life;
  const before = await readItem(life);
  if (
    resource.replace === undefined ||
    before?.status !== 200 ||
    typeof before.json !== 'object' ||
    before.json === null
  )
    return;
  const base = await callOn(life, resource.replace);
  const bare = makeCall(resource.replace, { variant: 'minimal', seed: run.options.seed }, run.context)?.body;
  if (base === undefined || bare === undefined) return;
  const exchange = await run.try({ phase: 'stateful', call: { ...base, body: bare }, expectation: { kind: 'valid' } });
  const after = await readItem(life);
  if (exchange === undefined || exchange.status > 299 || after?.status !== 200) return;
  const writable = membersOf(resource.replace.body?.content[0]?.schema ?? true, run.options.api);
  for (const [name, was] of Object.entries(before.json)) {
    const schema = writable.get(name);
    const isKept =
      schema !== undefined && !Object.hasOwn(bare.value as object, name) && typeof was === 'string' && was !== '';
    if (!isKept || (typeof schema === 'object' && (schema.readOnly === true || schema.default !== undefined))) continue;
    if (idOf(before.json, resource.parameter) === was || (after.json as Record<string, unknown>)[name] !== was)
      continue;
    const found = problem('replace replaces', {
      cause: name,
      pointer: `/${name}`,
      message: `The replacement leaves out ${name}, but it is still there.`,
      expected: 'no such member, or its default',
      actual: JSON.stringify(was),
    });
    run.report(found, { call: base, phase: 'stateful' }, exchange);
  }
}

async function checkRemoval(life: Life): Promise<void> {
  const { run, resource } = life;
  if (resource.remove === undefined) return;
  const call = await callOn(life, resource.remove);
  if (call === undefined) return;
  const exchange = await run.try({ phase: 'stateful', call, expectation: { kind: 'valid' } });
  if (exchange === undefined || exchange.status < 200 || exchange.status > 299 || exchange.status === 202) return;
  const after = await readItem(life);
  if (after !== undefined && after.status >= 200 && after.status < 300) {
    const found = problem('gone after delete', {
      message: 'What was deleted can still be read.',
      expected: '404',
      actual: String(after.status),
    });
    run.report(found, { call, phase: 'stateful' }, exchange);
  }
  await checkListed(life, true);
  for (const operation of [resource.change, resource.replace]) {
    const update = operation === undefined ? undefined : await callOn(life, operation);
    const again =
      update === undefined
        ? undefined
        : await run.try({ phase: 'stateful', call: update, expectation: { kind: 'valid' } });
    if (again === undefined || update === undefined || again.status < 200 || again.status > 299 || again.status === 201)
      continue;
    run.report(
      problem('gone after delete', {
        cause: 'update',
        message: 'What was deleted can still be changed.',
        expected: '404',
        actual: String(again.status),
      }),
      { call: update, phase: 'stateful' },
      again,
    );
  }
}
