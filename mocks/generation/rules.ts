import type { GenerationConfig, Model } from '../../generated/generation/types.js';
import { combinationsOf } from './models.js';
import { refuse } from './refusal.js';

/** A setting that a model does not allow. */
interface Rule {
  /** As the seed document or the spec says it. */
  readonly sentence: string;
  readonly pointer: string;
  /** What is refused, in words that follow the name of the model. */
  readonly find: (model: Model, config: GenerationConfig) => string | undefined;
}

/** Combinations of settings and models that are refused. */
const RULES: readonly Rule[] = [
  {
    sentence: 'responseModalities: must match a supported combination, otherwise an error. Empty means text only.',
    pointer: '/generationConfig/responseModalities',
    find: (model, { responseModalities: wanted = [] }) => {
      const asked = new Set(wanted);
      const fits = combinationsOf(model).some(
        (one) => one.length === asked.size && one.every((modality) => asked.has(modality)),
      );
      return wanted.length === 0 || fits ? undefined : `does not support the response modalities ${wanted.join(', ')}`;
    },
  },
  {
    sentence: 'thinkingConfig causes an error on models that do not support it.',
    pointer: '/generationConfig/thinkingConfig',
    find: ({ thinking }, { thinkingConfig }) =>
      thinkingConfig !== undefined && thinking !== true ? 'does not support thinkingConfig' : undefined,
  },
  {
    sentence: 'imageConfig causes an error on models that do not support it.',
    pointer: '/generationConfig/imageConfig',
    find: (model, { imageConfig }) => {
      const makesImages = combinationsOf(model).some((one) => one.includes('IMAGE'));
      return imageConfig !== undefined && !makesImages ? 'does not support imageConfig' : undefined;
    },
  },
  {
    sentence: 'topK: not allowed for models that use nucleus sampling only (those without topK).',
    pointer: '/generationConfig/topK',
    find: (model, { topK }) => (topK !== undefined && model.topK === undefined ? 'does not support topK' : undefined),
  },
  {
    sentence: 'candidateCount: the mock returns at most 128 (x-assumption).',
    pointer: '/generationConfig/candidateCount',
    find: (_model, { candidateCount = 1 }) =>
      candidateCount > 128 ? 'does not support more than 128 candidates' : undefined,
  },
];

/** @throws HttpError where the model does not allow a setting. */
export function checkConfig(model: Model, config: GenerationConfig): void {
  for (const { pointer, find } of RULES) {
    const problem = find(model, config);
    if (problem === undefined) continue;
    throw refuse(`Model ${model.name} ${problem}.`, {
      violations: [{ in: 'body', pointer, message: `model ${problem}` }],
    });
  }
}
