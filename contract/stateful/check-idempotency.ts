import { isSuccess } from '../../http/messages.js';
import type { Operation } from '../../model/api.js';
import { createdIds } from '../../resources/extract-id.js';
import { foldName } from '../../resources/inflection.js';
import { same } from '../expectations/assertion.js';
import { createdId } from './crud-context.js';
import type { ContractRun } from '../execute/contract-run.js';

/** Checks that repeating a creation with the same idempotency key creates nothing new. */
export async function checkIdempotency(run: ContractRun, operation: Operation): Promise<void> {
  const key = operation.parameters.find((one) => one.in === 'header' && isIdempotencyKey(one.name));
  const creation =
    key === undefined || operation.method !== 'post' ? undefined : await run.items.validCall(operation, 'stateful');
  if (key === undefined || creation === undefined) return;
  const { pool } = run.context;
  const keyed = new Map([...creation.parameters, [key, creation.parameters.get(key) ?? 'specmill-key-0001']]);
  const fresh = pool.withFreshKey({ ...creation, parameters: keyed });
  const call = { ...(await run.items.refreshIds(fresh, 'stateful')), keepsKey: true };
  const tried = { phase: 'stateful', call, expectation: { kind: 'valid' } } as const;
  const first = await run.client.send(tried);
  const second = first === undefined || !isSuccess(first) ? undefined : await run.client.send(tried);
  if (first === undefined || second === undefined || !isSuccess(second)) return;
  const { parameter = 'id', read } = pool.resources.find(({ create }) => create === operation) ?? {};
  const [one, other] = [first, second].map((exchange) => createdIds(exchange, parameter, read)[0]);
  if (one === undefined || other === undefined || one === other) return;
  run.findings.expect('idempotency key', same(createdId(other, second), createdId(one, first)), {
    message: `A creation that was repeated with the same ${key.name} made a second item.`,
    expected: String(one),
    actual: String(other),
  });
}

function isIdempotencyKey(name: string): boolean {
  return foldName(name).replace(/^x/, '') === 'idempotencykey';
}
