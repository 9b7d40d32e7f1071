import { type Static, Type as T } from '@sinclair/typebox'
import { parcelStatuses } from '../../../plugins/carrier/model.ts'
import { roles } from '../../http/auth/scopes.ts'
import { Id, Money, Nullable, named, oneOf, Text } from '../../http/schema.ts'
import { productStatuses } from '../../shop/catalog/products.model.ts'
import { orderStatuses } from '../statuses.ts'

/** Rows of each group that a search returns at most. */
export const GROUP_MAX = 6
/** Milliseconds that the database may search for one group. */
export const GROUP_MS = 800

/** Query of the search in a store. */
export const StoreSearchQuery = T.Object({
  q: {
    ...Text(100, 2),
    description: 'name, reference, tracking number, phone number or at least its last four digits, sku or e-mail address',
  },
})

/** Names of the groups of a search. */
export const searchGroups = ['orders', 'parcels', 'customers', 'products', 'people'] as const
/** Element of {@link searchGroups}. */
export type SearchGroup = (typeof searchGroups)[number]

/** Rows of a store that a search found. */
export const StoreSearch = named(
  'StoreSearch',
  T.Object({
    orders: T.Array(
      T.Object({
        id: Id,
        reference: T.String(),
        status: oneOf(orderStatuses),
        customerName: T.String(),
        customerPhone: T.String(),
        total: Money,
      }),
    ),
    parcels: T.Array(
      T.Object({ id: Id, orderId: Nullable(Id), reference: T.String(), trackingId: Nullable(T.String()), status: oneOf(parcelStatuses) }),
    ),
    customers: T.Array(T.Object({ id: Id, name: T.String(), phone: T.String() })),
    products: T.Array(T.Object({ id: Id, name: T.String(), sku: Nullable(T.String()), status: oneOf(productStatuses) })),
    people: T.Array(T.Object({ userId: Id, name: T.String(), email: T.String(), role: oneOf(roles) })),
    orderId: Nullable(Id, { description: 'the one order whose reference or tracking number is exactly the text, such as a scanned one' }),
    incomplete: T.Array(oneOf(searchGroups), { description: 'groups that took too long and are empty' }),
  }),
)
/** Type of {@link StoreSearch}. */
export type StoreSearch = Static<typeof StoreSearch>
