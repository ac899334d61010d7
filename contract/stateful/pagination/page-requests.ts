import { listedItems } from '../../../resources/envelope.js';
import type { Operation, Parameter } from '../../../model/api.js';
import { makeCall } from '../../plan/build-request-values.js';
import type { ContractRun } from '../../execute/contract-run.js';
import type { Call } from '../../types.js';

/** The most values of an enum that are tried. */
const MAX_VALUES = 6;

/**
 * Returns the call that lists the most items. A list may omit items unless a parameter such as `all=true` or
 * `state=any` asks for them. Such parameters are found by trying.
 */
export async function widestList(run: ContractRun, operation: Operation): Promise<Call | undefined> {
  let widest = makeCall(operation, { variant: 'minimal', seed: 1 }, run.context);
  if (widest === undefined) return undefined;
  let most = await countItems(run, widest);
  for (const parameter of operation.parameters) {
    const start = widest;
    for (const value of choicesOf(parameter)) {
      const call: Call = { ...start, parameters: new Map([...start.parameters, [parameter, value]]) };
      const count = await countItems(run, call);
      if (count <= most) continue;
      most = count;
      widest = call;
    }
  }
  return widest;
}

async function countItems(run: Pick<ContractRun, 'client' | 'options'>, call: Call): Promise<number> {
  const exchange = await run.client.sendValid(call);
  return exchange?.status === 200 ? (listedItems(call.operation, exchange.json, run.options.api)?.length ?? -1) : -1;
}

/** The possible values of a filter parameter. */
function choicesOf({ in: place, required, schema }: Parameter): readonly unknown[] {
  if (place !== 'query' || required || typeof schema !== 'object') return [];
  const values = schema.type === 'boolean' ? [true, false] : (schema.enum ?? []);
  return values.filter((value) => value !== schema.default).slice(0, MAX_VALUES);
}
