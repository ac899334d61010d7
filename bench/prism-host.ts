/**
 * A process that serves OpenAPI documents with plain Prism, as `prism mock` does: one message in, the URL out. It is a
 * process of its own because some requests end it.
 */
import { createRequire } from 'node:module';
import path from 'node:path';

interface PrismServer {
  listen(port: number, host: string): Promise<string>;
  close(): Promise<void>;
}

/** What is used of Prism, which is installed with the peers only. */
interface PrismModules {
  readonly '@stoplight/prism-http': { getHttpOperationsFromSpec(document: object): Promise<readonly object[]> };
  readonly '@stoplight/prism-core': { createLogger(name: string, options: object): object };
  readonly '@stoplight/prism-http-server': {
    createServer(operations: readonly object[], options: object): PrismServer;
  };
}

const require = createRequire(path.join(import.meta.dirname, 'peers/package.json'));

function load<Name extends keyof PrismModules>(name: Name): PrismModules[Name] {
  return require(name) as PrismModules[Name];
}

/** The settings of `prism mock` without flags (`prism-cli/dist/util/createServer.js`). */
const config = {
  isProxy: false,
  validateRequest: true,
  validateResponse: true,
  checkSecurity: true,
  errors: false,
  upstreamProxy: undefined,
  mock: { dynamic: false },
};

async function serve(document: object): Promise<string> {
  const operations = await load('@stoplight/prism-http').getHttpOperationsFromSpec(document);
  const logger = load('@stoplight/prism-core').createLogger('prism', { level: 'silent' });
  const server = load('@stoplight/prism-http-server').createServer(operations, {
    cors: true,
    config,
    components: { logger },
  });
  return server.listen(0, '127.0.0.1');
}

process.on('message', (document: object) => {
  void serve(document).then(
    (url) => process.send?.({ url }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
process.on('disconnect', () => process.exit());
