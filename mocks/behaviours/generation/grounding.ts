import type {
  Candidate,
  GroundingChunk,
  GroundingMetadata,
  GroundingSupport,
  Part,
  Tool,
} from '../../../generated/generation/types.js';
import { numberOf } from './random-of.js';

/** What the tools of the server add to a candidate. */
export interface ToolUse {
  /** Before the text. */
  readonly parts: readonly Part[];
  readonly metadata: Pick<Candidate, 'groundingMetadata' | 'urlContextMetadata'>;
}

const URLS = /https?:\/\/[^\s"'<>()]+[^\s"'<>().,;:!?]/g;

/** Runs the tools of the server, for make-believe: sources are made up from the text that they would look for. */
export function useTools(tools: readonly Tool[], asked: string, reply: string): ToolUse {
  const chunks = tools.flatMap((tool) => findChunks(tool, asked));
  const widget = tools.some(({ vendorMaps }) => vendorMaps?.enableWidget === true);
  const isSearched = tools.some(
    ({ vendorSearch, vendorSearchRetrieval }) => vendorSearch !== undefined || vendorSearchRetrieval !== undefined,
  );
  const parts = tools.some(({ codeExecution }) => codeExecution !== undefined) ? executeCode(asked) : [];
  const urls = tools.some(({ urlContext }) => urlContext !== undefined) ? [...new Set(asked.match(URLS) ?? [])] : [];
  const groundingMetadata: GroundingMetadata = {
    groundingChunks: chunks,
    groundingSupports: [supportOf(chunks, reply, parts.length)],
    ...(isSearched ? { webSearchQueries: [asked], searchEntryPoint: { renderedContent: '<div>Search</div>' } } : {}),
    ...(widget ? { vendorMapsWidgetContextToken: `widget-${numberOf(asked).toString(36)}` } : {}),
  };
  return {
    parts,
    metadata: {
      ...(chunks.length === 0 ? {} : { groundingMetadata }),
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

function findChunks(
  { vendorSearch, vendorSearchRetrieval, vendorMaps, fileSearch }: Tool,
  asked: string,
): GroundingChunk[] {
  const id = numberOf(asked).toString(36);
  const chunks: GroundingChunk[] = [];
  const { webSearch, imageSearch } = vendorSearch?.searchTypes ?? {};
  const isWeb =
    vendorSearchRetrieval !== undefined ||
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
