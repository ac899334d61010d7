/** Lists notifications with the client of GitHub. Usage: node octokit.mjs http://localhost:4012 */
import { Octokit } from '@octokit/rest';

const octokit = new Octokit({ auth: 'any', baseUrl: process.argv[2] });
const { status, data } = await octokit.activity.listNotificationsForAuthenticatedUser();
console.log(`notifications: ${status} ${Array.isArray(data)}`);
