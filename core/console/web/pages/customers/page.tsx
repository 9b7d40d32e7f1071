import '../../styles/customers.css'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useLocation, useParams, useSearch } from 'wouter-preact'
import { useStore } from '../../session/store.tsx'
import { useDebounced } from '../../ui/debounced.ts'
import { Failure } from '../../ui/failure.tsx'
import { useKeys } from '../../ui/keys.ts'
import { t } from '../../words/words.ts'
import { useCustomers } from './customer-data.ts'
import { CustomerDrawer } from './customer-drawer.tsx'
import { CustomerTable } from './customer-table.tsx'

/** Customers of the store, found by name or phone number. One opens over the list, at an address of its own. */
export default function CustomersPage() {
  const { storeId } = useStore()
  const { customerId } = useParams<{ customerId?: string }>()
  const [, go] = useLocation()
  const search = useRef<HTMLInputElement>(null)
  const asked = new URLSearchParams(useSearch()).get('q') ?? ''
  const [text, setText] = useState(asked)
  const q = useDebounced(text.trim())
  const list = useCustomers(q)
  const rows = list.data?.pages.flatMap(({ data }) => data) ?? []
  const pathOf = (id?: string) => `/${storeId}/customers${id ? `/${id}` : ''}${q === '' ? '' : `?${new URLSearchParams({ q })}`}`
  useEffect(() => {
    if (q !== asked) go(pathOf(customerId), { replace: true })
  }, [q])
  useKeys({ '/': () => search.current?.focus() })
  return (
    <main class="page" aria-busy={list.isPending}>
      <div class="page-head">
        <h1>{t('nav.customers')}</h1>
      </div>
      <div class="row customers-search">
        <input
          ref={search}
          class="input"
          type="search"
          aria-label={t('customers.search')}
          placeholder={t('customers.search')}
          aria-keyshortcuts="/"
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </div>
      {list.error && <Failure error={list.error} />}
      {list.isPending && <span class="skeleton" />}
      {list.isSuccess && rows.length === 0 && <p class="empty">{t(q === '' ? 'customers.empty' : 'customers.noneFound')}</p>}
      {rows.length > 0 && <CustomerTable rows={rows} hrefOf={pathOf} onOpen={(id) => go(pathOf(id))} isActive={customerId === undefined} />}
      {list.hasNextPage && (
        <button type="button" class="button more-rows" disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t('customers.more')}
        </button>
      )}
      {customerId !== undefined && <CustomerDrawer customerId={customerId} onClose={() => go(pathOf())} />}
    </main>
  )
}
