// Reads the wire format of Protocol Buffers: tags, varints, fixed numbers and length-delimited fields. Fields that a
// message does not know are skipped. Our own, because what is needed of it is this page: see decision 0110.
import { MalformedTelemetry } from './model.ts';

export const WIRE = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

/** Of one message; reading as many takes about 50 ms. The largest request that is taken has fewer, if they say anything. */
const MOST_FIELDS = 400_000;

const text = new TextDecoder('utf-8');

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Most texts are short names; a decoder takes longer to start than to read one. */
const SHORT_TEXT = 40;

export class WireReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #start: number;
  #at: number;
  readonly #end: number;
  #fields = 0;

  constructor(bytes: Uint8Array, at = 0, end = bytes.length, view = viewOf(bytes)) {
    this.#bytes = bytes;
    this.#view = view;
    this.#start = at;
    this.#at = at;
    this.#end = end;
  }

  get size(): number {
    return this.#end - this.#start;
  }

  /** The same message from its start. */
  again(): WireReader {
    return new WireReader(this.#bytes, this.#start, this.#end, this.#view);
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#end;
  }

  /** Number and type of the next field. */
  tag(): { readonly field: number; readonly wire: number } {
    this.#fields += 1;
    if (this.#fields > MOST_FIELDS) throw new MalformedTelemetry(`a message has more than ${MOST_FIELDS} fields`);
    const tag = this.#small() ?? Number(this.varint());
    const field = tag >>> 3;
    if (field === 0) throw new MalformedTelemetry('a field has the number 0');
    return { field, wire: tag & 7 };
  }

  /** A number of one byte, as most tags and lengths are; null, and nothing read, where it has more. */
  #small(): number | null {
    const byte = this.#at < this.#end ? this.#bytes[this.#at]! : 0x80;
    if (byte >= 0x80) return null;
    this.#at += 1;
    return byte;
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
    const value = this.#shortText(end) ?? text.decode(this.#bytes.subarray(this.#at, end));
    this.#at = end;
    return value;
  }

  bytes(): Uint8Array {
    const end = this.#length();
    const value = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return value;
  }

  /** The bytes of an embedded message, as a reader of their own. */
  message(): WireReader {
    const end = this.#length();
    const inner = new WireReader(this.#bytes, this.#at, end, this.#view);
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

  /** Null where it is longer, or more than ASCII. */
  #shortText(end: number): string | null {
    if (end - this.#at > SHORT_TEXT) return null;
    let value = '';
    for (let at = this.#at; at < end; at += 1) {
      const byte = this.#bytes[at]!;
      if (byte >= 0x80) return null;
      value += String.fromCharCode(byte);
    }
    return value;
  }

  #byte(): number {
    this.#need(1);
    return this.#bytes[this.#at++]!;
  }

  #length(): number {
    const length = this.#small() ?? Number(this.varint());
    if (length > this.#end - this.#at) throw new MalformedTelemetry('a field is longer than its message');
    return this.#at + length;
  }

  #move(bytes: number): void {
    this.#need(bytes);
    this.#at += bytes;
  }

  #need(bytes: number): void {
    if (this.#at + bytes > this.#end) throw new MalformedTelemetry('the message ends within a field');
  }
}

/** The messages that a field repeats, one after the other; other fields are skipped. */
export function* messagesIn(reader: WireReader, wanted: number): Generator<WireReader, void, undefined> {
  while (!reader.isAtEnd) {
    const { field, wire } = reader.tag();
    if (field === wanted && wire === WIRE.bytes) yield reader.message();
    else reader.skip(wire);
  }
}

/** Calls `read` for each field; one that it does not take is skipped. */
export function eachField(reader: WireReader, read: (field: number, wire: number) => boolean): void {
  while (!reader.isAtEnd) {
    const { field, wire } = reader.tag();
    if (!read(field, wire)) reader.skip(wire);
  }
}
