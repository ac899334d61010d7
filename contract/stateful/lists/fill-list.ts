import type { Operation } from '../../../model/api.js';
import { isRecord } from '../../../model/document/records.js';
import { keywordOf, membersOf, typesOf } from '../../../schema/facts/members.js';
import type { Schema } from '../../../model/schema-types.js';
import type { ContractRun } from '../../execute/contract-run.js';
import type { Call } from '../../types.js';
import { isGood } from '../crud-context.js';
import { type ListResponse, readList } from './read-list.js';

/** Reads a list. One below an item, such as `/vehicles/{id}/trips`, gets items to tell apart where it has less than two. */
export async function readFilledList(run: ContractRun, operation: Operation): Promise<ListResponse | undefined> {
  const all = await readList(run, operation, new Map());
  if (all === undefined || all.items.length > 1 || !operation.path.includes('{')) return all;
  const create = run.operations.find(
    (one) =>
      one.method === 'post' && one.path === operation.path && one.responses.some(({ status }) => status === '201'),
  );
  const base = create === undefined ? undefined : await run.base(create, 'stateful');
  if (base === undefined) return all;
  const creation = below(base, all.call);
  const created = [await send(run, creation), await send(run, withOtherChoices(creation, run))];
  return created.includes(true) ? readList(run, operation, new Map()) : all;
}

async function send(run: ContractRun, call: Call): Promise<boolean> {
  const distinct = run.context.pool.withFreshKey(run.context.pool.withDistinctValues(call));
  const exchange = await run.try({ phase: 'stateful', call: distinct, expectation: { kind: 'valid' } });
  return exchange !== undefined && isGood(exchange);
}

/** The creation below the item whose list it is. */
function below(creation: Call, { parameters }: Call): Call {
  const inPath = new Map(
    [...parameters].flatMap(([{ in: place, name }, value]) => (place === 'path' ? [[name, value]] : [])),
  );
  const filled = [...creation.parameters].map(
    ([parameter, value]) =>
      [parameter, parameter.in === 'path' ? (inPath.get(parameter.name) ?? value) : value] as const,
  );
  return { ...creation, parameters: new Map(filled) };
}

/** The same creation with another one of each few values that the spec lists. */
function withOtherChoices(creation: Call, { options: { api } }: ContractRun): Call {
  const { body } = creation;
  const vary = (value: unknown, schema: Schema, depth: number): unknown => {
    if (isRecord(value) && depth < 2) {
      const members = membersOf(schema, api);
      const varied = Object.entries(value).map(([name, own]) => [
        name,
        vary(own, members.get(name)?.schema ?? true, depth + 1),
      ]);
      return Object.fromEntries(varied) as unknown;
    }
    if (typesOf(schema, api).has('boolean') && typeof value === 'boolean') return !value;
    return keywordOf(schema, 'enum', api)?.find((one) => one !== value && one !== null) ?? value;
  };
  return body === undefined
    ? creation
    : { ...creation, body: { ...body, value: vary(body.value, body.media.schema ?? true, 0) } };
}
