import { Link } from 'wouter-preact'
import { useMe } from '../session/me.ts'
import { useStore } from '../session/store.tsx'
import { Name } from '../ui/values.tsx'
import { t } from '../words/words.ts'

/** Links to the user's stores, and to a new one. */
export function StoreLinks() {
  const store = useStore()
  const { data: me } = useMe()
  return (
    <>
      {me?.memberships.map(({ storeId, name }) => (
        <Link key={storeId} href={`/${storeId}`} aria-current={storeId === store.storeId ? 'true' : undefined}>
          <Name>{name}</Name>
        </Link>
      ))}
      <Link href="/new-store">{t('store.new')}</Link>
    </>
  )
}
