import { Type as T, type TSchema } from '@sinclair/typebox'
import type { Adapter } from './adapter.ts'

/** Function of an adapter: the schemas of its arguments after the context, and of its result. */
export interface Member<In extends readonly TSchema[] = readonly TSchema[], Out extends TSchema = TSchema> {
  readonly input: In
  readonly output: Out
  /** Maximum size of a result in bytes of its texts. */
  readonly bytes: number
  /** Every adapter must have it. For a member of a group (`webhook.parse`): every adapter that has the group. */
  readonly required?: boolean
  /** It takes a request of the platform as its first argument, before the context. */
  readonly inbound?: boolean
  /** It returns an async iterable whose parts match `output`; `bytes` limits all parts together. */
  readonly streams?: true
  /** Its result is discarded. */
  readonly silent?: boolean
  /** Returns a problem of a result that no schema expresses, as `/path: reason`. */
  problem?(answer: unknown, adapter: Pick<Adapter, 'credentials'>): string | undefined
}

/** Members of a kind by name. */
export type Members = Readonly<Record<string, Member>>

const KIB = 1024
const MIB = 1024 * KIB

type Limits = Partial<Pick<Member, 'bytes' | 'problem'>>

/** Declares a member that returns one value, of 256 KiB at most by default. */
export const one = <const In extends readonly TSchema[], Out extends TSchema>(input: In, output: Out, limits: Limits = {}) =>
  ({ input, output, bytes: 256 * KIB, ...limits }) satisfies Member

/** Declares a member that returns up to `most` rows, of 8 MiB together at most by default. */
export const list = <const In extends readonly TSchema[], Row extends TSchema>(input: In, row: Row, most: number, limits: Limits = {}) =>
  ({ input, output: T.Array(row, { maxItems: most }), bytes: 8 * MIB, ...limits }) satisfies Member

/** Declares a member that returns an async iterable of parts, of 8 MiB together at most by default. */
export const streamedResult = <const In extends readonly TSchema[], Part extends TSchema>(input: In, part: Part, limits: Limits = {}) =>
  ({ input, output: part, bytes: 8 * MIB, streams: true as const, ...limits }) satisfies Member

/** Declares a member that returns nothing. Its completion is the success. */
export const nothing = <const In extends readonly TSchema[]>(input: In) =>
  ({ input, output: T.Unsafe<void>(T.Unknown()), bytes: 64 * KIB, silent: true as const }) satisfies Member

/** Marks a member as required. */
export const requiredMember = <M extends Member>(member: M) => ({ ...member, required: true as const })

const Challenge = T.Object({
  status: T.Integer({ minimum: 200, maximum: 299 }),
  contentType: T.String({
    pattern: '^(text/plain|application/json|text/html|application/xml|text/xml)(; ?charset=[A-Za-z0-9-]{1,20})?$',
  }),
  body: T.String({ maxLength: 4 * KIB }),
})

const inbound = <M extends Member>(member: M) => ({ ...member, inbound: true as const })

/** Declares the group of members that verifies and parses callbacks, for the events of one kind. */
export const webhookOf = <Event extends TSchema>(event: Event) => ({
  'webhook.challenge': inbound(one([], T.Union([T.Null(), Challenge]), { bytes: 8 * KIB })),
  'webhook.verify': requiredMember(inbound(one([], T.Boolean(), { bytes: KIB }))),
  'webhook.parse': requiredMember(inbound(list([], event, 10_000))),
})

export { KIB, MIB }
