import { expect, it } from 'vitest';

import { isLocalServer } from '../../../contract/execute/http/made-up-credentials.js';
import { findHostProblem } from '../../../http/wire/host-guard.js';
import { isLoopback, mayReachThisMachine } from '../../../http/wire/loopback.js';
import { postCallback } from '../../../server/sandbox/webhook-post.js';
import { LOOPBACK_ORIGINS } from '../../../server/transport/origins.js';

/** What each use makes of a host: `certain` for what only this machine may get, `possible` for what it must not get. */
interface Row {
  readonly host: string;
  readonly certain: boolean;
  readonly possible: boolean;
  /** Whether a server that listens on 127.0.0.1 accepts it as `Host`. */
  readonly served: boolean;
}

function row(host: string, kind: 'certain' | 'possible' | 'other', served = false): Row {
  return { host, certain: kind === 'certain', possible: kind !== 'other', served };
}

const ROWS: readonly Row[] = [
  row('localhost', 'certain', true),
  row('LOCALHOST', 'certain', true),
  row('localhost.', 'certain'),
  row('app.localhost', 'certain'),
  row('app.localhost.', 'certain'),
  row('127.0.0.1', 'certain', true),
  row('127.0.0.1.', 'certain', true),
  row('127.8.9.1', 'certain'),
  row('127.1', 'certain', true),
  row('2130706433', 'certain', true),
  row('0177.0.0.1', 'certain', true),
  row('0x7f.0.0.1', 'certain', true),
  row('[::1]', 'certain', true),
  row('[0:0:0:0:0:0:0:1]', 'certain', true),
  row('[::ffff:127.0.0.1]', 'certain'),
  row('[::ffff:7f08:901]', 'certain'),
  row('0.0.0.0', 'possible'),
  row('0', 'possible'),
  row('0.1.2.3', 'possible'),
  row('[::]', 'possible'),
  row('[::ffff:0.0.0.0]', 'possible'),
  row('10.0.0.1', 'other'),
  row('128.0.0.1', 'other'),
  row('[2001:db8::1]', 'other'),
  row('[::ffff:10.0.0.1]', 'other'),
  row('notlocalhost', 'other'),
  row('localhost.example', 'other'),
  row('127.0.0.1.example', 'other'),
  row('localhost..', 'other'),
];

it.each(ROWS)('the host $host is certainly this machine: $certain, and possibly: $possible', ({ host, ...want }) => {
  const { hostname } = new URL(`http://${host}`);
  expect({ certain: isLoopback(hostname), possible: mayReachThisMachine(hostname) }).toEqual({
    certain: want.certain,
    possible: want.possible,
  });
});

it.each(['', '::1%lo', '0177.0.0.1', '2130706433', '[localhost'])(
  'text that is not a host of a URL counts as loopback only if it is an address: %j',
  (text) => expect(isLoopback(text)).toBe(text.startsWith('::1')),
);

it.each(ROWS)('contract runs send made-up credentials to $host: $certain', ({ host, certain }) => {
  expect(isLocalServer(new URL(`http://${host}:4010/`))).toBe(certain);
});

it('contract runs send made-up credentials to a mock in this process', () => {
  expect(isLocalServer(new URL('http://signing.mock/'))).toBe(true);
});

it.each(ROWS)('a page of $host may read responses: $certain', ({ host, certain }) => {
  const origin = `http://${host}:3000`;
  expect(LOOPBACK_ORIGINS.allows(origin)).toBe(certain);
  expect(LOOPBACK_ORIGINS.trusts({ origin })).toBe(certain);
});

it.each(ROWS)('a server on 127.0.0.1 is reached as $host: $served', ({ host, served }) => {
  expect(findHostProblem({ host: `${host}:4010` }, { boundHost: '127.0.0.1' }) === undefined).toBe(served);
});

/** Nothing listens on this port, so that an attempt fails and is not `refused`. */
const CLOSED = 1;

it.each(ROWS.filter(({ certain }) => !certain))(
  'a callback that may go to this machine only is not sent to $host',
  async (one) => {
    expect(await outcomeOf(one.host, 'loopback')).toBe('refused');
  },
);

it.each(['localhost', '127.1', '[::1]', '[::ffff:127.0.0.1]'])(
  'a callback that may go to this machine only is sent to %s',
  async (host) => {
    expect(await outcomeOf(host, 'loopback')).toBe('failed');
  },
);

it.each(ROWS.filter(({ possible }) => possible))(
  'a callback that a foreign page requested is not sent to $host',
  async (one) => {
    expect(await outcomeOf(one.host, 'remote')).toBe('refused');
  },
);

async function outcomeOf(host: string, policy: 'loopback' | 'remote'): Promise<string> {
  const { signal } = new AbortController();
  const url = `http://${host}:${CLOSED}/hook`;
  return (await postCallback({ url, text: '1', headers: {}, policy, signal })).outcome;
}
