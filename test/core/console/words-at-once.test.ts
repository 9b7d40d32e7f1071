import { afterAll, beforeEach, expect, test } from 'bun:test'

/** The compiler checks browser code against another library: its name stands apart, so that it is not drawn in here. */
const WORDS = '../../../core/console/web/words/words.ts'

/** What the words need of a browser. */
const browser = {
  localStorage: { getItem: () => null, setItem: () => {} },
  navigator: { languages: ['en'] },
  location: { pathname: '/console' },
  document: { documentElement: {} },
}
const before = Object.keys(browser).map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const)
for (const [name, value] of Object.entries(browser)) Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
afterAll(() => {
  for (const [name, property] of before)
    if (property) Object.defineProperty(globalThis, name, property)
    else Reflect.deleteProperty(globalThis, name)
})

const { loadPageWords, loadWords, t } = (await import(WORDS)) as {
  readonly loadPageWords: (page: string) => Promise<void>
  readonly loadWords: (language: string) => Promise<void>
  readonly t: (key: string) => string
}

beforeEach(() => loadWords('en'))

test('the words of the console: a page that is opened while another language is loaded has its words in that language', async () => {
  await Promise.all([loadWords('fr'), loadPageWords('cash')])
  expect([t('cash.holders'), t('nav.cash')]).toEqual(['Qui vous doit de l’argent', 'Encaissements'])
})

test('the words of the console: a language that is chosen while the words of a page are loaded shows them too', async () => {
  await Promise.all([loadPageWords('today'), loadWords('fr'), loadPageWords('customers')])
  expect([t('today.empty'), t('customers.search')]).toEqual(['Rien ne vous attend.', 'Nom ou téléphone'])
})
