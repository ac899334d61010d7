import { createSigningClient, type SigningClient } from '../../../../generated/signing/client.js';
import type { CaseInput, CaseRead } from '../../../../generated/signing/types.js';
import { behaviour } from '../../../../mocks/behaviours/signing/index.js';
import type { SentNotification } from '../../../../mocks/behaviours/signing/notifications.js';
import { type Mock, startMock } from '../../../../mocks/index.js';
import type { CallsOf } from '../../../../mocks/start/mock-types.js';
import type { SigningActions } from '../../../../mocks/behaviours/signing/actions.js';

export interface SigningMock extends AsyncDisposable {
  readonly mock: Mock<CallsOf<SigningActions>>;
  readonly client: SigningClient;
  /** A client of another account: a key, or a sub account of it. */
  readonly clientOf: (key: string, account?: string) => SigningClient;
  /** Creates a case that can be sent, with the changes. Gives its Id. */
  readonly create: (changes?: CaseInput) => Promise<string>;
  readonly createSent: (changes?: CaseInput) => Promise<string>;
  /** Reads a case with all its statuses. */
  readonly read: (id: string) => Promise<CaseRead>;
  readonly status: (id: string) => Promise<string | undefined>;
  /** What parties and others were told of a case. */
  readonly told: (id: string) => Promise<SentNotification[]>;
}

/** The way to the mock: over a socket, or in process. */
export type Door = 'socket' | 'process';
export const DOORS: readonly Door[] = ['socket', 'process'];

const NOW = '2026-11-20T12:00:00Z';

/** A mock of the signing API whose clock stands at {@link NOW}, with a client that checks every answer. */
export async function openSigning(door: Door = 'process'): Promise<SigningMock> {
  const mock = await startMock(behaviour, door === 'socket' ? { port: 0, callbacks: 'loopback' } : {});
  await mock.clock.set(NOW);
  await mock.clock.freeze();
  const clientOf = (key: string, account?: string): SigningClient =>
    createSigningClient({
      baseUrl: mock.url,
      credentials: { basic: { key, secret: 'secret', ...(account === undefined ? {} : { account }) } },
      validate: true,
      ...(door === 'process' ? { fetch: mock.fetch } : {}),
    });
  const client = clientOf('key-1');
  const create = async (changes: CaseInput = {}): Promise<string> =>
    (await client.createcase({ body: { ...complete(), ...changes } })).data.Id;
  const read = async (id: string): Promise<CaseRead> =>
    (await client.getcase({ query: { id, IncludeAllStatuses: true, includePendingApprovalStatus: true } })).data;
  return {
    mock,
    client,
    clientOf,
    create,
    read,
    createSent: async (changes) => {
      const id = await create(changes);
      await client.sendcase({ body: { id } });
      return id;
    },
    status: async (id) => (await read(id)).Status,
    told: async (id) => {
      const { accounts = {} } = await mock.state.get();
      const all = Object.values(accounts).flatMap((collections) => collections['notifications'] ?? []);
      return all.map(({ value }) => value as SentNotification).filter(({ caseId }) => caseId === id);
    },
    [Symbol.asyncDispose]: () => mock.close(),
  };
}

/** What a case needs before it can be sent: two parties, a document, a way to sign. */
export function complete(): CaseInput {
  return {
    Name: 'Lease',
    Parties: [
      { Id: 'p1', Name: 'Ingrid Holm', EmailAddress: 'ingrid@example.com', CaseMobilePhone: '+46701' },
      { Id: 'p2', Name: 'Marco Rossi', EmailAddress: 'marco@example.com' },
    ],
    Documents: [
      {
        Id: 'd1',
        Filename: 'lease.pdf',
        ContentType: 'application/pdf',
        Data: 'JVBERi0xLjQ=',
        FormFields: { rent: 1450 },
      },
    ],
    AllowedSignatureTypes: ['touch'],
  };
}
