import { Type as T } from '@sinclair/typebox'
import { kind } from '../kind.ts'
import { exact, Maybe, oneOf, PRINTED } from '../schema.ts'
import { type Carrier, CONTRACT, changeFields } from './contract.ts'
import { members } from './members.ts'
import { cashStatuses, deliveryTypes, parcelStatuses, statusFlags } from './model.ts'
import { carrierOperations } from './operations.ts'
import { statusReader } from './statuses.ts'

const Method = Maybe(oneOf(['GET', 'POST']))
const Statuses = T.Array(oneOf(parcelStatuses), { maxItems: parcelStatuses.length })
const Count = T.Integer({ minimum: 1, maximum: 10_000 })
const Raw = T.String({ pattern: PRINTED.replace('*', '{1,200}') })
/** Checked in `unknownStatuses`, whose message is better than that of a schema. */
const Status = T.String({ maxLength: 40 })
const Meaning = exact({ status: Maybe(Status), cash: Maybe(oneOf(cashStatuses)), flag: Maybe(oneOf(statusFlags)) })

/** Kind of carriers: they deliver parcels and collect cash on delivery. */
export const carrier = kind({
  name: 'carrier',
  contract: CONTRACT,
  directory: import.meta.dir,
  tag: 'Carriers',
  scopes: { read: 'parcels:read', write: 'parcels:write' },
  product: 'parcels',
  codes: { refused: 'carrier_refused', failed: 'carrier_error', off: 'carrier_not_enabled' },
  definition: {
    countries: T.Array(T.String({ pattern: '^[A-Z]{2}$' }), { maxItems: 250 }),
    currency: T.String({ pattern: '^[A-Z]{3}$' }),
    exactlyOnce: oneOf(['idempotencyKey', 'findByReference', 'unsafe']),
    settleSeconds: T.Number({ minimum: 0, maximum: 3600 }),
    deliveryTypes: T.Array(oneOf(deliveryTypes), { minItems: 1, maxItems: 3 }),
    exchanges: Maybe(T.Boolean()),
    codMax: Maybe(T.Number({ exclusiveMinimum: 0, maximum: 1e12 })),
    editableIn: Statuses,
    editable: Maybe(T.Array(oneOf(changeFields), { maxItems: changeFields.length })),
    cancellableIn: Statuses,
    statuses: T.Record(Raw, T.Union([T.Null(), Status, Meaning]), { additionalProperties: false, maxProperties: 2000 }),
    // Declared by early adapters, and no longer used.
    methods: Maybe(exact({ list: Method, ping: Method })),
    sendManyMax: Maybe(Count),
    trackMax: Maybe(Count),
  },
  listed: ['countries', 'currency', 'exactlyOnce', 'deliveryTypes', 'exchanges'],
  members,
  operations: carrierOperations,
  outputFields: { times: ['at', 'expiresAt'], free: ['carrierData'] },
  problems: (carrier: Partial<Carrier>) => [...lacksLookUp(carrier), ...unknownStatuses(carrier)],
  summary: ({ exactlyOnce }) => `exactly once by ${exactlyOnce}`,
  derived: (carrier: Carrier) => ({
    carrier,
    /** Translates the carrier's raw status; undefined if its table does not have it. */
    meaning: statusReader(carrier.statuses),
  }),
})

const lacksLookUp = ({ exactlyOnce, findByReference }: Partial<Carrier>) =>
  exactlyOnce === 'findByReference' && typeof findByReference !== 'function'
    ? ['exactlyOnce "findByReference" needs the member findByReference']
    : []

function unknownStatuses({ statuses }: Partial<Carrier>): string[] {
  const wrong = Object.entries(statuses ?? {}).flatMap(([raw, rule]) => {
    const status = rule !== null && typeof rule === 'object' ? rule.status : rule
    const known = status === null || status === undefined || parcelStatuses.includes(status)
    return known ? [] : [`status "${raw}" is mapped to "${String(status)}", which is not a parcel status`]
  })
  return wrong.slice(0, 5)
}
