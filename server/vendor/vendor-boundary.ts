import type { Api } from '../../model/api.js';
import type { VendorNames } from '../../model/brand/parse-vendor.js';
import { renameText } from '../../model/brand/rename-text.js';
import type { OpenSocket } from '../pipeline/create-socket-pipeline.js';
import type { HandleRequest } from '../sandbox/sandbox.js';
import { toRealAnswer } from './real-answer.js';
import { hostOf, SeedRequest } from './seed-request.js';
import { RealSandbox } from './real-sandbox.js';
import { createTranslation } from './translation.js';
import { toSeedSocket } from './seed-socket.js';

/** What stands between the doors and a pipeline that speaks in the words of the seed. */
export interface VendorBoundary {
  readonly handle: (inner: HandleRequest) => HandleRequest;
  readonly openSocket: (inner: OpenSocket) => OpenSocket;
}

const OPEN: VendorBoundary = { handle: (inner) => inner, openSocket: (inner) => inner };

/**
 * Lets clients speak in the real names, while the pipeline and the behaviours keep the words of the seed. Those are
 * still understood; answers are in the real names always.
 *
 * @example
 * const boundary = createVendorBoundary(api, parseVendor('acme,header=ac'));
 * const handle = boundary.handle(createPipeline(options));
 */
export function createVendorBoundary(api: Api, names: VendorNames | undefined): VendorBoundary {
  const translation = names === undefined ? undefined : createTranslation(api, names);
  if (translation === undefined) return OPEN;
  const { inbound, outbound } = translation;
  return {
    handle: (inner) => async (request, sandbox) => {
      const answer = await inner(new SeedRequest(request, inbound), new RealSandbox(sandbox, outbound));
      return toRealAnswer(answer, outbound, hostOf(request));
    },
    openSocket: (inner) => async (request, sandbox) => {
      const opened = await inner(new SeedRequest(request, inbound), new RealSandbox(sandbox, outbound));
      const host = hostOf(request);
      if (!opened.ok) return { ok: false, answer: toRealAnswer(opened.answer, outbound, host) };
      return { ok: true, serve: (socket) => opened.serve(toSeedSocket(socket, translation, host)) };
    },
  };
}

/** The API with the real names of its keys, by which the journal knows what to redact. */
export function withRealKeys(api: Api, names: VendorNames | undefined): Api {
  if (names === undefined) return api;
  const schemes = [...api.securitySchemes].map(
    ([id, scheme]) =>
      [id, scheme.type === 'apiKey' ? { ...scheme, name: renameText(scheme.name, names) } : scheme] as const,
  );
  return { ...api, securitySchemes: new Map(schemes) };
}
