import { t } from '../../words/words.ts'

/** Orders of the store. */
export default function OrdersPage() {
  return (
    <main class="page">
      <h1>{t('nav.orders')}</h1>
    </main>
  )
}
