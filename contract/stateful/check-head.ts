import { isSuccess } from '../../http/messages.js';
import type { Operation } from '../../model/api.js';
import { hasStatus } from '../expectations/assertion.js';
import type { ContractRun } from '../execute/contract-run.js';

/** Checks that a documented HEAD has the same status as GET. */
export async function checkHead(run: ContractRun, operation: Operation): Promise<void> {
  const get = run.operations.find((one) => one.method === 'get' && one.path === operation.path);
  const call =
    operation.method !== 'head' || get === undefined ? undefined : await run.items.validCall(get, 'stateful');
  if (call === undefined) return;
  const expectation = { kind: 'valid' } as const;
  const shown = await run.client.send({ phase: 'stateful', call, expectation });
  const parameters = new Map(
    [...call.parameters].flatMap(([one, value]) => {
      const own = operation.parameters.find(({ in: place, name }) => place === one.in && name === one.name);
      return own === undefined ? [] : [[own, value] as const];
    }),
  );
  const exchange = await run.client.send({ phase: 'stateful', call: { operation, parameters }, expectation });
  if (shown === undefined || exchange === undefined || isSuccess(shown) === isSuccess(exchange)) return;
  run.findings.expect('same status for HEAD', hasStatus(exchange, shown.status), {
    message: 'HEAD gets another status than GET.',
    others: [shown],
  });
}
