import { keepPreviousData, useQuery } from '@tanstack/preact-query'
import { api } from '../api/client.ts'
import { unwrap } from '../api/errors.ts'
import { type CurrentStore, useStore } from '../session/store.tsx'
import { useDebounced } from '../ui/debounced.ts'
import type { IconName } from '../ui/icons.tsx'
import { fold } from '../words/fold.ts'
import { formatPhone } from '../words/format.ts'
import { searchableText } from '../words/numbers.ts'
import { t, type WordKey } from '../words/words.ts'
import { placesOf } from './places.ts'

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

/** Fewest letters with which orders and customers are looked up. */
const LETTERS_MIN = 2
const FOUND_MAX = 6

/** Finds places and actions by their name, and orders and customers by what is stored of them. */
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
    queryFn: () => Promise.all([findOrders(store, q), findCustomers(store, q)]),
  })
  const rows = isActive && wanted !== '' ? (found.data ?? []).flat() : []
  return { results: [...own, ...rows], isWaiting: isActive && found.isFetching }
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

async function findOrders({ storeId, can }: CurrentStore, q: string): Promise<readonly CommandResult[]> {
  if (!can('listOrders')) return []
  const { data } = await unwrap(api.GET('/v1/orders', { params: { query: { storeId, q, limit: FOUND_MAX } } }))
  return data.map(({ id, reference, customer, status }) => ({
    id,
    group: 'nav.orders',
    icon: 'orders',
    name: `${reference} · ${customer.name}`,
    detail: t(`status.${status}`),
    href: `/${storeId}/orders/${id}`,
  }))
}

async function findCustomers({ storeId, can }: CurrentStore, q: string): Promise<readonly CommandResult[]> {
  if (!can('listCustomers')) return []
  const stored = searchableText(q)
  if (stored === '') return []
  const params = { path: { storeId }, query: { q: stored, limit: FOUND_MAX } }
  const { data } = await unwrap(api.GET('/v1/stores/{storeId}/customers', { params }))
  return data.map(({ id, name, phone }) => ({
    id,
    group: 'nav.customers',
    icon: 'people',
    name,
    detail: formatPhone(phone),
    href: `/${storeId}/customers/${id}`,
  }))
}
