import { afterAll, beforeAll, describe } from 'vitest';

import { createSigningClient, type SigningClient } from '../../../generated/signing/client.js';
import type { CaseInput, CaseRead, ErrorCode } from '../../../generated/signing/types.js';
import type { SigningActions } from '../../../mocks/signing/actions.js';
import type { SentNotification } from '../../../mocks/signing/notifications.js';
import { connectMock, type Mock, type SandboxHandle } from '../../../entry/mock.js';
import { startMock } from '../../support/start-mock.js';
import type { CallsOf } from '../../../server/start/mock.js';
import { START, TRANSPORTS } from '../stopped-mock.js';

export interface SigningMock {
  /** The sandbox of the mock; behind a socket its control interface too is reached over HTTP. */
  readonly mock: SandboxHandle<CallsOf<SigningActions>>;
  readonly client: SigningClient;
  /** A client of another account: a key, or a sub account of it. */
  readonly clientOf: (key: string, account?: string) => SigningClient;
  /** Where an operation is, with its query. */
  readonly url: (operation: string) => string;
  /** Sends a request as it is written, below `/api/v2/`. */
  readonly send: (operation: string, init?: RequestInit & { readonly user?: string }) => Promise<Response>;
  /** Creates a case that can be sent, with the changes. Gives its Id. */
  readonly create: (changes?: CaseInput) => Promise<string>;
  readonly createSent: (changes?: CaseInput) => Promise<string>;
  /** Reads a case with all its statuses. */
  readonly read: (id: string) => Promise<CaseRead>;
  readonly status: (id: string) => Promise<string | undefined>;
  /** The messages of a case to its parties and others. */
  readonly sentOf: (id: string) => Promise<SentNotification[]>;
}

type Served = Mock<CallsOf<SigningActions>>;

/** Runs tests through both transports. Each `open` gives a mock with its own state, whose clock is stopped at {@link START}. */
export function throughBothTransports(about: string, tests: (open: () => Promise<SigningMock>) => void): void {
  describe.each(TRANSPORTS)(`${about} (%s)`, (transport) => {
    let served: Served;
    let count = 0;
    beforeAll(async () => {
      served = await startMock('signing', transport === 'socket' ? { port: 0 } : {});
    });
    afterAll(() => served.close());
    tests(() => {
      count += 1;
      const sandbox = `test-${count}`;
      return openSigning(
        served.url,
        transport === 'socket' ? connectMock<'signing'>(served.url, { sandbox }) : served.sandbox(sandbox),
      );
    });
  });
}

/** A sandbox of the signing mock with a client that checks every response. */
async function openSigning(url: string, mock: SigningMock['mock']): Promise<SigningMock> {
  await mock.clock.set(new Date(START));
  await mock.clock.freeze();
  const clientOf = (key: string, account?: string): SigningClient =>
    createSigningClient({
      baseUrl: url,
      credentials: { basic: { key, secret: 'secret', ...(account === undefined ? {} : { account }) } },
      validate: true,
      fetch: mock.fetch,
    });
  const client = clientOf('key-1');
  const create = async (changes: CaseInput = {}): Promise<string> =>
    (await client.createcase({ body: { ...complete(), ...changes } })).data.Id;
  const read = async (id: string): Promise<CaseRead> =>
    (await client.getcase({ query: { id, IncludeAllStatuses: true, includePendingApprovalStatus: true } })).data;
  const urlOf = (operation: string): string => `${url}/api/v2/${operation}`;
  return {
    mock,
    client,
    clientOf,
    create,
    read,
    url: urlOf,
    send: (operation, { user = 'key-1', headers, ...init } = {}) =>
      mock.fetch(urlOf(operation), {
        ...init,
        headers: { authorization: `Basic ${btoa(`${user}:secret`)}`, ...headers },
      }),
    createSent: async (changes) => {
      const id = await create(changes);
      await client.sendcase({ body: { id } });
      return id;
    },
    status: async (id) => (await read(id)).Status,
    sentOf: async (id) => {
      const { accounts = {} } = await mock.state.get();
      const all = Object.values(accounts).flatMap((collections) => collections['notifications'] ?? []);
      return all.map(({ value }) => value as SentNotification).filter(({ caseId }) => caseId === id);
    },
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

/** Why a call was refused. */
export interface Failure {
  readonly status: number;
  readonly code: ErrorCode;
  /** Where, without repetition. */
  readonly pointers: readonly string[];
}

/** The failure of a call, as the generated client throws it. */
export async function failureOf(call: Promise<unknown>): Promise<Failure> {
  const error: unknown = await call.then(
    (response) => new Error(`It was not refused: ${JSON.stringify(response)}`),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Error && 'status' in error && 'body' in error)) throw error;
  const { status, body } = error as unknown as {
    status: number;
    body: { error: { errorCode: ErrorCode; violations?: { pointer: string }[] } };
  };
  const pointers = body.error.violations?.map(({ pointer }) => pointer) ?? [];
  return { status, code: body.error.errorCode, pointers: [...new Set(pointers)] };
}
