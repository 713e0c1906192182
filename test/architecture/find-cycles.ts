// Circles of imports: the strongly connected groups of a graph that have more than one member (Tarjan).
export function findCycles(edges: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const cycles: string[][] = [];

  const visit = (node: string): number => {
    const number = order.size;
    order.set(node, number);
    lowest.set(node, number);
    open.push(node);
    for (const next of edges.get(node) ?? []) {
      if (!edges.has(next)) continue;
      if (!order.has(next)) lowest.set(node, Math.min(lowest.get(node)!, visit(next)));
      else if (open.includes(next)) lowest.set(node, Math.min(lowest.get(node)!, order.get(next)!));
    }
    if (lowest.get(node) === number) {
      const group = open.splice(open.indexOf(node));
      if (group.length > 1 || edges.get(node)!.includes(node)) cycles.push(group);
    }
    return lowest.get(node)!;
  };

  for (const node of edges.keys()) if (!order.has(node)) visit(node);
  return cycles;
}
