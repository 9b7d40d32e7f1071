import { Type as T, type TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { type Carrier, CarrierError, type Webhook } from './contract.ts'
import {
  CarrierParcel,
  CashBatch,
  CashBatchDetail,
  CashLine,
  Center,
  City,
  Fee,
  Label,
  ParcelPage,
  Rate,
  Sent,
  SentRow,
  ServiceFee,
  State,
  StatusReport,
  StockProduct,
} from './model.ts'

type FunctionsOf<O> = { [K in keyof O]-?: NonNullable<O[K]> extends (...given: never[]) => unknown ? K : never }[keyof O] & string
/** Everything that a carrier can be asked: `send`, `webhook.parse`, `cash.batches`. */
export type MemberName =
  | FunctionsOf<Carrier>
  | `webhook.${FunctionsOf<Webhook<never, never>>}`
  | `cash.${FunctionsOf<NonNullable<Carrier['cash']>>}`

interface Answer {
  readonly schema: TSchema
  /** Most that it may hold, in bytes of its texts. */
  readonly bytes: number
}

const KIB = 1024
const MIB = 1024 * KIB
const list = (row: TSchema, maxItems: number, bytes = 8 * MIB): Answer => ({ schema: T.Array(row, { maxItems }), bytes })
const one = (schema: TSchema, bytes = 256 * KIB): Answer => ({ schema, bytes })
const nothing = one(T.Unknown(), 64 * KIB)

const Challenge = T.Union([
  T.Null(),
  T.Object({
    status: T.Integer({ minimum: 200, maximum: 299 }),
    contentType: T.String({
      pattern: '^(text/plain|application/json|text/html|application/xml|text/xml)(; ?charset=[A-Za-z0-9-]{1,20})?$',
    }),
    body: T.String({ maxLength: 4 * KIB }),
  }),
])

/** What each member answers. Nothing that an adapter says is used before it fits. */
const members = {
  testConnection: one(T.Object({ account: T.Optional(T.String({ maxLength: 500 })) }), 4 * KIB),
  send: one(Sent),
  sendMany: list(SentRow, 1000),
  findByReference: one(T.Union([Sent, T.Null()])),
  edit: nothing,
  cancel: nothing,
  validate: nothing,
  track: list(CarrierParcel, 10_000),
  list: one(ParcelPage, 8 * MIB),
  labels: list(Label, 1000, 21 * MIB),
  states: list(State, 10_000),
  cities: list(City, 50_000),
  centers: list(Center, 50_000),
  fees: list(Fee, 50_000),
  rates: list(Rate, 1000),
  serviceFees: list(ServiceFee, 1000),
  stockProducts: list(StockProduct, 50_000),
  setupWebhook: one(T.Object({ credentials: T.Optional(T.Record(T.String(), T.String({ maxLength: 2000 }), { maxProperties: 40 })) })),
  'webhook.challenge': one(Challenge, 8 * KIB),
  'webhook.verify': one(T.Boolean(), KIB),
  'webhook.parse': list(StatusReport, 10_000),
  'cash.preview': list(CashLine, 50_000),
  'cash.batches': list(CashBatch, 10_000),
  'cash.batch': one(CashBatchDetail, 8 * MIB),
  'cash.confirm': one(CashBatch),
} satisfies Record<MemberName, Answer>

/** What each value counts for, beside the texts. */
const VALUE_BYTES = 8
/** Most bytes of JSON that one sign of a text takes: `\\u0000`. */
const JSON_BYTES_PER_SIGN = 6

const SILENT: readonly MemberName[] = ['edit', 'cancel', 'validate']

export const isMember = (name: string): name is MemberName => Object.hasOwn(members, name)

/** How many bytes and values the JSON of an answer may have: no more can fit. */
export function answerLimits(member: MemberName): { jsonBytes: number; values: number } {
  const { bytes } = members[member]
  return { jsonBytes: bytes * JSON_BYTES_PER_SIGN, values: bytes / VALUE_BYTES }
}

/**
 * The answer of a member as it may be used: without what the contract does not know, and undefined where it answers nothing. Throws
 * `unavailable` where it is of a wrong shape, too large, or holds what cannot be kept (a NUL character, a time that is none).
 */
export function checkedAnswer(member: MemberName, answer: unknown, carrier: Pick<Carrier, 'credentials'>): unknown {
  if (SILENT.includes(member)) return undefined
  const { schema, bytes } = members[member]
  const unsound = unsoundness(answer, bytes)
  if (unsound) throw wrong(member, unsound)
  const clean = cleaned(schema, answer ?? null)
  const first = Value.Errors(schema, clean).First()
  if (first) throw wrong(member, `${first.path || '/'}: ${first.message}`)
  if (member === 'setupWebhook') return declaredOnly(clean as { credentials?: Record<string, string> }, carrier)
  return clean
}

/** Mostly there is nothing to leave out; where there is, what the adapter holds stays as it is. */
const cleaned = (schema: TSchema, answer: unknown): unknown =>
  Value.Check(schema, answer) ? answer : Value.Clean(schema, Value.Clone(answer))

/** The answer is none that the contract knows. */
export const wrong = (member: string, what: string) =>
  new CarrierError('unavailable', `The adapter answered ${member} in a wrong shape (${what.slice(0, 200)}).`)

function declaredOnly(answer: { credentials?: Record<string, string> }, { credentials }: Pick<Carrier, 'credentials'>) {
  const stranger = Object.keys(answer.credentials ?? {}).find((name) => !Object.hasOwn(credentials, name))
  if (stranger !== undefined) throw wrong('setupWebhook', `/credentials/${stranger}: not a declared credential`)
  return answer
}

const DEPTH_MAX = 12
const INSTANTS = new Set(['at', 'expiresAt'])
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)$/i

/** What no schema says: a budget of text, depth, names that mean something to the language, and times that are times. */
function unsoundness(answer: unknown, budget: number): string | undefined {
  let left = budget
  const look = (value: unknown, name: string, depth: number, timed: boolean): string | undefined => {
    left -= VALUE_BYTES
    if (typeof value === 'string') {
      left -= value.length
      if (value.includes('\u0000')) return `${name}: holds a NUL character`
      if (timed && INSTANTS.has(name) && !(INSTANT.test(value) && Number.isFinite(Date.parse(value))))
        return `${name}: is no time in ISO 8601 with a zone`
    }
    if (left < 0) return `more than ${budget} bytes`
    if (value === null || typeof value !== 'object') return undefined
    if (depth === 0) return 'nested too deeply'
    for (const [key, inner] of Object.entries(value)) {
      left -= key.length
      if (key === '__proto__' || key.includes('\u0000')) return `a field is called ${JSON.stringify(key.slice(0, 20))}`
      const found = look(inner, Array.isArray(value) ? name : key, depth - 1, timed && key !== 'carrierData')
      if (found) return found
    }
    return undefined
  }
  return look(answer, '', DEPTH_MAX, true)
}
