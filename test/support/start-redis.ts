import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A Redis of its own, on a free port. */
export interface RedisServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** Ends it; its data is lost. */
  readonly stop: () => Promise<void>;
  /** Starts it again on the same port. */
  readonly start: () => Promise<void>;
  /** Stops it where it is, so that it accepts connections and responds to nothing; or lets it go on. */
  readonly hang: (isHanging: boolean) => void;
}

/** The server that is installed, if one is. CI must have one (test/install-programs.sh). */
const program = ['redis-server', 'valkey-server'].find((name) => isInstalled(name));

export const hasRedis: boolean = program !== undefined || process.env['CI'] !== undefined;

function isInstalled(name: string): boolean {
  try {
    execFileSync(name, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** @param tls - a key and a certificate in PEM: then it accepts TLS alone. */
export async function startRedis(tls?: { readonly key: string; readonly cert: string }): Promise<RedisServer> {
  const port = await findFreePort();
  const folder = mkdtempSync(path.join(tmpdir(), 'specmill-redis-'));
  const settings = tls === undefined ? ['--port', String(port)] : writeTls(folder, port, tls);
  let child = await launch(settings, folder);
  const stop = async (): Promise<void> => {
    const ended = new Promise((resolve) => void child.once('close', resolve));
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await ended;
  };
  return {
    url: `${tls === undefined ? 'redis' : 'rediss'}://127.0.0.1:${port}`,
    port,
    stop,
    start: async () => {
      child = await launch(settings, folder);
    },
    hang: (isHanging) => void child.kill(isHanging ? 'SIGSTOP' : 'SIGCONT'),
    [Symbol.asyncDispose]: async () => {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function writeTls(
  folder: string,
  port: number,
  { key, cert }: { readonly key: string; readonly cert: string },
): string[] {
  const files = { key: path.join(folder, 'key.pem'), cert: path.join(folder, 'cert.pem') };
  writeFileSync(files.key, key);
  writeFileSync(files.cert, cert);
  const own = ['--tls-key-file', files.key, '--tls-cert-file', files.cert, '--tls-auth-clients', 'no'];
  return ['--port', '0', '--tls-port', String(port), ...own];
}

async function launch(own: readonly string[], folder: string): Promise<ChildProcess> {
  const settings = [...own, '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--appendonly', 'no'];
  const child = spawn(program ?? 'redis-server', settings, { stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (status) => reject(new Error(`redis-server: exit ${status}`)));
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (/ready to accept connections/i.test(text)) resolve();
    });
  });
  return child;
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => void server.close(resolve));
  return port;
}
