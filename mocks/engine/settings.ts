/** What a configuration file sets, as far as this mock follows it. */
export interface EngineSettings {
  readonly defaultPageSize: number;
  readonly maxPageSize: number;
  /** Seconds for which a health report is served again. */
  readonly healthTtl: number;
  /** Milliseconds. */
  readonly healthThreshold: number;
  readonly mode: 'Production' | 'Development';
}

/** The defaults of the configuration, but in development mode: in production nobody could read the health report. */
export const SETTINGS: EngineSettings = {
  defaultPageSize: 100,
  maxPageSize: 100_000,
  healthTtl: 5,
  healthThreshold: 1_000,
  mode: 'Development',
};
