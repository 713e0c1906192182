// "Did you mean …?": the known name closest to one that was typed wrong.

/** Optimal string alignment: insert, delete, replace and swap of neighbours cost 1 each. */
export function editDistance(a: string, b: string): number {
  const width = b.length + 1;
  const cells = new Array<number>((a.length + 1) * width).fill(0);
  const at = (row: number, column: number): number => cells[row * width + column]!;
  for (let i = 0; i <= a.length; i++) cells[i * width] = i;
  for (let j = 0; j <= b.length; j++) cells[j] = j;
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let best = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, replaced);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) best = Math.min(best, at(i - 2, j - 2) + 1);
      cells[i * width + j] = best;
    }
  }
  return at(a.length, b.length);
}

/** The closest of `known`, or null when none is close enough to be a likely slip of the fingers. */
export function nearestName(typed: string, known: Iterable<string>): string | null {
  const wanted = typed.slice(0, 100).toLowerCase();
  const limit = Math.max(2, Math.floor(wanted.length / 3));
  let nearest: string | null = null;
  let nearestDistance = limit + 1;
  for (const name of known) {
    if (Math.abs(name.length - wanted.length) >= nearestDistance) continue;
    const distance = editDistance(wanted, name.toLowerCase());
    if (distance < nearestDistance) {
      nearest = name;
      nearestDistance = distance;
    }
  }
  return nearest;
}
