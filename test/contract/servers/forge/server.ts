import path from 'node:path';

import express, { type NextFunction, type Request, type Response } from 'express';
import { createServer } from 'node:http';

import { type ForeignApi, listen } from '../foreign-api.js';

const BUGS = {
  'org-location': 'The Location of an organisation lacks the base path',
  'org-login-case': 'Logins with capital letters are accepted',
  'org-title-lost': 'PATCH of the title is lost',
  'org-duplicate': 'A second organisation of the same login replaces the first one',
  'org-email-any': 'Any text is an address',
  'orgs-next-on-last': 'A last page that is exactly full has rel="next"',
  'orgs-next-same': 'rel="next" is the same page',
  'orgs-last-link': 'rel="last" is one page too far',
  'orgs-per-page-over': 'per_page=101 is accepted',
  'orgs-page-zero': 'page=0 is the first page',
  'org-stays': 'A deleted organisation is still listed',
  'login-taken-forever': 'The login of a deleted organisation stays taken',
  'repo-location': 'The Location of a repository leads nowhere',
  'repo-of-other-org': 'A repository can be read below another owner',
  'repos-of-all': 'The repositories are those of all organisations',
  'repos-of-unknown': 'The repositories of an unknown organisation are an empty list',
  'repo-duplicate-500': 'A second repository of the same name fails with 500',
  'repo-name-any': 'Any name of a repository is accepted',
  'repo-about-long': 'about of any length is accepted',
  'repo-private-default': 'A repository is private by default',
  'repo-private-text': 'private is a text when a repository is read',
  'repo-sort-name': 'sort=name is ignored',
  'repo-direction': 'direction is ignored',
  'repo-page-in-order': 'With sort=name the second page starts one too early',
  'repo-visibility': 'visibility is ignored',
  'repo-update-all': 'PATCH of a repository changes all of the organisation',
  'repo-stays': 'A deleted repository can still be read',
  'topics-merged': 'PUT adds topics to the old ones',
  'topics-of-all': 'All repositories have the same topics',
  'topic-pattern': 'Topics of any form are accepted',
  'topics-twice': 'The same topic twice is accepted',
  'issue-of-any-repo': 'An issue can be read below any repository',
  'issues-of-all': 'The issues are those of all repositories',
  'issue-title-empty': 'An empty title is accepted',
  'issue-title-plus': 'Plus signs in titles become spaces',
  'issue-body-null': 'body: null is stored as empty text',
  'issue-labels-first': 'Only the first label is stored',
  'issue-labels-kept': 'PATCH of labels is lost',
  'issue-close-lost': 'A closed issue is still open when it is read',
  'issue-state-ignored': 'The filter by state is ignored',
  'issue-closed-listed': 'Without a state closed issues are listed, too',
  'issue-label-ignored': 'The filter by label is ignored',
  'issue-next-without-state': 'rel="next" loses the state',
  'issue-unknown-500': 'An issue with a number above 2^31 fails with 500',
  'issue-url-other': 'url of an issue is not its path',
  'lock-lost': 'A locked issue is not locked when it is read',
  'unlock-stays': 'An unlocked issue is still locked',
  'comments-of-all': 'The comments are those of all issues of the repository',
  'comment-utf16': 'The length of a comment counts UTF-16 units',
  'comment-update-lost': 'PATCH of a comment is lost',
  'comment-stays': 'A deleted comment is still listed',
  'comment-of-any-repo': 'A comment can be read below any repository',
  'comment-500': 'A comment with a parenthesis fails with 500',
  'errors-left-out': 'A 422 has no errors',
  'token-any': 'Requests without a token are accepted',
  // Only the descriptions tell that these are bugs.
  'issues-oldest-first': 'The oldest issues come first',
  'comments-count': 'comments counts one too many',
  'closed-at-null': 'closed_at of a closed issue is null',
} as const;

type Bug = keyof typeof BUGS;

interface Org {
  readonly login: string;
  title: string | null;
  email: string | null;
}
interface Repo {
  readonly name: string;
  readonly owner: string;
  about: string | null;
  private: boolean;
  topics: string[];
  readonly created_at: string;
}
interface Issue {
  readonly id: number;
  readonly number: number;
  readonly repo: Repo;
  title: string;
  body: string | null;
  state: string;
  locked: boolean;
  labels: string[];
  readonly created_at: string;
  closed_at: string | null;
}
interface Comment {
  readonly id: number;
  readonly issue: Issue;
  body: string;
  readonly created_at: string;
}

class Refusal extends Error {
  readonly status: number;
  readonly errors: readonly { readonly field: string; readonly code: string }[];
  constructor(status: number, message: string, field?: string, code = 'invalid') {
    super(message);
    this.status = status;
    this.errors = field === undefined ? [] : [{ field, code }];
  }
}

const invalid = (field: string, code = 'invalid'): never => {
  throw new Refusal(422, 'Validation Failed', field, code);
};
const missing = (): never => {
  throw new Refusal(404, 'Not Found');
};

class Forge {
  readonly #bug: string | undefined;
  #orgs: Org[] = [];
  #repos: Repo[] = [];
  #issues: Issue[] = [];
  #comments: Comment[] = [];
  readonly #goneLogins = new Set<string>();
  readonly #labels = new Map<string, number>();
  readonly #patterns: RegExp[] = [];
  #lastId = 5000;
  #base = '';

  constructor(bug: string | undefined) {
    this.#bug = bug;
  }

  #has(bug: Bug): boolean {
    return this.#bug === bug;
  }

  #text(
    body: Record<string, unknown>,
    field: string,
    [min, max]: readonly [number, number],
    isFree = false,
  ): string | undefined {
    const value = body[field];
    if (value === undefined) return undefined;
    if (typeof value !== 'string') return invalid(field);
    const length = field === 'body' && max === 280 && this.#has('comment-utf16') ? value.length : [...value].length;
    return (length < min || length > max) && !isFree ? invalid(field) : value;
  }

  #body(request: Request): Record<string, unknown> {
    const body: unknown = request.body;
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return invalid('body');
    return { ...body };
  }

  #integer(request: Request, field: string, [min, max, initial]: readonly [number, number, number]): number {
    const text = request.query[field];
    if (text === undefined) return initial;
    if (typeof text !== 'string' || !/^-?\d+$/.test(text) || Number(text) < min || Number(text) > max)
      return invalid(field);
    return Number(text);
  }

  #choice(request: Request, field: string, choices: readonly string[]): string {
    const text = request.query[field] ?? choices[0];
    return typeof text === 'string' && choices.includes(text) ? text : invalid(field);
  }

  #pathId(request: Request, name: string): number {
    const text = String(request.params[name]);
    return /^\d+$/.test(text) ? Number(text) : missing();
  }

  #org(request: Request): Org {
    return this.#orgs.find(({ login }) => login === request.params['org']) ?? missing();
  }

  #repo(request: Request): Repo {
    const { owner, repo } = request.params;
    return (
      this.#repos.find((one) => one.name === repo && one.owner === owner) ??
      (this.#has('repo-of-other-org') && this.#orgs.some(({ login }) => login === owner)
        ? this.#repos.find(({ name }) => name === repo)
        : undefined) ??
      missing()
    );
  }

  #issue(request: Request): Issue {
    const repo = this.#repo(request);
    const number = this.#pathId(request, 'issue_number');
    if (number > 2 ** 31 && this.#has('issue-unknown-500')) throw new RangeError('integer out of range');
    return (
      this.#issues.find((issue) => issue.number === number && issue.repo === repo) ??
      (this.#has('issue-of-any-repo') ? this.#issues.find((issue) => issue.number === number) : undefined) ??
      missing()
    );
  }

  #comment(request: Request): Comment {
    const repo = this.#repo(request);
    const id = this.#pathId(request, 'comment_id');
    return (
      this.#comments.find((one) => one.id === id && (one.issue.repo === repo || this.#has('comment-of-any-repo'))) ??
      missing()
    );
  }

  #showOrg(org: Org): Record<string, unknown> {
    const url = `${this.#base}/orgs/${org.login}`;
    return { login: org.login, url, repos_url: `${url}/repos`, title: org.title, email: org.email };
  }

  #showRepo(repo: Repo): Record<string, unknown> {
    const { name, owner, about, created_at } = repo;
    const open = this.#issues.filter((issue) => issue.repo === repo && issue.state === 'open').length;
    return {
      name,
      full_name: `${owner}/${name}`,
      owner: { login: owner, url: `${this.#base}/orgs/${owner}` },
      url: `${this.#base}/repos/${owner}/${name}`,
      private: repo.private,
      about,
      created_at,
      open_issues: open,
    };
  }

  #showIssue(issue: Issue): Record<string, unknown> {
    const { repo, labels, ...rest } = issue;
    const count = this.#comments.filter((comment) => comment.issue === issue).length;
    const tail = this.#has('issue-url-other') ? `issue/${issue.number}` : `issues/${issue.number}`;
    return {
      ...rest,
      url: `${this.#base}/repos/${repo.owner}/${repo.name}/${tail}`,
      labels: labels.map((name) => ({ id: this.#labelId(name), name })),
      comments: count + (this.#has('comments-count') ? 1 : 0),
    };
  }

  #labelId(name: string): number {
    const id = this.#labels.get(name) ?? (this.#lastId += 1);
    this.#labels.set(name, id);
    return id;
  }

  #showComment({ id, body, created_at, issue }: Comment): Record<string, unknown> {
    const issue_url = `${this.#base}/repos/${issue.repo.owner}/${issue.repo.name}/issues/${issue.number}`;
    return { id, body, created_at, issue_url };
  }

  #sendPage<Item>(request: Request, response: Response, all: readonly Item[], show: (item: Item) => unknown): void {
    const isOrgs = request.path === '/orgs';
    const page = this.#integer(request, 'page', [isOrgs && this.#has('orgs-page-zero') ? 0 : 1, 1e6, 1]) || 1;
    const size = this.#integer(request, 'per_page', [1, isOrgs && this.#has('orgs-per-page-over') ? 1e4 : 100, 30]);
    const isEarly = page > 1 && request.query['sort'] === 'name' && this.#has('repo-page-in-order');
    const start = (page - 1) * size - (isEarly ? 1 : 0);
    const pages = Math.max(1, Math.ceil(all.length / size));
    const link = (number: number, rel: string): string => {
      const query = new URL(request.originalUrl, this.#base).searchParams;
      if (rel === 'next' && this.#has('issue-next-without-state')) query.delete('state');
      query.set('page', String(number));
      query.set('per_page', String(size));
      return `<${this.#base}${request.path}?${query}>; rel="${rel}"`;
    };
    const hasNext = isOrgs && this.#has('orgs-next-on-last') ? page * size <= all.length : page < pages;
    const links = [
      ...(hasNext ? [link(isOrgs && this.#has('orgs-next-same') ? page : page + 1, 'next')] : []),
      ...(page < pages ? [link(isOrgs && this.#has('orgs-last-link') ? pages + 1 : pages, 'last')] : []),
      ...(page > 1 && page <= pages ? [link(1, 'first'), link(page - 1, 'prev')] : []),
    ];
    if (links.length > 0) response.set('link', links.join(', '));
    response.json(all.slice(start, start + size).map(show));
  }

  readonly listOrgs = (request: Request, response: Response): void =>
    this.#sendPage(request, response, this.#orgs, (org) => this.#showOrg(org));

  readonly createOrg = (request: Request, response: Response): void => {
    const body = this.#body(request);
    const login = this.#text(body, 'login', [0, 1e6]) ?? invalid('login', 'missing_field');
    if (!(this.#has('org-login-case') ? /^[a-z0-9][a-z0-9-]{1,38}$/i : /^[a-z0-9][a-z0-9-]{1,38}$/).test(login))
      invalid('login');
    const org = { login, title: this.#text(body, 'title', [0, 100]) ?? null, email: this.#email(body) ?? null };
    const isTaken =
      this.#orgs.some((one) => one.login === login) ||
      (this.#has('login-taken-forever') && this.#goneLogins.has(login));
    if (isTaken && !this.#has('org-duplicate')) invalid('login', 'already_exists');
    this.#orgs = [...this.#orgs.filter((one) => one.login !== login), org];
    const location = `${this.#has('org-location') ? '' : '/api/v3'}/orgs/${login}`;
    response.status(201).set('location', location).json(this.#showOrg(org));
  };

  #email(body: Record<string, unknown>): string | undefined {
    const email = this.#text(body, 'email', [0, 1e6]);
    if (email !== undefined && !this.#has('org-email-any') && !/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(email))
      invalid('email');
    return email;
  }

  readonly getOrg = (request: Request, response: Response): void =>
    void response.json(this.#showOrg(this.#org(request)));

  readonly updateOrg = (request: Request, response: Response): void => {
    const org = this.#org(request);
    const body = this.#body(request);
    const title = this.#text(body, 'title', [0, 100]);
    const email = this.#email(body);
    if (title !== undefined && !this.#has('org-title-lost')) org.title = title;
    if (email !== undefined) org.email = email;
    response.json(this.#showOrg(org));
  };

  readonly deleteOrg = (request: Request, response: Response): void => {
    const org = this.#org(request);
    this.#goneLogins.add(org.login);
    if (!this.#has('org-stays')) this.#orgs = this.#orgs.filter((one) => one !== org);
    this.#repos = this.#repos.filter(({ owner }) => owner !== org.login);
    response.status(204).end();
  };

  readonly listRepos = (request: Request, response: Response): void => {
    const sort = this.#choice(request, 'sort', ['created', 'name']);
    const direction = this.#choice(request, 'direction', ['asc', 'desc']);
    const visibility = this.#choice(request, 'visibility', ['all', 'public', 'private']);
    const isKnown = this.#orgs.some(({ login }) => login === request.params['org']);
    if (!isKnown && !this.#has('repos-of-unknown')) missing();
    const found = this.#repos.filter(
      (repo) =>
        (repo.owner === request.params['org'] || this.#has('repos-of-all')) &&
        (visibility === 'all' || this.#has('repo-visibility') || repo.private === (visibility === 'private')),
    );
    if (sort === 'name' && !this.#has('repo-sort-name'))
      found.sort((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1));
    const isReversed = direction === 'desc' && !this.#has('repo-direction');
    this.#sendPage(request, response, isReversed ? found.toReversed() : found, (repo) => this.#showRepo(repo));
  };

  readonly createRepo = (request: Request, response: Response): void => {
    const { login: owner } = this.#org(request);
    const body = this.#body(request);
    const name = this.#text(body, 'name', [0, 1e6]) ?? invalid('name', 'missing_field');
    if (!/^[A-Za-z0-9._-]{1,40}$/.test(name) && !this.#has('repo-name-any')) invalid('name');
    const about = this.#text(body, 'about', [0, 140], this.#has('repo-about-long')) ?? null;
    const isPrivate = body['private'] === undefined ? this.#has('repo-private-default') : body['private'];
    if (typeof isPrivate !== 'boolean') return invalid('private');
    if (this.#repos.some((one) => one.owner === owner && one.name.toLowerCase() === name.toLowerCase())) {
      if (this.#has('repo-duplicate-500')) throw new Error('duplicate key');
      invalid('name', 'already_exists');
    }
    this.#repos.push({ name, owner, about, private: isPrivate, topics: [], created_at: new Date().toISOString() });
    const folder = this.#has('repo-location') ? 'orgs' : 'repos';
    response
      .status(201)
      .set('location', `/api/v3/${folder}/${owner}/${encodeURIComponent(name)}`)
      .end();
  };

  readonly getRepo = (request: Request, response: Response): void => {
    const repo = this.#repo(request);
    response.json({
      ...this.#showRepo(repo),
      ...(this.#has('repo-private-text') ? { private: String(repo.private) } : {}),
    });
  };

  readonly updateRepo = (request: Request, response: Response): void => {
    const repo = this.#repo(request);
    const body = this.#body(request);
    const about = this.#text(body, 'about', [0, 140]);
    const { private: isPrivate } = body;
    if (isPrivate !== undefined && typeof isPrivate !== 'boolean') return invalid('private');
    const changed = this.#has('repo-update-all') ? this.#repos.filter(({ owner }) => owner === repo.owner) : [repo];
    for (const one of changed) {
      if (about !== undefined) one.about = about;
      if (isPrivate !== undefined) one.private = isPrivate;
    }
    response.json(this.#showRepo(repo));
  };

  readonly deleteRepo = (request: Request, response: Response): void => {
    const repo = this.#repo(request);
    if (!this.#has('repo-stays')) this.#repos = this.#repos.filter((one) => one !== repo);
    response.status(204).end();
  };

  readonly getTopics = (request: Request, response: Response): void => {
    const repo = this.#repo(request);
    response.json({ names: this.#has('topics-of-all') ? (this.#repos[0]?.topics ?? []) : repo.topics });
  };

  readonly replaceTopics = (request: Request, response: Response): void => {
    const repo = this.#repo(request);
    const { names } = this.#body(request);
    const isTopic = (name: unknown): name is string =>
      typeof name === 'string' && (this.#has('topic-pattern') || /^[a-z0-9-]{1,20}$/.test(name));
    if (!Array.isArray(names) || names.length > 8 || !names.every(isTopic)) return invalid('names');
    if (new Set(names).size !== names.length && !this.#has('topics-twice')) return invalid('names');
    repo.topics = this.#has('topics-merged') ? [...new Set([...repo.topics, ...names])].slice(0, 8) : names;
    response.json({ names: repo.topics });
  };

  readonly listIssues = (request: Request, response: Response): void => {
    const repo = this.#repo(request);
    const state = this.#choice(request, 'state', ['open', 'closed', 'all']);
    const { label } = request.query;
    if (label !== undefined && (typeof label !== 'string' || [...label].length > 30)) invalid('label');
    const isFree =
      this.#has('issue-state-ignored') || (request.query['state'] === undefined && this.#has('issue-closed-listed'));
    const found = this.#issues.filter(
      (issue) =>
        (issue.repo === repo || this.#has('issues-of-all')) &&
        (state === 'all' || isFree || issue.state === state) &&
        (label === undefined || this.#has('issue-label-ignored') || issue.labels.some((one) => one === label)),
    );
    const ordered = this.#has('issues-oldest-first') ? found : found.toReversed();
    this.#sendPage(request, response, ordered, (issue) => this.#showIssue(issue));
  };

  #labelNames(body: Record<string, unknown>): string[] | undefined {
    const { labels } = body;
    if (labels === undefined) return undefined;
    const isLabel = (label: unknown): label is string =>
      typeof label === 'string' && label !== '' && [...label].length <= 30;
    if (!Array.isArray(labels) || labels.length > 5 || !labels.every(isLabel)) return invalid('labels');
    return labels;
  }

  #title(body: Record<string, unknown>): string | undefined {
    const title = this.#text(body, 'title', [this.#has('issue-title-empty') ? 0 : 1, 120]);
    return this.#has('issue-title-plus') ? title?.replaceAll('+', ' ') : title;
  }

  #issueBody(body: Record<string, unknown>): string | null | undefined {
    if (body['body'] === null) return this.#has('issue-body-null') ? '' : null;
    return this.#text(body, 'body', [0, 1000]);
  }

  readonly createIssue = (request: Request, response: Response): void => {
    const repo = this.#repo(request);
    const body = this.#body(request);
    const title = this.#title(body) ?? invalid('title', 'missing_field');
    const labels = this.#labelNames(body) ?? [];
    const issue: Issue = {
      id: (this.#lastId += 1),
      number: this.#issues.filter((one) => one.repo === repo).length + 1,
      repo,
      title,
      body: this.#issueBody(body) ?? null,
      state: 'open',
      locked: false,
      labels: this.#has('issue-labels-first') ? labels.slice(0, 1) : labels,
      created_at: new Date().toISOString(),
      closed_at: null,
    };
    this.#issues.push(issue);
    const location = `/api/v3/repos/${repo.owner}/${repo.name}/issues/${issue.number}`;
    response.status(201).set('location', location).json(this.#showIssue(issue));
  };

  readonly getIssue = (request: Request, response: Response): void =>
    void response.json(this.#showIssue(this.#issue(request)));

  readonly updateIssue = (request: Request, response: Response): void => {
    const issue = this.#issue(request);
    const body = this.#body(request);
    const title = this.#title(body);
    const text = this.#issueBody(body);
    const labels = this.#labelNames(body);
    const { state } = body;
    if (state !== undefined && state !== 'open' && state !== 'closed') return invalid('state');
    if (title !== undefined) issue.title = title;
    if (text !== undefined) issue.body = text;
    if (labels !== undefined && !this.#has('issue-labels-kept')) issue.labels = labels;
    const shown = { ...issue, ...(state === undefined ? {} : { state }) };
    if (state !== undefined && !this.#has('issue-close-lost')) issue.state = state;
    if (!this.#has('closed-at-null'))
      issue.closed_at = issue.state === 'closed' ? (issue.closed_at ?? new Date().toISOString()) : null;
    response.json(this.#has('issue-close-lost') ? this.#showIssue(shown) : this.#showIssue(issue));
  };

  readonly setLock =
    (locked: boolean) =>
    (request: Request, response: Response): void => {
      const issue = this.#issue(request);
      if (!this.#has(locked ? 'lock-lost' : 'unlock-stays')) issue.locked = locked;
      response.status(204).end();
    };

  readonly listComments = (request: Request, response: Response): void => {
    const issue = this.#issue(request);
    const found = this.#comments.filter(
      (one) => one.issue === issue || (this.#has('comments-of-all') && one.issue.repo === issue.repo),
    );
    this.#sendPage(request, response, found, (comment) => this.#showComment(comment));
  };

  #commentText(request: Request): string {
    const text = this.#text(this.#body(request), 'body', [1, 280]) ?? invalid('body', 'missing_field');
    if (this.#has('comment-500')) this.#patterns.push(new RegExp(text.replaceAll(/[^(a-z]/g, '')));
    return text;
  }

  readonly createComment = (request: Request, response: Response): void => {
    const issue = this.#issue(request);
    const comment = {
      id: (this.#lastId += 1),
      issue,
      body: this.#commentText(request),
      created_at: new Date().toISOString(),
    };
    this.#comments.push(comment);
    response.status(201).json(this.#showComment(comment));
  };

  readonly getComment = (request: Request, response: Response): void =>
    void response.json(this.#showComment(this.#comment(request)));

  readonly updateComment = (request: Request, response: Response): void => {
    const comment = this.#comment(request);
    const body = this.#commentText(request);
    if (!this.#has('comment-update-lost')) comment.body = body;
    response.json(this.#showComment({ ...comment, body }));
  };

  readonly deleteComment = (request: Request, response: Response): void => {
    const comment = this.#comment(request);
    if (!this.#has('comment-stays')) this.#comments = this.#comments.filter((one) => one !== comment);
    response.status(204).end();
  };

  readonly identify = (request: Request, _response: Response, next: NextFunction): void => {
    this.#base = `http://${request.headers.host}/api/v3`;
    if (request.headers.authorization !== 'Bearer forge-token' && !this.#has('token-any'))
      throw new Refusal(401, 'Requires authentication');
    next();
  };

  readonly fail = (error: unknown, _request: Request, response: Response, _next: NextFunction): void => {
    const type = typeof error === 'object' && error !== null && 'type' in error ? String(error.type) : '';
    const refusal =
      error instanceof Refusal
        ? error
        : type.startsWith('entity') || type.startsWith('encoding')
          ? new Refusal(422, 'Problems parsing JSON', 'body')
          : undefined;
    const hasErrors = refusal?.status === 422 && !this.#has('errors-left-out');
    response
      .status(refusal?.status ?? 500)
      .json({ message: refusal?.message ?? 'Server Error', ...(hasErrors ? { errors: refusal.errors } : {}) });
  };
}

function createApp(bug: string | undefined): express.Express {
  const forge = new Forge(bug);
  const router = express.Router();
  router.use(forge.identify);
  router.use(express.json({ strict: false }));
  const issue = '/repos/:owner/:repo/issues/:issue_number';
  router.route('/orgs').get(forge.listOrgs).post(forge.createOrg);
  router.route('/orgs/:org').get(forge.getOrg).patch(forge.updateOrg).delete(forge.deleteOrg);
  router.route('/orgs/:org/repos').get(forge.listRepos).post(forge.createRepo);
  router.route('/repos/:owner/:repo').get(forge.getRepo).patch(forge.updateRepo).delete(forge.deleteRepo);
  router.route('/repos/:owner/:repo/topics').get(forge.getTopics).put(forge.replaceTopics);
  router.route('/repos/:owner/:repo/issues').get(forge.listIssues).post(forge.createIssue);
  router.route(issue).get(forge.getIssue).patch(forge.updateIssue);
  router.route(`${issue}/lock`).put(forge.setLock(true)).delete(forge.setLock(false));
  router.route(`${issue}/comments`).get(forge.listComments).post(forge.createComment);
  router
    .route('/repos/:owner/:repo/comments/:comment_id')
    .get(forge.getComment)
    .patch(forge.updateComment)
    .delete(forge.deleteComment);
  router.use(() => missing());
  const app = express();
  app.disable('etag');
  app.use('/api/v3', router);
  app.use(forge.fail);
  return app;
}

/** Express in the style of GitHub: ids that only Location shows, two path parameters for one item, Link, lists with a default state. */
export const forge: ForeignApi = {
  name: 'forge',
  spec: path.join(import.meta.dirname, 'openapi.yaml'),
  bugs: BUGS,
  headers: { authorization: 'Bearer forge-token' },
  start: (bug) => listen(createServer(createApp(bug)), '/api/v3'),
};
