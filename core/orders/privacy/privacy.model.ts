import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Id, Nullable, named, oneOf, Text, Timestamp } from '../../http/schema.ts'
import { CustomerProfile } from '../customers/customers.model.ts'

/** Causes of an erasure. */
export const erasureCauses = ['request', 'shop', 'retention'] as const
/** Element of {@link erasureCauses}. */
export type ErasureCause = (typeof erasureCauses)[number]

/** Data that an erasure leaves, with the reason. */
export const RETAINED_DATA = [
  {
    what: 'amounts, lines, states, dates and references of orders, parcels, payments and the cash ledger, without any person',
    why: 'Laws require accounts for years: ten by art. 12 of the Commercial Code where Law 18-07 applies; art. 17(3)(b) of the GDPR lets them be kept.',
  },
  {
    what: 'data that was sent to carriers, payment gateways and spreadsheets before',
    why: 'Those recipients store it. Ask them to erase it as well: GDPR art. 19. Rows of connected sheets are written again with the mark.',
  },
  { what: 'backups of the database that were made before', why: 'They are overwritten as the operator rotates them.' },
] as const

/** Erasure of people as the API shows it. */
export const Erasure = named(
  'Erasure',
  T.Object({
    id: Id,
    storeId: Id,
    cause: oneOf(erasureCauses),
    state: oneOf(['running', 'done']),
    customers: T.Integer(),
    orders: T.Integer(),
    parcels: T.Integer(),
    askedAt: Timestamp,
    doneAt: Nullable(Timestamp),
    kept: T.Array(T.Object({ what: T.String(), why: T.String() }), { description: 'data that stays, and the reason' }),
    carriers: T.Array(T.String(), {
      description: 'carriers that received parcels of the person; ask them to erase the person too',
    }),
  }),
)
/** Type of {@link Erasure}. */
export type Erasure = Static<typeof Erasure>

/** Contact data of a person to erase. The person needs no order in the store. */
export const ErasePerson = named(
  'ErasePerson',
  exact(
    {
      phone: T.Optional({ ...Text(40, 3), description: "as written in the store's country" }),
      email: T.Optional(T.String({ format: 'email', maxLength: 254 })),
    },
    { minProperties: 1 },
  ),
)
/** Type of {@link ErasePerson}. */
export type ErasePerson = Static<typeof ErasePerson>

const Rows = (description: string) => T.Array(T.Record(T.String(), T.Unknown()), { description })

/** All data of a person, table by table, as it is stored. */
export const PersonExport = named(
  'PersonExport',
  T.Object({
    data: T.Object({
      customer: CustomerProfile,
      exportedAt: Timestamp,
      orders: Rows('orders with their lines and history'),
      parcels: Rows('parcels, also those without an order'),
      payments: Rows('payments of the orders'),
      returns: Rows('returned goods'),
      calls: Rows('calls in which orders were confirmed'),
      feedbacks: Rows('feedback of the person about products'),
      blocks: Rows('blocks of their phone numbers'),
      shopOrders: Rows('orders as connected shops sent them'),
    }),
  }),
)
/** Type of {@link PersonExport}. */
export type PersonExport = Static<typeof PersonExport>
