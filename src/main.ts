// argv → verb; nothing else.
export async function main(argv: readonly string[]): Promise<void> {
  console.log(argv.join(' '));
}
