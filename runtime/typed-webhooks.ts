import type { Codec } from './codecs.js';
import { readWebhook, WebhookError, type WebhookOptions, type WebhookPlan } from './helpers.js';

/** How the values of webhooks differ from JSON. */
export interface WebhookCodecs {
  /** By name of the webhook: the codec of its request. */
  readonly codecs: Readonly<Record<string, Codec>>;
  /** Parses JSON without losing digits. */
  readonly parse?: (text: string) => unknown;
}

/**
 * Reads an incoming webhook like {@link readWebhook}, with values in the types of the program. It is validated as JSON, before
 * it is converted.
 *
 * @throws WebhookError also if a value cannot be converted.
 */
export async function readTypedWebhook<Result>(
  name: string,
  plans: Readonly<Record<string, WebhookPlan>>,
  given: { readonly request: Request; readonly options: WebhookOptions | undefined },
  { codecs, parse }: WebhookCodecs,
): Promise<Result> {
  const copy = parse === undefined ? undefined : given.request.clone();
  const values = await readWebhook<{ readonly body: unknown }>(name, plans, given);
  const codec = Object.hasOwn(codecs, name) ? codecs[name] : undefined;
  if (codec === undefined) return values as Result;
  const text = typeof values.body === 'object' ? await copy?.text() : undefined;
  try {
    return codec(
      text === undefined ? values : { ...values, body: readExact(text, values.body, parse) },
      'decode',
    ) as Result;
  } catch (cause) {
    throw new WebhookError('body', `The webhook ${name} has a value that cannot be read.`, { cause });
  }
}

/** Parses a JSON body again, without losing digits. A form is returned unchanged. */
function readExact(text: string, body: unknown, parse: ((text: string) => unknown) | undefined): unknown {
  return parse !== undefined && /^\s*[[{]/.test(text) ? parse(text) : body;
}
