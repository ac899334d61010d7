import { createSigningClient, type SigningClient } from '../generated/signing/client.js';
import { startMock } from '../mocks/index.js';
import { behaviour } from '../mocks/behaviours/signing/index.js';
import { type Figure, printFigures } from './measure.js';

/** How much longer a call may take with 100,000 cases than with 1,000. */
const MOST = 3;
const FEW = 1_000;
const MANY = 100_000;
const ROUNDS = 100;

/** The calls that are timed; a case in a hundred is another agent's. */
const CALLS: Readonly<Record<string, (client: SigningClient, round: number) => Promise<unknown>>> = {
  'findcases, Status of all cases': (client) => client.findcases({ query: { Status: 'draft' } }),
  'findcases, Status of no case': (client) => client.findcases({ query: { Status: 'rejected' } }),
  'findcases, AgentUsername': (client, round) => client.findcases({ query: { AgentUsername: agentOf(round) } }),
  'findcases, Status, newest first': (client) => client.findcases({ query: { Status: 'draft', Sort: 'Created DESC' } }),
  'findcases, page 50 of Status': (client) => client.findcases({ query: { Status: 'draft', Skip: 980, Take: 20 } }),
  getcase: (client, round) => client.getcase({ query: { id: idOf(round) } }),
  getcasebytemporaryid: (client, round) => client.getcasebytemporaryid({ query: { id: 30_001 + round } }),
  createcase: (client, round) => createCase(client, MANY * 10 + round),
};

function agentOf(index: number): string {
  return `agent-${index % 50}@example.com`;
}

function idOf(index: number): string {
  return `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
}

async function createCase(client: SigningClient, index: number): Promise<void> {
  // Twenty cases of each of the fifty agents; all others are nobody's.
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

/** Median milliseconds of each call. */
async function measure(client: SigningClient, offset: number): Promise<ReadonlyMap<string, number>> {
  const medians = new Map<string, number>();
  for (const [name, call] of Object.entries(CALLS)) {
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const start = performance.now();
      await call(client, name === 'createcase' ? offset + round : round);
      times.push(performance.now() - start);
    }
    times.sort((one, other) => one - other);
    medians.set(name, times[Math.floor(times.length / 2)] ?? Number.NaN);
  }
  return medians;
}

await using mock = await startMock(behaviour);
const client = createSigningClient({
  baseUrl: mock.url,
  fetch: mock.fetch,
  credentials: { basic: { key: 'bench', secret: 'secret' } },
});
for (let index = 0; index < FEW; index += 1) await createCase(client, index);
await measure(client, 0); // Warms the calls up.
const few = await measure(client, ROUNDS);
for (let index = FEW; index < MANY; index += 1) await createCase(client, index);
const many = await measure(client, 2 * ROUNDS);
const figures: Figure[] = [...few].map(([what, before]) => {
  const after = many.get(what) ?? Number.NaN;
  const value = `${before.toFixed(2)} -> ${after.toFixed(2)} ms`;
  return { what, value, bound: `at most ${MOST} times`, within: after <= MOST * Math.max(before, 0.05) };
});
printFigures(`Signing: ${FEW} -> ${MANY} cases (median of a call in process)`, figures);
