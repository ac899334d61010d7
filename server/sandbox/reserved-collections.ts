/** Collections of the mock itself, kept beside those of the API so that a snapshot has them. No API's collection starts with `#`. */
export const JOBS = '#jobs';
export const CALLBACKS = '#callbacks';
export const COUNTERS = '#counters';
/** The accounts (`''`: the sandbox as a whole) that were filled with the seed. */
export const SEEDED = '#seeded';
