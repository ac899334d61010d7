import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that is still running. */
export interface RunningServer {
  readonly url: string;
  close(): Promise<void>;
}

/** A realistic server written from its spec alone, with bugs that are switched on one at a time. */
export interface ForeignApi {
  readonly name: string;
  readonly spec: string;
  /** Each bug by its name, with what a user of the server would see. */
  readonly bugs: Readonly<Record<string, string>>;
  /** The credential of a run. */
  readonly headers?: Readonly<Record<string, string>>;
  /** A second user, for servers whose items belong to users. */
  readonly otherHeaders?: Readonly<Record<string, string>>;
  /** Logs in before the run, where the credential is a session. */
  readonly logIn?: (url: string) => Promise<Record<string, string>>;
  start(bug?: string): Promise<RunningServer>;
}

/** Listens on any free port of this machine. */
export async function listen(server: Server, basePath = ''): Promise<RunningServer> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${basePath}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
