import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';

import { tempFolder } from '../support/temp-folder.js';

const SPECS = path.join(import.meta.dirname, '../../../shared/suites/specs');

/** A server of Debian with its published spec, and some data as a user would have it. */
export interface RealServer {
  readonly name: string;
  /** Why it cannot run here; `undefined` if it can. */
  readonly missing: string | undefined;
  readonly spec: string;
  readonly start: () => Promise<Running>;
}

export interface Running extends AsyncDisposable {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What was there before the run, as its API shows it. */
  readonly snapshot: () => Promise<unknown>;
  /** A shell command that starts the server again, without data. */
  readonly restart?: string;
}

type Json = Readonly<Record<string, unknown>>;

export const REAL_SERVERS: readonly RealServer[] = [
  {
    name: 'Alertmanager',
    spec: path.join(SPECS, 'alertmanager-0.25.yaml'),
    missing: findMissing('/usr/bin/prometheus-alertmanager', 'alertmanager-0.25.yaml'),
    start: async () => {
      const [port, cluster] = [await freePort(), await freePort()];
      const folder = tempFolder({ 'config.yml': 'route: { receiver: none }\nreceivers: [{ name: none }]\n' });
      const url = `http://127.0.0.1:${port}`;
      const stop = await run('/usr/bin/prometheus-alertmanager', `${url}/-/ready`, [
        `--config.file=${path.join(folder, 'config.yml')}`,
        `--storage.path=${folder}`,
        `--web.listen-address=127.0.0.1:${port}`,
        `--cluster.listen-address=127.0.0.1:${cluster}`,
      ]);
      const silence = {
        matchers: [{ name: 'job', value: 'db', isRegex: false, isEqual: true }],
        startsAt: new Date(Date.now() - 60_000).toISOString(),
        endsAt: new Date(Date.now() + 3_600_000).toISOString(),
        createdBy: 'ops',
        comment: 'maintenance of the database',
      };
      const { silenceID } = (await send(url, 'POST', '/api/v2/silences', silence)) as { silenceID: string };
      return {
        url,
        headers: {},
        snapshot: () => send(url, 'GET', `/api/v2/silence/${silenceID}`),
        [Symbol.asyncDispose]: stop,
      };
    },
  },
  {
    name: 'PowerDNS',
    spec: path.join(SPECS, 'powerdns-4.7.yaml'),
    missing: findMissing('/usr/sbin/pdns_server', 'powerdns-4.7.yaml') ?? findMissing('/usr/bin/sqlite3'),
    start: async () => {
      const [port, dns] = [await freePort(), await freePort()];
      const folder = tempFolder({});
      const database = path.join(folder, 'zones.sqlite3');
      execFileSync('/usr/bin/sqlite3', [database, '.read /usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql']);
      writeFileSync(
        path.join(folder, 'pdns.conf'),
        [
          'launch=gsqlite3',
          `gsqlite3-database=${database}`,
          'gsqlite3-dnssec=yes',
          ...['api=yes', 'api-key=secret', 'webserver=yes', 'webserver-address=127.0.0.1', `webserver-port=${port}`],
          ...['local-address=127.0.0.1', `local-port=${dns}`, `socket-dir=${folder}`, 'daemon=no', 'guardian=no'],
        ].join('\n'),
      );
      const url = `http://127.0.0.1:${port}`;
      const headers = { 'x-api-key': 'secret' };
      const stop = await run('/usr/sbin/pdns_server', `${url}/api`, [`--config-dir=${folder}`], headers);
      const records = [{ content: '192.0.2.1', disabled: false }];
      const rrsets = [{ name: 'www.example.org.', type: 'A', ttl: 60, changetype: 'REPLACE', records }];
      const zone = { name: 'example.org.', kind: 'Native', nameservers: ['ns1.example.org.'], rrsets };
      await send(url, 'POST', '/api/v1/servers/localhost/zones', zone, headers);
      const key = { name: 'transfer', algorithm: 'hmac-sha256' };
      await send(url, 'POST', '/api/v1/servers/localhost/tsigkeys', key, headers);
      return {
        url,
        headers,
        snapshot: async () => [
          await send(url, 'GET', '/api/v1/servers/localhost/zones/example.org.', undefined, headers),
          await send(url, 'GET', '/api/v1/servers/localhost/tsigkeys/transfer.', undefined, headers),
        ],
        [Symbol.asyncDispose]: stop,
      };
    },
  },
  {
    name: 'etcd',
    spec: path.join(SPECS, 'etcd-3.4.json'),
    missing: findMissing('/usr/bin/etcd', 'etcd-3.4.json'),
    start: async () => {
      const [port, peer] = [await freePort(), await freePort()];
      const url = `http://127.0.0.1:${port}`;
      const peers = `http://127.0.0.1:${peer}`;
      const folder = tempFolder({});
      const options = [
        ...['--listen-client-urls', url, '--advertise-client-urls', url],
        ...['--listen-peer-urls', peers, '--initial-advertise-peer-urls', peers],
        ...['--initial-cluster', `default=${peers}`],
      ];
      const stop = await run('/usr/bin/etcd', `${url}/health`, ['--data-dir', path.join(folder, 'data'), ...options]);
      const [again, pid] = [path.join(folder, 'again'), path.join(folder, 'pid')];
      const key = Buffer.from('color').toString('base64');
      const value = Buffer.from('red').toString('base64');
      await send(url, 'POST', '/v3/kv/put', { key, value });
      await send(url, 'POST', '/v3/auth/user/add', { name: 'ops', password: 'secret' });
      await send(url, 'POST', '/v3/auth/role/add', { name: 'reader' });
      await send(url, 'POST', '/v3/auth/user/grant', { user: 'ops', role: 'reader' });
      return {
        url,
        headers: {},
        snapshot: async () => {
          const { kvs } = (await send(url, 'POST', '/v3/kv/range', { key })) as { kvs: unknown };
          const { members } = (await send(url, 'POST', '/v3/cluster/member/list', {})) as { members: unknown };
          const user = (await send(url, 'POST', '/v3/auth/user/get', { name: 'ops' })) as Json;
          return { kvs, members, roles: user['roles'] };
        },
        // What ended etcd is in its log: with its old data it would end at each start.
        restart: `rm -rf '${again}'; echo $$ > '${pid}'; exec /usr/bin/etcd --data-dir '${again}' ${options.join(' ')}`,
        [Symbol.asyncDispose]: async () => {
          if (existsSync(pid)) kill(Number(readFileSync(pid, 'utf8')));
          await stop();
        },
      };
    },
  },
];

/** Ends a process that a restart command has started. */
function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

/** Why a program or a spec of the suites is not here. */
function findMissing(program: string, spec?: string): string | undefined {
  if (!existsSync(program)) return `${program} is not installed: bash test/install-programs.sh`;
  return spec === undefined || existsSync(path.join(SPECS, spec))
    ? undefined
    : `shared/suites/specs/${spec} is missing`;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('There is no free port.');
  return address.port;
}

async function send(
  url: string,
  method: string,
  target: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const response = await fetch(`${url}${target}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${target}: ${response.status} ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

/** Starts a program and waits until it responds. Returns what ends it. */
async function run(
  program: string,
  ready: string,
  argv: readonly string[],
  headers: Readonly<Record<string, string>> = {},
): Promise<() => Promise<void>> {
  const child: ChildProcess = spawn(program, argv, { stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  for (let tries = 0; tries < 300; tries += 1) {
    if (child.exitCode !== null) throw new Error(`${program} ended with status ${child.exitCode}.`);
    const isReady = await fetch(ready, { headers }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return stop;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await stop();
  throw new Error(`${program} does not respond at ${ready}.`);
}
