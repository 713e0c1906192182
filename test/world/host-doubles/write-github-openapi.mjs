// Cuts the operations that Strata uses out of GitHub's published OpenAPI description, which is 13 MB (and
// its npm package 390 MB), and writes them to github-openapi.json beside this file.
// Run: npm pack @octokit/openapi@23.0.2 && tar xzf octokit-openapi-23.0.2.tgz &&
//      node test/world/host-doubles/write-github-openapi.mjs package/generated/api.github.com.json
import { readFileSync, writeFileSync } from 'node:fs';

const PATHS = [
  '/user',
  '/user/orgs',
  '/user/repos',
  '/orgs/{org}/repos',
  '/orgs/{org}/teams',
  '/orgs/{org}/teams/{team_slug}/members',
  '/repos/{owner}/{repo}/pulls/comments',
  '/repos/{owner}/{repo}/issues/comments',
  '/repos/{owner}/{repo}/issues',
  '/repos/{owner}/{repo}/issues/events',
  '/repos/{owner}/{repo}/actions/runs',
];

const [, , source] = process.argv;
if (source === undefined) throw new Error('expected the path of api.github.com.json');
const whole = JSON.parse(readFileSync(source, 'utf8'));
const kept = {
  openapi: whole.openapi,
  info: whole.info,
  paths: Object.fromEntries(
    PATHS.map((path) => {
      const { operationId, parameters, responses } = whole.paths[path].get;
      return [path, { get: { operationId, parameters, responses } }];
    }),
  ),
  components: {},
};

// Whatever these mention, and whatever that mentions.
const waiting = [kept.paths];
while (waiting.length > 0) {
  for (const [, kind, name] of JSON.stringify(waiting.pop()).matchAll(/"#\/components\/(\w+)\/([\w.-]+)"/g)) {
    kept.components[kind] ??= {};
    if (kept.components[kind][name] !== undefined) continue;
    kept.components[kind][name] = whole.components[kind][name];
    waiting.push(whole.components[kind][name]);
  }
}
// Descriptions and examples inside schemas do not take part in validation.
const withoutProse = (node, key) => {
  if (Array.isArray(node)) return node.map((item) => withoutProse(item));
  if (typeof node !== 'object' || node === null) return node;
  const isNamed = key === 'properties';
  return Object.fromEntries(
    Object.entries(node)
      .filter(([name, value]) => isNamed || !(['description', 'example'].includes(name) && typeof value !== 'object'))
      .map(([name, value]) => [name, withoutProse(value, name)]),
  );
};
kept.components.schemas = withoutProse(kept.components.schemas);
writeFileSync(new URL('github-openapi.json', import.meta.url), `${JSON.stringify(kept, null, 1)}\n`);
