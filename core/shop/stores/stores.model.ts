import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Id, Metadata, Nullable, named, Text, Timestamp } from '../../http/schema.ts'
import { Namespace } from '../inventory/inventory.model.ts'
import { ConfirmationSettings } from './confirmation.model.ts'
import { DeliveryPrices } from './delivery-prices/delivery-prices.model.ts'
import { TimeZone } from './time-zone.model.ts'

const Slug = T.String({
  pattern: '^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$',
  maxLength: 63,
  description: 'lower-case letters, digits and hyphens',
})
const CountryCode = T.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166 alpha-2' })
const CurrencyCode = T.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217' })

/** What an order without an account may be, unless the store says otherwise. Amounts in the store's currency. */
export const PUBLIC_LIMITS = {
  pieces: 100,
  lines: 30,
  value: 1_000_000,
  openPerPhone: 5,
  openPerAddress: 50,
  duplicateMinutes: 2,
  holdMinutes: 7 * 24 * 60,
}
const limit = (name: keyof typeof PUBLIC_LIMITS, maximum: number, description: string, minimum = 1) =>
  T.Optional(T.Integer({ minimum, maximum, default: PUBLIC_LIMITS[name], description }))

export const StoreSettings = named(
  'StoreSettings',
  exact({
    /** Whether a storefront may order without a credential. */
    publicOrders: T.Optional(T.Boolean({ default: true, description: 'whether anybody may order; rate limited by address' })),
    publicOrderLimits: T.Optional(
      exact({
        pieces: limit('pieces', 100_000, 'pieces in one order'),
        lines: limit('lines', 200, 'lines in one order'),
        value: limit('value', 1e9, "what one order may come to, in the store's currency"),
        openPerPhone: limit('openPerPhone', 100_000, 'orders of one phone number that are not confirmed yet'),
        openPerAddress: limit('openPerAddress', 100_000, 'orders from one network address that are not confirmed yet'),
        duplicateMinutes: limit(
          'duplicateMinutes',
          24 * 60,
          'how long the same lines are not taken again from the same phone number; 0: they are',
          0,
        ),
        holdMinutes: limit('holdMinutes', 90 * 24 * 60, 'how long one that nobody confirms holds its stock; then it is cancelled'),
      }),
    ),
    /** What delivery costs the customer, by delivery type, where no rule says otherwise. */
    deliveryPrices: T.Optional(DeliveryPrices),
    retentionDays: T.Optional(
      T.Integer({
        minimum: 30,
        maximum: 3650,
        description:
          'days after which the personal data of a customer is erased, counted from the last order, unless an order is still open; kept until somebody asks unless said',
      }),
    ),
    /** In which its days begin. */
    timeZone: T.Optional(TimeZone("in which its days begin, as Africa/Algiers; the country's, or its capital's, unless said")),
    /** When orders are confirmed by phone. */
    confirmation: T.Optional(ConfirmationSettings),
    /** Whether unconfirmed orders are kept from carriers. */
    sendOnlyConfirmed: T.Optional(
      T.Boolean({
        description:
          'whether only confirmed orders are sent, unless a sending says force: true. Without it: true once the store has used its confirmation queue, else false',
      }),
    ),
    /** Namespace of the inventory ledger that orders take from. */
    inventoryNamespace: T.Optional({ ...Namespace, default: 'main' }),
  }),
)
export type StoreSettings = Static<typeof StoreSettings>

/** Each setting that is named takes the place of the one that was, null takes it away; the others stay. */
export const StoreSettingsChange = named(
  'StoreSettingsChange',
  T.Mapped(T.KeyOf(StoreSettings), (key) => T.Optional(Nullable(T.Index(StoreSettings, key))), {
    additionalProperties: false,
    description: 'a setting that is named takes the place of the one that was, null takes it away, and the others stay',
  }),
)
export type StoreSettingsChange = Static<typeof StoreSettingsChange>

export const Store = named(
  'Store',
  T.Object({
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
  }),
)
export type Store = Static<typeof Store>

const details = {
  phone: T.Optional(Nullable(Text(40))),
  email: T.Optional(Nullable(T.String({ format: 'email', maxLength: 254 }))),
  address: T.Optional(Nullable(Text(500))),
  settings: T.Optional(StoreSettings),
  metadata: T.Optional(Metadata),
}

export const NewStore = named(
  'NewStore',
  exact({
    name: Text(120, 1),
    slug: T.Optional(Slug),
    countryCode: CountryCode,
    currencyCode: CurrencyCode,
    ...details,
  }),
)
export type NewStore = Static<typeof NewStore>
/** What a new one takes; country and currency stay as they are where they are left out. */
export const StoreReplacement = named(
  'StoreReplacement',
  exact({
    ...NewStore.properties,
    countryCode: T.Optional(CountryCode),
    currencyCode: T.Optional(CurrencyCode),
  }),
)
export type StoreReplacement = Static<typeof StoreReplacement>
export const StoreChange = named(
  'StoreChange',
  exact(
    { name: T.Optional(Text(120, 1)), slug: T.Optional(Slug), ...details, settings: T.Optional(StoreSettingsChange) },
    { minProperties: 1 },
  ),
)
export type StoreChange = Static<typeof StoreChange>
