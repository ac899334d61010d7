import type { ResolvedOptions } from '../resolve-options.js';
import { Redaction, variableOf } from './redaction.js';
import { quote } from './shell-quote.js';
import { PHASES } from '../types.js';

/** The line for a shell that repeats a run; for an API that was loaded, the call. Redaction stay out of it. */
export function rerunCommand(
  options: Pick<ResolvedOptions, 'source' | 'url' | 'seed' | 'phases' | 'maxExamples' | 'headers'>,
): string {
  const { source, url, seed, phases, maxExamples, headers } = options;
  const isWhole = phases.length === PHASES.length;
  if (source.api === undefined && source.spec === undefined) {
    const own = isWhole ? {} : { phases };
    return `runContract({ api, ...${JSON.stringify({ url: url.href, seed, maxExamples, ...own })} })`;
  }
  const secrets = new Redaction();
  secrets.addHeaders(headers);
  const words = [
    'specmill contract',
    ...(source.api === undefined ? [] : [word(source.api)]),
    ...(source.spec ?? []).map((file) => `--spec ${word(file)}`),
    `--url ${word(url.href)}`,
    `--seed ${seed}`,
    ...(isWhole ? [] : [`--phase ${phases.join(',')}`]),
    `--max-examples ${maxExamples}`,
    ...Object.entries(headers).map(([name, value]) =>
      secrets.hasHeader(name, value)
        ? `--header ${quote(`${name}: `)}"$${variableOf(name)}"`
        : `--header ${quote(`${name}: ${value}`)}`,
    ),
  ];
  return words.join(' ');
}

/** Quotes a text for a shell unless it is one plain word. */
function word(text: string): string {
  return /^[\w./:@%+,-]+$/.test(text) ? text : quote(text);
}
