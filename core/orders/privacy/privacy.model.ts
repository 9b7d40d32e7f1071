import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Id, Nullable, named, oneOf, Text, Timestamp } from '../../http/schema.ts'
import { CustomerProfile } from '../customers/customers.model.ts'

export const causes = ['request', 'shop', 'retention'] as const
export type Cause = (typeof causes)[number]

/** Data that an erasure leaves, and the reason. */
export const KEPT = [
  {
    what: 'amounts, lines, states, dates and references of orders, parcels, payments and the cash ledger, without any person',
    why: 'Laws require accounts for years: ten by art. 12 of the Commercial Code where Law 18-07 applies; art. 17(3)(b) of the GDPR lets them be kept.',
  },
  {
    what: 'what carriers, payment gateways and spreadsheets were told before',
    why: 'It lies with them. Ask them as well: GDPR art. 19. Rows of connected sheets are written anew with the mark.',
  },
  { what: 'backups of the database that were made before', why: 'They are overwritten as the operator rotates them.' },
] as const

export const Erasure = named(
  'Erasure',
  T.Object({
    id: Id,
    storeId: Id,
    cause: oneOf(causes, {
      description: '`request`: somebody asked here; `shop`: a connected shop asked; `retention`: by the setting of the store',
    }),
    state: oneOf(['running', 'done'], {
      description: '`running`: goes on in the background, also after a restart; `done`: nothing names the person any more',
    }),
    customers: T.Integer(),
    orders: T.Integer(),
    parcels: T.Integer(),
    askedAt: Timestamp,
    doneAt: Nullable(Timestamp),
    kept: T.Array(T.Object({ what: T.String(), why: T.String() }), { description: 'data that stays, and the reason' }),
    carriers: T.Array(T.String(), {
      description: 'carriers that were given parcels of the person, and still know them: ask those as well',
    }),
  }),
)
export type Erasure = Static<typeof Erasure>

/** Person to erase who may have no order in the store. */
export const ErasePerson = named(
  'ErasePerson',
  exact(
    {
      phone: T.Optional({ ...Text(40, 3), description: "as people of the store's country write it" }),
      email: T.Optional(T.String({ format: 'email', maxLength: 254 })),
    },
    { minProperties: 1 },
  ),
)
export type ErasePerson = Static<typeof ErasePerson>

const Rows = (description: string) => T.Array(T.Record(T.String(), T.Unknown()), { description })

/** All data of a person, table by table, as it is kept. */
export const PersonExport = named(
  'PersonExport',
  T.Object({
    data: T.Object({
      customer: CustomerProfile,
      exportedAt: Timestamp,
      orders: Rows('orders with their lines and history'),
      parcels: Rows('parcels, also those without an order'),
      payments: Rows('payments of the orders'),
      returns: Rows('goods that came back'),
      calls: Rows('calls in which orders were confirmed'),
      feedbacks: Rows('what the person wrote of products'),
      blocks: Rows('blocks of their phone numbers'),
      shopOrders: Rows('orders as connected shops told them'),
    }),
  }),
)
export type PersonExport = Static<typeof PersonExport>
