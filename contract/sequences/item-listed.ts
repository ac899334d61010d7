import { problem } from '../checks/check-response.js';
import { makeCall } from '../cases/make-call.js';
import { idOf } from '../resources.js';
import type { Life } from './item-life.js';
import { findPaging, walkPages } from './page-walk.js';

/** What was created is in the list; what was deleted is not. */
export async function checkListed({ run, resource, id, created }: Life, isGone = false): Promise<void> {
  const { list, parameter } = resource;
  if (list === undefined) return;
  const made = makeCall(list, { variant: 'minimal', seed: 1 }, run.context);
  if (made === undefined) return;
  const parents = new Map(
    [...created.call.parameters].filter(([one]) => one.in === 'path').map(([one, value]) => [one.name, value]),
  );
  const call = {
    ...made,
    parameters: new Map([...made.parameters].map(([one, value]) => [one, parents.get(one.name) ?? value])),
  };
  const walked = await walkPages(run, call, { paging: findPaging(list), pageSize: undefined });
  if (walked?.isWhole !== true) return;
  const ids = walked.items.map((item) => idOf(item, parameter));
  if (!ids.some((one) => one !== undefined) && walked.items.length > 0) return;
  const isListed = ids.some((one) => String(one) === String(id));
  if (isListed !== isGone) return;
  const found = isGone
    ? problem('gone after delete', {
        cause: 'list',
        message: 'What was deleted is still in the list.',
        expected: `a list without ${String(id)}`,
        actual: walked.last.text,
      })
    : problem('list contains', {
        message: 'What was created is not in the list.',
        expected: `a list with ${String(id)}`,
        actual: walked.last.text,
      });
  run.report(found, { call, phase: 'stateful' }, walked.last);
}
