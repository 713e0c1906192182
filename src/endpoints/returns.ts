// `r.*`: what an endpoint answers. The schema documents the answer; tests hold every real answer
// against it. The envelope's own fields are added by the server, not by the endpoint.
import { z } from 'zod';

type Shape = z.ZodRawShape;

/** `Body` is what the endpoint's run function returns. */
export interface Returns<Body> {
  /** Whether action_em and response_em are added to the body. */
  readonly hasEnvelope: boolean;
  /** The whole answer as it goes over the wire. */
  wireSchema(action: string): z.ZodType;
  /** Never set; carries the type. */
  readonly body?: Body;
}

export const WARNINGS = z
  .array(z.string())
  .describe('Parameters that were ignored or could be misread; absent when there are none.');

const paging = {
  page: z.int().min(1),
  page_count: z.int().min(0),
  per_page: z.int().min(1),
  total_count: z.int().min(0),
};

type Detail = { readonly response_detail: string };
type Fields<S extends Shape> = z.input<z.ZodObject<S>>;

function envelope<S extends Shape = Record<never, never>>(fields?: S): Returns<Detail & Fields<S>> {
  return {
    hasEnvelope: true,
    wireSchema: (action) =>
      z.object({
        action_em: z.literal(action).describe('Names the action.'),
        response_em: z.literal('response_success'),
        response_detail: z.string().describe('A sentence for people.'),
        ...fields,
        warnings: WARNINGS.optional(),
      }),
  };
}

/** An envelope with one page of records under `name`. */
function page<N extends string, I extends z.ZodType>(
  name: N,
  item: I,
): Returns<Detail & Fields<typeof paging> & { readonly [K in N]: readonly z.input<I>[] }> {
  return envelope({ ...paging, [name]: z.array(item) }) as ReturnType<typeof page<N, I>>;
}

/** An object without the envelope, where the specification shows one. */
function object<S extends Shape>(fields: S): Returns<Fields<S>> {
  return { hasEnvelope: false, wireSchema: () => z.object({ ...fields, warnings: WARNINGS.optional() }) };
}

/** A bare array; warnings go into the X-Warnings header. */
function list<I extends z.ZodType>(item: I): Returns<readonly z.input<I>[]> {
  return { hasEnvelope: false, wireSchema: () => z.array(item) };
}

export const r = { envelope, page, object, list } as const;
