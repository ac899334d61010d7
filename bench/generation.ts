import { Agent, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';

import { type Figure, median } from './measure.js';
import { startMockProcess, type MockProcess } from './mock-process.js';

/** One kind of response: a call, as often as it goes over 20 connections. */
interface Kind {
  readonly name: string;
  /** Calls a second. */
  readonly bound: number;
  readonly call: (client: Client) => Promise<void>;
}

const CONNECTIONS = 20;
const WARM_UP = 1_000;
const MEASURED = 3_000;
const STREAMS = 1_000;
const MEGABYTE = 2 ** 20;
const UPLOAD_MEGABYTES = 1_024;
/** Resident memory of the whole process at its peak. Megabytes. */
const MEMORY_BOUND = 300;

const WORDS = Array.from({ length: 40 }, (_none, index) => `word${index}`).join(' ');
const ITEM = { type: 'OBJECT', properties: { name: { type: 'STRING' }, length: { type: 'INTEGER' } } };
const DATA = {
  responseMimeType: 'application/json',
  responseSchema: { type: 'ARRAY', minItems: '3', maxItems: '3', items: { ...ITEM, required: ['name', 'length'] } },
};

const KINDS: readonly Kind[] = [
  { name: 'a single response', bound: 500, call: (client) => client.generate('generateContent', {}) },
  {
    name: 'a structured response',
    bound: 200,
    call: (client) => client.generate('generateContent', { generationConfig: DATA }),
  },
  {
    name: 'a streamed response of 40 words',
    bound: 300,
    call: (client) => client.generate('streamGenerateContent?alt=sse', {}),
  },
  { name: 'an upload of 1 MB, start and bytes', bound: 50, call: (client) => client.upload(1) },
];

/** What each kind of response of content generation costs, a thousand streams at once, and a gigabyte that is uploaded. */
export async function benchGeneration(rounds: number): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const kind of KINDS) figures.push(await measureKind(kind, rounds));
  return [...figures, ...(await measureStreams()), ...(await measureUpload())];
}

async function measureKind({ name, bound, call }: Kind, rounds: number): Promise<Figure> {
  const mock = await startMockProcess(['generation']);
  const client = new Client(mock.url, CONNECTIONS);
  const rates: number[] = [];
  try {
    await drive(() => call(client), WARM_UP);
    for (let round = 0; round < rounds; round += 1) rates.push(await drive(() => call(client), MEASURED));
  } finally {
    client.close();
    mock.kill();
  }
  const rate = median(rates);
  return { what: name, value: `${Math.round(rate)} a second`, bound: `at least ${bound}`, within: rate >= bound };
}

/** Calls in a row over each connection. Gives the calls a second. */
async function drive(call: () => Promise<void>, milliseconds: number): Promise<number> {
  const began = performance.now();
  let calls = 0;
  const work = async (): Promise<void> => {
    while (performance.now() - began < milliseconds) {
      await call();
      calls += 1;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  return calls / ((performance.now() - began) / 1_000);
}

/** A thousand streams that last some seconds: all have begun before the first one ends. */
async function measureStreams(): Promise<Figure[]> {
  const mock = await startMockProcess(['generation', '--latency', '1s']);
  const client = new Client(mock.url, Number.POSITIVE_INFINITY);
  let open = 0;
  let most = 0;
  try {
    await Promise.all(
      Array.from({ length: STREAMS }, async () => {
        const response = await client.ask('streamGenerateContent?alt=sse', {});
        open += 1;
        most = Math.max(most, open);
        await finished(response.resume());
        open -= 1;
      }),
    );
    const streams = {
      what: `${STREAMS} parallel streams of one process`,
      value: `${most} open at once`,
      bound: `all ${STREAMS}`,
      within: most === STREAMS,
    };
    return [streams, await memoryFigure('its memory at the peak', mock)];
  } finally {
    client.close();
    mock.kill();
  }
}

async function measureUpload(): Promise<Figure[]> {
  const mock = await startMockProcess(['generation']);
  const client = new Client(mock.url, 1);
  try {
    const began = performance.now();
    await client.upload(UPLOAD_MEGABYTES);
    const took = (performance.now() - began) / 1_000;
    const time = { what: 'an upload of 1 GB', value: `${took.toFixed(1)} s`, bound: 'under 30 s', within: took < 30 };
    return [time, await memoryFigure('its memory at the peak', mock)];
  } finally {
    client.close();
    mock.kill();
  }
}

async function memoryFigure(what: string, mock: MockProcess): Promise<Figure> {
  const megabytes = (await mock.peakMemory()) / MEGABYTE;
  return {
    what,
    value: `${Math.round(megabytes)} MB`,
    bound: `under ${MEMORY_BOUND} MB`,
    within: megabytes < MEMORY_BOUND,
  };
}

/** The least that speaks to the mock, so that what is measured is the mock. */
class Client {
  readonly #url: string;
  readonly #agent: Agent;

  constructor(url: string, maxSockets: number) {
    this.#url = url;
    this.#agent = new Agent({ keepAlive: true, maxSockets });
  }

  close(): void {
    this.#agent.destroy();
  }

  async generate(method: string, more: object): Promise<void> {
    const response = await this.ask(method, more);
    await finished(response.resume());
  }

  ask(method: string, more: object): Promise<IncomingMessage> {
    const body = JSON.stringify({ contents: [{ role: 'user', parts: [{ text: WORDS }] }], ...more });
    return this.#post(`/v1beta/models/sonata-2-flash:${method}`, { 'content-type': 'application/json' }, [body]);
  }

  async upload(megabytes: number): Promise<void> {
    const headers = {
      'content-type': 'application/json',
      'x-vendor-upload-protocol': 'resumable',
      'x-vendor-upload-command': 'start',
      'x-vendor-upload-header-content-length': String(megabytes * MEGABYTE),
      'x-vendor-upload-header-content-type': 'application/pdf',
    };
    const started = await this.#post('/upload/v1beta/files', headers, ['{}']);
    await finished(started.resume());
    const { pathname } = new URL(String(started.headers['x-vendor-upload-url']));
    const pieces = Array.from({ length: megabytes }, () => PIECE);
    const command = { 'x-vendor-upload-command': 'upload, finalize', 'x-vendor-upload-offset': '0' };
    const response = await this.#post(pathname, { ...command, 'content-length': megabytes * MEGABYTE }, pieces);
    await finished(response.resume());
  }

  async #post(
    path: string,
    headers: OutgoingHttpHeaders,
    pieces: readonly (string | Uint8Array)[],
  ): Promise<IncomingMessage> {
    const sent = request(this.#url + path, {
      method: 'POST',
      agent: this.#agent,
      headers: { 'x-vendor-api-key': 'bench', ...headers },
    });
    const responded = once(sent, 'response');
    for (const piece of pieces) if (!sent.write(piece)) await once(sent, 'drain');
    sent.end();
    const [response] = (await responded) as [IncomingMessage];
    if (response.statusCode !== 200) throw new Error(`${path} got ${response.statusCode}.`);
    return response;
  }
}

const PIECE = Buffer.alloc(MEGABYTE, 'x');
