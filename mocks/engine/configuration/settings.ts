import type { HandlerContext } from 'specmill/mock';

import type { McpToolName } from '../../../generated/engine/types.js';
import type { Entity } from './entity.js';

export type Provider =
  | 'StaticWebApps'
  | 'Simulator'
  | 'AppService'
  | 'Custom'
  | 'Unauthenticated'
  | 'enterprise-id'
  | 'enterprise-directory';

export interface DataSourceCheck {
  readonly name: string;
  /** Milliseconds. */
  readonly threshold: number;
}

export interface EngineSettings {
  readonly rest: { readonly enabled: boolean; readonly path: string; readonly isStrict: boolean };
  readonly pagination: { readonly defaultSize: number; readonly maxSize: number; readonly isRelative: boolean };
  readonly graphql: {
    readonly enabled: boolean;
    readonly path: string;
    readonly allowsIntrospection: boolean;
    /** Absent: no limit. */
    readonly depthLimit?: number;
    readonly aggregates: boolean;
    readonly createsMany: boolean;
  };
  readonly mcp: {
    readonly enabled: boolean;
    readonly path: string;
    readonly instructions?: string;
    readonly allowedHosts: readonly string[];
    readonly tools: ReadonlySet<McpToolName>;
    /** Seconds. */
    readonly aggregateTimeout: number;
  };
  readonly host: {
    readonly mode: 'Production' | 'Development';
    readonly maxResponseMegabytes: number;
    readonly cors: { readonly origins: readonly string[]; readonly allowCredentials: boolean };
    readonly provider: Provider;
    readonly jwt?: { readonly audience: string; readonly issuer: string };
  };
  /** How long reads are cached, in seconds; absent if the cache is off. */
  readonly cacheSeconds?: number;
  readonly compression: 'optimal' | 'fastest' | 'none';
  readonly health: {
    readonly enabled: boolean;
    /** Absent: every role may read the report. */
    readonly roles?: readonly string[];
    /** How long a report is cached, in seconds. */
    readonly ttl: number;
    readonly dataSources: readonly DataSourceCheck[];
  };
  readonly telemetry: boolean;
  /** Entities by name. Absent if no file has entities; then an entity is created with its first row. */
  readonly entities?: ReadonlyMap<string, Entity>;
  /** Tables between entities that are no entities themselves, by name in the database. */
  readonly links: ReadonlyMap<string, Entity>;
}

/** The settings of the handler's mock, as read by `prepare`. */
export function settingsOf({ config }: Pick<HandlerContext, 'config'>): EngineSettings {
  return config as EngineSettings;
}
