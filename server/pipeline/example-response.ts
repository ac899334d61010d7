import { generateValue } from '../../schema/generate-value.js';
import { readAccept, readAlias } from '../../http/response/accept.js';
import { checkAnswer, mediaOf } from '../../http/response/check-response.js';
import { type Preference, readPreference } from '../prism/prefer.js';
import type { AskMocker } from '../prism/prism-mocker.js';
import { finalResponses } from '../prism/to-http-operation.js';
import { hashText } from '../infer/json-path.js';
import type { CompiledOperation } from './compiled-operation.js';
import { type Exchange, type ExchangeResponse, headerText } from './exchange.js';
import type { PipelineOptions } from './pipeline-options.js';

/** The response that the spec alone gives. */
export interface ExampleStep {
  /** Must be awaited before the first `select`. */
  readonly load: () => Promise<void>;
  /** @throws HttpError where the spec has no such response: a status, an example or a media type that it does not document */
  readonly select: (compiled: CompiledOperation, exchange: Exchange) => ExchangeResponse;
}

/** What the client asks for by `Prefer`, or by the query parameters that Prism takes for it. */
export function preferenceOf({ request, target, compiled }: Exchange): Preference | undefined {
  const { parameters } = compiled?.operation ?? { parameters: [] };
  return readPreference(headerText(request, 'prefer'), target.query, (name) =>
    parameters.some((parameter) => parameter.in === 'query' && parameter.name === name),
  );
}

/**
 * Prism's mocker selects the response, its media type and its example. A body without an example is made from the schema by
 * the generator of the fixtures, and so is one whose example the schema refuses.
 */
export function createExampleStep({ api, options }: PipelineOptions): ExampleStep {
  let mocker: AskMocker | undefined;
  const alias = readAlias(api);
  const acceptOf = ({ request }: Exchange): string | undefined => {
    const accept = headerText(request, 'accept');
    // Prism does not know the alias of a media type.
    return alias !== undefined && readAccept(accept)(alias, alias) > 0 ? undefined : accept;
  };
  const make = (response: ExchangeResponse, compiled: CompiledOperation, exchange: Exchange): ExchangeResponse => {
    const schema = mediaFor(response, compiled)?.media.schema;
    if (schema === undefined) return response;
    const made = generateValue(api, schema, { direction: 'response', seed: seedOf(exchange, options.seed) });
    return made.ok ? { ...response, body: { kind: 'json', value: made.value } } : response;
  };

  return {
    load: async () => {
      if (mocker !== undefined) return;
      const { createPrismMocker } = await import('../prism/prism-mocker.js');
      mocker ??= createPrismMocker(api);
    },
    select: (compiled, exchange) => {
      if (mocker === undefined) throw new Error('The mocker is asked before it is loaded.');
      const { operation } = compiled;
      if (finalResponses(operation).length === 0) return NO_CONTENT;
      const { method } = exchange.request;
      const preference = preferenceOf(exchange);
      const call = { operation, method, path: exchange.target.path, accept: acceptOf(exchange), preference };
      const selected = { ...mocker(call), exempt: preference !== undefined };
      const isMade = preference?.dynamic === true || !hasExample(selected, compiled);
      if (selected.body?.kind === 'json' && isMade) return make(selected, compiled, exchange);
      if (isValid(selected, compiled)) return selected;
      // The document is wrong then, and not the mock.
      return { ...make(selected, compiled, exchange), exempt: true };
    },
  };
}

/** `responses` may be missing (OpenAPI 3.1). */
const NO_CONTENT: ExchangeResponse = { status: 204, headers: {}, body: undefined, refusal: false, exempt: true };

function mediaFor(
  response: ExchangeResponse,
  { findAnswerRule }: CompiledOperation,
): ReturnType<typeof mediaOf> | undefined {
  const rule = findAnswerRule(response.status);
  return rule === undefined ? undefined : mediaOf(response, rule);
}

function hasExample(response: ExchangeResponse, compiled: CompiledOperation): boolean {
  return mediaFor(response, compiled)?.media.examples.some(({ value }) => value !== undefined) === true;
}

function isValid(response: ExchangeResponse, { findAnswerRule }: CompiledOperation): boolean {
  const rule = findAnswerRule(response.status);
  if (response.exempt || response.body?.kind !== 'json' || rule === undefined) return true;
  return checkAnswer(response, rule, { withBody: true }).length === 0;
}

/** The same request has the same values, where there is a seed. */
function seedOf({ request, compiled }: Exchange, seed: number | undefined): number {
  if (seed === undefined) return Math.floor(Math.random() * 2 ** 31);
  return hashText(`${seed} ${compiled?.operation.id} ${request.target}`);
}
