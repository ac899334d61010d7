/** The part of the WebSocket interface that a session needs, as in the platform and common packages. */
export interface SessionSocket {
  binaryType: string;
  send(data: string): void;
  close(): void;
  addEventListener(type: 'open' | 'error', listener: () => void): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(type: 'close', listener: (event: { readonly code: number }) => void): void;
}

export type OpenSocket = (url: string, headers: Readonly<Record<string, string>>) => SessionSocket;

/** A WebSocket connection whose text messages are read one after the other. */
export class Session {
  readonly #socket: SessionSocket;
  readonly #inbox: string[] = [];
  #wake = (): void => {};
  /** The close code, once the connection has ended. */
  closed: number | undefined;

  private constructor(socket: SessionSocket) {
    this.#socket = socket;
    socket.binaryType = 'arraybuffer';
    socket.addEventListener('message', ({ data }) => {
      this.#inbox.push(typeof data === 'string' ? data : Buffer.from(data as ArrayBuffer).toString('utf8'));
      this.#wake();
    });
    socket.addEventListener('close', ({ code }) => {
      this.closed = code;
      this.#wake();
    });
  }

  /** Opens a session; `undefined` if the server refuses. */
  static async open(socket: SessionSocket, limitMs: number): Promise<Session | undefined> {
    const session = new Session(socket);
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(undefined), limitMs);
      const settle = (opened: Session | undefined): void => {
        clearTimeout(timer);
        resolve(opened);
      };
      socket.addEventListener('open', () => settle(session));
      socket.addEventListener('error', () => settle(undefined));
      socket.addEventListener('close', () => settle(undefined));
    });
  }

  send(message: string): void {
    if (this.closed === undefined) this.#socket.send(message);
  }

  /** Returns the next message; `undefined` if none arrives within the limit or the connection has ended. */
  async next(limitMs: number): Promise<string | undefined> {
    const known = this.#inbox.shift();
    if (known !== undefined || this.closed !== undefined) return known;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, limitMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    return this.#inbox.shift();
  }

  close(): void {
    this.#socket.close();
  }
}

export async function networkSockets(): Promise<OpenSocket> {
  const { WebSocket } = await import('undici');
  return (url, headers) => new WebSocket(url, { headers });
}
