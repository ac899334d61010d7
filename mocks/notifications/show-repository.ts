import { numberOf } from 'specmill/mock';

import type { MinimalRepository, RepositoryOwner } from '../../generated/notifications/types.js';

/** The suffixes of the URLs of a repository. */
const URL_ENDINGS = {
  archive_url: '/{archive_format}{/ref}',
  assignees_url: '/assignees{/user}',
  blobs_url: '/git/blobs{/sha}',
  branches_url: '/branches{/branch}',
  collaborators_url: '/collaborators{/collaborator}',
  comments_url: '/comments{/number}',
  commits_url: '/commits{/sha}',
  compare_url: '/compare/{base}...{head}',
  contents_url: '/contents/{+path}',
  contributors_url: '/contributors',
  deployments_url: '/deployments',
  downloads_url: '/downloads',
  events_url: '/events',
  forks_url: '/forks',
  git_commits_url: '/git/commits{/sha}',
  git_refs_url: '/git/refs{/sha}',
  git_tags_url: '/git/tags{/sha}',
  hooks_url: '/hooks',
  issue_comment_url: '/issues/comments{/number}',
  issue_events_url: '/issues/events{/number}',
  issues_url: '/issues{/number}',
  keys_url: '/keys{/key_id}',
  labels_url: '/labels{/name}',
  languages_url: '/languages',
  merges_url: '/merges',
  milestones_url: '/milestones{/number}',
  notifications_url: '/notifications{?since,all,participating}',
  pulls_url: '/pulls{/number}',
  releases_url: '/releases{/id}',
  stargazers_url: '/stargazers',
  statuses_url: '/statuses/{sha}',
  subscribers_url: '/subscribers',
  subscription_url: '/subscription',
  tags_url: '/tags',
  teams_url: '/teams',
  trees_url: '/git/trees{/sha}',
} as const;

/** The same for an account. */
const OWNER_ENDINGS = {
  followers_url: '/followers',
  following_url: '/following{/other_user}',
  gists_url: '/gists{/gist_id}',
  starred_url: '/starred{/owner}{/repo}',
  subscriptions_url: '/subscriptions',
  organizations_url: '/orgs',
  repos_url: '/repos',
  events_url: '/events{/privacy}',
  received_events_url: '/received_events',
} as const;

/** A name as one URL segment. Encodes braces, which would start a template parameter; replaces lone surrogates. */
export function toSegment(name: string): string {
  return encodeURIComponent(name.replaceAll(/[\ud800-\udfff]/gu, '\ufffd'));
}

export function repositoryUrl(base: string, owner: string, repo: string): string {
  return `${base}/repos/${toSegment(owner)}/${toSegment(repo)}`;
}

/** A repository as threads show it. Missing members are made up, always in the same way. */
export function showRepository(base: string, owner: string, repo: string): MinimalRepository {
  const url = repositoryUrl(base, owner, repo);
  const { host } = new URL(base);
  const [account, name] = [toSegment(owner), toSegment(repo)];
  const id = numberOf(`${owner}/${repo}`.toLowerCase());
  return {
    id,
    node_id: `R_${toNodeId(id)}`,
    name: repo,
    full_name: `${owner}/${repo}`,
    owner: showOwner(base, owner),
    private: false,
    html_url: `${base}/${account}/${name}`,
    description: null,
    fork: false,
    url,
    git_url: `git://${host}/${account}/${name}.git`,
    ssh_url: `git@${host}:${account}/${name}.git`,
    ...addEndings(url, URL_ENDINGS),
  };
}

function showOwner(base: string, login: string): RepositoryOwner {
  const id = numberOf(login.toLowerCase());
  const url = `${base}/users/${toSegment(login)}`;
  return {
    login,
    id,
    node_id: `O_${toNodeId(id)}`,
    avatar_url: `${base}/avatars/${id}`,
    gravatar_id: '',
    url,
    html_url: `${base}/${toSegment(login)}`,
    type: 'Organization',
    site_admin: false,
    ...addEndings(url, OWNER_ENDINGS),
  };
}

function toNodeId(id: number): string {
  return Buffer.from(String(id)).toString('base64url');
}

function addEndings<Endings extends Readonly<Record<string, string>>>(
  url: string,
  endings: Endings,
): { [Name in keyof Endings]: string } {
  const urls = Object.entries(endings).map(([name, ending]) => [name, `${url}${ending}`]);
  return Object.fromEntries(urls) as { [Name in keyof Endings]: string };
}
