/**
 * Walks a signing case from draft to finished, with the generated client against a mock in this very process.
 *
 *     npm run build && npx jiti examples/signing/walk-a-case.ts
 */
import { createSigningClient, isSigningError } from '../../generated/signing/client.js';
import { startMock } from 'specmill/mock';

const mock = await startMock('signing');
const client = createSigningClient({
  baseUrl: mock.url,
  fetch: mock.fetch,
  credentials: { basic: { key: 'my-key', secret: 'my-secret' } },
});

const { data: created } = await client.createcase({
  body: {
    Name: 'Lease of Harbour Street 12',
    Parties: [
      { Id: 'ingrid', Name: 'Ingrid Holm', EmailAddress: 'ingrid.holm@example.com' },
      { Id: 'marco', Name: 'Marco Rossi', EmailAddress: 'marco.rossi@example.com' },
    ],
    AllowedSignatureTypes: ['touch'],
    SignInSequence: true,
    ExpireAfterDays: 14,
  },
});
const id = created.Id;

/** Reads the status as it is, without the compatibility of plain reads. */
async function report(step: string): Promise<void> {
  const { data } = await client.getcase({ query: { id, IncludeAllStatuses: true } });
  console.log(`${step}: ${data.Status}`);
}
await report('created');

// A case without documents cannot be sent: the failure is typed, and says why.
try {
  await client.sendcase({ body: { id } });
} catch (error) {
  if (!isSigningError(error, 'sendcase') || error.status !== 409) throw error;
  console.log(`refused: ${error.body.error.errorCode}: ${error.body.error.message}`);
}

// An update replaces collections as sets, so the case is read first.
const { data: read } = await client.getcase({ query: { id } });
await client.updatecase({
  body: {
    ...read,
    Id: id,
    Documents: [{ Id: 'lease', Filename: 'lease.pdf', ContentType: 'application/pdf', Data: 'JVBERi0xLjQKJUVPRgo=' }],
  },
});
await report('document added');

await client.sendcase({ body: { id } });
await report('sent');

// The outside world: parties sign, in the order of the case.
await mock.actions.sign({ caseId: id, partyId: 'ingrid' });
await report('Ingrid has signed');
await client.markassigned({ body: { CaseId: id, PartyId: 'marco' } });
await report('Marco has signed on paper');

// Sealing takes five seconds; the clock of the mock need not be waited for.
await mock.clock.advance('PT5S');
await report('sealed');

const { data: found } = await client.findcases({ query: { Status: 'finished', Search: 'harbour' } });
console.log(`found: ${found.map(({ Name }) => Name).join(', ')}`);
await mock.close();
