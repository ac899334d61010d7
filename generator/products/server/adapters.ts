/** The adapters of frameworks as text. */

interface AdapterScope {
  /** `Shop` and `shop`. */
  readonly api: string;
  readonly prefix: string;
  readonly runtime: (module: string) => string;
  /** The type of handlers with an environment. */
  readonly handlers: (env: string) => string;
  /** Whether a scheme must have a function. */
  readonly needsOptions: boolean;
  /** The methods of the operations, as code. */
  readonly methods: readonly string[];
}

interface Adapter {
  readonly imports: string;
  readonly code: string;
}

const optionsOf = ({ api, needsOptions }: AdapterScope): string =>
  `options: ${api}ServerOptions<Identity>${needsOptions ? '' : ' = {}'}`;

const fetchAdapter = (scope: AdapterScope): Adapter => ({
  imports: `import { fetchCall, toResponse } from '${scope.runtime('server-fetch')}';\n`,
  code: `
/** What the context of a handler has in a runtime with \`fetch\`. */
export interface ${scope.api}FetchEnv<Identity = unknown, Env = unknown> {
  readonly identity: Identity;
  readonly request: Request;
  /** The second argument, such as the bindings of a worker. */
  readonly env: Env;
}

/** Serves the API in any runtime with \`fetch\`: \`export default { fetch: ${scope.prefix}Fetch(handlers, options) }\`. */
export function ${scope.prefix}Fetch<Identity = unknown, Env = unknown>(
  handlers: ${scope.handlers(`${scope.api}FetchEnv<Identity, Env>`)},
  ${optionsOf(scope)},
): (request: Request, env?: Env) => Promise<Response> {
  const serve = rt.createServer(plan, handlers, options);
  return async (request, env) => {
    const call = fetchCall(request);
    return toResponse((await serve(call, { request, env })) ?? rt.notFound(call.path, options));
  };
}
`,
});

const honoAdapter = (scope: AdapterScope): Adapter => ({
  imports: "import * as hono from 'hono';\n",
  code: `
/** What the context of a handler has in Hono. */
export interface ${scope.api}HonoEnv<Identity = unknown, E extends hono.Env = hono.Env> {
  readonly identity: Identity;
  readonly c: hono.Context<E>;
}

/** Serves the API in Hono: \`app.route('/', ${scope.prefix}Hono(handlers, options))\`. Other paths are left to the app. */
export function ${scope.prefix}Hono<Identity = unknown, E extends hono.Env = hono.Env>(
  handlers: ${scope.handlers(`${scope.api}HonoEnv<Identity, E>`)},
  ${optionsOf(scope)},
): hono.Hono<E> {
  const serve = rt.createServer(plan, handlers, options);
  const app = new hono.Hono<E>();
  app.all('*', async (c, next) => {
    const result = await serve(fetchCall(c.req.raw, c.req.routePath.replace(/\\/?\\*$/, '')), { c });
    if (result === undefined) return next();
    const { status, headers, body } = result;
    // Casts: Hono passes on statuses and bodies that its types do not list.
    return body === undefined ? c.body(null, status as 200, headers) : c.body(body as string, status as 200, headers);
  });
  return app;
}
`,
});

const fastifyAdapter = (scope: AdapterScope): Adapter => ({
  imports: `import type * as fastify from 'fastify';\nimport { nodeCall, nodeHeaders, streamOf } from '${scope.runtime('server-node')}';\n`,
  code: `
/** What the context of a handler has in Fastify. */
export interface ${scope.api}FastifyEnv<Identity = unknown> {
  readonly identity: Identity;
  readonly request: fastify.FastifyRequest;
  readonly reply: fastify.FastifyReply;
}

/** The options of the plugin. */
export type ${scope.api}FastifyOptions<Identity = any> = ${scope.api}ServerOptions<Identity> & {
  readonly handlers: ${scope.handlers(`${scope.api}FastifyEnv<Identity>`)};
};

/** Serves the API in Fastify: \`app.register(${scope.prefix}Fastify, { handlers, … })\`. Other paths are left to the app. */
export const ${scope.prefix}Fastify: fastify.FastifyPluginAsync<${scope.api}FastifyOptions> = async (app, { handlers, ...options }) => {
  const serve = rt.createServer(plan, handlers, options);
  // Bodies are read by the server, so that those of files arrive as streams.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  const known = new Set(app.supportedMethods);
  const methods = [${scope.methods.join(', ')}];
  for (const method of methods) if (!known.has(method)) app.addHttpMethod(method, { hasBody: true });
  const prefix = app.prefix;
  app.route({
    method: [...new Set([...known, ...methods])],
    url: '/*',
    exposeHeadRoute: false,
    // Without a promise of its own, which Fastify would wait for.
    handler(request, reply) {
      serve(nodeCall(request.raw, reply.raw, { mount: prefix }), { request, reply })
        .then((result) => {
          if (result === undefined) return reply.callNotFound();
          const { body } = result;
          reply.code(result.status).headers(nodeHeaders(result));
          return reply.send(body === undefined || typeof body === 'string' || body instanceof Uint8Array ? body : streamOf(body));
        })
        .catch((error: unknown) => reply.send(error));
    },
  });
};
`,
});

const expressAdapter = (scope: AdapterScope): Adapter => ({
  imports: `import * as express from 'express';\nimport { nodeCall, readByOther, sendResult } from '${scope.runtime('server-node')}';\n`,
  code: `
/** What the context of a handler has in Express. */
export interface ${scope.api}ExpressEnv<Identity = unknown> {
  readonly identity: Identity;
  readonly req: express.Request;
  readonly res: express.Response;
}

/** Serves the API in Express: \`app.use(${scope.prefix}Express(handlers, options))\`. Other paths are left to the app. */
export function ${scope.prefix}Express<Identity = unknown>(
  handlers: ${scope.handlers(`${scope.api}ExpressEnv<Identity>`)},
  ${optionsOf(scope)},
): express.Router {
  const serve = rt.createServer(plan, handlers, options);
  const router = express.Router();
  router.use((req, res, next) => {
    serve(nodeCall(req, res, { target: req.url, parsed: readByOther(req) }), { req, res })
      .then((result) => (result === undefined ? next() : sendResult(result, res)))
      .catch(next);
  });
  return router;
}
`,
});

/** The adapter of each framework. */
export const ADAPTERS: Readonly<Record<'fetch' | 'hono' | 'fastify' | 'express', (scope: AdapterScope) => Adapter>> = {
  fetch: fetchAdapter,
  hono: honoAdapter,
  fastify: fastifyAdapter,
  express: expressAdapter,
};
