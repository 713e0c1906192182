// Cuts what Strata's queries use out of Linear's published schema (MIT) and writes it to linear-schema.graphql in this
// folder. A query that does not hold against the whole schema ends the script.
// Run: node --import ./bench/typescript.mjs test/world/tracker-doubles/write-linear-schema.mjs schema.graphql
// with the file from linear/linear, packages/sdk/src; then biome check --write.
import { readFileSync, writeFileSync } from 'node:fs';
import {
  buildSchema,
  getNamedType,
  isInputObjectType,
  parse,
  TypeInfo,
  validate,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import * as queries from '../../../src/connectors/trackers/linear/queries.ts';

const schema = buildSchema(readFileSync(process.argv[2], 'utf8'));
const fields = new Map();
const inputs = new Set();
const usedArguments = new Map();
const keep = (type, field, text) => fields.set(type, (fields.get(type) ?? new Map()).set(field, text));
/** Filters are deep; the values that are sent are of these fields. */
const FILTERED = { IssueFilter: ['updatedAt'], ProjectFilter: ['updatedAt'], DateComparator: ['gte'] };

for (const text of Object.values(queries)) {
  const query = parse(text);
  const problems = validate(schema, query);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  const info = new TypeInfo(schema);
  visit(
    query,
    visitWithTypeInfo(info, {
      Field(node) {
        const definition = info.getFieldDef();
        const key = `${info.getParentType().name}.${definition.name}`;
        const used = usedArguments.get(key) ?? new Set();
        usedArguments.set(key, used);
        for (const { name } of node.arguments ?? []) used.add(name.value);
        const args = definition.args.filter(({ name }) => used.has(name));
        for (const { type } of args) inputs.add(getNamedType(type));
        const shown = args.length === 0 ? '' : `(${args.map(({ name, type }) => `${name}: ${type}`).join(', ')})`;
        keep(info.getParentType().name, definition.name, `${definition.name}${shown}: ${definition.type}`);
        const result = getNamedType(definition.type);
        if (!('getFields' in result)) inputs.add(result);
      },
    }),
  );
}
const parts = [...fields].map(
  ([type, list]) => `type ${type} {\n${[...list.values()].map((each) => `  ${each}\n`).join('')}}\n`,
);
const waiting = [...inputs];
const done = new Set();
while (waiting.length > 0) {
  const type = waiting.pop();
  if (done.has(type.name) || ['Int', 'Float', 'String', 'Boolean', 'ID'].includes(type.name)) continue;
  done.add(type.name);
  if (isInputObjectType(type)) {
    const own = Object.values(type.getFields()).filter(({ name }) => FILTERED[type.name]?.includes(name));
    for (const field of own) waiting.push(getNamedType(field.type));
    parts.push(`input ${type.name} {\n${own.map(({ name, type: of }) => `  ${name}: ${of}\n`).join('')}}\n`);
  } else if ('getValues' in type) {
    parts.push(
      `enum ${type.name} {\n${type
        .getValues()
        .map(({ name }) => `  ${name}\n`)
        .join('')}}\n`,
    );
  } else parts.push(`scalar ${type.name}\n`);
}
const head = '# Cut from the schema of linear/linear (MIT) by write-linear-schema.mjs.\n';
writeFileSync(new URL('linear-schema.graphql', import.meta.url), `${head}\n${parts.sort().join('\n')}`);
