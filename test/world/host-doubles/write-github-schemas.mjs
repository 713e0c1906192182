// Cuts what Strata's queries use out of the schemas that GitHub publishes for Enterprise Server, and writes them to
// github-schemas in this folder. A server that takes neither variant of a query ends the script.
// Run: node --import ./bench/typescript.mjs test/world/host-doubles/write-github-schemas.mjs FOLDER
// with VERSION.graphql for each version, from docs.github.com (also in faros-ai/airbyte-connectors, Apache-2.0,
// faros-airbyte-common/resources/github/schemas).
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  buildSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isObjectType,
  isUnionType,
  parse,
  TypeInfo,
  validate,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { ENTERPRISE_VERSIONS, githubQueries } from './github-queries.ts';

const BUILT_IN = ['Int', 'Float', 'String', 'Boolean', 'ID'];

function cut(schema) {
  const fields = new Map();
  const leaves = new Map();
  const unions = new Set();
  const objects = new Set();
  const collect = (text) => {
    const query = parse(text);
    const info = new TypeInfo(schema);
    visit(
      query,
      visitWithTypeInfo(info, {
        InlineFragment(node) {
          objects.add(node.typeCondition.name.value);
        },
        Field(node) {
          const definition = info.getFieldDef();
          const parent = info.getParentType();
          if (isObjectType(parent)) objects.add(parent.name);
          if (node.name.value === '__typename') return;
          const own = fields.get(parent.name) ?? new Map();
          fields.set(parent.name, own);
          own.set(definition.name, definition);
          const result = getNamedType(definition.type);
          if (isUnionType(result)) unions.add(result);
          else if (!('getFields' in result)) leaves.set(result.name, result);
          else if (!fields.has(result.name)) fields.set(result.name, new Map());
          for (const { type } of definition.args) leaves.set(getNamedType(type).name, getNamedType(type));
        },
      }),
    );
  };
  for (const id of ['fullDatabaseId', 'databaseId']) {
    for (const [name, text] of githubQueries(id)) {
      const problems = validate(schema, parse(text));
      if (problems.length === 0) collect(text);
      else if (id === 'databaseId') throw new Error(`${name}: ${problems.join('\n')}`);
    }
  }
  // A type of which only the name is asked for still needs a field, and so do those that implement it.
  for (const [name, own] of fields) {
    if (own.size > 0) continue;
    const scalar = Object.values(schema.getType(name).getFields()).find(({ type }) =>
      BUILT_IN.includes(getNamedType(type).name),
    );
    own.set(scalar.name, scalar);
  }
  const parts = [...fields].map(([name, own]) => {
    const type = schema.getType(name);
    const isObject = isObjectType(type);
    const above = type.getInterfaces().filter((each) => fields.has(each.name));
    for (const each of above) {
      for (const field of fields.get(each.name).keys()) own.set(field, type.getFields()[field]);
    }
    const shown = [...own.values()]
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map((field) => {
        const args = field.args.map((arg) => `${arg.name}: ${arg.type}`).join(', ');
        return `  ${field.name}${args === '' ? '' : `(${args})`}: ${field.type}\n`;
      });
    const implemented = above.length === 0 ? '' : ` implements ${above.map((each) => each.name).join(' & ')}`;
    return `${isObject ? 'type' : 'interface'} ${name}${implemented} {\n${shown.join('')}}\n`;
  });
  for (const union of unions) {
    const members = union.getTypes().filter((each) => fields.has(each.name));
    parts.push(`union ${union.name} = ${members.map((each) => each.name).join(' | ')}\n`);
  }
  for (const type of [...leaves.values()]) {
    if (BUILT_IN.includes(type.name)) continue;
    if (isEnumType(type)) {
      const values = type.getValues().map((value) => `  ${value.name}\n`);
      parts.push(`enum ${type.name} {\n${values.join('')}}\n`);
    } else if (isInputObjectType(type)) {
      const own = Object.values(type.getFields());
      for (const field of own) {
        const of = getNamedType(field.type);
        if (!leaves.has(of.name) && isEnumType(of)) {
          leaves.set(of.name, of);
          parts.push(
            `enum ${of.name} {\n${of
              .getValues()
              .map((value) => `  ${value.name}\n`)
              .join('')}}\n`,
          );
        }
      }
      parts.push(`input ${type.name} {\n${own.map((field) => `  ${field.name}: ${field.type}\n`).join('')}}\n`);
    } else parts.push(`scalar ${type.name}\n`);
  }
  return parts.sort().join('\n');
}

for (const version of ENTERPRISE_VERSIONS) {
  const schema = buildSchema(readFileSync(join(process.argv[2], `${version}.graphql`), 'utf8'), { assumeValid: true });
  const head = `# Cut from the schema that GitHub publishes for Enterprise Server ${version}, by write-github-schemas.mjs.\n`;
  writeFileSync(new URL(`github-schemas/${version}.graphql`, import.meta.url), `${head}\n${cut(schema)}`);
}
