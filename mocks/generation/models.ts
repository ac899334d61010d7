import type { Modality, Model } from '../../generated/generation/types.js';
import { MODELS } from './model-catalogue.js';
import { refuse, notFound } from './refusal.js';

/** The methods that a model can serve. */
export type Method =
  | 'generateContent'
  | 'streamGenerateContent'
  | 'countTokens'
  | 'createCachedContent'
  | 'bidiGenerateContent';

/** Words by which a name says that there is no such model. See the path parameter `model` in the spec. */
const ABSENT = /(?:^|[-_.])(?:absent|bogus|invalid|missing|no|nobody|none|nope|not|non[a-z]+|unknown)(?=$|[-_.])/i;
/** The family of the catalogue: it has no models that are not listed. */
const FAMILY = /^sonata-/;

/**
 * The model of a name, with its stage at a time: from its retirement on it is retired. It may be named by its version
 * too, and a name outside the catalogue is served unless it contains a word such as `missing`.
 */
export function findModel(name: string, now: number): Model | undefined {
  const id = name.replace(/^models\//, '');
  const listed = MODELS.find((model) => namesOf(model).includes(id));
  if (listed !== undefined) return atTime(listed, now);
  // A name of more than one segment would break the name of the model that is given back.
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
  if (modelStatus?.retirementTime === undefined || Date.parse(modelStatus.retirementTime) > now) return model;
  return { ...model, modelStatus: { ...modelStatus, modelStage: 'RETIRED' } };
}

/**
 * The model that a request names, fit to be used.
 *
 * @throws HttpError if no model has the name, its stage forbids its use, or it does not serve the method.
 */
export function useModel(id: string, method: Method, now: number): Model {
  const model = findModel(id, now);
  if (model === undefined) throw notFound(`Model models/${id}`);
  const stage = model.modelStatus?.modelStage;
  if (stage === 'DEPRECATED' || stage === 'RETIRED') {
    throw refuse(`Model ${model.name} is ${stage} and cannot be used.`, { code: 'FAILED_PRECONDITION' });
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
  return {
    ...{
      name: `models/${id}`,
      baseModelId: id,
      version: '001',
      displayName: id,
      inputTokenLimit: 1_048_576,
      outputTokenLimit: 65_536,
    },
    supportedGenerationMethods: [
      'generateContent',
      'streamGenerateContent',
      'countTokens',
      'createCachedContent',
      'bidiGenerateContent',
    ],
    supportedResponseModalities: [['TEXT'], ['AUDIO'], ['IMAGE'], ['TEXT', 'IMAGE']],
    ...{
      thinking: true,
      temperature: 1,
      maxTemperature: 2,
      topP: 0.95,
      topK: 64,
      modelStatus: { modelStage: 'STABLE' },
    },
  };
}

/** The combinations that a model supports; text alone where its record does not say. */
export function combinationsOf({ supportedResponseModalities }: Model): readonly (readonly Modality[])[] {
  return supportedResponseModalities ?? [['TEXT']];
}

/** The version of a model, as responses tell it. */
export function versionOf({ name, version }: Model): string {
  return version === undefined ? modelId(name) : `${modelId(name)}-${version}`;
}
