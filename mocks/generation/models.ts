import { parseIsoTime, withoutUndefined } from 'specmill/mock';

import type { Modality, Model } from '../../generated/generation/types.js';
import { notFound, refuse, refuseState } from './refusal.js';

export type Method =
  | 'generateContent'
  | 'streamGenerateContent'
  | 'countTokens'
  | 'createCachedContent'
  | 'embedContent'
  | 'batchEmbedContents'
  | 'bidiGenerateContent';

const GENERATES: readonly Method[] = ['generateContent', 'streamGenerateContent', 'countTokens'];
const GENERATES_AND_CACHES: readonly Method[] = [...GENERATES, 'createCachedContent'];
const EMBEDS: readonly Method[] = ['embedContent', 'batchEmbedContents'];
const METHODS: readonly Method[] = [...GENERATES_AND_CACHES, ...EMBEDS, 'bidiGenerateContent'];

interface Listing extends Omit<Model, 'name' | 'baseModelId' | 'supportedGenerationMethods'> {
  readonly id: string;
  readonly methods?: readonly Method[];
}

/** A model with the defaults of its family, with members in the order of the spec, for readability. */
function describeModel({ id, methods = GENERATES, ...listing }: Listing): Model {
  const { version = '001', displayName, description, inputTokenLimit, outputTokenLimit, ...more } = listing;
  return {
    ...{ name: `models/${id}`, baseModelId: id, version },
    ...withoutUndefined({ displayName, description, inputTokenLimit, outputTokenLimit }),
    ...{ supportedGenerationMethods: [...methods], supportedResponseModalities: [['TEXT']] },
    ...{ thinking: false, temperature: 1, maxTemperature: 2, topP: 0.95 },
    ...more,
  };
}

/** The models, in the order of their names: the examples of the spec, and one that is deprecated. */
const LISTINGS: readonly Listing[] = [
  {
    ...{ id: 'sonata-1-flash', displayName: 'Sonata 1 Flash', description: 'The first fast model, retired.' },
    ...{ inputTokenLimit: 32_768, outputTokenLimit: 2_048, temperature: 0.9 },
    modelStatus: {
      ...{ modelStage: 'RETIRED', retirementTime: '2026-03-31T00:00:00Z', message: 'Use models/sonata-2-flash.' },
    },
  },
  {
    ...{ id: 'sonata-1-pro', displayName: 'Sonata 1 Pro', version: '002' },
    description: 'The first large model, for existing customers only.',
    ...{ inputTokenLimit: 131_072, outputTokenLimit: 8_192, temperature: 0.9, topK: 40 },
    modelStatus: {
      ...{ modelStage: 'LEGACY', retirementTime: '2027-06-30T00:00:00Z' },
      message: 'Retires on 30 June 2027. Move to models/sonata-2-pro.',
    },
  },
  {
    ...{ id: 'sonata-1-vision', displayName: 'Sonata 1 Vision' },
    description: 'The first model for images, deprecated.',
    ...{ inputTokenLimit: 32_768, outputTokenLimit: 2_048, temperature: 0.9 },
    modelStatus: { modelStage: 'DEPRECATED', message: 'Use models/sonata-2-image.' },
  },
  {
    ...{ id: 'sonata-2-flash', displayName: 'Sonata 2 Flash', methods: GENERATES_AND_CACHES },
    description: 'A fast model for text and speech, with thinking.',
    ...{ inputTokenLimit: 1_048_576, outputTokenLimit: 65_536, supportedResponseModalities: [['TEXT'], ['AUDIO']] },
    ...{ thinking: true, topK: 64, modelStatus: { modelStage: 'STABLE' } },
  },
  {
    ...{ id: 'sonata-2-image', displayName: 'Sonata 2 Image', description: 'A model for text and images.' },
    ...{ inputTokenLimit: 65_536, outputTokenLimit: 32_768, modelStatus: { modelStage: 'PREVIEW' } },
    supportedResponseModalities: [['TEXT'], ['IMAGE'], ['TEXT', 'IMAGE']],
  },
  {
    ...{ id: 'sonata-2-live', displayName: 'Sonata 2 Live', methods: ['bidiGenerateContent', 'countTokens'] },
    description: 'A model for live sessions with text or speech.',
    ...{ inputTokenLimit: 131_072, outputTokenLimit: 8_192, supportedResponseModalities: [['TEXT'], ['AUDIO']] },
    ...{ thinking: true, topK: 64, modelStatus: { modelStage: 'STABLE' } },
  },
  {
    ...{ id: 'sonata-2-pro', displayName: 'Sonata 2 Pro', version: 'preview-11-2026', methods: GENERATES_AND_CACHES },
    description: 'A large model for text, with thinking.',
    ...{ inputTokenLimit: 1_048_576, outputTokenLimit: 65_536 },
    ...{ thinking: true, topK: 64, modelStatus: { modelStage: 'PREVIEW' } },
  },
  {
    ...{ id: 'sonata-embedding-1', displayName: 'Sonata Embedding 1', methods: [...EMBEDS, 'countTokens'] },
    ...{ description: 'A model for embeddings of texts.', inputTokenLimit: 2_048, outputTokenLimit: 1 },
    modelStatus: { modelStage: 'STABLE' },
  },
];

const MODELS: readonly Model[] = LISTINGS.map(describeModel);

/** Words that mark the name of a model as unknown. See the path parameter `model` in the spec. */
const ABSENT = /(?:^|[-_.])(?:absent|bogus|invalid|missing|no|nobody|none|nope|not|non[a-z]+|unknown)(?=$|[-_.])/i;
/** The family of the catalogue, which has only listed models. */
const FAMILY = /^sonata-/;

/**
 * Finds the model of a name, with its stage at a time: retired from its retirement on. The name may also be its
 * version. A name outside the catalogue is served unless it contains a word such as `missing`.
 */
export function findModel(name: string, now: number): Model | undefined {
  const id = name.replace(/^models\//, '');
  const listed = MODELS.find((model) => namesOf(model).includes(id));
  if (listed !== undefined) return atTime(listed, now);
  // A name with several segments would break the name of the returned model.
  return FAMILY.test(id) || ABSENT.test(id) || id.includes('/') ? undefined : makeOtherModel(id);
}

function namesOf(model: Model): readonly string[] {
  const id = modelId(model.name);
  return [id, versionOf(model), `${id}-latest`];
}

export function listModels(now: number): readonly Model[] {
  return MODELS.map((model) => atTime(model, now));
}

function atTime(model: Model, now: number): Model {
  const { modelStatus } = model;
  if (modelStatus?.retirementTime === undefined || parseIsoTime(modelStatus.retirementTime) > now) return model;
  return { ...model, modelStatus: { ...modelStatus, modelStage: 'RETIRED' } };
}

/**
 * Returns the model that a request names, if it can be used.
 *
 * @throws HttpError if no model has the name, its stage forbids its use, or it does not serve the method.
 */
export function useModel(id: string, method: Method, now: number): Model {
  const model = findModel(id, now);
  if (model === undefined) throw notFound(`Model models/${id}`);
  const stage = model.modelStatus?.modelStage;
  if (stage === 'DEPRECATED' || stage === 'RETIRED') {
    throw refuseState(`Model ${model.name} is ${stage} and cannot be used.`);
  }
  if (model.supportedGenerationMethods?.includes(method) !== true)
    throw refuse(`Model ${model.name} does not support ${method}.`);
  return model;
}

/** The id of a full name, `models/{model}`. */
export function modelId(name: string): string {
  return name.slice('models/'.length);
}

function makeOtherModel(id: string): Model {
  return describeModel({
    ...{ id, displayName: id, methods: METHODS, inputTokenLimit: 1_048_576, outputTokenLimit: 65_536 },
    supportedResponseModalities: [['TEXT'], ['AUDIO'], ['IMAGE'], ['TEXT', 'IMAGE']],
    ...{ thinking: true, topK: 64, modelStatus: { modelStage: 'STABLE' } },
  });
}

/** The combinations that a model supports; only text if its record has none. */
export function combinationsOf({ supportedResponseModalities }: Model): readonly (readonly Modality[])[] {
  return supportedResponseModalities ?? [['TEXT']];
}

/** The version of a model, as in responses. */
export function versionOf({ name, version }: Model): string {
  return version === undefined ? modelId(name) : `${modelId(name)}-${version}`;
}
