import { keepPreviousData, useQuery } from '@tanstack/preact-query'
import { api, type Schemas } from '../../api/client.ts'
import { unwrap } from '../../api/errors.ts'
import { type CurrentStore, useStore } from '../../session/store.tsx'
import { useDebounced } from '../../ui/debounced.ts'
import type { IconName } from '../../ui/icons.tsx'
import { fold } from '../../words/fold.ts'
import { formatPhone } from '../../words/format.ts'
import { t, type WordKey } from '../../words/words.ts'
import { placesOf } from '../places.ts'

/** Something that the search leads to. */
export interface CommandResult {
  readonly id: string
  readonly group: WordKey
  readonly icon: IconName
  readonly name: string
  /** Second text, such as a phone number. */
  readonly detail: string
  readonly href: string
}

/** Returns true for a place or an action, which needs no search of the store. */
export const isOwn = ({ group }: CommandResult): boolean => group === 'command.places' || group === 'command.actions'

/** Fewest letters with which a store is searched. */
const LETTERS_MIN = 2

/** Searches a store: a few orders, parcels, customers, products and members, as far as the user may see them. */
export async function searchStore({ storeId }: CurrentStore, text: string): Promise<Schemas['StoreSearch']> {
  const params = { path: { storeId }, query: { q: text } }
  return (await unwrap(api.GET('/v1/stores/{storeId}/search', { params }))).data
}

/** Finds places and actions by their name, and orders, customers and the rest by what is stored of them. */
export function useCommandResults(text: string): { readonly results: readonly CommandResult[]; readonly isWaiting: boolean } {
  const store = useStore()
  const wanted = fold(text)
  const own = [...actionsOf(store), ...linksOf(store)].filter(({ name }) => ` ${fold(name)}`.includes(` ${wanted}`))
  const q = useDebounced(text.trim())
  const isActive = q.length >= LETTERS_MIN
  const found = useQuery({
    queryKey: ['command', store.storeId, q],
    enabled: isActive,
    placeholderData: keepPreviousData,
    queryFn: () => searchStore(store, q),
  })
  const rows = isActive && wanted !== '' && found.data ? resultsOf(store, found.data) : []
  return { results: [...own, ...rows], isWaiting: isActive && (found.isFetching || q !== text.trim()) }
}

const linksOf = (store: CurrentStore): readonly CommandResult[] =>
  placesOf(store).map(({ path, name, icon }) => ({
    id: path,
    group: 'command.places',
    icon,
    name: t(name),
    detail: '',
    href: `/${store.storeId}${path}`,
  }))

const actionsOf = ({ storeId, can }: CurrentStore): readonly CommandResult[] =>
  can('changeOrder')
    ? [{ id: 'new-order', group: 'command.actions', icon: 'plus', name: t('order.new'), detail: '', href: `/${storeId}/orders/new` }]
    : []

/** Results of a search, each with the page that it leads to. Products and members lead to their orders. */
function resultsOf({ storeId }: CurrentStore, { orders, parcels, customers, products, people }: Schemas['StoreSearch']): CommandResult[] {
  const listOf = (filter: Readonly<Record<string, string>>) => `/${storeId}/orders?${new URLSearchParams(filter)}`
  return [
    ...orders.map(({ id, reference, customerName, status }) => ({
      ...result(id, 'nav.orders', 'orders', `${reference} · ${customerName}`, `/${storeId}/orders/${id}`),
      detail: t(`status.${status}`),
    })),
    ...parcels.flatMap(({ id, orderId, reference, trackingId, status }) =>
      orderId === null
        ? []
        : {
            ...result(id, 'command.parcels', 'orders', trackingId ?? reference, `/${storeId}/orders/${orderId}`),
            detail: t(`parcel.${status}`),
          },
    ),
    ...products.map(({ id, name, sku }) => ({
      ...result(id, 'command.products', 'orders', name, listOf({ productId: id })),
      detail: sku ?? '',
    })),
    ...people.map(({ userId, name, email }) => ({
      ...result(userId, 'command.people', 'people', name, listOf({ assignedTo: userId })),
      detail: email,
    })),
    ...customers.map(({ id, name, phone }) => ({
      ...result(id, 'nav.customers', 'people', name, `/${storeId}/customers/${id}`),
      detail: formatPhone(phone),
    })),
  ]
}

const result = (id: string, group: WordKey, icon: IconName, name: string, href: string) => ({ id, group, icon, name, href })
