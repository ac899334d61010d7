import type { ExchangeObserver } from './forwarded-exchange.js';
import type { HostRule } from '../../http/wire/host-guard.js';
import type { RenderError } from '../../http/errors/render-error.js';
import type { CheckExchange } from '../check-exchange.js';
import type { Upstream } from '../wire/upstream.js';

/** The parts that all calls of a proxy share. */
export interface ProxyContext {
  readonly upstream: Upstream;
  readonly check: CheckExchange;
  readonly renderError: RenderError;
  readonly observer: ExchangeObserver;
  readonly settings: ExchangeSettings;
  /** Responds in place of the server if that responds 501. */
  readonly mock: typeof fetch | undefined;
  /** The names under which the proxy may be reached. */
  readonly hostRule: HostRule;
  /** The name of this proxy in `Via`, by which it recognises its own calls. */
  readonly pseudonym: string;
}

export interface ExchangeSettings {
  /** Whether requests and responses that violate the spec are not forwarded. */
  readonly errors: boolean;
  /** The most bytes of a body, both as sent and decompressed, that are kept and checked. */
  readonly maxBodyBytes: number;
  /** Whether unchecked bodies are kept too, because they are recorded or may be needed again. */
  readonly keepsBodies: boolean;
  /** The longest idle time before a response begins, in milliseconds. */
  readonly patience: number;
}
