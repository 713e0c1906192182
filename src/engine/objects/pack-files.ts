// Reads from packs to the kernel's memory. A pack is opened when something of it is wanted.
import { closeSync, openSync, readSync } from 'node:fs';
import type { Kernel, Packs } from '../diff/kernel.ts';
import { LOCATIONS_PER_PACK } from '../kernel-contract.ts';
import { effort } from '../model/effort.ts';
import { ObjectLocator, type PackIndex } from './pack-index.ts';

export class PackFiles implements Packs {
  readonly #locator: ObjectLocator;
  readonly #kernel: Kernel;
  readonly #memory: DataView;
  readonly #indexes: readonly PackIndex[];
  readonly #descriptors: number[] = [];

  constructor(kernel: Kernel, indexes: readonly PackIndex[]) {
    this.#locator = new ObjectLocator(indexes);
    this.#kernel = kernel;
    this.#memory = new DataView(kernel.bytes.buffer);
    this.#indexes = indexes;
  }

  readPack(location: number, length: number, to: number): number {
    const pack = Math.floor(location / LOCATIONS_PER_PACK);
    this.#descriptors[pack] ??= openSync(this.#indexes[pack]!.packFile, 'r');
    effort.packReads++;
    const offset = location - pack * LOCATIONS_PER_PACK;
    return readSync(this.#descriptors[pack], this.#kernel.bytes, to, length, offset);
  }

  locateName(at: number): number {
    return this.#locator.locateAt(this.#memory, at);
  }

  close(): void {
    for (const descriptor of this.#descriptors) if (descriptor !== undefined) closeSync(descriptor);
    this.#descriptors.length = 0;
  }
}
