import { isRecord } from '../../../model/document/records.js';
import type { Operation } from '../../../model/api.js';
import type { ResolvedOptions } from '../../resolve-options.js';
import type { Call } from '../../types.js';
import { isLoopback } from './dummy-credentials.js';
import { parseJsonText } from '../../../model/document/json-text.js';

/** Where every mock of ours has its clock. */
const PATH = '/__specmill/clock';
const SOURCE = { file: '', pointer: '', line: 1, column: 1 };

/** Sets the clock of a mock. It is in no spec, so it has no part in what a run covers. */
const SET_CLOCK: Operation = {
  id: `PUT ${PATH}`,
  name: 'setClock',
  method: 'put',
  path: PATH,
  deprecated: false,
  tags: [],
  parameters: [],
  responses: [{ status: '200', description: '', headers: [], content: [], links: [], extensions: {}, source: SOURCE }],
  security: [],
  servers: [],
  callbacks: [],
  extensions: {},
  source: SOURCE,
};

type Options = Pick<ResolvedOptions, 'url' | 'headers' | 'transport' | 'timeLimitMs'>;

/** The clock of a mock, as a run moves it. */
export class MockClock {
  readonly #options: Options;
  /** The time of the clock when it was found, and the elapsed time of the run. Milliseconds. */
  readonly #start: { readonly at: number; readonly since: number };

  private constructor(options: Options, at: number) {
    this.#options = options;
    this.#start = { at, since: performance.now() };
  }

  /** Finds the clock of a server; `undefined` where it has none, as any server but a mock on this machine. */
  static async find(options: Options): Promise<MockClock | undefined> {
    const at = isLoopback(options.url) ? await readClock(options) : undefined;
    return at === undefined ? undefined : new MockClock(options, at);
  }

  /** Milliseconds since 1970, as the mock has it now. */
  async now(): Promise<number | undefined> {
    return readClock(this.#options);
  }

  /** Puts the clock where it would be without the run. */
  async restore(): Promise<void> {
    const now = new Date(this.#start.at + performance.now() - this.#start.since).toISOString();
    await exchange(this.#options, 'PUT', JSON.stringify({ now }));
  }
}

/** A call that lets time go by. */
export function clockCall(seconds: number): Call {
  const value = { advance: `PT${seconds}S` };
  const media = { mediaType: 'application/json', encoding: new Map(), examples: [], extensions: {}, source: SOURCE };
  return { operation: SET_CLOCK, parameters: new Map(), address: PATH, body: { media, value } };
}

async function readClock(options: Options): Promise<number | undefined> {
  const json = await exchange(options, 'GET');
  const now = isRecord(json) && typeof json['now'] === 'string' ? Date.parse(json['now']) : Number.NaN;
  return Number.isNaN(now) ? undefined : now;
}

/** The JSON of a good response, or `undefined`. */
async function exchange(
  { url, headers, transport, timeLimitMs }: Options,
  method: string,
  body?: string,
): Promise<unknown> {
  const request = {
    method,
    url: new URL(PATH, url).href,
    headers: { ...headers, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body }),
  };
  const response = await transport.send(request, timeLimitMs).catch(() => undefined);
  return response?.status === 200 ? parseJsonText(response.text) : undefined;
}
