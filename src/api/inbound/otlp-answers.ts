// What the OTLP receiver answers in protobuf: an export response and google.rpc.Status, three fields in all.
import type { ErrorCode } from '../../domain/errors.ts';

/** google.rpc.Code */
export const RPC_CODES: Readonly<Partial<Record<ErrorCode, number>>> & { readonly unavailable: number } = {
  invalid_parameter: 3,
  unsupported_media_type: 3,
  payload_too_large: 8,
  rate_limited: 8,
  unauthorized: 16,
  forbidden: 7,
  unavailable: 14,
};

const VARINT = 0;
const BYTES = 2;

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 0x7f) {
    bytes.push((rest % 0x80) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  return [...bytes, rest];
}

const number = (field: number, value: number): Buffer => Buffer.from([(field << 3) | VARINT, ...varint(value)]);

const bytes = (field: number, value: Buffer): Buffer =>
  Buffer.concat([Buffer.from([(field << 3) | BYTES, ...varint(value.length)]), value]);

/** Export…ServiceResponse; empty where everything was taken. */
export const encodePartialSuccess = (rejected: number, reason: string): Buffer =>
  rejected === 0 ? Buffer.alloc(0) : bytes(1, Buffer.concat([number(1, rejected), bytes(2, Buffer.from(reason))]));

export const encodeStatus = (code: number, message: string): Buffer =>
  Buffer.concat([number(1, code), bytes(2, Buffer.from(message))]);
