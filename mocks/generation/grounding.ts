import type { HandlerContext } from 'specmill/mock';

import type {
  Candidate,
  GroundingChunk,
  GroundingMetadata,
  GroundingSupport,
  Part,
  Tool,
  VendorSearchRetrieval,
} from '../../generated/generation/types.js';
import { numberOf } from './random-of.js';

/** What the tools of the server add to a candidate. */
export interface ToolUse {
  /** Before the text. */
  readonly parts: readonly Part[];
  readonly metadata: Pick<Candidate, 'groundingMetadata' | 'urlContextMetadata'>;
}

const URLS = /https?:\/\/[^\s"'<>()]+[^\s"'<>().,;:!?]/g;

/** What the tools of the server are run for. */
export interface ToolTask extends Pick<HandlerContext, 'realName'> {
  /** What the user has said. */
  readonly asked: string;
  readonly reply: string;
  /** How many parts of the candidate come before those of the tools. */
  readonly partsBefore: number;
}

/** Runs the tools of the server, for make-believe: sources are made up from the text that they would look for. */
export function useTools(given: readonly Tool[], { asked, reply, partsBefore, realName }: ToolTask): ToolUse {
  const tools = given.map((tool) => nameMembers(tool, realName));
  const chunks = tools.flatMap((tool) => findChunks(tool, asked));
  const widget = tools.some(({ vendorMaps }) => vendorMaps?.enableWidget === true);
  const parts = tools.some(({ codeExecution }) => codeExecution !== undefined) ? executeCode(asked) : [];
  const urls = tools.some(({ urlContext }) => urlContext !== undefined) ? [...new Set(asked.match(URLS) ?? [])] : [];
  const scored = tools.some(({ vendorSearchRetrieval }) => isDynamic(vendorSearchRetrieval));
  const groundingMetadata: GroundingMetadata = {
    ...(chunks.length === 0
      ? {}
      : { groundingChunks: chunks, groundingSupports: [supportOf(chunks, reply, partsBefore + parts.length)] }),
    ...(chunks.some(({ web }) => web !== undefined)
      ? { webSearchQueries: [asked], searchEntryPoint: { renderedContent: '<div>Search</div>' } }
      : {}),
    ...(chunks.some(({ image }) => image !== undefined) ? { imageSearchQueries: [asked] } : {}),
    ...(scored
      ? { retrievalMetadata: { [realName('vendorSearchDynamicRetrievalScore')]: scoreRetrieval(asked) } }
      : {}),
    ...(widget ? { [realName('vendorMapsWidgetContextToken')]: `widget-${numberOf(asked).toString(36)}` } : {}),
  };
  return {
    parts,
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

const TOOLS_OF_THE_VENDOR = ['vendorSearch', 'vendorSearchRetrieval', 'vendorMaps'] as const;

/** A tool with the members of the generated types, whatever the vendor's name is. */
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
    chunks.push({ retrievedContext: { title: 'A document', text: asked, fileSearchStore: store } });
  return chunks;
}

/** From which score on a search is run where the request does not say. */
const DEFAULT_THRESHOLD = 0.3;

function isDynamic(retrieval: VendorSearchRetrieval | undefined): boolean {
  return retrieval?.dynamicRetrievalConfig?.mode === 'MODE_DYNAMIC';
}

/** MODE_UNSPECIFIED: always; MODE_DYNAMIC: when it is needed. */
function isRetrieved(retrieval: VendorSearchRetrieval | undefined, asked: string): boolean {
  if (retrieval === undefined || !isDynamic(retrieval)) return retrieval !== undefined;
  const { dynamicThreshold = DEFAULT_THRESHOLD } = retrieval.dynamicRetrievalConfig ?? {};
  return scoreRetrieval(asked) >= dynamicThreshold;
}

/** A question is worth a search. */
function scoreRetrieval(asked: string): number {
  return asked.includes('?') ? 0.9 : 0.1;
}

function supportOf(chunks: readonly GroundingChunk[], reply: string, partIndex: number): GroundingSupport {
  const segment = { partIndex, startIndex: 0, endIndex: Buffer.byteLength(reply), text: reply };
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
