import { Type as T, type TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { deliveryTypes, parcelStatuses } from '../carrier/model.ts'
import { patternProblem } from './patterns.ts'

/**
 * The data of a definition, with its limits. It may come from code that nobody has read: what fits here can be shown, stored and
 * looked through without harm.
 */
/** Nothing that a terminal or a form would take for a command. */
const PRINTED = '^[^\\u0000-\\u001f\\u007f-\\u009f\\u202a-\\u202e\\u2066-\\u2069]*$'
const Text = (maxLength: number, minLength = 0) => T.String({ minLength, maxLength, pattern: PRINTED })
const oneOf = (values: readonly string[]) => T.Union(values.map((value) => T.Literal(value)))
const exact = <P extends Record<string, TSchema>>(properties: P) => T.Object(properties, { additionalProperties: false })
const Maybe = <S extends TSchema>(schema: S) => T.Optional(schema)
const Method = Maybe(oneOf(['GET', 'POST']))
const Statuses = T.Array(oneOf(parcelStatuses), { maxItems: parcelStatuses.length })
const Count = T.Integer({ minimum: 1, maximum: 10_000 })

const Field = exact({
  label: Text(200, 1),
  type: Maybe(oneOf(['text', 'number', 'boolean'])),
  secret: Maybe(T.Boolean()),
  optional: Maybe(T.Boolean()),
  default: Maybe(T.Union([Text(2000), T.Number(), T.Boolean()])),
  options: Maybe(T.Array(Text(200), { maxItems: 200 })),
  pattern: Maybe(Text(200)),
  help: Maybe(Text(1000)),
})
/** A name that is written in an object without surprises: `__proto__` is none. */
const Fields = T.Record(T.String({ pattern: '^[a-z][A-Za-z0-9]{0,59}$' }), Field, { additionalProperties: false, maxProperties: 40 })

/** Functions are left out; the rest is all that may stand in a carrier. */
export const Definition = exact({
  kind: T.Literal('carrier'),
  contract: T.Integer(),
  slug: Text(41, 1),
  label: Text(80, 1),
  website: Maybe(T.String({ maxLength: 300, pattern: '^https?://[^\\s]+$' })),
  countries: T.Array(T.String({ pattern: '^[A-Z]{2}$' }), { maxItems: 250 }),
  currency: T.String({ pattern: '^[A-Z]{3}$' }),
  net: T.Array(Text(253, 1), { maxItems: 50 }),
  credentials: Fields,
  settings: Fields,
  exactlyOnce: T.String(),
  settleSeconds: T.Number({ minimum: 0, maximum: 3600 }),
  rateWindows: T.Array(
    exact({ calls: T.Integer({ minimum: 1, maximum: 1e9 }), seconds: T.Number({ exclusiveMinimum: 0, maximum: 31 * 86_400 }) }),
    {
      maxItems: 10,
    },
  ),
  deliveryTypes: T.Array(oneOf(deliveryTypes), { minItems: 1, maxItems: 3 }),
  codMax: Maybe(T.Number({ exclusiveMinimum: 0, maximum: 1e12 })),
  editableIn: Statuses,
  cancellableIn: Statuses,
  statuses: T.Record(
    T.String({ pattern: PRINTED.replace('*', '{1,200}') }),
    T.Union([
      T.Null(),
      T.String({ maxLength: 40 }),
      exact({
        status: Maybe(T.String({ maxLength: 40 })),
        cash: Maybe(oneOf(['none', 'collected', 'payout_ready', 'paid_out', 'payout_confirmed', 'payout_cancelled'])),
        flag: Maybe(oneOf(['ready_for_pickup', 'abandoned', 'damaged'])),
      }),
    ]),
    { additionalProperties: false, maxProperties: 2000 },
  ),
  methods: Maybe(exact({ list: Method, ping: Method })),
  sendManyMax: Maybe(Count),
  trackMax: Maybe(Count),
  webhook: Maybe(exact({ unsigned: Maybe(Text(60)) })),
  cash: Maybe(exact({})),
})

/** What is wrong with the data of a definition, at most a few of it. */
export function shapeProblems(data: object): string[] {
  const found: string[] = []
  for (const { path, message } of Value.Errors(Definition, data)) {
    if (found.length === 5) break
    found.push(`${path.slice(1, 100) || 'it'}: ${message}`)
  }
  if (found.length > 0) return found
  const { credentials, settings } = data as {
    credentials: Record<string, { pattern?: string }>
    settings: Record<string, { pattern?: string }>
  }
  return Object.entries({ ...settings, ...credentials }).flatMap(([name, { pattern }]) => {
    const problem = pattern === undefined ? undefined : patternProblem(pattern)
    return problem === undefined ? [] : [`the pattern of ${name} ${problem}`]
  })
}
