import { renderProblem } from '../../http/errors/render-error.js';
import type { MockResponse, RequestBase } from '../../http/messages.js';
import { splitTarget } from '../../http/routing/router.js';
import { InputError } from '../../model/diagnostics/input-error.js';

/** A request target below the prefix of an API. */
export interface MountedTarget<Mounted> {
  readonly mounted: Mounted;
  /** Path and query without the prefix. */
  readonly target: string;
  readonly base: RequestBase;
}

interface Entry<Mounted> {
  readonly mounted: Mounted;
  readonly base: RequestBase;
}

/** The APIs of one server by their prefixes. The longest prefix that fits is used. */
export class Mounts<Mounted> {
  /** The only API, if it has no prefix: its targets are those of the requests. */
  sole: Entry<Mounted> | undefined;
  #entries: readonly Entry<Mounted>[] = [];

  get prefixes(): readonly string[] {
    return this.#entries.map(({ base }) => base.prefix);
  }

  /** @throws InputError if another API has the prefix. */
  add(mounted: Mounted, base: RequestBase): void {
    if (this.prefixes.includes(base.prefix))
      throw new InputError(`The path ${base.prefix === '' ? '/' : base.prefix} already serves another mock.`);
    const all = [...this.#entries, { mounted, base }];
    this.#set(all.toSorted((one, other) => other.base.prefix.length - one.base.prefix.length));
  }

  remove(mounted: Mounted): void {
    this.#set(this.#entries.filter((entry) => entry.mounted !== mounted));
  }

  #set(entries: readonly Entry<Mounted>[]): void {
    this.#entries = entries;
    this.sole = entries.length === 1 && entries[0]?.base.prefix === '' ? entries[0] : undefined;
  }

  find(given: string): MountedTarget<Mounted> | undefined {
    for (const { mounted, base } of this.#entries) {
      const target = stripPrefix(given, base.prefix);
      if (target !== undefined) return { mounted, target, base };
    }
    return undefined;
  }
}

/** Returns a target without a prefix; `undefined` if it does not begin with it. */
export function stripPrefix(target: string, prefix: string): string | undefined {
  if (prefix === '') return target;
  const relative = target.startsWith('/') ? target : withoutOrigin(target);
  if (!relative.startsWith(prefix)) return undefined;
  const rest = relative.slice(prefix.length);
  if (rest === '' || rest.startsWith('?')) return `/${rest}`;
  return rest.startsWith('/') ? rest : undefined;
}

function withoutOrigin(target: string): string {
  const { path, query } = splitTarget(target);
  return query === '' ? path : `${path}?${query}`;
}

/** Responds to a request that is below no prefix. */
export function refuseUnmounted(prefixes: readonly string[]): MockResponse {
  const message = `The mocks are served below ${prefixes.toSorted().join(', ')}.`;
  return { status: 404, ...renderProblem({ status: 404, message }) };
}
