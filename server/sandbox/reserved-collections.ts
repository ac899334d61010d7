/** Collections of the mock itself, kept beside those of the API so that a snapshot has them. No API's collection starts with `#`. */
export const JOBS = '#jobs';
export const CALLBACKS = '#callbacks';
export const COUNTERS = '#counters';
/** The accounts (`''`: the sandbox as a whole) that were filled with the seed. */
export const SEEDED = '#seeded';
/** The inferred collections that have had their examples: part of the state, so that a snapshot knows it too. */
export const EXAMPLES = '#examples';
/** The records of a shared sandbox beside its data: clock, random position, faults, and a name for its life until the next reset. */
export const META = '#sandbox';
/** Which process works on something that one at a time may work on. */
export const LEASES = '#leases';
/** Addresses that web pages of other origins have named. */
export const FOREIGN = '#foreign';
/** Collections that are no part of a snapshot. */
export const UNSEEN: readonly string[] = [META, LEASES, FOREIGN];
