import { Link } from 'wouter-preact'
import { t } from '../words/words.ts'

/** Shows that a page is loading, for screen readers at once and for eyes after a moment. */
export const Waiting = () => (
  <main class="page" aria-busy="true">
    <p class="visually-hidden">{t('loading')}</p>
    <span class="skeleton" />
  </main>
)

/** Shows that the rights of a user lead to no page yet. */
export const NoPlace = () => (
  <main class="page">
    <div class="empty">
      <h1>{t('noPlace.title')}</h1>
      <p>{t('noPlace.text')}</p>
    </div>
  </main>
)

/** Shows that an address leads nowhere, or nowhere that the user may go. */
export const NotFound = () => (
  <main class="page">
    <div class="empty">
      <h1>{t('notFound.title')}</h1>
      <p>{t('notFound.text')}</p>
      <Link href="~/console" class="button">
        {t('notFound.home')}
      </Link>
    </div>
  </main>
)
