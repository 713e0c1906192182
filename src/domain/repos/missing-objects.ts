// What is said of a repository that lacks objects of its history, in the same words wherever that shows.

export const MISSING_OBJECTS_REMEDY = 'of a partial clone, git fetch --refetch --no-filter brings the rest';

/** What it means that files could not be read which say how the project wants to be read. */
export const unreadConventionsWords = (paths: readonly string[]): string =>
  `${paths.join(', ')} could not be read, and people, generated files and revisions to ignore are as without ` +
  `${paths.length === 1 ? 'it' : 'them'}; ${MISSING_OBJECTS_REMEDY}`;

/** What it means for figures that so many commits lack objects. */
export function missingObjectsWords(commits: number): string {
  const [of, whose] = commits === 1 ? ['one commit', 'its'] : [`${commits.toLocaleString('en-US')} commits`, 'their'];
  return `objects of ${of} are missing, and the figures lack ${whose} lines`;
}
