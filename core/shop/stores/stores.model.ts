import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Id, Metadata, Nullable, named, oneOf, Text, Timestamp } from '../../http/schema.ts'
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

/** Default limits of orders without an account. Amounts are in the store's currency. */
export const PUBLIC_ORDER_LIMITS = {
  pieces: 100,
  lines: 30,
  value: 1_000_000,
  openPerPhone: 5,
  openPerAddress: 50,
  duplicateMinutes: 2,
  holdMinutes: 7 * 24 * 60,
}
const limit = (name: keyof typeof PUBLIC_ORDER_LIMITS, maximum: number, description: string, minimum = 1) =>
  T.Optional(T.Integer({ minimum, maximum, default: PUBLIC_ORDER_LIMITS[name], description }))

/** Settings of a store. */
export const StoreSettings = named(
  'StoreSettings',
  exact({
    /** Allows storefronts to order without a credential. */
    publicOrders: T.Optional(
      T.Boolean({ default: true, description: 'whether orders without a credential are accepted; rate limited by address' }),
    ),
    publicOrderLimits: T.Optional(
      exact({
        pieces: limit('pieces', 100_000, 'pieces in one order'),
        lines: limit('lines', 200, 'lines in one order'),
        value: limit('value', 1e9, "highest total of one order, in the store's currency"),
        openPerPhone: limit('openPerPhone', 100_000, 'orders of one phone number that are not confirmed yet'),
        openPerAddress: limit('openPerAddress', 100_000, 'orders from one network address that are not confirmed yet'),
        duplicateMinutes: limit(
          'duplicateMinutes',
          24 * 60,
          'minutes during which a second order with the same lines and phone number is refused; 0: never',
          0,
        ),
        holdMinutes: limit('holdMinutes', 90 * 24 * 60, 'minutes after which an unconfirmed order is cancelled and its stock released'),
      }),
    ),
    /** Delivery prices of the store, for products without prices of their own. */
    deliveryPrices: T.Optional(DeliveryPrices),
    retentionDays: T.Optional(
      T.Integer({
        minimum: 30,
        maximum: 3650,
        description:
          'days after the last order when the personal data of a customer is erased, unless an order is still open; default: kept until an erasure is requested',
      }),
    ),
    /** Time zone in which the store's days begin. */
    timeZone: T.Optional(
      TimeZone("time zone in which the store's days begin, such as Africa/Algiers; default: that of the country or its capital"),
    ),
    /** Hours and limits of the calls that confirm orders. */
    confirmation: T.Optional(ConfirmationSettings),
    /** Refuses to send orders that are not confirmed. */
    sendOnlyConfirmed: T.Optional(
      T.Boolean({
        description:
          'whether only confirmed orders are sent, except with force: true. Default: true once the store has used its confirmation queue, else false',
      }),
    ),
    /** Handling of goods that come back. */
    returns: T.Optional(
      exact({
        restock: T.Optional(
          oneOf(['on_status', 'on_scan'], {
            default: 'on_status',
            description: 'when the goods of a returned parcel go back to stock',
          }),
        ),
      }),
    ),
    /** Namespace of the inventory ledger that orders take from. */
    inventoryNamespace: T.Optional({ ...Namespace, default: 'main' }),
  }),
)
/** Type of {@link StoreSettings}. */
export type StoreSettings = Static<typeof StoreSettings>

/** Change of settings. A named setting replaces the present one, null removes it, and the others stay. */
export const StoreSettingsChange = named(
  'StoreSettingsChange',
  T.Mapped(T.KeyOf(StoreSettings), (key) => T.Optional(Nullable(T.Index(StoreSettings, key))), {
    additionalProperties: false,
    description: 'a named setting replaces the present one, null removes it, and the others stay',
  }),
)
/** Type of {@link StoreSettingsChange}. */
export type StoreSettingsChange = Static<typeof StoreSettingsChange>

/** Store as its members see it. */
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
/** Type of {@link Store}. */
export type Store = Static<typeof Store>

const details = {
  phone: T.Optional(Nullable(Text(40))),
  email: T.Optional(Nullable(T.String({ format: 'email', maxLength: 254 }))),
  address: T.Optional(Nullable(Text(500))),
  settings: T.Optional(StoreSettings),
  metadata: T.Optional(Metadata),
}

/** Body that creates a store. */
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
/** Type of {@link NewStore}. */
export type NewStore = Static<typeof NewStore>
/** Body that replaces a store. Country and currency stay where they are left out. */
export const StoreReplacement = named(
  'StoreReplacement',
  exact({
    ...NewStore.properties,
    countryCode: T.Optional(CountryCode),
    currencyCode: T.Optional(CurrencyCode),
  }),
)
/** Type of {@link StoreReplacement}. */
export type StoreReplacement = Static<typeof StoreReplacement>
/** Body that changes a store. Fields left out stay as they are. */
export const StoreChange = named(
  'StoreChange',
  exact(
    { name: T.Optional(Text(120, 1)), slug: T.Optional(Slug), ...details, settings: T.Optional(StoreSettingsChange) },
    { minProperties: 1 },
  ),
)
/** Type of {@link StoreChange}. */
export type StoreChange = Static<typeof StoreChange>
