// Where GitHub's two APIs are: on github.com, on a GHE.com subdomain, and below an Enterprise Server's own address.

export interface GithubAddresses {
  readonly rest: string;
  readonly graphql: string;
}

export function githubAddresses(address: string): GithubAddresses {
  const { hostname, pathname, origin, protocol } = new URL(address);
  const plain = hostname.replace(/^(?:api|www)\./, '');
  if (plain === 'github.com' || /^[^.]+\.ghe\.com$/.test(plain)) {
    const api = `${protocol}//api.${plain}`;
    return { rest: api, graphql: `${api}/graphql` };
  }
  const base = pathname === '/' ? '' : pathname.replace(/\/+$/, '').replace(/\/api\/v3$/, '');
  return { rest: `${origin}${base}/api/v3`, graphql: `${origin}${base}/api/graphql` };
}
