import { Type as T, type TSchema } from '@sinclair/typebox'
import type { Adapter } from './adapter.ts'

/** A function that an adapter may have: what it takes behind the context, and what it may answer. */
export interface Member<In extends readonly TSchema[] = readonly TSchema[], Out extends TSchema = TSchema> {
  readonly takes: In
  readonly answers: Out
  /** Most that an answer may hold, in bytes of its texts. */
  readonly bytes: number
  /** An adapter must have it; one of a group (`webhook.parse`) where it has the group. */
  readonly required?: boolean
  /** It takes a request of the other side, and the context behind it. */
  readonly inbound?: boolean
  /** It answers part by part, each of which `answers` describes; `bytes` holds for all of them together. */
  readonly streams?: true
  /** Whatever it answers is nothing. */
  readonly silent?: boolean
  /** What is wrong with an answer that no schema says, as `/place: why`. */
  problem?(answer: unknown, adapter: Pick<Adapter, 'credentials'>): string | undefined
}

export type Members = Readonly<Record<string, Member>>

const KIB = 1024
const MIB = 1024 * KIB

type Limits = Partial<Pick<Member, 'bytes' | 'problem'>>

/** Answers one thing, of 256 KiB at most unless said. */
export const one = <const In extends readonly TSchema[], Out extends TSchema>(takes: In, answers: Out, limits: Limits = {}) =>
  ({ takes, answers, bytes: 256 * KIB, ...limits }) satisfies Member

/** Answers up to `most` rows, of 8 MiB together at most unless said. */
export const list = <const In extends readonly TSchema[], Row extends TSchema>(takes: In, row: Row, most: number, limits: Limits = {}) =>
  ({ takes, answers: T.Array(row, { maxItems: most }), bytes: 8 * MIB, ...limits }) satisfies Member

/** Answers part by part, as they come: an async iterable, of 8 MiB together at most unless said. */
export const streamed = <const In extends readonly TSchema[], Part extends TSchema>(takes: In, part: Part, limits: Limits = {}) =>
  ({ takes, answers: part, bytes: 8 * MIB, streams: true as const, ...limits }) satisfies Member

/** Answers that it is done, and nothing else. */
export const nothing = <const In extends readonly TSchema[]>(takes: In) =>
  ({ takes, answers: T.Unsafe<void>(T.Unknown()), bytes: 64 * KIB, silent: true as const }) satisfies Member

export const required = <M extends Member>(member: M) => ({ ...member, required: true as const })

const Challenge = T.Object({
  status: T.Integer({ minimum: 200, maximum: 299 }),
  contentType: T.String({
    pattern: '^(text/plain|application/json|text/html|application/xml|text/xml)(; ?charset=[A-Za-z0-9-]{1,20})?$',
  }),
  body: T.String({ maxLength: 4 * KIB }),
})

const inbound = <M extends Member>(member: M) => ({ ...member, inbound: true as const })

/** What believes and reads callbacks, the same in every kind but for the news that they tell. */
export const webhookOf = <News extends TSchema>(news: News) => ({
  'webhook.challenge': inbound(one([], T.Union([T.Null(), Challenge]), { bytes: 8 * KIB })),
  'webhook.verify': required(inbound(one([], T.Boolean(), { bytes: KIB }))),
  'webhook.parse': required(inbound(list([], news, 10_000))),
})

export { KIB, MIB }
