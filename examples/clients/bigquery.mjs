/** Creates a table with the client of BigQuery. Usage: node bigquery.mjs http://localhost:4011 */
import { BigQuery } from '@google-cloud/bigquery';
import { OAuth2Client } from 'google-auth-library';

const authClient = new OAuth2Client();
authClient.setCredentials({ access_token: 'any', expiry_date: Date.now() + 3_600_000 });
const bigquery = new BigQuery({ projectId: 'p', apiEndpoint: process.argv[2], authClient });
const [table] = await bigquery.dataset('d').createTable('boats', { schema: 'id:integer,name:string' });
console.log(`table: ${table.metadata.id}`);
