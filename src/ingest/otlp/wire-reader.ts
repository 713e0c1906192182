// Reads the wire format of Protocol Buffers: tags, varints, fixed numbers and length-delimited fields. Fields that a
// message does not know are skipped. Our own, because what is needed of it is this page: see decision 0110.
import { MalformedTelemetry } from './model.ts';

export const WIRE = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

const text = new TextDecoder('utf-8');

export class WireReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at: number;
  readonly #end: number;

  constructor(bytes: Uint8Array, at = 0, end = bytes.length) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#at = at;
    this.#end = end;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#end;
  }

  /** Number and type of the next field. */
  tag(): { readonly field: number; readonly wire: number } {
    const tag = Number(this.varint());
    const field = tag >>> 3;
    if (field === 0) throw new MalformedTelemetry('a field has the number 0');
    return { field, wire: tag & 7 };
  }

  varint(): bigint {
    let low = 0;
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = this.#byte();
      low += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return BigInt(low);
    }
    let value = BigInt(low);
    for (let shift = 28n; shift < 70n; shift += 7n) {
      const byte = this.#byte();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw new MalformedTelemetry('a number has more than ten bytes');
  }

  int32(): number {
    return Number(BigInt.asIntN(32, this.varint()));
  }

  int64(): number {
    return Number(BigInt.asIntN(64, this.varint()));
  }

  fixed64(): bigint {
    this.#need(8);
    const value = this.#view.getBigUint64(this.#at, true);
    this.#at += 8;
    return value;
  }

  sfixed64(): number {
    return Number(BigInt.asIntN(64, this.fixed64()));
  }

  double(): number {
    this.#need(8);
    const value = this.#view.getFloat64(this.#at, true);
    this.#at += 8;
    return value;
  }

  string(): string {
    const end = this.#length();
    const value = text.decode(this.#bytes.subarray(this.#at, end));
    this.#at = end;
    return value;
  }

  /** The bytes of an embedded message, as a reader of their own. */
  message(): WireReader {
    const end = this.#length();
    const inner = new WireReader(this.#bytes, this.#at, end);
    this.#at = end;
    return inner;
  }

  skip(wire: number): void {
    if (wire === WIRE.varint) this.varint();
    else if (wire === WIRE.fixed64) this.#move(8);
    else if (wire === WIRE.bytes) this.#at = this.#length();
    else if (wire === WIRE.fixed32) this.#move(4);
    else throw new MalformedTelemetry(`a field has the unknown type ${wire}`);
  }

  #byte(): number {
    this.#need(1);
    return this.#bytes[this.#at++]!;
  }

  #length(): number {
    const length = this.varint();
    if (length > BigInt(this.#end - this.#at)) throw new MalformedTelemetry('a field is longer than its message');
    return this.#at + Number(length);
  }

  #move(bytes: number): void {
    this.#need(bytes);
    this.#at += bytes;
  }

  #need(bytes: number): void {
    if (this.#at + bytes > this.#end) throw new MalformedTelemetry('the message ends within a field');
  }
}

/** Calls `read` for each field; one that it does not take is skipped. */
export function eachField(reader: WireReader, read: (field: number, wire: number) => boolean): void {
  while (!reader.isAtEnd) {
    const { field, wire } = reader.tag();
    if (!read(field, wire)) reader.skip(wire);
  }
}
