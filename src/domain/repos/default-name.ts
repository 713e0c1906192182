// What a repository is called that nobody has named: after its folder or address.

export const DEFAULT_ORGANIZATION = 'imported';

/** A name as paths may hold it. */
export const slugOf = (name: string): string =>
  name.replace(/[^\p{L}\p{N}._~-]+/gu, '-').replace(/^[.-]+|[.-]+$/g, '') || 'repo';

/** `imported/<repo>`, from the last part of a folder or address. */
export function defaultRepoName(address: string): string {
  const whole = address.replace(/[?#].*$/, '').replace(/\/+(\.git)?$/, '');
  const name = whole.slice(Math.max(whole.lastIndexOf('/'), whole.lastIndexOf('\\')) + 1).replace(/\.git$/, '');
  return `${DEFAULT_ORGANIZATION}/${slugOf(name.replace(/^.*:/, ''))}`;
}
