import { annotate, readInput } from './runner.mjs';

/** Finds the comment of an earlier run. */
const MARK = '<!-- specmill: changes of specs -->';

/** GitHub takes 65,536 characters. */
const LONGEST = 60_000;

/**
 * Writes the changes to the comment of the pull request, or to that of an earlier run. Without changes there is no new comment. A
 * token that may not write (a pull request of a fork) is a warning: the summary of the job has the same text.
 */
export async function writeComment(number, markdown, isChanged) {
  const text =
    markdown.length <= LONGEST ? markdown : `${markdown.slice(0, LONGEST)}\n\nThe summary of the job has the rest.`;
  const body = JSON.stringify({ body: `${MARK}\n${text}` });
  const issues = `/repos/${process.env['GITHUB_REPOSITORY']}/issues`;
  try {
    const earlier = await findComment(`${issues}/${number}/comments`);
    if (earlier !== undefined) await send('PATCH', `${issues}/comments/${earlier.id}`, body);
    else if (isChanged) await send('POST', `${issues}/${number}/comments`, body);
  } catch (error) {
    annotate('warning', `The comment was not written: ${error.message}. The summary of the job has the changes.`);
  }
}

async function findComment(route) {
  for (let page = 1; page <= 30; page += 1) {
    const comments = await send('GET', `${route}?per_page=100&page=${page}`);
    const found = comments.find((comment) => comment.body?.startsWith(MARK));
    if (found !== undefined || comments.length < 100) return found;
  }
  return undefined;
}

async function send(method, route, body) {
  const response = await fetch(`${process.env['GITHUB_API_URL'] ?? 'https://api.github.com'}${route}`, {
    method,
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${readInput('token')}`,
      'content-type': 'application/json',
      'user-agent': 'specmill-action',
    },
    ...(body === undefined ? {} : { body }),
  });
  if (!response.ok)
    throw new Error(`GitHub responded with ${response.status} to ${method} ${route.replace(/\?.*/, '')}`);
  return response.json();
}
