// A list of the API that is drawn as one.

interface Page {
  readonly page_count: number;
}

const FIRST = 1;
/** Of fifty each. What is longer is no list of signs. */
const MOST_PAGES = 20;

/** All pages in order; none where there are too many to read. */
export async function readPages<P extends Page>(read: (page: number) => Promise<P>): Promise<readonly P[]> {
  const first = await read(FIRST);
  if (first.page_count > MOST_PAGES) return [];
  const others = Array.from({ length: Math.max(0, first.page_count - FIRST) }, (_, index) => read(FIRST + 1 + index));
  return [first, ...(await Promise.all(others))];
}
