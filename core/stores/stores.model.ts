import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Id, MapOf, Metadata, Nullable, oneOf, Text, Timestamp } from '../http/schema.ts'
import { roles } from '../http/scopes.ts'

const Slug = T.String({
  pattern: '^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$',
  maxLength: 63,
  description: 'lower-case letters, digits and hyphens',
})
const CountryCode = T.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166 alpha-2' })
const CurrencyCode = T.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217' })

export const StoreSettings = exact({
  /** Whether a storefront may order without a credential. */
  publicOrders: T.Optional(T.Boolean({ default: true, description: 'whether anybody may order; rate limited by address' })),
  /** What delivery costs the customer, by delivery type, where no rule says otherwise. */
  deliveryPrices: T.Optional(
    exact({
      home: T.Optional(T.Number({ minimum: 0, maximum: 1e9 })),
      pickup: T.Optional(T.Number({ minimum: 0, maximum: 1e9 })),
      byState: T.Optional(
        MapOf(
          16,
          exact({ home: T.Optional(T.Number({ minimum: 0, maximum: 1e9 })), pickup: T.Optional(T.Number({ minimum: 0, maximum: 1e9 })) }),
          { maxProperties: 300 },
        ),
      ),
    }),
  ),
  /** Namespace of the inventory ledger that orders take from. */
  inventoryNamespace: T.Optional(T.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$', default: 'main' })),
})
export type StoreSettings = Static<typeof StoreSettings>

export const Store = T.Object({
  id: Id,
  ownerId: Id,
  projectId: Id,
  name: T.String(),
  slug: T.String(),
  countryCode: T.String(),
  currencyCode: T.String(),
  phone: Nullable(T.String()),
  email: Nullable(T.String()),
  address: Nullable(T.String()),
  settings: StoreSettings,
  metadata: Metadata,
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type Store = Static<typeof Store>

const details = {
  phone: T.Optional(Nullable(Text(40))),
  email: T.Optional(Nullable(T.String({ format: 'email', maxLength: 254 }))),
  address: T.Optional(Nullable(Text(500))),
  settings: T.Optional(StoreSettings),
  metadata: T.Optional(Metadata),
}

export const NewStore = exact({
  name: Text(120, 1),
  slug: T.Optional(Slug),
  countryCode: CountryCode,
  currencyCode: CurrencyCode,
  ...details,
})
export type NewStore = Static<typeof NewStore>
export const StoreChange = exact({ name: T.Optional(Text(120, 1)), slug: T.Optional(Slug), ...details }, { minProperties: 1 })
export type StoreChange = Static<typeof StoreChange>

const MemberRole = oneOf(['admin', 'agent', 'viewer'])
export const Member = T.Object({ storeId: Id, userId: Id, role: oneOf(roles), createdAt: Timestamp })
export type Member = Static<typeof Member>
export const NewMember = exact({ email: T.String({ maxLength: 254, description: 'of a person who has an account' }), role: MemberRole })
export type NewMember = Static<typeof NewMember>
export const MemberChange = exact({ role: MemberRole })
