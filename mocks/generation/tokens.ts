import { stringifyExactJson } from 'specmill/mock';
import type {
  Content,
  ContentModality,
  GenerateContentRequest,
  ModalityTokenCount,
  Part,
  UsageMetadata,
} from '../../generated/generation/types.js';
import { contentsWithFiles, foldContents, hasFiles } from './fold-contents.js';

/** A word with the preceding space, in pieces of at most eight letters; any other character is its own token. */
const TOKEN = /\s*[\p{L}\p{N}_]{1,8}|\s*[^\s\p{L}\p{N}_]|\s+/gu;

/** Splits a text into tokens, which join to the text. */
export function splitTokens(text: string): string[] {
  return text.match(TOKEN) ?? [];
}

export type TokenCounts = ReadonlyMap<ContentModality, number>;

/** The tokens of media without a known size: an image, or a file elsewhere. */
const TOKENS_OF_MEDIA = 258;
const BYTES_PER_TOKEN = 1_000;

/** The size in bytes and the type of a file that a part references, if known. */
export type DescribeFile = (uri: string) => { readonly sizeBytes: number; readonly mimeType: string } | undefined;

/** What counts as the prompt of a request or of cached content. */
type Prompt = Partial<Pick<GenerateContentRequest, 'contents' | 'systemInstruction' | 'tools'>>;

/** The contents of a prompt, its instruction first. */
export function contentsOf({ contents = [], systemInstruction }: Prompt): Content[] {
  return [...[systemInstruction ?? []].flat(), ...contents];
}

/** Counts the tokens of a prompt with its tools. */
export function countPrompt(prompt: Prompt, describeFile: DescribeFile): TokenCounts {
  const { tools = [] } = prompt;
  const toolTokens = tools.length === 0 ? [] : ([['TEXT', splitTokens(stringifyExactJson(tools)).length]] as const);
  return addTokens(countTokens(contentsOf(prompt), describeFile), new Map(toolTokens));
}

/** Counts the tokens of contents, each part by its modality. */
export function countTokens(contents: readonly Content[], describeFile: DescribeFile): TokenCounts {
  const files = contentsWithFiles(contents).map((content) => countContent(content, describeFile));
  return files.length === 0 ? countWithoutFiles(contents) : addTokens(countWithoutFiles(contents), ...files);
}

/** A file may be gone, or another one, by the next time. */
const countWithoutFiles = foldContents<TokenCounts>(new Map(), (counts, content) =>
  hasFiles(content)
    ? counts
    : addTokens(
        counts,
        countContent(content, () => undefined),
      ),
);

export function countContent({ parts = [] }: Content, describeFile: DescribeFile): TokenCounts {
  const counts = new Map<ContentModality, number>();
  for (const part of parts) {
    const { modality, tokens } = countPart(part, describeFile);
    if (tokens > 0) counts.set(modality, (counts.get(modality) ?? 0) + tokens);
  }
  return counts;
}

function countPart(
  part: Part,
  describeFile: DescribeFile,
): { readonly modality: ContentModality; readonly tokens: number } {
  if (part.text !== undefined) return { modality: 'TEXT', tokens: splitTokens(part.text).length };
  if (part.inlineData !== undefined) {
    const { mimeType, data } = part.inlineData;
    return { modality: modalityOf(mimeType), tokens: countMedia(mimeType, Math.floor((data.length * 3) / 4)) };
  }
  if (part.fileData !== undefined) {
    const known = describeFile(part.fileData.fileUri);
    const mimeType = known?.mimeType ?? part.fileData.mimeType ?? 'application/octet-stream';
    return {
      modality: modalityOf(mimeType),
      tokens: known === undefined ? TOKENS_OF_MEDIA : countMedia(mimeType, known.sizeBytes),
    };
  }
  return { modality: 'TEXT', tokens: splitTokens(stringifyExactJson(part)).length };
}

function countMedia(mimeType: string, bytes: number): number {
  return mimeType.startsWith('image/') ? TOKENS_OF_MEDIA : Math.max(1, Math.ceil(bytes / BYTES_PER_TOKEN));
}

/** The modality of a media type. */
function modalityOf(mimeType: string): ContentModality {
  const [kind] = mimeType.toLowerCase().split('/');
  if (kind === 'image') return 'IMAGE';
  if (kind === 'video') return 'VIDEO';
  if (kind === 'audio') return 'AUDIO';
  return kind === 'text' ? 'TEXT' : 'DOCUMENT';
}

export function sumTokens(counts: TokenCounts): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

export function addTokens(...all: readonly TokenCounts[]): Map<ContentModality, number> {
  const sum = new Map<ContentModality, number>();
  for (const counts of all) for (const [modality, count] of counts) sum.set(modality, (sum.get(modality) ?? 0) + count);
  return sum;
}

export function toDetails(counts: TokenCounts): ModalityTokenCount[] {
  return [...counts].map(([modality, tokenCount]) => ({ modality, tokenCount }));
}

/** The tokens of a prompt, including those of cached content. */
export interface PromptTokens {
  readonly prompt: TokenCounts;
  readonly cached: TokenCounts;
}

/** Tokens of a response. Those of tools are not part of the total. */
interface GeneratedTokens {
  readonly candidates: TokenCounts;
  readonly thoughts: number;
  readonly toolTokens: number;
}

/** The tokens that a request has used: total = prompt + thoughts + candidates. */
export function toUsage(
  { prompt, cached }: PromptTokens,
  { candidates, thoughts, toolTokens }: GeneratedTokens,
  tier: GenerateContentRequest['serviceTier'],
): UsageMetadata {
  const [promptCount, cachedCount, candidatesCount] = [sumTokens(prompt), sumTokens(cached), sumTokens(candidates)];
  return {
    promptTokenCount: promptCount,
    ...(cachedCount > 0 ? { cachedContentTokenCount: cachedCount } : {}),
    ...(candidatesCount > 0 ? { candidatesTokenCount: candidatesCount } : {}),
    ...(thoughts > 0 ? { thoughtsTokenCount: thoughts } : {}),
    ...(toolTokens > 0
      ? {
          toolUsePromptTokenCount: toolTokens,
          toolUsePromptTokensDetails: [{ modality: 'TEXT', tokenCount: toolTokens }],
        }
      : {}),
    totalTokenCount: promptCount + thoughts + candidatesCount,
    promptTokensDetails: toDetails(prompt),
    ...(cachedCount > 0 ? { cacheTokensDetails: toDetails(cached) } : {}),
    ...(candidatesCount > 0 ? { candidatesTokensDetails: toDetails(candidates) } : {}),
    ...(tier === undefined ? {} : { serviceTier: tier === 'unspecified' ? 'standard' : tier }),
  };
}
