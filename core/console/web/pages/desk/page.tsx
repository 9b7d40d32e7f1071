import { t } from '../../words/words.ts'

/** Confirmation desk: the next order to call. */
export default function DeskPage() {
  return (
    <main class="page">
      <h1>{t('nav.desk')}</h1>
    </main>
  )
}
