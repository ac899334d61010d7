// Stands for the server of your application.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';

createServer(async (_request, response) => {
  response.setHeader('content-type', 'text/html; charset=utf-8').end(await readFile('index.html'));
}).listen(4376, '127.0.0.1');
