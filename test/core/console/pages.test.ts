import { afterAll, describe, expect, test } from 'bun:test'
import { startApp } from '../../support/app.ts'
import { uploadSheet } from '../../support/cash.ts'
import { chromium } from '../../support/chromium.ts'
import { languages, openConsole, type Size, sizes, themes } from '../../support/console.ts'
import { shopWithOrders } from '../../support/console-orders.ts'
import { consoleWords } from '../../support/console-words.ts'
import { combinationsAt } from '../../support/thorough.ts'

/** Pages by their path, for people who are signed in or not. `sto` stands for a store, `ord` for one of its orders. */
const pages: readonly (readonly [path: string, isSignedIn: boolean])[] = [
  ['/console/sign-in', false],
  ['/console/sign-up', false],
  ['/console/forgot-password', false],
  ['/console/new-store', true],
  ['/console/nowhere', true],
  ['/console/sto/today', true],
  ['/console/sto/desk', true],
  ['/console/sto/orders', true],
  ['/console/sto/orders/new', true],
  ['/console/sto/orders?status=pending,sent&q=Touati&sort=-total&paymentStatus=unpaid', true],
  ['/console/sto/orders?q=nobody', true],
  ['/console/sto/orders/ord', true],
  ['/console/sto/customers', true],
  ['/console/sto/customers/cus', true],
  ['/console/sto/send', true],
  ['/console/sto/pack', true],
  ['/console/sto/cash', true],
  ['/console/sto/cash/payout?carrier=sandbox&id=rem', true],
  ['/console/sto/cash/import?carrier=sandbox', true],
  ['/console/sto/nowhere', true],
]

type Texts = Readonly<Record<string, unknown>>
const english = await consoleWords('en')
/** Texts of English that a language says in other words. None of them may be on its pages. */
const foreign = { fr: englishOnly(english, await consoleWords('fr')), ar: englishOnly(english, await consoleWords('ar')) }

function englishOnly(from: Texts, to: Texts): readonly string[] {
  const texts = (words: Texts) => Object.values(words).filter((word) => typeof word === 'string')
  const known = new Set(texts(to))
  return texts(from).filter((text) => text.length > 2 && !text.includes('{') && !known.has(text))
}

/** Texts of a page, of its controls and of what is read aloud. */
const TEXTS = `(() => {
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const texts = []
  while (walk.nextNode()) texts.push(walk.currentNode.data.trim())
  for (const element of document.querySelectorAll('[aria-label], [placeholder], [title]'))
    texts.push(element.getAttribute('aria-label') ?? '', element.getAttribute('placeholder') ?? '', element.getAttribute('title') ?? '')
  return texts
})()`

describe('every page of the console, in a browser', async () => {
  if (chromium === null) return test.skip('there is no Chromium here', () => {})
  const app = await startApp({}, { socket: true })
  const shop = await shopWithOrders(app, 12, 'متجر <b>لينا</b>')
  const [customer] = (await app.ok('GET', `/v1/stores/${shop.storeId}/customers?limit=1`, { as: shop.key })).data
  const sheet = 'Colis;Montant;Frais\nSBX-1;4500;400\nSBX-2;-200;0\n'
  const payouts = `/v1/stores/${shop.storeId}/integrations/sandbox/encaissements/import`
  const payout = (await uploadSheet(app, payouts, sheet, { as: shop.owner.token, name: 'دفعة <i>نوفمبر</i>.csv' })).body.data
  const addressOf = (path: string) =>
    path
      .replace('sto', shop.storeId)
      .replace(/\bord$/, shop.placed[3]?.id ?? '')
      .replace(/\bcus$/, customer.id)
      .replace(/\brem$/, payout.id)
  const browser = await openConsole(app)
  afterAll(() => browser.close())

  for (const isSignedIn of [false, true])
    for (const [at, [path, needsSession]] of pages.entries())
      if (needsSession === isSignedIn) {
        const looks = combinationsAt({ language: languages, theme: themes, size: Object.keys(sizes) as Size[] }, at)
        test(`${path} has no accessibility violation, no control outside the window and no error, in each language`, async () => {
          if (isSignedIn) await browser.signIn(shop.owner)
          else await browser.forget()
          browser.problems.length = 0
          const faults: string[] = []
          for (const { language, theme, size } of looks) {
            await browser.visit(addressOf(path), { language, theme, size })
            const look = `${language} ${theme} ${size}`
            expect(await browser.evaluate('document.documentElement.lang')).toBe(language)
            if (language !== 'en') {
              const texts = new Set(await browser.evaluate<string[]>(TEXTS))
              faults.push(...foreign[language].filter((text) => texts.has(text)).map((text) => `${look}: "${text}" is English`))
            }
            faults.push(...[...(await browser.axe()), ...(await browser.outside())].map((fault) => `${look}: ${fault}`))
          }
          expect(faults).toEqual([])
          expect(browser.problems).toEqual([])
        }, 120_000)
      }
})
