/** The functions of `query.ts` that make keys, queries, mutations, pages and streams, as text. */

export const QUERIES = (api: string): string => `
const typed = <Data, Failure, Key extends tanstack.QueryKey>(options: {
  queryKey: Key;
  queryFn: rt.Read<Data>;
  retry?: false;
}) => tanstack.queryOptions<Data, Failure, Data, Key>(options);
const skippable = <Data, Failure, Key extends tanstack.QueryKey>(options: {
  queryKey: Key;
  queryFn: rt.Read<Data> | tanstack.SkipToken;
  retry?: false;
}) => tanstack.queryOptions<Data, Failure, Data, Key>(options);
type Typed<Data, Name extends Op> = ReturnType<typeof typed<Data, FailureOf<Name>, ${api}QueryKey<Name>>>;
type Skippable<Data, Name extends Op> = ReturnType<typeof skippable<Data, FailureOf<Name>, ${api}QueryKey<Name>>>;

/** Makes the options of a query. With \`skipToken\` as request, the query waits. */
export interface ${api}Query<Name extends Op, Data = DataOf<Name>> {
  (context: ${api}QueryContext, ...given: Given<RequestOf<Name>>): Typed<Data, Name>;
  (context: ${api}QueryContext, ...given: Given<RequestOf<Name>, tanstack.SkipToken>): Skippable<Data, Name>;
}
`;

export const QUERY = (api: string): string => `
const query = <Name extends Op>(keyOf: ${api}Key<Name>, call: Call): ${api}Query<Name> =>
  ((context: ${api}QueryContext, request: never, options: rt.QueryCallOptions | undefined) => ({
    queryKey: keyOf(request, context),
    queryFn: rt.unlessSkipped(request, ({ signal }) => rt.readData(call(context as never, request, { ...options, signal } as never))),
    ...rt.retryOf(context),
  })) as never;
`;

export const MUTATION = (api: string): string => `
type VariablesOf<Request> = {} extends Request ? Request | void : Request;
type Mutation<Name extends Op, Variables> = tanstack.MutationObserverOptions<DataOf<Name>, FailureOf<Name>, Variables> & {
  mutationKey: ${api}QueryKey<Name>;
  mutationFn: (variables: Variables) => Promise<DataOf<Name>>;
};

/** Makes the options of a mutation. Its variables are the request. */
export interface ${api}Mutation<Name extends Op> {
  (context: ${api}QueryContext, options?: rt.QueryCallOptions): Mutation<Name, VariablesOf<RequestOf<Name>>>;
}

const mutation = <Name extends Op>(keyOf: ${api}Key<Name>, call: Call): ${api}Mutation<Name> =>
  ((context: ${api}QueryContext, options: rt.QueryCallOptions | undefined) => ({
    mutationKey: keyOf(undefined as never, context),
    mutationFn: (variables: never) => rt.readData(call(context as never, variables, options as never)),
  })) as never;
`;

/** How a page is named: by a number, or by a token or link. Vue's types need each as a type without parameters. */
const PARAMS = { counted: 'number', linked: 'string | null' } as const;

/** The kinds of pages that the lists of an API have. */
export type PageKind = keyof typeof PARAMS;

function printPageTypes(api: string, kind: PageKind): string {
  const param = PARAMS[kind];
  const print = (name: string, queryFn: string): string => `
const ${name} = <Page, Failure>(options: {
  queryKey: ${api}QueryKey;
  queryFn: ${queryFn};
  initialPageParam: ${param};
  getNextPageParam: tanstack.GetNextPageParamFunction<${param}, Page>;
  getPreviousPageParam: tanstack.GetPreviousPageParamFunction<${param}, Page>;
  retry?: false;
}) => tanstack.infiniteQueryOptions<Page, Failure, tanstack.InfiniteData<Page, ${param}>, ${api}QueryKey, ${param}>(options);`;
  return print(kind, 'rt.Read<Page>') + print(`${kind}Skippable`, 'rt.Read<Page> | tanstack.SkipToken');
}

/** The type of the options of a kind of pages; of both kinds, the style decides. */
function printPagesType(kinds: readonly PageKind[], name: string, suffix: string): string {
  const types = kinds.map((kind) => `ReturnType<typeof ${kind}${suffix}<PageOf<Name, How>, FailureOf<Name>>>`);
  const choice = types.length === 1 ? types[0] : `How extends 'offset' | 'page' ? ${types.join(' : ')}`;
  return `type ${name}<Name extends Op, How extends Style> = ${choice};\n`;
}

export const printInfinite = (
  api: string,
  kinds: readonly PageKind[],
): string => `${kinds.map((kind) => printPageTypes(api, kind)).join('')}
type Style = pages.QueryPages['style'];
type PageOf<Name extends Op, How extends Style> = How extends 'link' ? pages.LinkedPage<DataOf<Name>> : DataOf<Name>;
${printPagesType(kinds, 'Pages', '')}${printPagesType(kinds, 'SkippablePages', 'Skippable')}
/** Makes the options of a query for all pages of a list. */
export interface ${api}InfiniteQuery<Name extends Op, How extends Style> {
  (context: ${api}QueryContext, ...given: Given<RequestOf<Name>>): Pages<Name, How>;
  (context: ${api}QueryContext, ...given: Given<RequestOf<Name>, tanstack.SkipToken>): SkippablePages<Name, How>;
}

const pagesKey =
  <Name extends Op>(keyOf: ${api}Key<Name>): ${api}Key<Name> =>
  (...given) => {
    const [root, part] = keyOf(...given);
    return [root, { ...part, infinite: true }];
  };
const infinite = <Name extends Op, How extends Style>(
  keyOf: ${api}Key<Name>,
  call: Call,
  how: Extract<pages.QueryPages, { readonly style: How }>,
): ${api}InfiniteQuery<Name, How> =>
  ((context: ${api}QueryContext, request: never, options: rt.QueryCallOptions | undefined) => ({
    queryKey: keyOf(request, context),
    queryFn: rt.unlessSkipped(request, async ({ signal, pageParam }) =>
      pages.pageOf(how, await call(context as never, pages.pageRequest(how, request, pageParam) as never, { ...options, signal } as never)),
    ),
    ...pages.pageParams(how, request),
    ...rt.retryOf(context),
  })) as never;
`;

export const STREAMS = (api: string): string => `
const streamed =
  <Name extends Op>(keyOf: ${api}Key<Name>, read: (context: never, request: never, options: never) => Promise<never> | AsyncIterable<unknown>) =>
  (context: ${api}QueryContext, request: never, options: rt.QueryCallOptions | undefined) => {
    const streamFn = ({ signal }: { readonly signal: AbortSignal }) => read(context as never, request, { ...options, signal } as never);
    return {
      queryKey: keyOf(request, context),
      // Versions before 5.86 call the member queryFn.
      queryFn: rt.unlessSkipped(request, tanstack.experimental_streamedQuery({ streamFn, queryFn: streamFn } as never) as rt.Read),
      ...rt.retryOf(context),
    };
  };
`;

export const STREAM = (api: string): string => `
type ItemsOf<Name extends Op> = (DataOf<Name> extends AsyncIterable<infer Item> ? Item : never)[];
const stream = <Name extends Op>(keyOf: ${api}Key<Name>, call: Call): ${api}Query<Name, ItemsOf<Name>> =>
  streamed(keyOf, (context, request, options) => rt.readData(call(context, request, options))) as never;
`;

export const EVENTS = (api: string): string => `
const events = <Name extends Op, Item>(
  keyOf: ${api}Key<Name>,
  read: (context: never, request: never, options?: never) => AsyncIterable<Item>,
): ${api}Query<Name, Item[]> => streamed(keyOf, read) as never;
`;

/** The core has no functions that only give options their types. */
export const CORE = `
const coreQuery = <Data, Failure, Result, Key extends tanstack.QueryKey>(options: {
  queryKey: Key;
  queryFn: rt.Read<Data> | tanstack.SkipToken;
  retry?: false;
}): tanstack.QueryObserverOptions<Data, Failure, Result, Data, Key> & typeof options & { queryKey: tanstack.DataTag<Key, Data, Failure> } =>
  options as never;
`;

export const CORE_INFINITE = `
const coreInfinite = <Page, Failure, Result, Key extends tanstack.QueryKey, Param>(options: {
  queryKey: Key;
  queryFn: rt.Read<Page> | tanstack.SkipToken;
  initialPageParam: Param;
  getNextPageParam: tanstack.GetNextPageParamFunction<Param, Page>;
  getPreviousPageParam: tanstack.GetPreviousPageParamFunction<Param, Page>;
  retry?: false;
}): tanstack.InfiniteQueryObserverOptions<Page, Failure, Result, Key, Param> & typeof options & { queryKey: tanstack.DataTag<Key, Page, Failure> } =>
  options as never;
`;
