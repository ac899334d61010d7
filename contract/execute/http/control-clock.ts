import { isRecord } from '../../../model/document/records.js';
import type { Operation } from '../../../model/api.js';
import type { ResolvedOptions } from '../../resolve-options.js';
import type { Call } from '../../types.js';
import { isLocalServer } from './made-up-credentials.js';
import { parseJsonText } from '../../../model/document/json-text.js';
import { stringifyExactJson } from '../../../runtime/json-integers.js';

/** The path of the clock in every mock of specmill. */
const PATH = '/__specmill/clock';
const SOURCE = { file: '', pointer: '', line: 1, column: 1 };

/** Sets the clock of a mock. It is not part of any spec, so coverage ignores it. */
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

/** The clock of a mock. */
export class MockClock {
  readonly #options: Options;
  /**
   * The clock's time when it was found (milliseconds since 1970), and the elapsed time of this process then
   * (milliseconds).
   */
  readonly #start: { readonly at: number; readonly since: number };

  private constructor(options: Options, at: number) {
    this.#options = options;
    this.#start = { at, since: performance.now() };
  }

  /** Finds the clock of a server; `undefined` unless it is a mock on this machine. */
  static async find(options: Options): Promise<MockClock | undefined> {
    const at = isLocalServer(options.url) ? await readClock(options) : undefined;
    return at === undefined ? undefined : new MockClock(options, at);
  }

  /** The mock's current time in milliseconds since 1970. */
  async now(): Promise<number | undefined> {
    return readClock(this.#options);
  }

  /** Sets the clock to the time that it would have without the run. */
  async restore(): Promise<void> {
    const now = new Date(this.#start.at + performance.now() - this.#start.since).toISOString();
    await exchange(this.#options, 'PUT', stringifyExactJson({ now }));
  }
}

/** Returns a call that advances the clock. */
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

/** Returns the JSON of a successful response, or `undefined`. */
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
