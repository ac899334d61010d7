/** Actions are typed by their API. Nothing here is run: `npm run types` fails where a line that is marked would pass. */
import { startMock } from '../../entry/mock.js';

const caseId = '6f1c2f5e-3b7a-4c58-9d0e-2a41b8c7d901';

async function callActions(): Promise<void> {
  const signing = await startMock('signing');
  (await signing.actions.sign({ caseId, partyId: 'a' })).Status satisfies string | undefined;
  (await signing.sandbox('b').actions.approve({ caseId })).Parties?.[0]?.Name satisfies string | undefined;
  // @ts-expect-error - a party is asked for.
  await signing.actions.reject({ caseId });
  // @ts-expect-error - there is no such action.
  await signing.actions.recall({ caseId });

  const generation = await startMock('generation');
  (await generation.actions['settle-file']({ name: 'files/a', state: 'FAILED' })).uri satisfies string | undefined;
  // @ts-expect-error - it does not end so.
  await generation.actions['settle-file']({ name: 'files/a', state: 'PROCESSING' });

  const notifications = await startMock('notifications');
  const { id } = await notifications.actions.notify({
    owner: 'a',
    repo: 'b',
    title: 'c',
    type: 'Issue',
    reason: 'mention',
  });
  (await notifications.actions.comment({ threadId: id })).subject.title satisfies string;
  // @ts-expect-error - there is no such reason.
  await notifications.actions.notify({ owner: 'a', repo: 'b', title: 'c', type: 'Issue', reason: 'bored' });
}
void callActions;
