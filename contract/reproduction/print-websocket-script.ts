import { toLineComment, toLiteral, toShellWord } from '../../model/identifiers.js';
import type { Problem } from '../checks/problem.js';
import { stringifyExactJson } from '../../runtime/json-integers.js';

export interface ShownSession {
  readonly address: string;
  /** The client's messages: the first is sent at once, each other after the next message of the server. */
  readonly sent: readonly unknown[];
  readonly operationId: string;
  readonly found: Problem;
}

/** A shell command and a test. */
export interface Script {
  readonly curl: string;
  readonly test: string;
}

/** Shows a session as a shell command and a test. curl cannot send WebSocket messages, but node can. */
export function showSession({ address, sent, operationId, found }: ShownSession): Script {
  const messages = toLiteral(sent.map((message) => stringifyExactJson(message)));
  const session = [
    `const socket = new WebSocket(${toLiteral(address)});`,
    "socket.binaryType = 'arraybuffer';",
    `const messages = ${messages};`,
    'const say = () => { const message = messages.shift(); if (message !== undefined) socket.send(message); };',
    'socket.onopen = say;',
  ];
  const assertions = assertionsOf(found);
  // A variable that is not read is an error under strict compilers.
  const isEndRead = assertions.some((line) => line.includes('isClosed'));
  const text = "typeof data === 'string' ? data : new TextDecoder().decode(data)";
  const show = [
    `socket.onmessage = ({ data }) => { console.log(${text}); say(); };`,
    "socket.onclose = ({ code }) => console.log('closed with', code);",
    'setTimeout(() => socket.close(), 3000);',
  ];
  return {
    curl: `node --experimental-websocket -e ${toShellWord([...session, ...show].join(' '))}`,
    test: [
      `test(${toLiteral(`${operationId}: ${found.check}`)}, async () => {`,
      ...[
        "const { WebSocket } = await import('undici');",
        ...session,
        "const received = Array.from(''); // No text yet.",

        `socket.onmessage = ({ data }) => { received.push(${text}); say(); };`,
        `${isEndRead ? 'const isClosed = ' : ''}await new Promise((resolve) => {`,
        '  socket.onclose = () => resolve(true);',
        '  setTimeout(() => resolve(false), 3000);',
        '});',
        'socket.close();',
        `// Expected ${toLineComment(found.expected.slice(0, 120))}; was ${toLineComment(found.actual.slice(0, 120))}.`,
        ...assertions,
      ].map((line) => `  ${line}`),
      '});',
    ].join('\n'),
  };
}

function assertionsOf({ cause, expected, actual }: Problem): string[] {
  if (cause === 'accepted') return ['expect(isClosed).toBe(true);'];
  if (cause === 'ready') {
    const name = expected.split('/').at(-1) ?? '';
    return [`expect(isClosed || received.some((text) => text.includes(${toLiteral(`"${name}"`)}))).toBe(true);`];
  }
  return [`expect(received).not.toContain(${toLiteral(actual)});`];
}
