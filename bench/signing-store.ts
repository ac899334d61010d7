import { createSigningClient, type SigningClient } from '../generated/signing/client.js';
import { startMock } from '../entry/mock.js';
import { type Figure, median } from './measure.js';

const FEW = 1_000;
const MANY = 100_000;
const ROUNDS = 200;

/** How much longer a call may take with many cases than with few. */
const SEARCH = 3;
/** What does not slow down may still differ from one run to the next. */
const NO_MORE = 1.5;

interface TimedCall {
  readonly what: string;
  readonly most: number;
  /** @param round - counts up, from one measurement to the next too. */
  readonly call: (client: SigningClient, round: number) => Promise<unknown>;
}

const CALLS: readonly TimedCall[] = [
  {
    what: 'findcases, Status of every case',
    most: SEARCH,
    call: (client) => client.findcases({ query: { Status: 'draft' } }),
  },
  {
    what: 'findcases, Status of no case',
    most: SEARCH,
    call: (client) => client.findcases({ query: { Status: 'rejected' } }),
  },
  {
    what: 'findcases, AgentUsername of 20 cases',
    most: SEARCH,
    call: (client, round) => client.findcases({ query: { AgentUsername: agentOf(round) } }),
  },
  {
    what: 'findcases, Status, newest first',
    most: SEARCH,
    call: (client) => client.findcases({ query: { Status: 'draft', Sort: 'Created DESC' } }),
  },
  {
    what: 'findcases, Status, page 50',
    most: SEARCH,
    call: (client) => client.findcases({ query: { Status: 'draft', Skip: 980, Take: 20 } }),
  },
  {
    what: 'findcases, FromDate after every case',
    most: SEARCH,
    call: (client) => client.findcases({ query: { FromDate: '2999-01-01T00:00:00' } }),
  },
  {
    what: 'getcase',
    most: NO_MORE,
    call: (client, round) => client.getcase({ query: { id: idOf(round % FEW) } }),
  },
  {
    what: 'getcasebytemporaryid',
    most: NO_MORE,
    call: (client, round) => client.getcasebytemporaryid({ query: { id: 30_001 + (round % FEW) } }),
  },
  { what: 'createcase', most: NO_MORE, call: (client, round) => createCase(client, MANY * 10 + round) },
];

function agentOf(index: number): string {
  return `agent-${index % 50}@example.com`;
}

function idOf(index: number): string {
  return `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
}

async function createCase(client: SigningClient, index: number): Promise<void> {
  // Twenty cases of each of the fifty agents; the others belong to no agent.
  const AgentUsername = index < FEW ? agentOf(index) : `other-${index}@example.com`;
  await client.createcase({
    body: {
      Id: idOf(index),
      Name: `Case ${index}`,
      AgentUsername,
      Parties: [{ Id: 'p1', Name: 'Ingrid Holm', EmailAddress: `ingrid-${index}@example.com` }],
      Metadata: { number: index },
    },
  });
}

/** Median milliseconds of each call, in the order of {@link CALLS}. Each round makes all calls, so that they share what else the machine does. */
async function measure(client: SigningClient, firstRound: number): Promise<number[]> {
  const times: number[][] = CALLS.map(() => []);
  for (let round = firstRound; round < firstRound + ROUNDS; round += 1) {
    for (const [index, { call }] of CALLS.entries()) {
      const start = performance.now();
      await call(client, round);
      times[index]?.push(performance.now() - start);
    }
  }
  return times.map(median);
}

async function fill(client: SigningClient, from: number, to: number): Promise<void> {
  for (let index = from; index < to; index += 1) await createCase(client, index);
}

/** How much longer calls of the signing mock take with 100,000 cases than with 1,000. */
export async function benchSigningStore(): Promise<readonly Figure[]> {
  await using mock = await startMock('signing');
  const clientOf = ({ fetch }: Pick<typeof mock, 'fetch'>): SigningClient =>
    createSigningClient({ baseUrl: mock.url, fetch, credentials: { basic: { key: 'bench', secret: 'secret' } } });
  // Elsewhere, so that the code is warm and the cases are as few as is said.
  const warm = clientOf(mock.sandbox('warm'));
  await fill(warm, 0, FEW);
  for (let pass = 0; pass < 3; pass += 1) await measure(warm, pass * ROUNDS);
  const client = clientOf(mock);
  await fill(client, 0, FEW);
  const few = await measure(client, 0);
  await fill(client, FEW, MANY);
  const many = await measure(client, ROUNDS);
  return CALLS.map(({ what, most }, index) => {
    const [before = Number.NaN, after = Number.NaN] = [few[index], many[index]];
    const ratio = after / before;
    const value = `${before.toFixed(2)} -> ${after.toFixed(2)} ms, ${ratio.toFixed(2)} times`;
    return { what, value, bound: `at most ${most} times`, within: ratio <= most };
  });
}
