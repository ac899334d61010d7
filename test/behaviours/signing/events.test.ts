import { expect, test } from 'vitest';

import { isCaseEvent } from '../../../generated/signing/validators.js';
import type { CaseEvent, EventName } from '../../../generated/signing/types.js';
import { startEchoServer } from '../../support/echo-server.js';
import { throughBothTransports } from './signing-mock.js';

const ALL: EventName[] = [
  'Created',
  'Sent',
  'SignatureAdded',
  'Signed',
  'Finished',
  'Recalled',
  'Rejected',
  'Expired',
  'ApprovalRequested',
  'Approved',
  'Deleted',
];

/** Waits until a receiver has as many events as are expected. */
async function settle(received: readonly unknown[], count: number): Promise<void> {
  for (let tries = 0; tries < 200 && received.length < count; tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 10));
}

throughBothTransports('events', (open) => {
  test('subscribed events arrive in the order in which they occurred', async () => {
    await using receiver = await startEchoServer();
    const signing = await open();
    const { client, mock } = signing;
    const EventCallback = { Events: ALL, Url: `${receiver.url}/hooks` };
    const id = await signing.create({ EventCallback, ApprovalRequired: true });
    await client.requestapproval({ body: { id } });
    await mock.actions.approve({ caseId: id });
    await client.recallcase({ body: { id } });
    await client.requestapproval({ body: { id } });
    await mock.actions.approve({ caseId: id });
    await mock.actions.sign({ caseId: id, partyId: 'p1' });
    await client.markassigned({ body: { CaseId: id, PartyId: 'p2' } });
    await mock.clock.advance('PT5S');
    await client.deletecase({ body: { id } });
    await settle(receiver.received, 13);
    const events = receiver.received.map(({ body }) => JSON.parse(body.toString()) as CaseEvent);
    expect(events.every((event) => isCaseEvent(event))).toBe(true);
    expect(events.map(({ Event }) => Event)).toEqual([
      'Created',
      'ApprovalRequested',
      'Approved',
      'Sent',
      'Recalled',
      'ApprovalRequested',
      'Approved',
      'Sent',
      'SignatureAdded',
      'SignatureAdded',
      'Signed',
      'Finished',
      'Deleted',
    ]);
    expect(events[8]).toMatchObject({
      CaseId: id,
      CaseStatus: 'Sent',
      PartyId: 'p1',
      OccurredOn: '2026-11-20T12:00:00',
    });
    expect(new Set(events.map(({ EventId }) => EventId)).size).toBe(13);
  });

  test('only subscribed events are sent, and a failed delivery is repeated with the same EventId', async () => {
    let isDown = true;
    await using receiver = await startEchoServer((_request, response) => response.writeHead(isDown ? 503 : 204).end());
    const signing = await open();
    const id = await signing.createSent({ EventCallback: { Events: ['Sent', 'Rejected'], Url: receiver.url } });
    await settle(receiver.received, 1);
    isDown = false;
    await signing.mock.actions.reject({ caseId: id, partyId: 'p2' });
    await signing.mock.clock.advance('PT1S');
    await settle(receiver.received, 3);
    const events = receiver.received.map(({ body }) => JSON.parse(body.toString()) as CaseEvent);
    expect(events.map(({ Event }) => Event)).toEqual(['Sent', 'Sent', 'Rejected']);
    expect(events[0]?.EventId).toBe(events[1]?.EventId);
    expect(events[2]).toMatchObject({ CaseStatus: 'Rejected', PartyId: 'p2' });
  });
});
