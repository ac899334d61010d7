import type {
  HarmBlockThreshold,
  HarmCategory,
  HarmProbability,
  SafetyRating,
  SafetySetting,
} from '../../generated/generation/types.js';

const LEVELS: readonly HarmProbability[] = ['NEGLIGIBLE', 'LOW', 'MEDIUM', 'HIGH'];

/** From which level on content is blocked; `undefined`: never. */
const BLOCKED_FROM: Readonly<Record<HarmBlockThreshold, HarmProbability | undefined>> = {
  HARM_BLOCK_THRESHOLD_UNSPECIFIED: 'MEDIUM',
  BLOCK_LOW_AND_ABOVE: 'LOW',
  BLOCK_MEDIUM_AND_ABOVE: 'MEDIUM',
  BLOCK_ONLY_HIGH: 'HIGH',
  BLOCK_NONE: undefined,
  OFF: undefined,
};

/** The ratings of content: one for each category that a setting names or that was found, and whether one of them blocks. */
export function rate(
  harm: ReadonlyMap<HarmCategory, HarmProbability>,
  settings: readonly SafetySetting[],
): { readonly ratings: SafetyRating[]; readonly isBlocked: boolean } {
  const categories = new Set([...settings.map(({ category }) => category), ...harm.keys()]);
  const ratings = [...categories].map((category): SafetyRating => {
    const probability = harm.get(category) ?? 'NEGLIGIBLE';
    const threshold =
      settings.find((setting) => setting.category === category)?.threshold ?? 'HARM_BLOCK_THRESHOLD_UNSPECIFIED';
    const from = BLOCKED_FROM[threshold];
    const isBlocked = from !== undefined && LEVELS.indexOf(probability) >= LEVELS.indexOf(from);
    return { category, probability, ...(isBlocked ? { blocked: true } : {}) };
  });
  return { ratings, isBlocked: ratings.some(({ blocked }) => blocked === true) };
}
