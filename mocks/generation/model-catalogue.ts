import type { Model } from '../../generated/generation/types.js';

const GENERATES = ['generateContent', 'streamGenerateContent', 'countTokens'];
const GENERATES_AND_CACHES = [...GENERATES, 'createCachedContent'];

/** The models, in the order of their names: the examples of the spec, and one that is deprecated. */
export const MODELS: readonly Model[] = [
  {
    ...{ name: 'models/sonata-1-flash', baseModelId: 'sonata-1-flash', version: '001', displayName: 'Sonata 1 Flash' },
    ...{ description: 'The first fast model, retired.', inputTokenLimit: 32_768, outputTokenLimit: 2_048 },
    ...{ supportedGenerationMethods: GENERATES, supportedResponseModalities: [['TEXT']] },
    ...{ thinking: false, temperature: 0.9, maxTemperature: 2, topP: 0.95 },
    modelStatus: {
      modelStage: 'RETIRED',
      retirementTime: '2026-03-31T00:00:00Z',
      message: 'Use models/sonata-2-flash.',
    },
  },
  {
    ...{ name: 'models/sonata-1-pro', baseModelId: 'sonata-1-pro', version: '002', displayName: 'Sonata 1 Pro' },
    ...{
      description: 'The first large model, for existing customers only.',
      inputTokenLimit: 131_072,
      outputTokenLimit: 8_192,
    },
    ...{ supportedGenerationMethods: GENERATES, supportedResponseModalities: [['TEXT']] },
    ...{ thinking: false, temperature: 0.9, maxTemperature: 2, topP: 0.95, topK: 40 },
    modelStatus: {
      modelStage: 'LEGACY',
      retirementTime: '2027-06-30T00:00:00Z',
      message: 'Retires on 30 June 2027. Move to models/sonata-2-pro.',
    },
  },
  {
    ...{
      name: 'models/sonata-1-vision',
      baseModelId: 'sonata-1-vision',
      version: '001',
      displayName: 'Sonata 1 Vision',
    },
    ...{ description: 'The first model for images, deprecated.', inputTokenLimit: 32_768, outputTokenLimit: 2_048 },
    ...{ supportedGenerationMethods: GENERATES, supportedResponseModalities: [['TEXT']] },
    ...{ thinking: false, temperature: 0.9, maxTemperature: 2, topP: 0.95 },
    modelStatus: { modelStage: 'DEPRECATED', message: 'Use models/sonata-2-image.' },
  },
  {
    ...{ name: 'models/sonata-2-flash', baseModelId: 'sonata-2-flash', version: '001', displayName: 'Sonata 2 Flash' },
    ...{
      description: 'A fast model for text and speech, with thinking.',
      inputTokenLimit: 1_048_576,
      outputTokenLimit: 65_536,
    },
    ...{ supportedGenerationMethods: GENERATES_AND_CACHES, supportedResponseModalities: [['TEXT'], ['AUDIO']] },
    ...{ thinking: true, temperature: 1, maxTemperature: 2, topP: 0.95, topK: 64 },
    modelStatus: { modelStage: 'STABLE' },
  },
  {
    ...{ name: 'models/sonata-2-image', baseModelId: 'sonata-2-image', version: '001', displayName: 'Sonata 2 Image' },
    ...{ description: 'A model for text and images.', inputTokenLimit: 65_536, outputTokenLimit: 32_768 },
    ...{ supportedGenerationMethods: GENERATES, supportedResponseModalities: [['TEXT'], ['IMAGE'], ['TEXT', 'IMAGE']] },
    ...{ thinking: false, temperature: 1, maxTemperature: 2, topP: 0.95 },
    modelStatus: { modelStage: 'PREVIEW' },
  },
  {
    ...{ name: 'models/sonata-2-live', baseModelId: 'sonata-2-live', version: '001', displayName: 'Sonata 2 Live' },
    ...{
      description: 'A model for live sessions with text or speech.',
      inputTokenLimit: 131_072,
      outputTokenLimit: 8_192,
    },
    ...{
      supportedGenerationMethods: ['bidiGenerateContent', 'countTokens'],
      supportedResponseModalities: [['TEXT'], ['AUDIO']],
    },
    ...{ thinking: true, temperature: 1, maxTemperature: 2, topP: 0.95, topK: 64 },
    modelStatus: { modelStage: 'STABLE' },
  },
  {
    ...{
      name: 'models/sonata-2-pro',
      baseModelId: 'sonata-2-pro',
      version: 'preview-11-2026',
      displayName: 'Sonata 2 Pro',
    },
    ...{ description: 'A large model for text, with thinking.', inputTokenLimit: 1_048_576, outputTokenLimit: 65_536 },
    ...{ supportedGenerationMethods: GENERATES_AND_CACHES, supportedResponseModalities: [['TEXT']] },
    ...{ thinking: true, temperature: 1, maxTemperature: 2, topP: 0.95, topK: 64 },
    modelStatus: { modelStage: 'PREVIEW' },
  },
];
