// Azure DevOps, Services and Server, as its REST documentation has it: continuation tokens in a header, and
// the sign-in page in place of an error for a token that is not accepted.
import { type Answerer, pageOf, startHostDouble } from './host-double.ts';

export const AZURE_TOKEN = 'azuredoubletokenazuredoubletokenazuredoubletoken0123';
export const AZURE_TENANT = '11111111-2222-3333-4444-555555555555';

const projects = ['Engines', 'Loom Works', 'Mills'].map((name, index) => ({
  id: `00000000-0000-4000-8000-00000000050${index}`,
  name,
  state: 'wellFormed',
  visibility: 'private',
}));

const repos = ['difference', 'empty', 'retired'].map((name, index) => ({
  id: `00000000-0000-4000-8000-00000000080${index}`,
  name,
  remoteUrl: `https://contoso@dev.azure.com/contoso/Engines/_git/${name}`,
  webUrl: `https://dev.azure.com/contoso/Engines/_git/${name}`,
  ...(name === 'empty' ? {} : { defaultBranch: 'refs/heads/main' }),
  isDisabled: name === 'retired',
  project: projects[0],
}));

const EXPECTED = `Basic ${Buffer.from(`:${AZURE_TOKEN}`).toString('base64')}`;

/** `prefix` is what stands in front of the organization or collection. */
const answerBelow =
  (prefix: string): Answerer =>
  ({ path, query, headers }) => {
    if (headers.authorization !== EXPECTED) return { status: 203, body: '<html><title>Sign In</title></html>' };
    const base = `${prefix}/contoso`;
    if (!/^\d\.\d(-preview\.\d)?$/.test(query.get('api-version') ?? '')) {
      return { status: 400, body: { message: 'No api-version was supplied' } };
    }
    if (path === `${base}/_apis/connectionData`) {
      return {
        headers: { 'x-vss-resourcetenant': AZURE_TENANT },
        body: {
          authenticatedUser: {
            id: '00000000-0000-4000-8000-000000000041',
            descriptor: 'Microsoft.IdentityModel.Claims.ClaimsIdentity;ada@example.com',
            providerDisplayName: 'Ada Lovelace',
            isActive: true,
          },
          instanceId: '00000000-0000-4000-8000-000000000001',
        },
      };
    }
    if (path === `${base}/_apis/projects`) {
      const number = Number(query.get('continuationToken') ?? 1);
      const { items, hasNext } = pageOf(projects, number);
      return {
        headers: hasNext ? { 'x-ms-continuationtoken': String(number + 1) } : {},
        body: { count: items.length, value: items },
      };
    }
    const project = projects.find(({ id }) => path === `${base}/${id}/_apis/git/repositories`);
    if (project === undefined) return { status: 404, body: { message: 'TF400813: Resource not available' } };
    const value = project.name === 'Engines' ? repos : [];
    return { body: { count: value.length, value } };
  };

export const startAzure = () => startHostDouble(answerBelow(''));
export const startAzureServer = () => startHostDouble(answerBelow('/tfs'));
