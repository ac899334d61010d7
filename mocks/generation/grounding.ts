import { type HandlerContext, numberOf, stringifyExactJson } from 'specmill/mock';

import type {
  Candidate,
  GroundingChunk,
  GroundingMetadata,
  GroundingSupport,
  Part,
  Tool,
  ToolType,
  VendorSearchRetrieval,
} from '../../generated/generation/types.js';
import { splitTokens } from './tokens.js';

export interface ToolUse {
  /** Parts before the text. */
  readonly parts: readonly Part[];
  readonly tokenCount: number;
  readonly metadata: Pick<Candidate, 'groundingMetadata' | 'urlContextMetadata'>;
}

const URLS = /https?:\/\/[^\s"'<>()]+[^\s"'<>().,;:!?]/g;

interface ToolTask extends Pick<HandlerContext, 'realName'> {
  readonly asked: string;
  readonly response: string;
  /** How many parts of the candidate precede those of the tools. */
  readonly partsBefore: number;
  readonly showsInvocations: boolean;
}

/** Simulates the tools of the server: derives made-up sources from the text that they would search for. */
export function useTools(
  given: readonly Tool[],
  { asked, response, partsBefore, showsInvocations, realName }: ToolTask,
): ToolUse {
  const tools = given.map((tool) => nameMembers(tool, realName));
  const chunks = tools.flatMap((tool) => findChunks(tool, asked));
  const widget = tools.some(({ vendorMaps }) => vendorMaps?.enableWidget === true);
  const executed = tools.some(({ codeExecution }) => codeExecution !== undefined) ? executeCode(asked) : [];
  const urls = tools.some(({ urlContext }) => urlContext !== undefined) ? [...new Set(asked.match(URLS) ?? [])] : [];
  const scored = tools.some(({ vendorSearchRetrieval }) => isDynamic(vendorSearchRetrieval));
  const invoked = showsInvocations ? showInvocations(chunks, { asked, urls, realName }) : [];
  const parts = [...invoked, ...executed];
  const returned = [...chunks, ...urls, ...executed];
  const groundingMetadata: GroundingMetadata = {
    ...(chunks.length === 0
      ? {}
      : { groundingChunks: chunks, groundingSupports: [supportOf(chunks, response, partsBefore + parts.length)] }),
    ...(chunks.some(({ web }) => web !== undefined)
      ? {
          webSearchQueries: [asked],
          searchEntryPoint: { renderedContent: '<div>Search</div>', sdkBlob: toSdkBlob(asked) },
        }
      : {}),
    ...(chunks.some(({ image }) => image !== undefined) ? { imageSearchQueries: [asked] } : {}),
    ...(scored
      ? { retrievalMetadata: { [realName('vendorSearchDynamicRetrievalScore')]: scoreRetrieval(asked) } }
      : {}),
    ...(widget ? { [realName('vendorMapsWidgetContextToken')]: `widget-${numberOf(asked).toString(36)}` } : {}),
  };
  return {
    parts,
    tokenCount: returned.length === 0 ? 0 : splitTokens(stringifyExactJson(returned)).length,
    metadata: {
      ...(Object.keys(groundingMetadata).length === 0 ? {} : { groundingMetadata }),
      ...(urls.length === 0
        ? {}
        : {
            urlContextMetadata: {
              urlMetadata: urls.map((retrievedUrl) => ({
                retrievedUrl,
                urlRetrievalStatus: 'URL_RETRIEVAL_STATUS_SUCCESS' as const,
              })),
            },
          }),
    },
  };
}

/** The search terms with their results: JSON in base64. */
function toSdkBlob(asked: string): string {
  const url = `https://example.com/search/${numberOf(asked).toString(36)}`;
  return Buffer.from(JSON.stringify([{ searchTerm: asked, url }])).toString('base64');
}

interface Invocations extends Pick<ToolTask, 'asked' | 'realName'> {
  readonly urls: readonly string[];
}

/** The calls of the tools that the server has run, each with its response. */
function showInvocations(chunks: readonly GroundingChunk[], { asked, urls, realName }: Invocations): Part[] {
  const types = [
    ...(chunks.some(({ web }) => web !== undefined) ? ['VENDOR_SEARCH_WEB'] : []),
    ...(chunks.some(({ image }) => image !== undefined) ? ['VENDOR_SEARCH_IMAGE'] : []),
    ...(chunks.some(({ maps }) => maps !== undefined) ? ['VENDOR_MAPS'] : []),
    ...(urls.length > 0 ? ['URL_CONTEXT'] : []),
  ];
  return types.flatMap((type, index): Part[] => {
    const id = `tc-${numberOf(asked, type).toString(36)}-${index}`;
    // The vendor's name does not change the type.
    const toolType = realName(type) as ToolType;
    const response = type === 'URL_CONTEXT' ? { urls } : { sources: chunks.length };
    return [{ toolCall: { id, toolType, args: { query: asked } } }, { toolResponse: { id, toolType, response } }];
  });
}

const TOOLS_OF_THE_VENDOR = ['vendorSearch', 'vendorSearchRetrieval', 'vendorMaps'] as const;

/** Returns a tool with the member names of the generated types, regardless of the vendor's name. */
function nameMembers(tool: Tool, realName: ToolTask['realName']): Tool {
  const members: Readonly<Record<string, unknown>> = { ...tool };
  return { ...tool, ...Object.fromEntries(TOOLS_OF_THE_VENDOR.map((name) => [name, members[realName(name)]])) };
}

function findChunks(
  { vendorSearch, vendorSearchRetrieval, vendorMaps, fileSearch }: Tool,
  asked: string,
): GroundingChunk[] {
  const id = numberOf(asked).toString(36);
  const chunks: GroundingChunk[] = [];
  const { webSearch, imageSearch } = vendorSearch?.searchTypes ?? {};
  const isWeb =
    isRetrieved(vendorSearchRetrieval, asked) ||
    (vendorSearch !== undefined && (webSearch !== undefined || imageSearch === undefined));
  if (isWeb) chunks.push({ web: { uri: `https://example.com/search/${id}`, title: 'example.com' } });
  if (imageSearch !== undefined)
    chunks.push({
      image: {
        sourceUri: `https://example.com/pictures/${id}`,
        imageUri: `https://example.com/pictures/${id}.png`,
        title: 'A picture',
        domain: 'example.com',
      },
    });
  if (vendorMaps !== undefined)
    chunks.push({
      maps: { uri: `https://maps.example.com/places/${id}`, title: 'A place', text: asked, placeId: `places/${id}` },
    });
  const [store] = fileSearch?.fileSearchStoreNames ?? [];
  if (store !== undefined)
    chunks.push({
      retrievedContext: {
        ...{ uri: `https://files.example.com/${id}`, title: 'A document', text: asked, fileSearchStore: store },
        ...{ pageNumber: 1, mediaId: `${store}/media/${id}` },
        customMetadata: [{ key: 'origin', stringValue: 'mock' }],
      },
    });
  return chunks;
}

/** The minimum score for a search, if the request does not set one. */
const DEFAULT_THRESHOLD = 0.3;

function isDynamic(retrieval: VendorSearchRetrieval | undefined): boolean {
  return retrieval?.dynamicRetrievalConfig?.mode === 'MODE_DYNAMIC';
}

/** Whether a search is run. MODE_UNSPECIFIED: always; MODE_DYNAMIC: when needed. */
function isRetrieved(retrieval: VendorSearchRetrieval | undefined, asked: string): boolean {
  if (retrieval === undefined || !isDynamic(retrieval)) return retrieval !== undefined;
  const { dynamicThreshold = DEFAULT_THRESHOLD } = retrieval.dynamicRetrievalConfig ?? {};
  return scoreRetrieval(asked) >= dynamicThreshold;
}

/** Scores how much a text needs a search; questions score highest. */
function scoreRetrieval(asked: string): number {
  return asked.includes('?') ? 0.9 : 0.1;
}

function supportOf(chunks: readonly GroundingChunk[], response: string, partIndex: number): GroundingSupport {
  const segment = { partIndex, startIndex: 0, endIndex: Buffer.byteLength(response), text: response };
  return {
    segment,
    groundingChunkIndices: chunks.map((_chunk, index) => index),
    confidenceScores: chunks.map(() => 0.9),
  };
}

function executeCode(asked: string): Part[] {
  const id = `ec-${numberOf(asked).toString(36)}`;
  return [
    { executableCode: { id, language: 'PYTHON', code: `print(len(${JSON.stringify(asked)}))` } },
    { codeExecutionResult: { id, outcome: 'OUTCOME_OK', output: `${[...asked].length}\n` } },
  ];
}
