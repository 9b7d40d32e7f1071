import { type Static, Type as T, type TObject, type TProperties, type TSchema } from '@sinclair/typebox'
import type { Adapter } from './adapter.ts'

/** Function of an adapter: the schemas of its arguments after the context, and of its result. */
export interface Member<In extends readonly TSchema[] = readonly TSchema[], Out extends TSchema = TSchema> {
  readonly input: In
  readonly output: Out
  /** Maximum size of a result in bytes of its texts. */
  readonly bytes: number
  /** Every adapter must have it. For a member of a group (`webhook.receive`): every adapter that has the group. */
  readonly required?: boolean
  /** It takes a request of the platform as its first argument, before the context. */
  readonly inbound?: boolean
  /** It returns an async iterable whose parts match `output`; `bytes` limits all parts together. */
  readonly streams?: true
  /** Its result is discarded. */
  readonly silent?: boolean
  /** Returns a problem of a result that no schema expresses, as `/path: reason`. */
  problem?(answer: unknown, adapter: Pick<Adapter, 'credentials'>): string | undefined
  /** Returns a result to use instead of a malformed one; undefined if there is none. */
  fallback?(answer: unknown): unknown
}

/** Members of a kind by name. */
export type Members = Readonly<Record<string, Member>>

const KIB = 1024
const MIB = 1024 * KIB

type Limits = Partial<Pick<Member, 'bytes' | 'problem' | 'fallback'>>

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

/** Outcomes of a callback by name, each with the schemas of its other fields. */
type Outcomes = Readonly<Record<string, TProperties>>
type OutcomeOf<O extends Outcomes> = { [N in keyof O & string]: { readonly outcome: N } & Static<TObject<O[N]>> }[keyof O & string]

const outcomesOf = <Event extends TSchema>(event: Event) => ({
  challenge: { answer: Challenge },
  invalid: {},
  events: { signed: T.Boolean(), events: T.Array(event, { maxItems: 10_000 }) },
})

/** Keeps a proven callback whose events are malformed, so that it is stored and read again once the adapter is mended. */
function unreadInstead(answer: unknown): unknown {
  const { outcome, signed } = Object(answer) as { outcome?: unknown; signed?: unknown }
  return outcome === 'events' ? { outcome: 'unread', signed: signed === true } : undefined
}

/** Declares the group of the function that receives callbacks, for the events of one kind. A kind may have `more` outcomes. */
export function webhookOf<Event extends TSchema, const More extends Outcomes = Record<never, never>>(event: Event, more?: More) {
  const outcomes: Outcomes = { ...outcomesOf(event), ...more }
  const fields = Object.values(outcomes).flatMap((each) => Object.entries(each).map(([name, schema]) => [name, T.Optional(schema)]))
  const output = T.Object({ outcome: T.Union(Object.keys(outcomes).map((name) => T.Literal(name))), ...Object.fromEntries(fields) })
  type Result = OutcomeOf<ReturnType<typeof outcomesOf<Event>> & More>
  const problem = (answer: unknown) => {
    const { outcome, ...given } = answer as { outcome: string } & Readonly<Record<string, unknown>>
    const missing = T.Object(outcomes[outcome] ?? {}).required?.find((name) => given[name] === undefined)
    return missing === undefined ? undefined : `/${missing}: is missing for the outcome ${outcome}`
  }
  const limits = { bytes: 8 * MIB, problem, ...(more && 'unread' in more && { fallback: unreadInstead }) }
  const receive = one([], T.Unsafe<Result>(output), limits)
  return { 'webhook.receive': { ...receive, required: true as const, inbound: true as const } }
}

export { KIB, MIB }
