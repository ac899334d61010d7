import { randomUUID } from 'node:crypto';

import { generateValue } from '../../schema/generate-value.js';
import { type Preference, readPreference } from '../prism/prefer.js';
import type { AskMocker } from '../prism/prism-mocker.js';
import { readAccept, readAlias } from '../../http/response/accept.js';
import { checkAnswer, mediaOf } from '../../http/response/check-response.js';
import type { CompiledOperation } from './compiled-operation.js';
import { type Exchange, type ExchangeResponse, headerText } from './exchange.js';
import type { PipelineOptions } from './pipeline-options.js';

/** Prism's mocker as a step of the pipeline. */
export interface MockerStep {
  /** To be waited for before the first `ask`. */
  readonly load: () => Promise<void>;
  /** @throws HttpError where Prism finds no answer: a status or an example that is not there, a type that is not wanted */
  readonly ask: (compiled: CompiledOperation, exchange: Exchange) => ExchangeResponse;
}

export function preferenceOf({ request }: Exchange): Preference | undefined {
  return readPreference(headerText(request, 'prefer'));
}

export function createMockerStep({ api, options }: PipelineOptions): MockerStep {
  let mocker: AskMocker | undefined;
  const seedOf = ({ request, compiled }: Exchange): string =>
    options.seed === undefined ? randomUUID() : `${options.seed} ${compiled?.operation.id} ${request.target}`;

  const alias = readAlias(api);
  const acceptOf = ({ request }: Exchange): string | undefined => {
    const accept = headerText(request, 'accept');
    // Prism knows nothing of such a type.
    return alias !== undefined && readAccept(accept)(alias, alias) > 0 ? undefined : accept;
  };

  /** Where Prism's value would break the spec, ours, which is proven. */
  const repair = (reply: ExchangeResponse, compiled: CompiledOperation): ExchangeResponse => {
    const rule = compiled.findAnswerRule(reply.status);
    if (reply.exempt || reply.body?.kind !== 'json' || rule === undefined) return reply;
    const violations = checkAnswer(reply, rule, { withBody: true });
    if (violations.length === 0) return reply;
    const schema = mediaOf(reply, rule)?.media.schema ?? true;
    const made = generateValue(api, schema, { direction: 'response', seed: options.seed ?? 1 });
    // What the document itself says wrongly is better than nothing, and no bug of the mock.
    return made.ok ? { ...reply, body: { kind: 'json', value: made.value }, exempt: true } : { ...reply, exempt: true };
  };

  return {
    load: async () => {
      if (mocker !== undefined) return;
      const { createPrismMocker } = await import('../prism/prism-mocker.js');
      mocker ??= createPrismMocker(api);
    },
    ask: (compiled, exchange) => {
      if (mocker === undefined) throw new Error('The mocker is asked before it is loaded.');
      const preference = preferenceOf(exchange);
      const reply = mocker({
        operation: compiled.operation,
        method: exchange.request.method,
        path: exchange.target.path,
        accept: acceptOf(exchange),
        preference,
        seed: seedOf(exchange),
      });
      return repair({ ...reply, exempt: preference !== undefined }, compiled);
    },
  };
}
