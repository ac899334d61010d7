/** Lists and calls tools of the engine with the client of MCP. Usage: node mcp.mjs http://localhost:4013 */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const client = new Client({ name: 'example', version: '1.0.0' });
await client.connect(new StreamableHTTPClientTransport(new URL(`${process.argv[2]}/mcp`)));
const { tools } = await client.listTools();
console.log(`tools: ${tools.map(({ name }) => name).includes('read_records')}`);
const { content } = await client.callTool({ name: 'read_records', arguments: { entity: 'Book' } });
console.log(`records: ${content[0].type}`);
await client.close();
