import type { ExchangeObserver } from './exchange.js';
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
  /** Responds what the server does not implement. */
  readonly mock: typeof fetch | undefined;
  /** The names under which the proxy may be reached. */
  readonly hostRule: HostRule;
  /** The name of this proxy in `Via`, by which it knows its own calls. */
  readonly pseudonym: string;
}

export interface ExchangeSettings {
  /** Requests and responses that break the spec are not forwarded. */
  readonly errors: boolean;
  /** The most bytes of a body that are kept and checked, as sent and expanded. */
  readonly maxBodyBytes: number;
  /** Whether bodies that are not checked are kept too: they are recorded, or may be needed again. */
  readonly keepsBodies: boolean;
  /** How long nothing may move before a response begins, in milliseconds. */
  readonly patience: number;
}
