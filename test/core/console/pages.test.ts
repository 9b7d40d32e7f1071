import { afterAll, describe, expect, test } from 'bun:test'
import { startApp } from '../../support/app.ts'
import { chromium } from '../../support/chromium.ts'
import { languages, openConsole, type Size, sizes, themes } from '../../support/console.ts'
import { shopWithOrders } from '../../support/console-orders.ts'

/** Pages by their path, for people who are signed in or not. `sto` stands for a store, `ord` for one of its orders. */
const pages: readonly (readonly [path: string, isSignedIn: boolean])[] = [
  ['/console/sign-in', false],
  ['/console/sign-up', false],
  ['/console/forgot-password', false],
  ['/console/new-store', true],
  ['/console/sto/desk', true],
  ['/console/sto/orders', true],
  ['/console/sto/orders/new', true],
  ['/console/sto/orders?status=pending,sent&q=Touati&sort=-total&paymentStatus=unpaid', true],
  ['/console/sto/orders?q=nobody', true],
  ['/console/sto/orders/ord', true],
  ['/console/sto/nowhere', true],
]

describe('every page of the console, in a browser', async () => {
  if (chromium === null) return test.skip('there is no Chromium here', () => {})
  const app = await startApp({}, { socket: true })
  const shop = await shopWithOrders(app, 12, 'متجر <b>لينا</b>')
  const browser = await openConsole(app)
  afterAll(() => browser.close())

  for (const isSignedIn of [false, true])
    for (const [path, needsSession] of pages)
      if (needsSession === isSignedIn)
        test(`${path} has no accessibility violation, no control outside the window and no error, in each language, theme and size`, async () => {
          if (isSignedIn) await browser.signIn(shop.owner)
          else await browser.forget()
          browser.problems.length = 0
          const faults: string[] = []
          for (const language of languages)
            for (const theme of themes)
              for (const size of Object.keys(sizes) as Size[]) {
                await browser.visit(path.replace('sto', shop.storeId).replace(/\bord$/, shop.placed[3]?.id ?? ''), {
                  language,
                  theme,
                  size,
                })
                const look = `${language} ${theme} ${size}`
                expect(await browser.evaluate('document.documentElement.lang')).toBe(language)
                faults.push(...[...(await browser.axe()), ...(await browser.outside())].map((fault) => `${look}: ${fault}`))
              }
          expect(faults).toEqual([])
          expect(browser.problems).toEqual([])
        }, 120_000)
})
