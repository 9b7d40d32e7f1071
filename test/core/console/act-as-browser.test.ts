import { afterAll, describe, expect, test } from 'bun:test'
import { type Person, startApp } from '../../support/app.ts'
import { chromium } from '../../support/chromium.ts'
import { type Look, languages, openConsole, type Size, sizes, themes } from '../../support/console.ts'
import { combinationsAt } from '../../support/thorough.ts'

const REASON = 'They asked for help by phone'
const WAIT_MS = 60_000
/** Moves of the focus at most until a control is reached: more than these pages have controls. */
const MOST_TABS = 40

/** Texts of the band and of the dialog, by language. */
const texts = {
  en: { open: 'Act as a user', stop: 'Stop acting' },
  fr: { open: "Agir au nom d'un utilisateur", stop: 'Ne plus agir en son nom' },
  ar: { open: 'العمل باسم مستخدم', stop: 'التوقف عن العمل باسمه' },
} as const

describe('acting as a user in the console, in Chromium', async () => {
  if (chromium === null) return test.skip('there is no Chromium here', () => {})
  const app = await startApp({}, { socket: true })
  // The first account of a server is its administrator.
  const { owner: boss, storeId } = await app.shop({ name: 'Boutique Boss' })
  const browser = await openConsole(app)
  afterAll(() => browser.close())

  const says = (text: string) => `document.body.innerText.includes(${JSON.stringify(text)})`
  const signInAs = async (person: Person) => {
    await browser.forget()
    await browser.signIn(person)
    browser.problems.length = 0
  }
  /** Signs in as the administrator and acts as a user from then on, without the dialog. */
  async function act(userId: string, { path = '/console', ...look }: Look & { readonly path?: string } = {}) {
    await signInAs(boss)
    await browser.view.navigate(`${browser.origin}/console/icon.svg`)
    const body = JSON.stringify({ userId, reason: REASON })
    const headers = `{ 'content-type': 'application/json', 'x-serai-console': '1' }`
    const asked = `fetch('/console/session/act-as', { method: 'POST', headers: ${headers}, body: ${JSON.stringify(body)} })`
    expect(await browser.evaluate<number>(`${asked}.then(({ status }) => status)`)).toBe(200)
    await browser.visit(path, look)
  }
  const whoIs = () => browser.evaluate<string>(`fetch('/v1/me').then((answer) => answer.json()).then(({ data }) => data.user.id)`)
  /** Moves the focus by the Tab key to a control, named by its text or its label. */
  async function tabTo(name: string) {
    const focused = `(({ ariaLabel, labels, textContent }) => (ariaLabel ?? labels?.[0]?.textContent ?? textContent).trim())(document.activeElement)`
    for (let at = 0; at < MOST_TABS; at += 1) {
      if ((await browser.evaluate(focused)) === name) return
      await browser.press('Tab')
    }
    throw new Error(`Tab never reaches "${name}".`)
  }
  const type = (text: string) => browser.view.cdp('Input.insertText', { text })

  test(
    'the keyboard alone chooses a user, gives a reason, acts, and stops',
    async () => {
      const { owner } = await app.shop({ name: 'Boutique Amina' })
      await app.person('Somebody')
      await signInAs(boss)
      await browser.visit(`/console/${storeId}/customers`)
      await tabTo('Owner')
      await browser.press('Enter')
      await tabTo('Act as a user')
      await browser.press('Enter')
      await browser.wait(`document.activeElement.role === 'combobox' && document.activeElement.closest('dialog[open]')`)
      await type(owner.email)
      await browser.wait(`document.querySelectorAll('dialog [role=option]').length === 1`)
      await browser.press('ArrowDown')
      await browser.press('Enter')
      await browser.wait(`document.activeElement.value === ${JSON.stringify(`Owner · ${owner.email}`)}`)
      await tabTo('Reason')
      await type(REASON)
      await tabTo('Start acting')
      await browser.evaluate('globalThis.isOldPage = true')
      await browser.press('Enter')
      await browser.wait(`globalThis.isOldPage === undefined && document.querySelector('.band') && ${says('Boutique Amina')}`)
      expect(await whoIs()).toBe(owner.id)
      expect(await browser.evaluate('document.cookie')).toBe('')
      expect(JSON.stringify(await browser.evaluate('[{ ...localStorage }, { ...sessionStorage }]'))).not.toContain('st_')
      await tabTo('Stop acting')
      await browser.evaluate('globalThis.isOldPage = true')
      await browser.press('Enter')
      await browser.wait(
        `globalThis.isOldPage === undefined && ${says('Boutique Boss')} && ${says('You are signed in as yourself again.')}`,
      )
      expect(await browser.evaluate(`document.querySelector('.band')`)).toBeNull()
      expect(await whoIs()).toBe(boss.id)
      const [action] = (await app.ok('GET', '/v1/admins/actions', { as: boss.token })).data
      expect(action).toMatchObject({ what: 'login_as', userId: owner.id, reason: REASON })
      expect(browser.problems).toEqual([])
    },
    WAIT_MS,
  )

  test(
    'the dialog finds no administrator, starts nothing without a user and a reason, and Escape leaves it',
    async () => {
      await signInAs(boss)
      await browser.visit(`/console/${storeId}/customers`)
      await browser.click('Act as a user')
      await browser.fill('Name or e-mail of the user', boss.email)
      await browser.wait(says('No user is found by this.'))
      expect(await browser.evaluate(`document.querySelector('dialog [type=submit]').disabled`)).toBe(true)
      const { email } = await app.person('Karim')
      await browser.fill('Name or e-mail of the user', email)
      await browser.wait(`document.querySelector('dialog [role=option]')`)
      await browser.evaluate(`document.querySelector('dialog [role=option]').click()`)
      await browser.click('Start acting')
      expect(await browser.evaluate(`document.querySelector('dialog textarea').validity.valueMissing`)).toBe(true)
      await browser.fill('Reason', '      ')
      await browser.click('Start acting')
      await browser.wait(`document.querySelector('dialog textarea[aria-invalid=true]') === document.activeElement`)
      expect(await whoIs()).toBe(boss.id)
      await browser.press('Escape')
      await browser.wait(`!document.querySelector('dialog[open]')`)
    },
    WAIT_MS,
  )

  test(
    'when the session of the user is over, the page returns to the own one by itself, and says so',
    async () => {
      const { owner, storeId: theirs } = await app.shop({ name: 'Boutique Nour' })
      await act(owner.id, { path: `/console/${theirs}/customers` })
      await browser.wait(`document.querySelector('.band')`)
      await app.context.sql`update session_tokens set expires_at = now() where user_id = ${owner.id} and means = 'admin'`
      await browser.wait(`${says('Boutique Boss')} && ${says('it lasts 30 minutes at most')}`)
      expect(await browser.evaluate(`document.querySelector('.band, input[type=password]')`)).toBeNull()
      expect(await whoIs()).toBe(boss.id)
    },
    WAIT_MS,
  )

  test(
    'a stop after the own session has ended leads to the sign-in, and says so',
    async () => {
      const { owner, storeId: theirs } = await app.shop({ name: 'Boutique Ines' })
      await act(owner.id, { path: `/console/${theirs}/customers` })
      await browser.wait(`document.querySelector('.band')`)
      await app.context.sql`delete from session_tokens where id = (select max(id) from session_tokens where user_id = ${boss.id})`
      await browser.click('Stop acting')
      await browser.wait(`document.querySelector('input[type=password]') && ${says('Your own session has ended too')}`)
      expect(await browser.evaluate(`fetch('/v1/me').then(({ status }) => status)`)).toBe(401)
    },
    WAIT_MS,
  )

  test(
    'a start or a stop in another tab loads this one anew',
    async () => {
      await signInAs(boss)
      await browser.visit(`/console/${storeId}/customers`)
      await browser.evaluate('globalThis.isOldPage = true')
      await browser.evaluate(`new BroadcastChannel('serai.session').postMessage(null)`)
      await browser.wait(`globalThis.isOldPage === undefined && ${says('Boutique Boss')}`)
    },
    WAIT_MS,
  )

  test(
    'on pages that belong to no store the band is there too, and stops',
    async () => {
      const person = await app.person('Without a store')
      await act(person.id)
      for (const path of ['/console', '/console/new-store', '/console/sto_nowhere/orders', '/console/a']) {
        await browser.visit(path)
        await browser.wait(says('You are acting as Without a store.'))
        expect([await browser.axe(), await browser.outside()]).toEqual([[], []])
      }
      await browser.click('Stop acting')
      await browser.wait(says('Boutique Boss'))
      expect(await whoIs()).toBe(boss.id)
      expect(browser.problems).toEqual([])
    },
    WAIT_MS,
  )

  test(
    'an administrator without a store acts as a user from the page that creates one',
    async () => {
      const admin = await app.person('Admin without a store')
      await app.context.sql`update users set is_admin = true where id = ${admin.id}`
      const { owner } = await app.shop({ name: 'Boutique Farid' })
      await signInAs(admin)
      await browser.visit('/console')
      await browser.click('Act as a user')
      await browser.wait(`document.activeElement.role === 'combobox'`)
      await type(owner.email)
      await browser.wait(`document.querySelector('dialog [role=option]')`)
      await browser.evaluate(`document.querySelector('dialog [role=option]').click()`)
      await browser.fill('Reason', REASON)
      await browser.click('Start acting')
      await browser.wait(`document.querySelector('.band') && ${says('Boutique Farid')}`)
      expect(await whoIs()).toBe(owner.id)
      expect(browser.problems).toEqual([])
    },
    WAIT_MS,
  )

  test(
    'the account menu of a page that belongs to no store is whole and accessible, in each language and size',
    async () => {
      const faults: string[] = []
      const admin = await app.person('Admin with a name that is longer than the window of a phone is wide')
      await app.context.sql`update users set is_admin = true where id = ${admin.id}`
      await signInAs(admin)
      for (const each of combinationsAt({ language: languages, size: Object.keys(sizes) as Size[], theme: themes }, 1)) {
        const name = Object.values(each).join(' ')
        await browser.visit('/console/new-store', each)
        await browser.evaluate(`document.querySelector('.outside header button').click()`)
        await browser.wait(`document.querySelector('.menu:popover-open') && ${says(texts[each.language].open)}`)
        faults.push(...[...(await browser.axe()), ...(await browser.outside())].map((fault) => `${name}: ${fault}`))
        if (!(await browser.fits())) faults.push(`${name}: wider than the window`)
      }
      expect(faults).toEqual([])
      expect(browser.problems).toEqual([])
    },
    WAIT_MS,
  )

  test(
    'the store that an administrator used last stays theirs while they act as a user',
    async () => {
      const { owner, storeId: theirs } = await app.shop({ name: 'Boutique Yasmine' })
      const lastStore = () => browser.evaluate<string>(`localStorage.getItem('serai.store')`)
      await signInAs(boss)
      await browser.visit(`/console/${storeId}/customers`)
      expect(await lastStore()).toBe(storeId)
      await act(owner.id, { path: `/console/${theirs}/customers` })
      await browser.wait(`document.querySelector('.band') && ${says('Boutique Yasmine')}`)
      expect(await lastStore()).toBe(storeId)
    },
    WAIT_MS,
  )

  test(
    'only an administrator of the platform sees the entry, and not while they act as a user',
    async () => {
      const { owner, storeId: theirs } = await app.shop({ name: 'Boutique Sami' })
      const hasEntry = async (id: string) => {
        await browser.visit(`/console/${id}/customers`)
        await browser.wait(says('Customers'))
        return browser.evaluate<boolean>(
          `[...document.querySelectorAll('.menu button')].some(({ textContent }) => textContent === 'Act as a user')`,
        )
      }
      await signInAs(owner)
      expect(await hasEntry(theirs)).toBe(false)
      await act(owner.id)
      expect(await hasEntry(theirs)).toBe(false)
      await signInAs(boss)
      expect(await hasEntry(storeId)).toBe(true)
    },
    WAIT_MS,
  )

  test(
    'the dialog and the band have no accessibility violation and no control outside the window, in each language and size',
    async () => {
      const { owner, storeId: theirs } = await app.shop({ name: 'متجر لينا' })
      const faults: string[] = []
      const looks = combinationsAt({ language: languages, size: Object.keys(sizes) as Size[], theme: themes }, 0)
      const look = async (name: string) => {
        faults.push(...[...(await browser.axe()), ...(await browser.outside())].map((fault) => `${name}: ${fault}`))
        if (!(await browser.fits())) faults.push(`${name}: wider than the window`)
      }
      for (const each of looks) {
        const { language } = each
        const name = Object.values(each).join(' ')
        await signInAs(boss)
        await browser.visit(`/console/${storeId}/customers`, each)
        await browser.click(texts[language].open)
        await browser.wait(`document.activeElement.role === 'combobox'`)
        await type(owner.email)
        await browser.wait(`document.querySelector('dialog [role=option]')`)
        await look(`dialog ${name}`)
        await act(owner.id, { ...each, path: `/console/${theirs}/customers` })
        await browser.wait(says(texts[language].stop))
        await look(`band ${name}`)
        const hidden = Object.values(texts).filter(({ stop }) => stop !== texts[language].stop)
        for (const { stop } of hidden) expect(await browser.evaluate(says(stop))).toBe(false)
      }
      expect(faults).toEqual([])
      expect(browser.problems).toEqual([])
    },
    2 * WAIT_MS,
  )
})
