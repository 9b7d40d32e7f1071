import type { Person, TestApp } from './app.ts'
import { openChromium } from './chromium.ts'

/** Languages, colours and sizes in which every page of the console is looked at. */
export const languages = ['en', 'fr', 'ar'] as const
export const themes = ['light', 'dark'] as const
export const sizes = { phone: { width: 375, height: 740 }, desktop: { width: 1360, height: 860 } } as const
export type Language = (typeof languages)[number]
export type Theme = (typeof themes)[number]
export type Size = keyof typeof sizes

export interface Look {
  readonly language?: Language
  readonly theme?: Theme
  readonly size?: Size
}

/** Codes without which the browser itself does nothing at these keys. */
const namedKeys: Readonly<Record<string, number>> = { Tab: 9, Enter: 13, Escape: 27 }

const axeSource = Bun.file(Bun.resolveSync('axe-core/axe.min.js', import.meta.dir)).text()
const PASSWORD = 'correct horse'
const KEY_PAUSE_MS = 80

/** Controls of a page that are not whole inside its window, or that something cuts off. A box that scrolls may hold more than it shows. */
const OUTSIDE = `(() => {
  const found = []
  const scrolls = (element) => {
    for (let each = element.parentElement; each; each = each.parentElement)
      if (/auto|scroll/.test(getComputedStyle(each).overflowX + getComputedStyle(each).overflowY) && each !== document.documentElement && each !== document.body) return true
    return false
  }
  for (const element of document.querySelectorAll('a, button, input, select, textarea, th, [role=tab]')) {
    const box = element.getBoundingClientRect()
    if (box.width === 0 || box.height === 0 || element.closest('.visually-hidden') || scrolls(element)) continue
    if (box.left < -0.5 || box.right > innerWidth + 0.5) found.push(element.outerHTML.slice(0, 120))
  }
  return found
})()`

/** A browser asks for an icon of other pages by itself; and who is not signed in yet is told so. */
const isExpected = ({ url = '', text }: { readonly url?: string; readonly text: string }) =>
  url.endsWith('/favicon.ico') || (url.endsWith('/v1/me') && text.includes('401'))

/** A browser at the console of a server. What a page logs as an error, or what its policy forbids, is in `problems`. */
export async function openConsole(
  app: Pick<TestApp, 'origin'>,
  {
    origin = `http://localhost:${new URL(app.origin).port}`,
    sites = {},
  }: { readonly origin?: string; readonly sites?: Parameters<typeof openChromium>[0] } = {},
) {
  const browser = await openChromium(sites)
  const { view } = browser
  const problems: string[] = []
  await view.cdp('Log.enable')
  await view.cdp('Runtime.enable')
  const onEvent = (type: string, describe: (data: never) => string | null) =>
    view.addEventListener(type, (event) => {
      const said = describe((event as MessageEvent).data as never)
      if (said !== null) problems.push(said)
    })
  onEvent('Log.entryAdded', ({ entry }: { entry: { level: string; text: string; url?: string } }) =>
    entry.level === 'error' && !isExpected(entry) ? `${entry.text} ${entry.url ?? ''}` : null,
  )
  onEvent(
    'Runtime.exceptionThrown',
    ({ exceptionDetails }: { exceptionDetails: { text: string; exception?: { description?: string } } }) =>
      `${exceptionDetails.text} ${exceptionDetails.exception?.description ?? ''}`,
  )
  onEvent('Runtime.consoleAPICalled', ({ type, args }: { type: string; args: readonly { value?: unknown; description?: string }[] }) =>
    type === 'error' ? args.map(({ value, description }) => String(value ?? description)).join(' ') : null,
  )

  const evaluate = <Value>(script: string) => view.evaluate<Value>(script)

  async function wait(condition: string, withinMs = 30_000): Promise<void> {
    const until = performance.now() + withinMs
    while (performance.now() < until) {
      if (await evaluate<boolean>(`Boolean(${condition})`).catch(() => false)) return
      await Bun.sleep(25)
    }
    throw new Error(`Never true: ${condition}\nThe page says: ${await evaluate('document.body.innerText')}\n${problems.join('\n')}`)
  }

  /** Opens a path of the console and waits until nothing is being loaded. */
  async function visit(path: string, { language = 'en', theme = 'light', size = 'desktop' }: Look = {}): Promise<void> {
    const { width, height } = sizes[size]
    await view.cdp('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: size === 'phone' })
    // Another fragment alone would be no new page.
    if (path.includes('#') || !String(await evaluate('location.origin')).startsWith(origin))
      await view.navigate(`${origin}/console/icon.svg`)
    const stored = JSON.stringify({ 'serai.language': language, 'serai.theme': theme })
    await evaluate(`Object.assign(localStorage, ${stored})`)
    await view.navigate(origin + path)
    await settled()
  }

  /** Waits until the page shows something and no request is under way. */
  const settled = () =>
    wait(`document.querySelector('main') && !document.querySelector('[aria-busy=true]') && document.fonts.status === 'loaded'`)

  return {
    ...browser,
    origin,
    problems,
    wait,
    visit,
    settled,
    evaluate,
    /** Signs in as somebody, without the page. */
    async signIn(person: Pick<Person, 'email'>) {
      const response = await fetch(`${origin}/console/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-serai-console': '1', origin },
        body: JSON.stringify({ isOwnDevice: true, password: { email: person.email, password: PASSWORD } }),
      })
      if (!response.ok) throw new Error(`Not signed in: ${await response.text()}`)
      const [name, value] = (response.headers.get('set-cookie') ?? '').split(';')[0]!.split('=')
      await view.cdp('Network.setCookie', { name, value, url: origin, httpOnly: true, sameSite: 'Lax' })
    },
    /** What `axe` objects to, each with the elements. */
    async axe(): Promise<string[]> {
      // The policy of the page forbids `eval` in it; what the debugger evaluates is not the page's.
      await evaluate(`window.axe === undefined && (() => { ${await axeSource} })()`)
      return evaluate(`(async () => {
        const { violations } = await axe.run(document, { resultTypes: ['violations'] })
        return violations.map(({ id, nodes }) => id + ': ' + nodes.slice(0, 3).map(({ html, failureSummary }) => html.slice(0, 160) + ' — ' + failureSummary.slice(0, 200)).join(' | '))
      })()`)
    },
    /** Controls that are not whole inside the window. */
    outside: () => evaluate<string[]>(OUTSIDE),
    /** Presses a key as a person does, and not as fast as a scanner. */
    async press(key: string, { code = key.length === 1 ? `Key${key.toUpperCase()}` : key, modifiers = 0 } = {}) {
      const written = key.length === 1 ? key : key === 'Enter' ? '\r' : undefined
      const named = namedKeys[key]
      await Bun.sleep(KEY_PAUSE_MS)
      const event = { key, code, modifiers, ...(named !== undefined && { windowsVirtualKeyCode: named }) }
      await view.cdp('Input.dispatchKeyEvent', { type: 'keyDown', ...event, ...(written !== undefined && { text: written }) })
      await view.cdp('Input.dispatchKeyEvent', { type: 'keyUp', ...event })
    },
    /** Clicks the control whose accessible text is this. */
    async click(text: string) {
      const find = `[...document.querySelectorAll('button, a, [role=tab], label')].filter((each) => each.offsetParent !== null || each.closest('dialog, [popover]')).find((each) => (each.getAttribute('aria-label') ?? each.textContent).trim() === ${JSON.stringify(text)})`
      await wait(find)
      await evaluate(`${find}.click()`)
    },
    /** Types into the field with this label. */
    async fill(label: string, value: string) {
      const find = `[...document.querySelectorAll('label')].find((each) => each.textContent.trim() === ${JSON.stringify(label)})?.control`
      await wait(find)
      // In one step: the page may write into the field when what it reads arrives.
      await evaluate(
        `(() => { const field = ${find}; field.focus(); field.select(); document.execCommand(${value === '' ? `'delete'` : `'insertText', false, ${JSON.stringify(value)}`}) })()`,
      )
    },
    async picture(path: string) {
      await Bun.write(path, await view.screenshot({ format: path.endsWith('.webp') ? 'webp' : 'png' }))
    },
  }
}
