import { countOf } from './counts.js';

/** An OpenAPI Overlay that makes a spec true to a server. */
export interface WrittenOverlay {
  /** Absolute path. Nothing is written there if there are no actions. */
  readonly file: string;
  readonly actions: number;
  /** How many observations may be faults of the server. */
  readonly uncertain: number;
  /** How many are about files that overlays do not change: those that the spec references. */
  readonly elsewhere: number;
  /** How many actions would need a name with control characters, which no JSONPath can have. */
  readonly unnamed: number;
  /** How many parts of values found no room in memory. */
  readonly omitted: number;
}

/** Says what an overlay has, as sentences for a terminal. */
export function describeOverlay({ file, actions, uncertain, elsewhere, unnamed, omitted }: WrittenOverlay): string[] {
  const are = (count: number): string => `${countOf(count, 'observation')} ${count === 1 ? 'is' : 'are'}`;
  return [
    actions === 0
      ? 'No overlay was written: nothing that is certain differs from the spec.'
      : `${file}: ${countOf(actions, 'action')} to make the spec true to the server.`,
    ...(uncertain === 0 ? [] : [`${are(uncertain)} not certain enough for the overlay: the server may be wrong.`]),
    ...(elsewhere === 0
      ? []
      : [`${are(elsewhere)} about files that the spec references, and overlays do not change these.`]),
    ...(unnamed === 0
      ? []
      : [`${countOf(unnamed, 'action')} would need a name with control characters, which no JSONPath can have.`]),
    ...(omitted === 0
      ? []
      : [`${countOf(omitted, 'part')} of values were not counted: the memory for them has a limit.`]),
  ];
}
