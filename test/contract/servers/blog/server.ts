import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import path from 'node:path';

import { type ForeignApi, listen } from '../foreign-api.js';

const BUGS = {
  'unknown-article-500': 'GET of an unknown article fails with 500',
  'large-id-500': 'An id above 2^31 fails with 500',
  'author-name': 'The author of an article is shown as a number',
  'status-filter-inverted': 'filter[status]=draft finds the published ones',
  'author-filter-ignored': 'filter[author] does nothing',
  'sort-title': 'sort=title sorts by id',
  'total-page': 'meta.total is the number of items on the page',
  'next-endless': 'links.next of the last page leads to the last page',
  'page-size-maximum': 'page[size]=50 is refused',
  'page-zero': 'page[number]=0 is accepted',
  'default-published': 'An article without status is published',
  'rating-maximum': 'A rating of 5 is refused',
  'rating-float': 'A rating of 2.5 is accepted',
  'summary-stays': 'PATCH with summary null keeps the old one',
  'patch-resets-status': 'PATCH without status makes the article a draft',
  'tags-added': 'PATCH of the tags adds to them instead of replacing them',
  'tags-empty': 'PATCH of the tags with an empty list changes nothing',
  'comments-survive': 'Comments of a deleted article can still be read',
  'comment-still-listed': 'A deleted comment is still listed below its article',
  'delete-open': 'DELETE of an article needs no token',
  'media-type': 'Articles are sent as application/json',
  'title-truncated': 'Titles are cut after 64 characters',
  'comment-location': 'The Location of a comment lacks its number',
} as const;

type Bug = keyof typeof BUGS;
type Json = Record<string, unknown>;

interface Article {
  id: string;
  authorId: string;
  tags: string[];
  attributes: {
    title: string;
    body: string;
    summary: string | null;
    status: string;
    rating?: number;
    createdAt: string;
  };
}

interface Fault {
  pointer?: string;
  parameter?: string;
  title: string;
}

class Refusal extends Error {
  readonly status: number;
  readonly faults: Fault[];

  constructor(status: number, faults: Fault[]) {
    super(faults[0]?.title ?? 'refused');
    this.status = status;
    this.faults = faults;
  }
}

const MEDIA_TYPE = 'application/vnd.api+json';
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isUri = (value: unknown): boolean =>
  typeof value === 'string' && /^[a-z][a-z0-9+.-]*:[\w\-.~:/?#[\]@!$&'()*+,;=%]*$/i.test(value) && URL.canParse(value);
const size = (value: string): number => [...value].length;
const isLink = (value: unknown, type: string): value is { id: string } =>
  isObject(value) && value.type === type && typeof value.id === 'string';

class Blog {
  readonly people = new Map<string, { id: string; attributes: Json }>();
  readonly articles = new Map<string, Article>();
  readonly comments = new Map<string, { id: string; articleId: string; text: string; deleted: boolean }>();
  readonly bug: string | undefined;
  #last = 0;

  constructor(bug: string | undefined) {
    this.bug = bug;
    const author = this.nextId();
    this.people.set(author, { id: author, attributes: { name: 'Karel', website: null } });
    for (const title of ['Zebra', 'Ant', 'Mole']) {
      const id = this.nextId();
      const status = title === 'Ant' ? 'published' : 'draft';
      const attributes = { title, body: `About ${title}`, summary: null, status, createdAt: '2026-01-02T03:04:05Z' };
      this.articles.set(id, { id, authorId: author, tags: ['animals'], attributes });
    }
  }

  has(bug: Bug): boolean {
    return this.bug === bug;
  }

  nextId(): string {
    this.#last += 1;
    return String(this.#last);
  }

  article(id: string): Article {
    if (this.has('large-id-500') && Number(id) > 2 ** 31) throw new RangeError('integer out of range');
    const article = this.articles.get(id);
    if (article === undefined && this.has('unknown-article-500')) throw new TypeError('article is undefined');
    if (article === undefined) throw new Refusal(404, [{ title: 'There is no such article' }]);
    return article;
  }

  showArticle({ id, authorId, attributes }: Article): Json {
    const author = this.has('author-name') ? Number(authorId) : authorId;
    return { type: 'articles', id, attributes, relationships: { author: { data: { type: 'people', id: author } } } };
  }

  checkAttributes(attributes: Json, isNew: boolean): void {
    const faults: Fault[] = [];
    const rule = (name: string, isFine: (value: unknown) => boolean, isRequired = false): void => {
      const value = attributes[name];
      if (value === undefined ? isRequired && isNew : !isFine(value))
        faults.push({ pointer: `/data/attributes/${name}`, title: `The ${name} is invalid` });
    };
    const text = (min: number, max: number) => (value: unknown) =>
      typeof value === 'string' && size(value) >= min && size(value) <= max;
    rule('title', text(1, 90), true);
    rule('body', text(0, 5000), true);
    rule('summary', (value) => value === null || text(0, 200)(value));
    rule('status', (value) => value === 'draft' || value === 'published');
    const top = this.has('rating-maximum') ? 4 : 5;
    rule(
      'rating',
      (value) =>
        typeof value === 'number' &&
        value >= 1 &&
        value <= top &&
        (Number.isInteger(value) || this.has('rating-float')),
    );
    if (faults.length > 0) throw new Refusal(422, faults);
  }
}

type Handler = (
  blog: Blog,
  request: { id: string; query: URLSearchParams; body: unknown; response: ServerResponse },
) => [number, unknown];

const dataOf = (body: unknown, type: string): Json => {
  if (!isObject(body) || !isObject(body.data)) throw new Refusal(400, [{ pointer: '/data', title: 'data is missing' }]);
  if (body.data.type !== type) throw new Refusal(422, [{ pointer: '/data/type', title: 'The type is wrong' }]);
  return body.data;
};
const attributesOf = (data: Json): Json => {
  if (!isObject(data.attributes)) throw new Refusal(422, [{ pointer: '/data/attributes', title: 'No attributes' }]);
  return data.attributes;
};
const numberOf = (
  query: URLSearchParams,
  parameter: string,
  limits: { min: number; max: number; fallback: number },
): number => {
  const text = query.get(parameter);
  if (text === null) return limits.fallback;
  const value = Number(text);
  if (!/^-?\d+$/.test(text) || value < limits.min || value > limits.max)
    throw new Refusal(400, [{ parameter, title: 'The page is invalid' }]);
  return value;
};
const choiceOf = (query: URLSearchParams, parameter: string, choices: string[]): string | undefined => {
  const text = query.get(parameter) ?? undefined;
  if (text !== undefined && !choices.includes(text)) throw new Refusal(400, [{ parameter, title: 'Unknown value' }]);
  return text;
};
const showComment = ({ id, text, articleId }: { id: string; text: string; articleId: string }): Json => ({
  type: 'comments',
  id,
  attributes: { text, articleId },
});
const findComment = (blog: Blog, id: string): { id: string; text: string; articleId: string; deleted: boolean } => {
  const comment = blog.comments.get(id);
  if (comment === undefined || comment.deleted) throw new Refusal(404, [{ title: 'There is no such comment' }]);
  return comment;
};
const tagLinks = (article: Article): Json => ({ data: article.tags.map((id) => ({ type: 'tags', id })) });

const listArticles: Handler = (blog, { query }) => {
  const status = choiceOf(query, 'filter[status]', ['draft', 'published']);
  const author = query.get('filter[author]');
  const sort = choiceOf(query, 'sort', ['title', '-title', 'createdAt', '-createdAt']);
  const number = numberOf(query, 'page[number]', { min: blog.has('page-zero') ? 0 : 1, max: 1e15, fallback: 1 });
  const length = numberOf(query, 'page[size]', { min: 1, max: blog.has('page-size-maximum') ? 49 : 50, fallback: 10 });
  const found = [...blog.articles.values()].filter(
    ({ attributes, authorId }) =>
      (status === undefined || (attributes.status === status) !== blog.has('status-filter-inverted')) &&
      (author === null || blog.has('author-filter-ignored') || authorId === author),
  );
  if (sort !== undefined) {
    const key = sort.replace('-', '') as 'title' | 'createdAt';
    const keyOf = (article: Article): string =>
      key === 'title' && blog.has('sort-title') ? article.id.padStart(9, '0') : article.attributes[key];
    const sign = sort.startsWith('-') ? -1 : 1;
    found.sort((one, other) => (keyOf(one) < keyOf(other) ? -sign : keyOf(one) > keyOf(other) ? sign : 0));
  }
  const page = found.slice(Math.max(0, number - 1) * length, Math.max(1, number) * length);
  const isLast = number * length >= found.length;
  const link = (to: number): string => {
    const next = new URLSearchParams(query);
    next.set('page[number]', String(to));
    return `/articles?${next}`;
  };
  const next = isLast ? (blog.has('next-endless') ? link(number) : null) : link(number + 1);
  const total = blog.has('total-page') ? page.length : found.length;
  return [
    200,
    { data: page.map((article) => blog.showArticle(article)), links: { self: link(number), next }, meta: { total } },
  ];
};

const createArticle: Handler = (blog, { body, response }) => {
  const data = dataOf(body, 'articles');
  const attributes = attributesOf(data);
  blog.checkAttributes(attributes, true);
  const author =
    isObject(data.relationships) && isObject(data.relationships.author) ? data.relationships.author.data : undefined;
  const pointer = '/data/relationships/author';
  if (!isLink(author, 'people')) throw new Refusal(422, [{ pointer, title: 'The author is missing' }]);
  if (!blog.people.has(author.id)) throw new Refusal(404, [{ pointer, title: 'There is no such author' }]);
  const article: Article = {
    id: blog.nextId(),
    authorId: author.id,
    tags: [],
    attributes: {
      title: String(attributes.title).slice(0, blog.has('title-truncated') ? 64 : undefined),
      body: String(attributes.body),
      summary: (attributes.summary as string | null | undefined) ?? null,
      status: (attributes.status as string | undefined) ?? (blog.has('default-published') ? 'published' : 'draft'),
      ...(attributes.rating === undefined ? {} : { rating: attributes.rating as number }),
      createdAt: new Date().toISOString(),
    },
  };
  blog.articles.set(article.id, article);
  response.setHeader('location', `/articles/${article.id}`);
  return [201, { data: blog.showArticle(article) }];
};

const updateArticle: Handler = (blog, { id, body }) => {
  const article = blog.article(id);
  const data = dataOf(body, 'articles');
  if (typeof data.id !== 'string') throw new Refusal(422, [{ pointer: '/data/id', title: 'The id is missing' }]);
  if (data.id !== id) throw new Refusal(409, [{ pointer: '/data/id', title: 'The id is that of another article' }]);
  const changes = data.attributes === undefined ? {} : attributesOf(data);
  blog.checkAttributes(changes, false);
  const { summary } = article.attributes;
  for (const name of ['title', 'body', 'summary', 'status', 'rating'])
    if (changes[name] !== undefined) Object.assign(article.attributes, { [name]: changes[name] });
  if (blog.has('title-truncated')) article.attributes.title = article.attributes.title.slice(0, 64);
  if (blog.has('summary-stays')) article.attributes.summary ??= summary;
  if (blog.has('patch-resets-status') && changes.status === undefined) article.attributes.status = 'draft';
  return [200, { data: blog.showArticle(article) }];
};

const replaceTags: Handler = (blog, { id, body }) => {
  const article = blog.article(id);
  const data = isObject(body) ? body.data : undefined;
  if (!Array.isArray(data)) throw new Refusal(400, [{ pointer: '/data', title: 'data is no list' }]);
  if (data.length > 5 || !data.every((link) => isLink(link, 'tags') && /^[a-z]{2,12}$/.test(link.id)))
    throw new Refusal(422, [{ pointer: '/data', title: 'The tags are invalid' }]);
  const tags = data.map((link: { id: string }) => link.id);
  if (blog.has('tags-added')) article.tags = [...article.tags, ...tags];
  else if (tags.length > 0 || !blog.has('tags-empty')) article.tags = tags;
  return [200, tagLinks(article)];
};

const HANDLERS: Readonly<Record<string, { handle: Handler; isOpen?: true }>> = {
  'GET /people': {
    isOpen: true,
    handle: (blog) => [200, { data: [...blog.people.values()].map((person) => ({ type: 'people', ...person })) }],
  },
  'POST /people': {
    isOpen: true,
    handle: (blog, { body }) => {
      const { name, website } = attributesOf(dataOf(body, 'people'));
      const faults: Fault[] = [];
      if (typeof name !== 'string' || size(name) < 1 || size(name) > 60)
        faults.push({ pointer: '/data/attributes/name', title: 'The name is invalid' });
      if (website !== undefined && website !== null && !isUri(website))
        faults.push({ pointer: '/data/attributes/website', title: 'The website is no URL' });
      if (faults.length > 0) throw new Refusal(422, faults);
      const person = { id: blog.nextId(), attributes: { name, ...(website === undefined ? {} : { website }) } };
      blog.people.set(person.id, person);
      return [201, { data: { type: 'people', ...person } }];
    },
  },
  'GET /people/:id': {
    isOpen: true,
    handle: (blog, { id }) => {
      const person = blog.people.get(id);
      if (person === undefined) throw new Refusal(404, [{ title: 'There is no such person' }]);
      return [200, { data: { type: 'people', ...person } }];
    },
  },
  'GET /articles': { isOpen: true, handle: listArticles },
  'POST /articles': { handle: createArticle },
  'GET /articles/:id': { isOpen: true, handle: (blog, { id }) => [200, { data: blog.showArticle(blog.article(id)) }] },
  'PATCH /articles/:id': { handle: updateArticle },
  'DELETE /articles/:id': {
    handle: (blog, { id }) => {
      blog.article(id);
      blog.articles.delete(id);
      if (!blog.has('comments-survive'))
        for (const comment of blog.comments.values()) if (comment.articleId === id) blog.comments.delete(comment.id);
      return [204, undefined];
    },
  },
  'GET /articles/:id/relationships/tags': { isOpen: true, handle: (blog, { id }) => [200, tagLinks(blog.article(id))] },
  'PATCH /articles/:id/relationships/tags': { handle: replaceTags },
  'GET /articles/:id/comments': {
    isOpen: true,
    handle: (blog, { id }) => {
      blog.article(id);
      const all = [...blog.comments.values()].filter((one) => one.articleId === id);
      return [200, { data: all.filter((one) => !one.deleted || blog.has('comment-still-listed')).map(showComment) }];
    },
  },
  'POST /articles/:id/comments': {
    handle: (blog, { id, body, response }) => {
      blog.article(id);
      const { text } = attributesOf(dataOf(body, 'comments'));
      if (typeof text !== 'string' || size(text) < 1 || size(text) > 300)
        throw new Refusal(422, [{ pointer: '/data/attributes/text', title: 'The text is invalid' }]);
      const comment = { id: blog.nextId(), articleId: id, text, deleted: false };
      blog.comments.set(comment.id, comment);
      response.setHeader('location', blog.has('comment-location') ? '/comments/' : `/comments/${comment.id}`);
      return [201, { data: showComment(comment) }];
    },
  },
  'GET /comments/:id': { isOpen: true, handle: (blog, { id }) => [200, { data: showComment(findComment(blog, id)) }] },
  'DELETE /comments/:id': {
    handle: (blog, { id }) => {
      findComment(blog, id).deleted = true;
      return [204, undefined];
    },
  },
};

async function readBody(request: IncomingMessage): Promise<unknown> {
  if (!['POST', 'PATCH'].includes(request.method ?? '')) return undefined;
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  if (!(request.headers['content-type'] ?? '').startsWith(MEDIA_TYPE))
    throw new Refusal(415, [{ title: `Send ${MEDIA_TYPE}` }]);
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw new Refusal(400, [{ pointer: '', title: 'The body is no JSON' }]);
  }
}

async function handle(blog: Blog, request: IncomingMessage, response: ServerResponse): Promise<[number, unknown]> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  const parts = pathname.split('/').slice(1);
  const pattern = `/${parts.map((part, index) => (index === 1 ? ':id' : part)).join('/')}`;
  const entry = HANDLERS[`${request.method} ${pattern}`];
  if (entry === undefined) {
    const allowed = Object.keys(HANDLERS).filter((key) => key.endsWith(` ${pattern}`));
    if (allowed.length === 0) throw new Refusal(404, [{ title: 'There is no such page' }]);
    response.setHeader('allow', allowed.map((key) => key.split(' ')[0]).join(', '));
    throw new Refusal(405, [{ title: 'The method is not allowed' }]);
  }
  const isOpen = entry.isOpen ?? (blog.has('delete-open') && request.method === 'DELETE' && parts[0] === 'articles');
  if (!isOpen && request.headers.authorization !== 'Bearer blog-token') {
    response.setHeader('www-authenticate', 'Bearer');
    throw new Refusal(401, [{ title: 'The token is missing or wrong' }]);
  }
  const body = await readBody(request);
  return entry.handle(blog, { id: decodeURIComponent(parts[1] ?? ''), query: searchParams, body, response });
}

function send(response: ServerResponse, status: number, body: unknown, mediaType = MEDIA_TYPE): void {
  response.statusCode = status;
  if (body === undefined) return void response.end();
  response.setHeader('content-type', mediaType);
  response.end(JSON.stringify(body));
}

/** JSON:API on plain node:http, with relationships and a shallow nesting. */
export const blog: ForeignApi = {
  name: 'blog',
  spec: path.join(import.meta.dirname, 'openapi.yaml'),
  bugs: BUGS,
  headers: { authorization: 'Bearer blog-token' },
  start: (bug) => {
    const state = new Blog(bug);
    const server = createServer((request, response) => {
      const succeed = ([status, body]: [number, unknown]): void => {
        const isPlain = state.has('media-type') && (request.url ?? '').startsWith('/articles');
        send(response, status, body, isPlain ? 'application/json' : MEDIA_TYPE);
      };
      handle(state, request, response).then(succeed, (error: unknown) => {
        const { status, faults } =
          error instanceof Refusal ? error : { status: 500, faults: [{ title: 'Internal error' } as Fault] };
        const errors = faults.map(({ title, ...source }) => ({
          status: String(status),
          title,
          ...(Object.keys(source).length > 0 ? { source } : {}),
        }));
        send(response, status, { errors });
      });
    });
    return listen(server);
  },
};
