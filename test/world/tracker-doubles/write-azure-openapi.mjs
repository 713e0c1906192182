// Cuts the operations that Strata uses out of Microsoft's published description of work item tracking (MIT) and writes
// them to azure-openapi.json in this folder.
// Run: node test/world/tracker-doubles/write-azure-openapi.mjs workItemTracking.json
// with the file from MicrosoftDocs/vsts-rest-api-specs, specification/wit/7.1.
//
// Three things are written otherwise, because the description's own examples contradict it: values of fields are of any
// kind, a batch of revisions holds work items, and a list stands in `value`. Fields that are not described are refused.
import { readFileSync, writeFileSync } from 'node:fs';

const BASE = '/{organization}/{project}/_apis/wit';
const PATHS = [
  `${BASE}/reporting/workitemrevisions`,
  `${BASE}/workitemtypes`,
  `${BASE}/workitemtypecategories`,
  `${BASE}/classificationnodes/{structureGroup}/{path}`,
];

const whole = JSON.parse(readFileSync(process.argv[2], 'utf8').replace(/^\ufeff/, ''));
const nameOf = (reference) => reference.replace('#/definitions/', '');
const flat = (definition) => {
  const parents = (definition.allOf ?? []).map(({ $ref }) => flat(whole.definitions[nameOf($ref)]));
  const properties = Object.assign({}, ...parents.map((each) => each.properties), definition.properties);
  return { type: 'object', properties };
};
const plain = (node, isNamed = false) => {
  if (Array.isArray(node)) return node.map((item) => plain(item));
  if (typeof node !== 'object' || node === null) return node;
  const dropped = ['description', 'x-ms-enum', 'format', 'enum'];
  return Object.fromEntries(
    Object.entries(node)
      .filter(([name]) => isNamed || !dropped.includes(name))
      .map(([name, value]) => [name, plain(value, name === 'properties')]),
  );
};

const kept = { license: 'MIT', paths: {}, schemas: {} };
const waiting = [];
for (const path of PATHS) {
  const { parameters, responses } = whole.paths[path].get;
  const schema = plain(responses['200'].schema);
  const isList = schema.type === 'array';
  const answer = isList
    ? { type: 'object', properties: { count: { type: 'integer' }, value: schema }, additionalProperties: false }
    : schema;
  const query = parameters.filter((each) => each.in === 'query').map(({ name }) => name);
  const short = path.replace('/{organization}', '').replace('/{path}', '').replace('{structureGroup}', 'iterations');
  kept.paths[`get ${short}`] = { query: [...query, 'api-version'], request: null, answer, example: null };
  waiting.push(answer);
}
while (waiting.length > 0) {
  for (const [, name] of JSON.stringify(waiting.pop()).matchAll(/"#\/definitions\/([\w.-]+)"/g)) {
    if (kept.schemas[name] !== undefined) continue;
    const schema = plain(flat(whole.definitions[name]));
    if (name === 'ReportingWorkItemRevisionsBatch') schema.properties.values.items = { $ref: '#/definitions/WorkItem' };
    for (const property of Object.values(schema.properties)) {
      if (property.additionalProperties?.type === 'object') property.additionalProperties = {};
    }
    kept.schemas[name] = { ...schema, additionalProperties: false };
    waiting.push(schema);
  }
}
const text = JSON.stringify(kept, null, 1).replaceAll('"#/definitions/', '"#/components/schemas/');
writeFileSync(new URL('azure-openapi.json', import.meta.url), `${text}\n`);
