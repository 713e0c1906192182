// Cuts the operations that Strata uses out of Atlassian's published descriptions of Jira Cloud and Jira Software (both
// Apache 2.0) and writes them to jira-openapi.json in this folder.
// Run: node test/world/tracker-doubles/write-jira-openapi.mjs swagger-v3.v3.json software-swagger.v3.json
// with the first from jarekbird/jira-api-mcp-wrapper (December 2025) and the second from salto-io/jira-swaggers.
import { readFileSync, writeFileSync } from 'node:fs';

const WANTED = [
  [
    ['get', '/rest/api/3/serverInfo'],
    ['get', '/rest/api/3/myself'],
    ['get', '/rest/api/3/project/search'],
    ['get', '/rest/api/3/field'],
    ['get', '/rest/api/3/status'],
    ['post', '/rest/api/3/search/jql'],
    ['post', '/rest/api/3/changelog/bulkfetch'],
  ],
  [
    ['get', '/rest/agile/1.0/board'],
    ['get', '/rest/agile/1.0/board/{boardId}/configuration'],
    ['get', '/rest/agile/1.0/board/{boardId}/sprint'],
    ['get', '/rest/agile/1.0/sprint/{sprintId}'],
  ],
];

const kept = { license: 'Apache-2.0', paths: {}, schemas: {} };
const PROSE = ['description', 'title', 'readOnly', 'example', 'x-patternDescription', 'externalDocs', 'xml'];
const plain = (node, isNamed = false) => {
  if (Array.isArray(node)) return node.map((item) => plain(item));
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node)
      .filter(([name]) => isNamed || !PROSE.includes(name))
      .map(([name, value]) => [name, plain(value, name === 'properties')]),
  );
};

for (const [index, file] of process.argv.slice(2).entries()) {
  const whole = JSON.parse(readFileSync(file, 'utf8'));
  const waiting = [];
  for (const [method, path] of WANTED[index]) {
    const { parameters = [], requestBody, responses } = whole.paths[path][method];
    const { schema, example } = responses['200'].content['application/json'];
    const operation = {
      query: parameters.filter((each) => each.in === 'query').map(({ name }) => name),
      request: plain(requestBody?.content['application/json'].schema ?? null),
      // Where there is no schema, the names of the example are what may be answered.
      answer: plain(schema ?? null),
      example: schema === undefined ? JSON.parse(example) : null,
    };
    kept.paths[`${method} ${path}`] = operation;
    waiting.push(operation);
  }
  while (waiting.length > 0) {
    for (const [, name] of JSON.stringify(waiting.pop()).matchAll(/"#\/components\/schemas\/([\w.-]+)"/g)) {
      if (kept.schemas[name] !== undefined) continue;
      kept.schemas[name] = plain(whole.components.schemas[name]);
      waiting.push(kept.schemas[name]);
    }
  }
}
writeFileSync(new URL('jira-openapi.json', import.meta.url), `${JSON.stringify(kept, null, 1)}\n`);
