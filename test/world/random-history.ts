// Random histories for property tests: branches, merges (two and three parents, criss-cross), renames,
// few different lines so that duplicates abound, CRLF, missing last line feeds. The seed decides all.
import { type GoldenRepo, goldenRepo } from './golden-repo.ts';

/** A small generator of random numbers (mulberry32), so that a seed replays everywhere. */
export function createRandom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

type Tree = Map<string, string>;

export interface HistoryShape {
  readonly commits: number;
  /** Different lines there are to write; few make duplicates. */
  readonly words: number;
}

export function randomHistory(seed: number, shape: HistoryShape = { commits: 40, words: 12 }): GoldenRepo {
  const random = createRandom(seed);
  const builder = goldenRepo('main');
  const trees = new Map<string, Tree>();
  const tips: { branch: string; label: string }[] = [];
  let names = 0;
  const line = () => {
    const word = random(shape.words);
    return word < 2 ? ['', '}'][word]! : `line ${'abcdefghijklmnopqrstuvwxyz'.slice(word % 20)} ${word}`;
  };
  const end = () => (random(5) === 0 ? '\r\n' : '\n');
  const content = (length: number) => {
    const eol = end();
    const text = Array.from({ length }, () => line() + eol).join('');
    return random(6) === 0 ? text.trimEnd() : text;
  };
  const edit = (text: string): string => {
    const lines = text.split('\n');
    for (let times = 1 + random(3); times > 0; times--) {
      const at = random(lines.length + 1);
      const kind = random(4);
      if (kind === 0) lines.splice(at, 0, ...Array.from({ length: 1 + random(4) }, line));
      else if (kind === 1) lines.splice(at, 1 + random(3));
      else if (kind === 2) lines.splice(at, 1 + random(2), line());
      else if (lines.length > 3) lines.splice(at, 0, ...lines.splice(random(lines.length), 1 + random(3)));
    }
    return lines.join('\n');
  };
  const newName = () => `${['', 'src/', 'lib/deep/'][random(3)]}file ${names++}.txt`;
  const pick = <T>(items: readonly T[]): T => items[random(items.length)]!;
  const mix = (left: string, right: string): string => {
    const kind = random(5);
    if (kind === 0) return left;
    if (kind === 1) return right;
    const [a, b] = [left.split('\n'), right.split('\n')];
    const cut = random(Math.max(a.length, b.length) + 1);
    const mixed = [...a.slice(0, cut), ...b.slice(cut)];
    if (kind === 4) mixed.splice(random(mixed.length + 1), random(2), line());
    return mixed.join('\n');
  };

  for (let i = 0; i < shape.commits; i++) {
    const label = `c${i}`;
    const kind = random(10);
    if (tips.length === 0 || (i > 0 && i === Math.floor(shape.commits / 2) && random(3) === 0)) {
      // a root; a second one now and then
      const tree: Tree = new Map(Array.from({ length: 3 }, () => [newName(), content(4 + random(12))]));
      const branch = tips.length === 0 ? 'main' : `b${i}`;
      builder.commit(label, { on: branch, parents: [], tree: Object.fromEntries(tree), at: when(i) });
      trees.set(label, tree);
      tips.push({ branch, label });
      continue;
    }
    if (kind === 0 && tips.length < 5) {
      const from = pick(tips);
      builder.branch(`b${i}`, from.label);
      tips.push({ branch: `b${i}`, label: from.label });
    }
    const tip = pick(tips);
    const others = tips.filter((other) => other.label !== tip.label).slice(0, 1 + random(2));
    if (kind >= 7 && others.length > 0) {
      const tree: Tree = new Map(trees.get(tip.label)!);
      for (const other of others)
        for (const [path, text] of trees.get(other.label)!) {
          const ours = tree.get(path);
          if (ours === undefined) {
            if (random(3) > 0) tree.set(path, text);
          } else tree.set(path, mix(ours, text));
        }
      for (const path of [...tree.keys()]) if (tree.size > 1 && random(12) === 0) tree.delete(path);
      const parents = [tip.label, ...others.map((other) => other.label)];
      builder.commit(label, { on: tip.branch, parents, tree: Object.fromEntries(tree), at: when(i) });
      trees.set(label, tree);
      tip.label = label;
      continue;
    }
    const tree: Tree = new Map(trees.get(tip.label)!);
    for (let times = 1 + random(2); times > 0; times--) {
      const path = pick([...tree.keys()]);
      if (path === undefined) break;
      const act = random(12);
      if (act === 0) tree.set(newName(), content(3 + random(10)));
      else if (act === 1 && tree.size > 1) tree.delete(path);
      else if (act <= 3) {
        const text = tree.get(path)!;
        tree.delete(path);
        tree.set(
          random(4) === 0 && !tree.has('file 0.txt') ? 'file 0.txt' : newName(),
          random(2) === 0 ? text : edit(text),
        );
      } else tree.set(path, edit(tree.get(path)!));
    }
    builder.commit(label, { on: tip.branch, parents: [tip.label], tree: Object.fromEntries(tree), at: when(i) });
    trees.set(label, tree);
    tip.label = label;
  }
  return builder.build();
}

/** Two days apart, so that a long history spans all ages. */
function when(order: number): number {
  return Date.UTC(2020, 0, 1) / 1000 + order * 2 * 86_400;
}
