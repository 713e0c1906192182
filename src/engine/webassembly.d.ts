// The little of WebAssembly that is used: TypeScript knows it only together with all that a browser has.
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Instance {
    constructor(module: Module, imports: object);
    readonly exports: object;
  }
  class Memory {
    constructor(size: { readonly initial: number; readonly maximum?: number });
    readonly buffer: ArrayBuffer;
  }
  interface Global {
    readonly value: number;
  }
}
