// The documentation page at /docs: Swagger UI from the installed package, so that it works without
// internet. It reads /api/v1/openapi.json and lets a person enter a token and try calls.
import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { BASE_PATH } from '../../endpoints/endpoint.ts';
import { PAGE_POLICY } from '../security-headers.ts';

const PREFIX = '/docs';
const ASSETS: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Strata API</title>
<link rel="icon" type="image/png" href="${PREFIX}/favicon-32x32.png">
<link rel="stylesheet" href="${PREFIX}/swagger-ui.css">
</head>
<body>
<div id="swagger-ui"></div>
<script src="${PREFIX}/swagger-ui-bundle.js"></script>
<script src="${PREFIX}/start.js"></script>
</body>
</html>
`;

const START = `window.ui = SwaggerUIBundle({
  url: '${BASE_PATH}/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  validatorUrl: null,
});
`;

export function addDocsPage(server: FastifyInstance): void {
  const folder = new URL('static/', import.meta.resolve('@fastify/swagger-ui'));
  const serve = (path: string, type: string, content: () => Promise<string | Buffer>, cache: string): void => {
    server.get(path, async (_request, reply) => {
      reply.headers({ 'content-security-policy': PAGE_POLICY, 'content-type': type, 'cache-control': cache });
      return content();
    });
  };
  serve(PREFIX, 'text/html; charset=utf-8', async () => PAGE, 'no-cache');
  serve(`${PREFIX}/start.js`, 'text/javascript; charset=utf-8', async () => START, 'no-cache');
  for (const [name, type] of Object.entries(ASSETS)) {
    serve(`${PREFIX}/${name}`, type, () => readFile(new URL(name, folder)), 'public, max-age=3600');
  }
}
