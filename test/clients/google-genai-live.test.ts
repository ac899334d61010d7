import {
  type GoogleGenAI,
  type LiveConnectConfig,
  type LiveServerMessage,
  Modality,
  type Session,
} from '@google/genai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createGenai, type GenerationMock, startGeneration } from './google-genai.js';

const model = 'sonata-2-live';
const config: LiveConnectConfig = { responseModalities: [Modality.TEXT] };
let mock: GenerationMock;

beforeAll(async () => {
  mock = await startGeneration();
});
afterAll(() => mock.close());

/** A session, and what it hears. */
interface Talk {
  readonly session: Session;
  /** The messages up to one; rejects with code and reason where the connection closes before it. */
  readonly until: (isEnd: (message: LiveServerMessage) => boolean) => Promise<LiveServerMessage[]>;
}

const isTurnEnd = ({ serverContent }: LiveServerMessage): boolean => serverContent?.turnComplete === true;

/** The library waits for ever for a session that is refused: so this listens to the close as well. */
function connect(ai: GoogleGenAI, more: LiveConnectConfig = config): Promise<Talk> {
  const heard: LiveServerMessage[] = [];
  let wake = (): void => {};
  let closed: string | undefined;
  const until: Talk['until'] = async (isEnd) => {
    for (;;) {
      const end = heard.findIndex(isEnd);
      if (end >= 0) return heard.splice(0, end + 1);
      if (closed !== undefined) throw new Error(closed);
      await new Promise<void>((resolve) => (wake = resolve));
    }
  };
  return new Promise((resolve, reject) => {
    const onmessage = (message: LiveServerMessage): void => {
      heard.push(message);
      wake();
    };
    const onclose = ({ code, reason }: { readonly code: number; readonly reason: string }): void => {
      closed = `${code} ${reason}`;
      wake();
      reject(new Error(closed));
    };
    ai.live
      .connect({ model, config: more, callbacks: { onmessage, onclose } })
      .then((session) => resolve({ session, until }), reject);
  });
}

function textOf(messages: readonly LiveServerMessage[]): string {
  return messages.map(({ text }) => text ?? '').join('');
}

describe('a live session with a key', () => {
  it('a live session with a key responds to turns, one after the other', async () => {
    const { session, until } = await connect(createGenai(mock));
    session.sendClientContent({ turns: 'Good morning' });
    const first = await until(isTurnEnd);
    expect(first[0]).toHaveProperty('setupComplete');
    expect(textOf(first)).toBe('You said: Good morning');
    session.sendClientContent({ turns: [{ role: 'user', parts: [{ text: 'Good night' }] }], turnComplete: true });
    expect(textOf(await until(isTurnEnd))).toBe('You said: Good night');
    session.close();
  });

  it('a live session with a key accepts text input in realtime', async () => {
    const { session, until } = await connect(createGenai(mock));
    session.sendRealtimeInput({ text: 'Hello' });
    expect(textOf(await until(isTurnEnd))).toBe('You said: Hello');
    session.close();
  });

  it('a live session with a key calls functions', async () => {
    const tools = [{ functionDeclarations: [{ name: 'tide_of', description: 'The tide of a harbour' }] }];
    const { session, until } = await connect(createGenai(mock), { ...config, tools });
    session.sendClientContent({ turns: 'What is the tide in the harbour?' });
    const asked = await until(({ toolCall }) => toolCall !== undefined);
    const [call] = asked.at(-1)?.toolCall?.functionCalls ?? [];
    expect(call?.name).toBe('tide_of');
    session.sendToolResponse({ functionResponses: [{ id: call?.id ?? '', name: 'tide_of', response: { tide: 1 } }] });
    expect(textOf(await until(isTurnEnd))).toContain('tide_of');
    session.close();
  });

  it('a live session with a key is resumed by its handle', async () => {
    const ai = createGenai(mock);
    const first = await connect(ai, { ...config, sessionResumption: {} });
    first.session.sendClientContent({ turns: 'Remember this' });
    await first.until(isTurnEnd);
    const updates = await first.until(({ sessionResumptionUpdate }) => sessionResumptionUpdate !== undefined);
    const { newHandle = '' } = updates.at(-1)?.sessionResumptionUpdate ?? {};
    expect(newHandle).not.toBe('');
    first.session.close();
    const second = await connect(ai, { ...config, sessionResumption: { handle: newHandle } });
    second.session.sendClientContent({ turns: 'What was it?' });
    expect(textOf(await second.until(isTurnEnd))).toBe('You said: What was it?');
    second.session.close();
  });
});

describe('a live session with a token', () => {
  const alpha = { apiVersion: 'v1alpha' };

  it('a live session with a token opens only once, with the setup of the token', async () => {
    const token = await createGenai(mock, { httpOptions: alpha }).authTokens.create({
      config: {
        uses: 1,
        liveConnectConstraints: { model, config: { ...config, systemInstruction: 'Be short' } },
      },
    });
    expect(token.name).toMatch(/^auth_tokens\//);
    const ai = createGenai(mock, { apiKey: token.name ?? '', httpOptions: alpha });
    const { session, until } = await connect(ai);
    session.sendClientContent({ turns: 'Hello' });
    expect(textOf(await until(isTurnEnd))).toBe('You said: Hello');
    session.close();
    await expect(connect(ai)).rejects.toThrow('1008 The token has no use left.');
  });
});
